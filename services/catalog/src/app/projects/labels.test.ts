import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { createLabel, deleteLabel, listLabels } from './labels';

const page = { page: 1, size: 10 };

describe('labels of a project', () => {
  it('a label without a color is silver and is stored before its write is announced', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    const label = await createLabel(world.deps, world.admin, id, { name: 'urgent' });
    expect(label).toEqual({ id: 1, projectId: id, name: 'urgent', description: '', color: 'silver' });
    expect((await listLabels(world.deps, world.anonymous, id, page)).items).toEqual([label]);
    expect(world.effects.list).toEqual(['store label 1', 'announce a new generation']);
  });

  it('names of labels are unique in a project and may repeat in another', async () => {
    const world = new UseCaseWorld();
    const [one, two] = [await world.project('one'), await world.project('two')];
    await createLabel(world.deps, world.admin, one.id, { name: 'urgent' });
    expect(await fieldsOf(createLabel(world.deps, world.admin, one.id, { name: 'urgent' }))).toEqual(['name:unique']);
    expect(await reasonOf(createLabel(world.deps, world.admin, two.id, { name: 'urgent' }))).toBe('OK');
  });

  it('a label needs a name and a known color', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    expect(await fieldsOf(createLabel(world.deps, world.admin, id, { color: 'no color' }))).toEqual([
      'name:required',
      'color:invalid_choice',
    ]);
  });

  it('changing labels requires project.edit, and labels of hidden projects do not exist', async () => {
    const world = new UseCaseWorld();
    const open = await world.project('open');
    const closed = await world.project('closed', { accessControl: 100 });
    const reader = world.member(['unit.edit'], 'public');
    expect(await reasonOf(createLabel(world.deps, reader, open.id, { name: 'x' }))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(deleteLabel(world.deps, reader, open.id, 1))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(listLabels(world.deps, reader, closed.id, page))).toBe('NOT_FOUND');
  });

  it('a label is deleted through its own project only', async () => {
    const world = new UseCaseWorld();
    const [one, two] = [await world.project('one'), await world.project('two')];
    const label = await createLabel(world.deps, world.admin, one.id, { name: 'urgent' });
    expect(await reasonOf(deleteLabel(world.deps, world.admin, two.id, label.id))).toBe('NOT_FOUND');
    await deleteLabel(world.deps, world.admin, one.id, label.id);
    expect(await reasonOf(deleteLabel(world.deps, world.admin, one.id, label.id))).toBe('NOT_FOUND');
  });
});
