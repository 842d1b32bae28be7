import type { GitRepository } from '@parlance/git';
import { newRepository, type Repository, type RepositoryChange } from '../../domain/repository';
import type { Session } from './repository-queue';
import { setHead } from './set-head';

/** A repository whose commits are numbers in ascending order; upstream has those up to 5. */
function start(known: Partial<Repository>) {
  const effects: string[] = [];
  let repository = newRepository({ id: 'r', task: '', vcs: 'git', repo: '', branch: 'main', ...known });
  const session = {
    get repository() {
      return repository;
    },
    async write(change: RepositoryChange) {
      effects.push('write repository');
      repository = { ...repository, ...change };
    },
  } as unknown as Session;
  const git = {
    hasCommit: async () => true,
    distance: async (head: string, upstream: string) => ({
      ahead: Math.max(0, Number(head) - Number(upstream)),
      behind: 0,
    }),
    isAncestor: async (older: string, newer: string) => Number(older) <= Number(newer),
    createBundle: async (head: string, bases: readonly string[]) => Buffer.from(`${bases.join()}..${head}`),
    protectCommit: async (commit: string) => void effects.push(`protect ${commit}`),
  } as unknown as GitRepository;
  const bundles: string[] = [];
  const commits = {
    save: async (bytes: Buffer) => {
      effects.push('save bundle');
      bundles.push(bytes.toString());
      return { id: `bundle-${bundles.length}`, size: bytes.length };
    },
    load: async () => Buffer.alloc(0),
    remove: async (id: string) => void effects.push(`remove ${id}`),
    sweep: async () => undefined,
  };
  const move = (head: string, change: RepositoryChange = {}) => setHead({ commits }, session, git, head, change);
  return { effects, bundles, move, now: () => repository };
}

const saved = (id: string, head: string) => ({ id, head, size: 1 });

describe('setHead', () => {
  it('unpushed commits are saved before the repository names them', async () => {
    const { effects, bundles, move, now } = start({ head: '5', upstream: '5' });
    await move('6');
    expect(effects).toEqual(['save bundle', 'write repository', 'protect 6']);
    expect(bundles).toEqual(['5..6']);
    expect(now()).toMatchObject({ head: '6', ahead: 1, saved: [{ id: 'bundle-1', head: '6' }] });
  });

  it('a further commit adds an incremental bundle', async () => {
    const { bundles, move, now } = start({ head: '6', upstream: '5', saved: [saved('old', '6')] });
    await move('7');
    expect(bundles).toEqual(['5,6..7']);
    expect(now().saved.map((s) => s.id)).toEqual(['old', 'bundle-1']);
  });

  it('after many bundles, a single bundle replaces them, and they are removed after the write', async () => {
    const row = Array.from({ length: 24 }, (_, i) => saved(`old-${i}`, '6'));
    const { effects, bundles, move, now } = start({ head: '6', upstream: '5', saved: row });
    await move('7');
    expect(bundles).toEqual(['5..7']);
    expect(now().saved).toHaveLength(1);
    expect(effects.indexOf('write repository')).toBeLessThan(effects.indexOf('remove old-0'));
    expect(effects.filter((e) => e.startsWith('remove'))).toHaveLength(24);
  });

  it('commits that upstream has need no bundle: the saved ones are removed after the write', async () => {
    const { effects, move, now } = start({ head: '6', upstream: '5', ahead: 1, saved: [saved('old', '6')] });
    await move('6', { upstream: '6' });
    expect(effects).toEqual(['write repository', 'protect 6', 'remove old']);
    expect(now()).toMatchObject({ head: '6', upstream: '6', ahead: 0, saved: [] });
  });

  it('the commits are saved as a new bundle on the changed upstream base', async () => {
    const { bundles, move, now } = start({ head: '7', upstream: '5', saved: [saved('old', '7')] });
    await move('8', { upstream: '6' });
    expect(bundles).toEqual(['6..8']);
    expect(now().saved.map((s) => s.id)).toEqual(['bundle-1']);
  });
});
