import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import { createConnection } from 'mongoose';
import { aComponent, makeCategory, makeComponent, worldWithProject, type World } from './support/catalog';

const ROUNDS = 8;

let world: World;
let project: number;
worldWithProject((made, id) => void ([world, project] = [made, id]));

async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'OK',
    (error: unknown) =>
      isServiceError(error, 'INVALID') ? error.problems.map((p) => p.attr).join() : Promise.reject(error as Error),
  );
}

const share = (client: Client<'catalog'>, id: number, slug: string) =>
  outcome(client.updateComponent({ id, component: { repo: `parlance://main/${slug}` } }, world.admin));

async function linkedIds(...ids: number[]): Promise<number[]> {
  const stored = (await Promise.all(ids.map((id) => world.stored(id)))) as { linkedId: number }[];
  return stored.map((c) => c.linkedId);
}

describe('components that begin to share repositories at the same moment', () => {
  it("components linked concurrently never share each other's repository", async () => {
    const other = (await world.another()).client;
    for (let round = 0; round < ROUNDS; round++) {
      const a = await makeComponent(world, project, `a${round}`);
      const b = await makeComponent(world, project, `b${round}`);
      const answers = await Promise.all([share(world.client, a.id, `b${round}`), share(other, b.id, `a${round}`)]);
      expect(answers.sort()).toEqual(['OK', 'repo']);
      const either = [
        [b.id, 0],
        [0, a.id],
      ];
      expect(either).toContainEqual(await linkedIds(a.id, b.id));
    }
  });

  it('components linked concurrently never share a shared repository', async () => {
    const other = (await world.another()).client;
    const category = await makeCategory(world, 'shelf', project);
    for (let round = 0; round < ROUNDS; round++) {
      const d = await makeComponent(world, project, `d${round}`);
      const e = await makeComponent(world, project, `e${round}`);
      await makeComponent(world, project, `f${round}`);
      const create = (slug: string, categoryId: number) => {
        const more = { repo: `parlance://main/e${round}`, categoryId };
        const component = aComponent(slug, more);
        return outcome(other.createComponent({ projectId: project, component }, world.admin));
      };
      const [moved, ...sharing] = await Promise.all([
        share(world.client, e.id, `f${round}`),
        share(other, d.id, `e${round}`),
        create(`x${round}`, 0),
        create(`y${round}`, category),
      ]);
      for (const answer of sharing) expect([moved, answer].sort()).toEqual(['OK', 'repo']);
    }
  });

  it('a link is rejected beside a hold unless the hold has expired', async () => {
    const held = await makeComponent(world, project, 'held');
    await makeComponent(world, project, 'goal');
    const hold = async (untilMs: number) => {
      const connection = await createConnection(world.mongodbUri).asPromise();
      const holds = [{ key: 'died', untilMs }];
      await connection.collection<{ _id: number }>('nodes').updateOne({ _id: held.id }, { $set: { holds } });
      await connection.close();
    };
    await hold(Date.now() + 600_000);
    expect(await share(world.client, held.id, 'goal')).toBe('repo');
    await hold(Date.now() - 1);
    expect(await share(world.client, held.id, 'goal')).toBe('OK');
  });
});
