import { ChangeAction } from '@parlance/contracts';
import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { createCategory, deleteCategory, updateCategory } from './categories';

describe('createCategory', () => {
  it('a category is created in its project', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const { category } = await createCategory(world.deps, world.admin, { name: 'Docs', slug: 'docs', projectId });
    expect(category).toMatchObject({ version: 1, projectId, categoryId: 0, settings: { name: 'Docs', slug: 'docs' } });
    expect(await world.categories.get(category.id)).toEqual(category);
    expect(world.effects.list.at(-1)).toBe('announce a new generation');
  });

  it('an unknown or hidden project is a problem of the field, reported with the others', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('closed', { accessControl: 100 });
    const create = (input: object) => fieldsOf(createCategory(world.deps, world.member(['project.edit'], []), input));
    expect(await create({ name: 'Docs', slug: 'a b', projectId: 99 })).toEqual([
      'project:does_not_exist',
      'slug:invalid',
    ]);
    expect(await create({ name: 'Docs', slug: 'docs', projectId })).toEqual(['project:does_not_exist']);
    expect(await create({ configurationJson: '[]' })).toEqual(
      expect.arrayContaining(['project:required', 'name:required', 'slug:required', 'configuration:invalid']),
    );
  });

  it('creating a category requires project.edit', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const create = createCategory(world.deps, world.member(['component.edit']), { name: 'D', slug: 'd', projectId });
    expect(await reasonOf(create)).toBe('PERMISSION_DENIED');
  });

  it('categories and components of one level share their names and slugs', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    await world.component(projectId, 'docs');
    const outer = await world.category(projectId, 'outer');
    const input = { name: 'DOCS', slug: 'docs', projectId };
    expect(await fieldsOf(createCategory(world.deps, world.admin, input))).toEqual(['name:unique', 'slug:unique']);
    expect(await reasonOf(createCategory(world.deps, world.admin, { ...input, categoryId: outer.id }))).toBe('OK');
  });

  it('categories are nested at most three levels deep', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const one = await world.category(projectId, 'one');
    const two = await world.category(projectId, 'two', { categoryId: one.id });
    const three = await world.category(projectId, 'three', { categoryId: two.id });
    const input = { name: 'Four', slug: 'four', projectId, categoryId: three.id };
    expect(await fieldsOf(createCategory(world.deps, world.admin, input))).toEqual(['category:invalid']);
  });

  it('a category that is being deleted and one of another project accept no categories', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const closing = await world.category(projectId, 'closing', { deleting: true });
    const foreign = await world.category((await world.project('other')).id, 'foreign');
    for (const { id } of [closing, foreign]) {
      const create = createCategory(world.deps, world.admin, { name: 'D', slug: 'd', projectId, categoryId: id });
      expect(await fieldsOf(create)).toEqual(['category:does_not_exist']);
    }
  });

  it('a category created concurrently under the same slug is found by the second attempt', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    world.rival.beforeNextWrite(async () => void (await world.category(projectId, 'docs')));
    const create = createCategory(world.deps, world.admin, { name: 'Documents', slug: 'docs', projectId });
    expect(await fieldsOf(create)).toEqual(['slug:unique']);
  });
});

