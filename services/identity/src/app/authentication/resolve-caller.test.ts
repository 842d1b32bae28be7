import { MAX_CALLER_TOKEN_BYTES } from '@parlance/access';
import { reasonOf, World } from '../../../test/support/world';
import { authenticate } from './authenticate';
import { createPersonalToken } from '../tokens/personal-tokens';
import { resolveCaller } from './resolve-caller';

async function withProjects(ids: number[]) {
  const world = await World.create();
  const ana = await world.user('ana');
  const { value } = await createPersonalToken(world.deps, world.operator, { userId: ana.id, name: 't', expiresMs: 0 });
  await world.deps.groups.update(4, (g) => ({
    next: { ...g, projectSelection: 0, projects: ids },
    announce: { audit: [] },
  }));
  await world.deps.users.update(ana.id, (u) => ({ next: { ...u, groups: [4] }, announce: { audit: [] } }));
  return { world, value };
}

/** Scattered ids of maximum length. */
function scattered(count: number): number[] {
  return Array.from({ length: count }, (_, i) => 1_000_000 + ((i * 7_919_993) % 8_999_999));
}

describe('a caller', () => {
  it('a caller can have thousands of listed projects', async () => {
    const { world, value } = await withProjects(scattered(4000));
    const { signedPrincipal } = await authenticate(world.deps, value);
    expect(signedPrincipal.length).toBeLessThan(MAX_CALLER_TOKEN_BYTES);
  });

  it('a caller that is too large to be sent is rejected with a reason', async () => {
    const { world, value } = await withProjects(scattered(20_000));
    expect(await reasonOf(authenticate(world.deps, value))).toBe('FAILED_PRECONDITION');
  });

  it('callers of superusers and unknown groups have no grants', async () => {
    const world = await World.create();
    const root = await world.user('root', { isSuperuser: true });
    expect((await resolveCaller(world.deps, root)).grants).toEqual([]);
    expect((await resolveCaller(world.deps, { ...root, isSuperuser: false, groups: [99] })).grants).toEqual([]);
  });
});
