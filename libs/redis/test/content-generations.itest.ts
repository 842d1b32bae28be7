import { engines } from '@parlance/testing';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { admit, beginGeneration, connectRedis, ContentGenerations, type ContentScope, type Redis } from '../src';

let redis: Redis;

beforeAll(async () => {
  const { href } = new URL('/2', (await engines()).redisUrl);
  redis = connectRedis(href, () => undefined);
  if (redis.status !== 'ready') await once(redis, 'ready');
});
afterAll(() => redis.disconnect());

const limits = { 'with a limit': { count: 1000, windowSeconds: 60 }, 'without a limit': null };

/** A project with two components, whose ids no other test uses. */
function place() {
  const id = randomInt(1, 2 ** 40);
  const scopes: ContentScope[] = ['site', `project:${id}`, `component:${id}`, `component:${id + 1}`];
  return { project: id, component: id, scopes };
}

describe.each(Object.entries(limits))('generations of contents %s', (_, limit) => {
  const read = async (scopes: ContentScope[]) => (await admit(redis, 'test:contents', limit, scopes)).contents!;

  it('have no value before their first, which is given once', async () => {
    const { scopes } = place();
    const [, ...own] = scopes;
    expect(await read(own)).toEqual([null, null, null]);
    await beginGeneration(redis, own[0]!);
    const [first] = await read(own);
    expect(first).not.toBeNull();
    await beginGeneration(redis, own[0]!);
    expect(await read(own)).toEqual([first, null, null]);
  });

  it('change for the site, the project and the component of a write, and for no other component', async () => {
    const { project, component, scopes } = place();
    for (const scope of scopes) await beginGeneration(redis, scope);
    const before = await read(scopes);
    await new ContentGenerations(redis).changed([{ project, component }]);
    const after = await read(scopes);
    expect(after.map((generation, i) => generation !== before[i])).toEqual([true, true, true, false]);
  });

  it('do not change for a write that changed nothing', async () => {
    const before = await read(['site']);
    await new ContentGenerations(redis).changed([]);
    expect(await read(['site'])).toEqual(before);
  });
});

it('generations that Redis did not accept are replaced as soon as it does', async () => {
  const { project, component, scopes } = place();
  for (const scope of scopes) await beginGeneration(redis, scope);
  const before = (await admit(redis, 'test:contents', null, scopes)).contents!;
  let failures = 2;
  const accepted = new Promise<void>((resolve) => {
    const mset = async (...pairs: string[]) => {
      if (failures-- > 0) throw new Error('Redis is unavailable');
      const answer = await redis.mset(...pairs);
      resolve();
      return answer;
    };
    const generations = new ContentGenerations({ status: 'ready', mset } as Pick<Redis, 'mset' | 'status'>, 1);
    void generations.changed([{ project, component }]);
  });
  await accepted;
  const after = (await admit(redis, 'test:contents', null, scopes)).contents!;
  expect(after.map((generation, i) => generation !== before[i])).toEqual([true, true, true, false]);
});