describe('updateCategory', () => {
  it('renaming and moving a category are recorded in the history', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const outer = await world.category(projectId, 'outer');
    const { id } = await world.category(projectId, 'docs');
    await updateCategory(world.deps, world.admin, id, { slug: 'manual', categoryId: outer.id }, false);
    expect(world.effects.payloads('changeMade')).toMatchObject([
      { action: ChangeAction.categoryRenamed, old: 'docs', target: 'manual' },
      { action: ChangeAction.categoryMoved, old: '', target: 'outer' },
    ]);
    expect(world.effects.list).toEqual([
      `store category ${id} (changeMade, changeMade)`,
      `announce nodes ${id} (changeMade, changeMade)`,
    ]);
  });

  it('a category cannot move below itself or to another project', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const other = await world.project('other');
    const outer = await world.category(projectId, 'outer');
    const inner = await world.category(projectId, 'inner', { categoryId: outer.id });
    const update = (input: object) => fieldsOf(updateCategory(world.deps, world.admin, outer.id, input, false));
    expect(await update({ categoryId: inner.id })).toEqual(['category:invalid']);
    expect(await update({ projectId: other.id })).toEqual(['project:invalid']);
  });

  it('a category moves with its contents, so their depth counts', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const one = await world.category(projectId, 'one');
    const two = await world.category(projectId, 'two', { categoryId: one.id });
    const moved = await world.category(projectId, 'moved');
    await world.category(projectId, 'inside', { categoryId: moved.id });
    const move = (categoryId: number) => updateCategory(world.deps, world.admin, moved.id, { categoryId }, false);
    expect(await fieldsOf(move(two.id))).toEqual(['category:invalid']);
    expect(await reasonOf(move(one.id))).toBe('OK');
  });

  it('a category that is being deleted cannot be changed', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const { id } = await world.category(projectId, 'closing', { deleting: true });
    expect(await reasonOf(updateCategory(world.deps, world.admin, id, { name: 'x' }, false))).toBe('NOT_FOUND');
  });

  it('a replacement requires all fields, and a partial update keeps the others', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const { id } = await world.category(projectId, 'docs');
    expect(await fieldsOf(updateCategory(world.deps, world.admin, id, { slug: 'd' }, true))).toEqual(
      expect.arrayContaining(['name:required', 'project:required']),
    );
    const { category } = await updateCategory(world.deps, world.admin, id, { configurationJson: '{"a":1}' }, false);
    expect(category.settings).toEqual({ name: 'DOCS', slug: 'docs', configuration: { a: 1 } });
  });
});

describe('deleteCategory', () => {
  it('a category is closed before its contents are deleted, and deleted from the inside out', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const outer = await world.category(projectId, 'outer');
    const inner = await world.category(projectId, 'inner', { categoryId: outer.id });
    const app = await world.component(projectId, 'app', {}, { categoryId: inner.id });
    const beside = await world.component(projectId, 'beside');
    await deleteCategory(world.deps, world.admin, outer.id);
    expect(world.effects.list.filter((e) => e.startsWith('store'))).toEqual([
      `store category ${outer.id} deleting`,
      `store component ${app.id} removed (componentDeleted, changeMade)`,
      `store category ${inner.id} removed (changeMade)`,
      `store category ${outer.id} removed (changeMade)`,
    ]);
    expect(await world.components.get(beside.id)).not.toBeNull();
  });

  it('an interrupted deletion continues', async () => {
    const world = new UseCaseWorld();
    const { id: projectId } = await world.project('acme');
    const { id } = await world.category(projectId, 'closing', { deleting: true });
    await deleteCategory(world.deps, world.admin, id);
    expect(await world.categories.get(id)).toBeNull();
    expect(await reasonOf(deleteCategory(world.deps, world.admin, id))).toBe('NOT_FOUND');
  });

  it('deleteCategory refuses while components of others use a repository in the category, and leaves it open', async () => {
    const world = new UseCaseWorld();
    const mine = await world.project('mine');
    const { id } = await world.category(mine.id, 'docs');
    const owner = await world.component(mine.id, 'owner', {}, { categoryId: id });
    await world.component((await world.project('other')).id, 'guest', {}, { linkedId: owner.id });
    const admin = world.member(['project.edit', 'component.edit'], [mine.id]);
    expect(await fieldsOf(deleteCategory(world.deps, admin, id))).toEqual(['null:linked']);
    expect((await world.categories.get(id))!.deleting).toBeUndefined();
  });

  it('deleting a category requires project.edit', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.category((await world.project('acme')).id, 'docs');
    expect(await reasonOf(deleteCategory(world.deps, world.member(['component.edit']), id))).toBe('PERMISSION_DENIED');
  });
});
