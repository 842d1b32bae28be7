import type { Caller } from '@parlance/access';
import { reasonOf, userWith, UseCaseWorld } from '../../../test/support/memory/world';
import { serveGit } from './serve-git';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ README: 'x\n' });
});
afterEach(() => world.close());

/** A client asks for the refs. */
async function ask(caller: Caller, id: number, signal = new AbortController().signal): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of serveGit(world.deps, caller, id, { protocol: 0, body: null }, signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const reader = userWith('vcs.access');

describe('serving git clients', () => {
  it('a client with vcs.access gets the current branch, without a lease', async () => {
    await world.imported(1);
    expect(await ask(reader, 1)).toContain(`${(await world.repository(1)).head} refs/heads/main`);
    expect(world.effects.list).toEqual([]);
  });

  it('a client without vcs.access is refused', async () => {
    await world.imported(1);
    expect(await reasonOf(ask(userWith('vcs.view'), 1))).toBe('PERMISSION_DENIED');
  });

  it('a component that shares a repository, or lost its link, has none to serve', async () => {
    await world.imported(1);
    await world.linked(2, 1);
    await world.linked(3, 1, { linkedComponentId: 0 });
    for (const id of [2, 3, 404]) expect(await reasonOf(ask(reader, id))).toBe('NOT_FOUND');
  });

  it('a failure of git is UNAVAILABLE and does not name the remote', async () => {
    await world.imported(1, { repo: 'file:///secret/place' });
    await world.deps.clones.drop('r1');
    await expect(ask(reader, 1)).rejects.toMatchObject({
      reason: 'UNAVAILABLE',
      message: expect.not.stringContaining('secret') as string,
    });
  });

  it('the permit is released after a failure', async () => {
    await world.imported(1);
    const component = world.catalog.stored.get(1)!;
    await world.deps.clones.drop('r1');
    component.settings.repo = 'file:///secret/place';
    await reasonOf(ask(reader, 1));
    component.settings.repo = world.url;
    expect(await ask(reader, 1)).toContain('refs/heads/main');
  });
});
