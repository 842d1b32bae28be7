import { isServiceError } from '@parlance/errors';
import { createConnection, type Collection } from 'mongoose';
import {
  aComponent,
  makeCategory,
  makeComponent,
  makeProject,
  problemsOf,
  reasonOf,
  worldWithProject,
  type World,
} from './support/catalog';

/** A stored document whose fields tests read. */
type StoredDocument = { _id: number } & { [field: string]: unknown };

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

  it('concurrent moves never create a cycle of categories', async () => {
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

  it('concurrent moves never exceed the maximum depth', async () => {
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

  it('concurrent moves of unrelated categories all succeed', async () => {
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

  it('a move interrupted by a crash is completed', async () => {
    const { client, admin } = world;
    const elsewhere = await makeProject(world, 'half-way');
    const a = await newCategory('half-a', 0, elsewhere);
    const b = await newCategory('half-b', 0, elsewhere);
    const connection = await createConnection(world.mongodbUri).asPromise();
    const before = (await connection.collection<StoredDocument>('nodes').findOne({ _id: a }))!;
    const category = { id: a, version: 2, projectId: elsewhere, categoryId: b, settings: before['settings'] as object };
    await connection
      .collection<StoredDocument>('projects')
      .updateOne({ _id: elsewhere }, { $set: { categoryTree: { version: 9, pending: { category, events: [] } } } });
    await connection.close();
    expect(await outcome(client.updateCategory({ id: b, category: { categoryId: a } }, admin))).toBe('category');
    expect((await client.getCategory({ id: a }, admin)).category).toMatchObject({
      categoryId: b,
      path: 'half-b/half-a',
    });
    await client.updateCategory({ id: a, category: { categoryId: 0 } }, admin);
  });

  it('a stored cycle of categories is repaired', async () => {
    const { client, admin } = world;
    const elsewhere = await makeProject(world, 'round');
    const a = await newCategory('round-a', 0, elsewhere);
    const b = await newCategory('round-b', a, elsewhere);
    const component = await makeComponent(world, elsewhere, 'inside', { categoryId: b });
    const connection = await createConnection(world.mongodbUri).asPromise();
    await connection
      .collection<StoredDocument>('nodes')
      .updateOne({ _id: a }, { $set: { categoryId: b, updatedMs: Date.now(), stamp: 'round' } });
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

describe('the deletion of a category', () => {
  const ROUNDS = 8;
  const outcome = async (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'OK',
      (error: unknown) =>
        isServiceError(error, 'INVALID')
          ? error.problems.map((p) => `${p.attr}: ${p.code}`).join()
          : Promise.reject(error as Error),
    );
  const nodes = async <T>(use: (collection: Collection<{ _id: number }>) => Promise<T>): Promise<T> => {
    const connection = await createConnection(world.mongodbUri).asPromise();
    const result = await use(connection.collection<StoredDocument>('nodes') as never);
    await connection.close();
    return result;
  };
  /** Objects whose category does not exist. */
  const strays = () =>
    nodes(async (collection) => {
      const all = await collection.find({ kind: { $in: ['component', 'category'] } }).toArray();
      const categories = new Set([0, ...all.filter((n) => 'kind' in n && n.kind === 'category').map((n) => n._id)]);
      return all.filter((n) => !categories.has((n as unknown as { categoryId: number }).categoryId));
    });

  it('deleting a category also deletes objects that are added concurrently', async () => {
    const { client, admin } = world;
    const other = (await world.another()).client;
    for (let round = 0; round < ROUNDS; round++) {
      const id = await newCategory(`leaving-${round}`);
      const inner = await newCategory('inner', id);
      const mover = await makeComponent(world, project, `mover-${round}`);
      const [, ...answers] = await Promise.all([
        client.deleteCategory({ id }, admin),
        outcome(other.updateComponent({ id: mover.id, component: { categoryId: id } }, admin)),
        outcome(
          other.createComponent(
            { projectId: project, component: aComponent(`made-${round}`, { categoryId: inner }) },
            admin,
          ),
        ),
        outcome(makeCategory({ ...world, client: other }, `within-${round}`, project, inner)),
      ]);
      for (const answer of answers) expect(['OK', 'category: does_not_exist']).toContain(answer);
      expect(await strays()).toEqual([]);
      const left = await reasonOf(client.getComponent({ id: mover.id }, admin));
      expect(left).toBe(answers[0] === 'OK' ? 'NOT_FOUND' : 'OK');
    }
  });

  it('deleting a category can be repeated after an interruption, and nothing can be added or removed in between', async () => {
    const { client, admin } = world;
    const id = await newCategory('interrupted');
    const inner = await newCategory('rest', id);
    const rest = await makeComponent(world, project, 'remains', { categoryId: inner });
    const mover = await makeComponent(world, project, 'late');
    await nodes((collection) => collection.updateOne({ _id: id }, { $set: { deleting: true } }));
    const refused = 'category: does_not_exist';
    expect(await outcome(client.updateComponent({ id: mover.id, component: { categoryId: inner } }, admin))).toBe(
      refused,
    );
    expect(await outcome(newCategory('later', id))).toBe(refused);
    expect(await reasonOf(client.updateCategory({ id: inner, category: { categoryId: 0 } }, admin))).toBe('NOT_FOUND');
    expect(await reasonOf(client.updateComponent({ id: rest.id, component: { categoryId: 0 } }, admin))).toBe(
      'NOT_FOUND',
    );
    await client.deleteCategory({ id }, admin);
    expect(await reasonOf(client.getComponent({ id: rest.id }, admin))).toBe('NOT_FOUND');
    expect(await strays()).toEqual([]);
  });

  it('deleting a category also deletes a component that a crashed process was adding', async () => {
    const { client, admin } = world;
    const elsewhere = await makeProject(world, 'dying');
    const id = await newCategory('goal', 0, elsewhere);
    const { id: componentId } = await makeComponent(world, elsewhere, 'on-its-way');
    const connection = await createConnection(world.mongodbUri).asPromise();
    const { _id, kind, outbox, updatedMs, stamp, ...rest } = (await connection
      .collection<StoredDocument>('nodes')
      .findOne({ _id: componentId })) as unknown as Record<string, unknown>;
    expect([_id, kind, outbox, typeof updatedMs, typeof stamp]).toEqual([
      componentId,
      'component',
      [],
      'number',
      'string',
    ]);
    const component = { ...rest, id: componentId, version: (rest['version'] as number) + 1, categoryId: id };
    await connection
      .collection<StoredDocument>('projects')
      .updateOne({ _id: elsewhere }, { $set: { categoryTree: { version: 9, pending: { component, events: [] } } } });
    await connection.close();
    await client.deleteCategory({ id }, admin);
    expect(await reasonOf(client.getComponent({ id: componentId }, admin))).toBe('NOT_FOUND');
  });

  it('a component whose category is missing belongs to the project itself', async () => {
    const { client, admin } = world;
    const stray = await makeComponent(world, project, 'stray');
    await nodes((collection) =>
      collection.updateOne({ _id: stray.id }, { $set: { categoryId: 999_999, updatedMs: Date.now(), stamp: 'lost' } }),
    );
    const fresh = (await world.another()).client;
    const { component } = await fresh.getComponent({ projectSlug: 'main', path: 'stray' }, admin);
    expect(component).toMatchObject({ id: stray.id, categoryId: 0 });
    await client.updateComponent({ id: stray.id, component: { priority: 80 } }, admin);
    expect(await strays()).toEqual([]);
  });
});

describe('what the caller knows to be wrong', () => {
  const known = { attr: 'color', code: 'invalid', detail: 'Known.' };

  it('problems found by the caller are reported together with further problems, and nothing is written', async () => {
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

  it("methods without further validation report only the caller's problems and make no change", async () => {
    const { client, admin } = world;
    const id = await newCategory('stays');
    expect(await problemsOf(client.deleteCategory({ id }, { ...admin, problems: [known] }))).toEqual({
      color: 'invalid',
    });
    expect((await client.getCategory({ id }, admin)).category?.slug).toBe('stays');
  });
});
