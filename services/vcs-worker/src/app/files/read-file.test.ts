import { serviceCaller } from '@parlance/access';
import { metricsText } from '@parlance/telemetry';
import { lookupsDuring } from '@parlance/testing';
import { reasonOf, userWith, UseCaseWorld } from '../../../test/support/memory/world';
import { readComponentFile, readFile } from './read-file';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': 'cs', 'po/app.pot': 'base', 'secret.txt': 'secret' });
  await world.imported(1, { newBase: 'po/app.pot' });
});
afterEach(() => world.close());

const reader = userWith('translation.download');

describe('reading files', () => {
  it('users read translation and base files of the component only', async () => {
    expect((await readComponentFile(world.deps, reader, 1, 'po/cs.po')).bytes.toString()).toBe('cs');
    expect((await readComponentFile(world.deps, reader, 1, 'po/app.pot')).bytes.toString()).toBe('base');
    expect(await reasonOf(readComponentFile(world.deps, reader, 1, 'secret.txt'))).toBe('NOT_FOUND');
  });

  it('users need translation.download; services read every file', async () => {
    expect(await reasonOf(readComponentFile(world.deps, userWith('vcs.access'), 1, 'po/cs.po'))).toBe(
      'PERMISSION_DENIED',
    );
    const service = serviceCaller('translation');
    expect((await readComponentFile(world.deps, service, 1, 'secret.txt')).bytes.toString()).toBe('secret');
  });

  it('missing files, unusable paths and components without a repository are NOT_FOUND', async () => {
    expect(await reasonOf(readFile(world.deps, 1, 'missing'))).toBe('NOT_FOUND');
    expect(await reasonOf(readFile(world.deps, 1, '../secret.txt'))).toBe('NOT_FOUND');
    expect(await reasonOf(readFile(world.deps, 2, 'po/cs.po'))).toBe('NOT_FOUND');
  });

  it('a file that was read is cached until the current commit changes', async () => {
    const first = await readFile(world.deps, 1, 'po/cs.po');
    const readAgain = async () => expect(await readFile(world.deps, 1, 'po/cs.po')).toBe(first);
    expect(await lookupsDuring(metricsText, 'repository-files', readAgain)).toEqual({ hits: 1, misses: 0 });
    const head = world.remote.commit({ 'po/cs.po': 'new' });
    await world.run(1, async ({ session, git }) => {
      await git.fetch(world.url, 'main');
      await session.write({ head });
    });
    const readNew = async () => expect((await readFile(world.deps, 1, 'po/cs.po')).bytes.toString()).toBe('new');
    expect(await lookupsDuring(metricsText, 'repository-files', readNew)).toEqual({ hits: 0, misses: 1 });
  });
});
