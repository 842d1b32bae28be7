import { engines } from '@parlance/testing';
import { randomUUID } from 'node:crypto';
import { admit, bumpGeneration, connectRedis, type Redis } from '../src';

let gateways: Redis[];

beforeAll(async () => {
  // A database of its own: other test files advance the generations of the first one.
  const { href } = new URL('/1', (await engines()).redisUrl);
  gateways = [0, 1, 2].map(() => connectRedis(href, () => undefined));
  await Promise.all(
    gateways.map((g) => (g.status === 'ready' ? undefined : new Promise((resolve) => g.once('ready', resolve)))),
  );
});
afterAll(() => gateways.forEach((g) => g.disconnect()));

const caller = () => `test:${randomUUID()}`;

describe('the rate limit of a caller', () => {
  it('the rate limit of a caller admits exactly the limit when several gateways send requests concurrently', async () => {
    const name = caller();
    const limit = { count: 50, windowSeconds: 3600 };
    const answers = await Promise.all(Array.from({ length: 120 }, (_, i) => admit(gateways[i % 3]!, name, limit)));
    const allowed = answers.filter((a) => a.allowed);
    expect(allowed).toHaveLength(50);
    expect(allowed.map((a) => a.remaining).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    expect(answers.filter((a) => !a.allowed).every((a) => a.remaining === 0)).toBe(true);
    expect(answers.every((a) => a.resetSeconds > 0 && a.resetSeconds <= 3600)).toBe(true);
  });

  it('the rate limit of a caller admits requests as long as the remaining count is positive', async () => {
    const name = caller();
    const limit = { count: 5, windowSeconds: 60 };
    let remaining = limit.count;
    for (let i = 0; i < 8; i++) {
      const answer = await admit(gateways[i % 3]!, name, limit);
      expect(answer.allowed).toBe(remaining > 0);
      remaining = answer.remaining;
    }
  });

  it('the rate limit of a caller regains capacity as requests leave the window', async () => {
    const name = caller();
    const limit = { count: 2, windowSeconds: 1 };
    // Sent together, so that the window does not end between them.
    const answers = await Promise.all([1, 2, 3].map(() => admit(gateways[0]!, name, limit)));
    expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    let answer = answers[2]!;
    while (!answer.allowed) answer = await admit(gateways[1]!, name, limit);
    expect(answer.remaining).toBeLessThan(limit.count);
  });

  it('the rate limit of a caller is counted per caller, and not at all without a limit', async () => {
    const limit = { count: 1, windowSeconds: 60 };
    expect((await admit(gateways[0]!, caller(), limit)).allowed).toBe(true);
    expect((await admit(gateways[0]!, caller(), limit)).allowed).toBe(true);
    expect((await admit(gateways[0]!, caller(), null)).allowed).toBe(true);
  });
});

describe('cache generations', () => {
  it('cache generations are visible to every gateway with its next request', async () => {
    const limit = { count: 100, windowSeconds: 60 };
    const name = caller();
    const before = await admit(gateways[0]!, name, limit);
    await bumpGeneration(gateways[1]!, 'catalog');
    const after = await admit(gateways[2]!, name, limit);
    expect(after.generations.catalog).not.toBe(before.generations.catalog);
    expect(after.generations.access).toBe(before.generations.access);
    await bumpGeneration(gateways[1]!, 'catalog');
    expect((await admit(gateways[0]!, name, null)).generations.catalog).not.toBe(after.generations.catalog);
  });
});
