import { isServiceError } from '@parlance/errors';
import { createConnection } from 'mongoose';
import { makeCategory, makeComponent, makeProject, problemsOf, worldWithProject, type World } from './support/catalog';

let world: World;
let project: number;
worldWithProject((made, id) => void ([world, project] = [made, id]));

const newCategory = (slug: string, categoryId = 0, projectId = project) =>
  makeCategory(world, slug, projectId, categoryId);

describe('moves of categories at the same time', () => {
  const ROUNDS = 8;
  const outcome = async (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'moved',
      (error: unknown) =>
        isServiceError(error, 'INVALID') ? error.problems.map((p) => p.attr).join() : Promise.reject(error as Error),
    );

  it('never put categories into one another', async () => {
    const { admin } = world;
    const other = await world.another();
    for (let round = 0; round < ROUNDS; round++) {
      const a = await newCategory(`left-${round}`);
      const b = await newCategory(`right-${round}`);
      const answers = await Promise.all([
        outcome(world.client.updateCategory({ id: a, category: { categoryId: b } }, admin)),
        outcome(other.client.updateCategory({ id: b, category: { categoryId: a } }, admin)),
      ]);
      expect(answers.sort()).toEqual(['category', 'moved']);
      const { categories } = await world.client.listCategories({ projectId: project }, admin);
      expect(categories.filter((c) => [a, b].includes(c.id) && c.categoryId === 0)).toHaveLength(1);
    }
  });

  it('never nest deeper than is allowed', async () => {
    const { client, admin } = world;
    for (let round = 0; round < ROUNDS; round++) {
      const [one, two, three, four] = [
        await newCategory(`d-one-${round}`),
        await newCategory(`d-two-${round}`),
        await newCategory(`d-three-${round}`),
        await newCategory(`d-four-${round}`),
      ];
      const move = (id: number, categoryId: number) =>
        outcome(client.updateCategory({ id, category: { categoryId } }, admin));
      const answers = await Promise.all([
        move(two, one),
        move(three, two),
        move(four, three),
        outcome(newCategory(`d-five-${round}`, four)),
      ]);
      expect(answers).toContain('category');
      const { categories } = await client.listCategories(
        { projectId: project, page: { page: 1, pageSize: 1000 } },
        admin,
      );
      expect(Math.max(...categories.map((c) => c.path.split('/').length))).toBe(3);
    }
  });

  it('are all carried out when they do not concern each other', async () => {
    const { client, admin } = world;
    const target = await newCategory('target');
    const made = await Promise.all(Array.from({ length: 12 }, (_, i) => newCategory(`many-${i}`)));
    await Promise.all(made.map((id) => client.updateCategory({ id, category: { categoryId: target } }, admin)));
    const { categories } = await client.listCategories(
      { projectId: project, page: { page: 1, pageSize: 1000 } },
      admin,
    );
    expect(categories.filter((c) => c.categoryId === target)).toHaveLength(12);
  });

  it('are finished for a process that died half-way', async () => {
    const { client, admin } = world;
    const elsewhere = await makeProject(world, 'half-way');
    const a = await newCategory('half-a', 0, elsewhere);
    const b = await newCategory('half-b', 0, elsewhere);
    const connection = await createConnection(world.mongodbUri).asPromise();
    const before = (await connection.collection('nodes').findOne({ _id: a as never }))!;
    const category = { id: a, version: 2, projectId: elsewhere, categoryId: b, settings: before['settings'] as object };
    await connection
      .collection('projects')
      .updateOne(
        { _id: elsewhere as never },
        { $set: { categoryTree: { version: 9, pending: { category, events: [] } } } },
      );
    await connection.close();
    expect(await outcome(client.updateCategory({ id: b, category: { categoryId: a } }, admin))).toBe('category');
    expect((await client.getCategory({ id: a }, admin)).category).toMatchObject({
      categoryId: b,
      path: 'half-b/half-a',
    });
    await client.updateCategory({ id: a, category: { categoryId: 0 } }, admin);
  });

  it('bring a stored cycle back into order', async () => {
    const { client, admin } = world;
    const elsewhere = await makeProject(world, 'round');
    const a = await newCategory('round-a', 0, elsewhere);
    const b = await newCategory('round-b', a, elsewhere);
    const component = await makeComponent(world, elsewhere, 'inside', { categoryId: b });
    const connection = await createConnection(world.mongodbUri).asPromise();
    await connection
      .collection('nodes')
      .updateOne({ _id: a as never }, { $set: { categoryId: b, updatedMs: Date.now(), stamp: 'round' } });
    await connection.close();
    const fresh = (await world.another()).client;
    expect((await fresh.getComponent({ id: component.id }, admin)).component?.path).toBe('round-a/round-b/inside');
    expect((await fresh.listComponents({ categoryId: a }, admin)).components.map((c) => c.id)).toEqual([component.id]);
    expect((await fresh.listCategories({ projectId: elsewhere }, admin)).total).toBe(2);
    expect(await outcome(fresh.updateCategory({ id: b, category: { categoryId: a } }, admin))).toBe('category');
    await fresh.updateCategory({ id: a, category: { categoryId: 0 } }, admin);
    expect(
      (await client.getComponent({ projectSlug: 'round', path: 'round-a/round-b/inside' }, admin)).component?.id,
    ).toBe(component.id);
  });
});

describe('what the caller knows to be wrong', () => {
  const known = { attr: 'color', code: 'invalid', detail: 'Known.' };

  it('is told with what else is wrong, and nothing is written', async () => {
    const { client, admin } = world;
    const options = { ...admin, problems: [known] };
    const label = { name: 'x'.repeat(500), color: 'nothing' };
    expect(await problemsOf(client.createLabel({ projectId: project, label }, options))).toEqual({
      color: 'invalid',
      name: 'max_length',
    });
    const fine = { category: { name: 'Fine', slug: 'fine', projectId: project } };
    expect(await problemsOf(client.createCategory(fine, options))).toEqual({ color: 'invalid' });
    expect(
      await problemsOf(
        client.createComponentList(
          {
            componentList: {
              name: 'L',
              slug: 'l l',
              hasAutoAssign: true,
              autoAssign: [{ projectMatch: '(', componentMatch: 'x' }],
            },
          },
          { ...admin, problems: [{ ...known, attr: 'show_dashboard' }] },
        ),
      ),
    ).toEqual({ show_dashboard: 'invalid', slug: 'invalid', 'auto_assign.0.project_match': 'invalid' });
    await client.createCategory(fine, admin);
  });

  it('is all that is told by methods that do not look further, and they do nothing', async () => {
    const { client, admin } = world;
    const id = await newCategory('stays');
    expect(await problemsOf(client.deleteCategory({ id }, { ...admin, problems: [known] }))).toEqual({
      color: 'invalid',
    });
    expect((await client.getCategory({ id }, admin)).category?.slug).toBe('stays');
  });
});
