import { metrics } from '@parlance/telemetry';
import { createConnection, type Connection } from 'mongoose';
import { makeComponent, makeProject, startWorld, type World } from './support/catalog';

/** A stored document whose fields tests read. */
type StoredDocument = { _id: number } & { [field: string]: unknown };

const PROJECTS = 1000;
const COMPONENTS = 5000;
const FIRST = 100_000;

let world: World;
let connection: Connection;
/** A catalog that was started after the objects were created. */
let client: World['client'];

/**
 * Number of store commands that a call needs: the minimum of up to 20 runs, because the relays of both catalogs poll for
 * unpublished events meanwhile. Ends with the first run that needs at most the expected number.
 */
async function queries(expected: number, run: (attempt: number) => Promise<unknown>): Promise<number> {
  const sent = async () => {
    const { values } = await metrics.getSingleMetric('parlance_store_command_duration_seconds')!.get();
    return values.reduce((sum, v) => sum + (v.labels['le'] === '+Inf' ? v.value : 0), 0);
  };
  let fewest = Infinity;
  for (let attempt = 0; attempt < 20 && fewest > expected; attempt++) {
    const before = await sent();
    await run(attempt);
    fewest = Math.min(fewest, (await sent()) - before);
  }
  return fewest;
}

beforeAll(async () => {
  world = await startWorld();
  connection = await createConnection(world.mongodbUri).asPromise();
  const id = await makeProject(world, 'pattern');
  const component = await makeComponent(world, id, 'pattern', { agreement: 'Be kind. '.repeat(300) });
  const project = await connection.collection<StoredDocument>('projects').findOne({ _id: id });
  const node = await connection.collection<StoredDocument>('nodes').findOne({ _id: component.id });
  // Written long ago, including the seeded languages, so that an incremental read does not find them.
  const updatedMs = Date.now() - 3_600_000;
  for (const name of ['projects', 'nodes', 'languages'])
    await connection.collection(name).updateMany({}, { $set: { updatedMs } });
  const projects = Array.from({ length: PROJECTS }, (_, i) => ({
    ...project,
    _id: FIRST + i,
    stamp: `p${i}`,
    updatedMs,
    settings: {
      ...(project!['settings'] as object),
      name: `Project ${i}`,
      slug: `p${i}`,
      accessControl: i % 50 === 0 ? 100 : 0,
    },
  }));
  const nodes = Array.from({ length: COMPONENTS }, (_, i) => ({
    ...node,
    _id: FIRST + i,
    stamp: `c${i}`,
    updatedMs,
    projectId: FIRST + (i % PROJECTS),
    settings: { ...(node!['settings'] as object), name: `Component ${i}`, slug: `c${i}`, restricted: i % 500 === 1 },
  }));
  await connection.collection('projects').insertMany(projects as never[]);
  for (let at = 0; at < nodes.length; at += 500)
    await connection.collection('nodes').insertMany(nodes.slice(at, at + 500) as never[]);
  const started = await world.another();
  client = started.client;
  // Waits until the relay's first poll is over.
  await started.service.relayOnce();
});
afterAll(async () => {
  await connection.close();
  await world.close();
});

describe('long lists', () => {
  it('long lists are complete, ordered, and without hidden objects', async () => {
    const seen: number[] = [];
    for (let page = 1; ; page++) {
      const answer = await client.listComponents(
        { page: { page, pageSize: 1000 } },
        { ...world.anonymous, catalogGeneration: 'g' },
      );
      seen.push(...answer.components.map((c) => c.id));
      if (seen.length >= answer.total) break;
    }
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    // One project in 50 is private, one component in 500 restricted (none of them in a private project), and the pattern.
    expect(seen).toHaveLength(1 + COMPONENTS - COMPONENTS / 50 - COMPONENTS / 500);
    const projects = await client.listProjects(
      { page: { pageSize: 1000 } },
      { ...world.anonymous, catalogGeneration: 'g' },
    );
    expect(projects.total).toBe(1 + PROJECTS - PROJECTS / 50);
  });

  it('lists take a constant number of queries, whatever the page and its length', async () => {
    const { admin } = world;
    const components = (page: number, pageSize: number, generation: string) =>
      client.listComponents({ page: { page, pageSize } }, { ...admin, catalogGeneration: generation });
    const projects = (page: number, pageSize: number, generation: string) =>
      client.listProjects({ page: { page, pageSize } }, { ...admin, catalogGeneration: generation });
    // Uncached objects: one query for components, one for their projects.
    await components(1, 1, 'known');
    expect(await queries(2, (i) => components(100 + i, 10, 'known'))).toBeLessThanOrEqual(2);
    expect(await queries(2, (i) => components(20 + i, 100, 'known'))).toBeLessThanOrEqual(2);
    // Cached objects.
    await components(1, 1000, 'known');
    expect(await queries(0, () => components(1, 50, 'known'))).toBe(0);
    expect(await queries(0, () => components(17, 50, 'known'))).toBe(0);
    await projects(1, 1000, 'known');
    expect(await queries(0, () => projects(17, 50, 'known'))).toBe(0);
    // New generation: only the incremental read.
    expect(await queries(4, (i) => components(1, 50, `other ${i}`))).toBeLessThanOrEqual(4);
  });
});
