import { generationKey, connectRedis } from '@parlance/redis';
import { createConnection } from 'mongoose';
import { newEvent } from '@parlance/events';
import { aProject, makeComponent, makeProject, reasonOf, startWorld, type World } from './support/catalog';

/** A stored document whose fields tests read. */
type StoredDocument = { _id: number } & { [field: string]: unknown };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('what is written', () => {
  it('an event is published even if the process dies between write and publication', async () => {
    const id = await makeProject(world, 'crashed');
    // State after a crash: the write with its unpublished event. Its time keeps the periodic pass of the service from taking it.
    const event = newEvent('catalog', 'projectUpdated', { projectId: id, slug: 'left-behind', accessControl: 0 }, id);
    const connection = await createConnection(world.mongodbUri).asPromise();
    await connection
      .collection<StoredDocument>('projects')
      .updateOne({ _id: id }, { $push: { outbox: { ...event, timeMs: Date.now() + 60_000 } } as never });
    expect(await world.service.relayOnce(-120_000)).toBe(1);
    expect((await world.event('projectUpdated', (e) => e.id === event.id)).payload.slug).toBe('left-behind');
    const stored = await connection.collection<StoredDocument>('projects').findOne({ _id: id });
    expect(stored?.['outbox']).toEqual([]);
    expect(await world.service.relayOnce(-120_000)).toBe(0);
    await connection.close();
  });

  it('documents of deleted objects are purged', async () => {
    const id = await makeProject(world, 'cleared');
    const component = await makeComponent(world, id, 'gone');
    await world.client.deleteComponent({ id: component.id }, world.admin);
    expect(await world.stored(component.id)).toMatchObject({ kind: 'removed', repoSecret: '' });
    expect(await world.service.purge(Date.now() + 1)).toBeGreaterThan(0);
    expect(await world.stored(component.id)).toBeNull();
    const left = await makeComponent(world, id, 'left');
    await world.client.deleteProject({ id }, world.admin);
    const deleted = await world.event('componentDeleted', (e) => e.payload.componentId === left.id);
    expect(deleted.payload.projectId).toBe(id);
  });

  it('the generation is advanced before the response', async () => {
    const redis = connectRedis(world.redisUrl, () => undefined);
    await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
    const seen = new Set([await redis.get(generationKey('catalog'))]);
    const id = await makeProject(world, 'generation');
    seen.add(await redis.get(generationKey('catalog')));
    await world.client.updateProject({ id, project: { instructions: 'x' } }, world.admin);
    seen.add(await redis.get(generationKey('catalog')));
    await world.client.deleteProject({ id }, world.admin);
    seen.add(await redis.get(generationKey('catalog')));
    expect(seen.size).toBe(4);
    redis.disconnect();
  });

  it('a write is visible to another process under the new generation', async () => {
    const { client } = await world.another();
    const see = (generation: string) =>
      client.listProjects({ page: { pageSize: 1000 } }, { ...world.anonymous, catalogGeneration: generation });
    const id = await makeProject(world, 'both');
    expect((await see('g1')).projects.map((p) => p.id)).toContain(id);
    await world.client.updateProject({ id, project: { accessControl: 100 } }, world.admin);
    expect((await see('g2')).projects.map((p) => p.id)).not.toContain(id);
    expect(await reasonOf(client.getProject({ id }, world.anonymous))).toBe('NOT_FOUND');
  });

  it('categories that another process changed are visible under the new generation', async () => {
    const { client } = await world.another();
    const at = (generation: string) => ({ ...world.admin, catalogGeneration: generation });
    const projectId = await makeProject(world, 'twice');
    const input = { projectId, name: 'Docs', slug: 'docs' };
    const id = (await world.client.createCategory({ category: input }, world.admin)).category!.id;
    expect((await client.getCategory({ id }, at('c1'))).category).toMatchObject({ name: 'Docs', path: 'docs' });
    await world.client.updateCategory({ id, category: { name: 'Manual', slug: 'manual' } }, world.admin);
    expect((await client.getCategory({ id }, at('c2'))).category).toMatchObject({ name: 'Manual', path: 'manual' });
    const { categories } = await client.listCategories({ projectId, page: { pageSize: 10 } }, at('c2'));
    expect(categories).toMatchObject([{ name: 'Manual' }]);
    await world.client.updateProject({ id: projectId, project: { slug: 'moved' } }, world.admin);
    expect((await client.getCategory({ id }, at('c3'))).category).toMatchObject({ projectSlug: 'moved' });
    await world.client.deleteCategory({ id }, world.admin);
    expect(await reasonOf(client.getCategory({ id }, at('c4')))).toBe('NOT_FOUND');
  });

  it('concurrent requests create a name only once', async () => {
    const calls = Array.from({ length: 8 }, () =>
      reasonOf(world.client.createProject({ project: aProject('contended') }, world.admin)),
    );
    const reasons = await Promise.all(calls);
    expect(reasons.filter((r) => r === 'OK')).toHaveLength(1);
    expect(reasons.filter((r) => r === 'INVALID')).toHaveLength(7);
    const project = await makeProject(world, 'contended-parts');
    const parts = await Promise.all(
      Array.from({ length: 6 }, () =>
        makeComponent(world, project, 'part').then(
          () => 'OK',
          (error: { reason: string }) => error.reason,
        ),
      ),
    );
    expect(parts.filter((r) => r === 'OK')).toHaveLength(1);
    expect(parts.filter((r) => r === 'INVALID')).toHaveLength(5);
  });
});
