import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metricsText } from '@parlance/telemetry';
import { GitRemote, lookupsDuring } from '@parlance/testing';
import { newRepository, type Repository } from '../../domain/repository';
import { Clones } from './clones';

const options = {
  policy: { allowPrivate: true },
  ssh: { knownHostsFile: '' },
  networkTimeoutMs: 20_000,
  localTimeoutMs: 20_000,
  maxRepositoryBytes: 50_000_000,
};
const author = { name: 'Ann', email: 'ann@example.com', timeMs: 0 };

let remote: GitRemote;
let folder: string;
let clones: Clones;
let upstream: string;
/** Saved commits by id. */
const bundles = new Map<string, Buffer>();
const commits = { load: async (id: string) => bundles.get(id)! };
/** Addresses that were asked for: each is a fetch. */
let fetches: number;

beforeEach(async () => {
  remote = new GitRemote();
  upstream = remote.commit({ 'a.txt': 'a' });
  folder = await mkdtemp(join(tmpdir(), 'parlance-clones-'));
  clones = await Clones.at(folder, options, commits);
  bundles.clear();
  fetches = 0;
});
afterEach(async () => {
  remote.close();
  await rm(folder, { recursive: true, force: true });
});

const repositoryOf = (more: Partial<Repository> = {}): Repository =>
  newRepository({ id: 'r', task: '', vcs: 'git', repo: '', branch: 'main', head: upstream, upstream, ...more });
const open = (repository: Repository) =>
  clones.open(repository, async () => {
    fetches++;
    return remote.fileUrl;
  });

/** A commit on top of upstream, saved as a bundle. */
async function unpushed() {
  const git = await open(repositoryOf());
  const changes = [{ path: 'b.txt', bytes: Buffer.from('b') }];
  const [head] = await git.commit(upstream, [{ changes, author, committer: author, message: 'Ours' }]);
  bundles.set('bundle', (await git.createBundle(head!, [upstream]))!);
  return repositoryOf({ head: head!, ahead: 1, saved: [{ id: 'bundle', head: head!, size: 1 }] });
}

describe('opening a clone', () => {
  it('opening a clone fetches it once, and then uses the clone on this disk', async () => {
    const openFirst = async () => expect(await (await open(repositoryOf())).hasCommit(upstream)).toBe(true);
    expect(await lookupsDuring(metricsText, 'clones', openFirst)).toEqual({ hits: 0, misses: 1 });
    expect(await lookupsDuring(metricsText, 'clones', () => open(repositoryOf()))).toEqual({ hits: 1, misses: 0 });
    expect(fetches).toBe(1);
    expect(await clones.list()).toEqual(['r']);
  });

  it('concurrent callers share one fetch', async () => {
    await Promise.all([open(repositoryOf()), open(repositoryOf()), open(repositoryOf())]);
    expect(fetches).toBe(1);
  });

  it('a clone that was lost is fetched, with the unpushed commits from the store', async () => {
    const repository = await unpushed();
    await clones.drop('r');
    const git = await open(repository);
    expect((await git.readFile(repository.head!, 'b.txt'))!.bytes.toString()).toBe('b');
    expect(fetches).toBe(2);
  });

  it('a clone without the current commit is completed', async () => {
    const repository = await unpushed();
    await clones.drop('r');
    await open(repositoryOf());
    const complete = async () => expect(await (await open(repository)).hasCommit(repository.head!)).toBe(true);
    expect(await lookupsDuring(metricsText, 'clones', complete)).toEqual({ hits: 0, misses: 1 });
  });

  it('a damaged clone is replaced', async () => {
    const git = await open(repositoryOf());
    rmSync(join(git.folder, 'HEAD'), { force: true });
    expect(await (await open(repositoryOf())).hasCommit(upstream)).toBe(true);
    expect(fetches).toBe(2);
  });

  it('opening a clone fails when the remote has given up the current commit', async () => {
    const head = 'a'.repeat(40);
    await expect(open(repositoryOf({ head }))).rejects.toMatchObject({ problem: 'incomplete' });
  });

  it('a failed fetch does not keep the next caller from opening it', async () => {
    const failing = clones.open(repositoryOf(), async () => Promise.reject(new Error('no address')));
    const waiting = open(repositoryOf());
    await expect(failing).rejects.toThrow('no address');
    expect(await (await waiting).hasCommit(upstream)).toBe(true);
  });

  it('a repository without a remote is restored from its saved commits alone', async () => {
    const git = await clones.create('other');
    const changes = [{ path: 'c.txt', bytes: Buffer.from('c') }];
    const [head] = await git.commit(null, [{ changes, author, committer: author, message: 'First' }]);
    bundles.set('whole', (await git.createBundle(head!, []))!);
    const saved = [{ id: 'whole', head: head!, size: 1 }];
    const restored = await open(repositoryOf({ vcs: 'local', head: head!, upstream: null, saved }));
    expect(await restored.hasCommit(head!)).toBe(true);
    expect(fetches).toBe(0);
  });
});

describe('a requested new clone', () => {
  it('a requested new clone replaces the one on this disk, once', async () => {
    const first = await open(repositoryOf());
    writeFileSync(join(first.folder, 'mark'), '');
    const second = await open(repositoryOf({ cloneNumber: 1 }));
    expect(await readdir(second.folder)).not.toContain('mark');
    await open(repositoryOf({ cloneNumber: 1 }));
    expect(fetches).toBe(2);
    await open(repositoryOf({ cloneNumber: 2 }));
    expect(fetches).toBe(3);
  });

  it('a requested new clone keeps the unpushed commits', async () => {
    const repository = await unpushed();
    const git = await open({ ...repository, cloneNumber: 1 });
    expect(await git.hasCommit(repository.head!)).toBe(true);
  });
});

describe('the clones of a worker', () => {
  it('the clones of a worker are listed by their ids; other files are ignored', async () => {
    await clones.create('one');
    await clones.create('two');
    writeFileSync(join(folder, 'repositories', 'notes.txt'), '');
    expect((await clones.list()).sort()).toEqual(['one', 'two']);
    await clones.drop('one');
    await clones.drop('missing');
    expect(await clones.list()).toEqual(['two']);
  });

  it('the clones of a worker have loose objects until they are packed; a missing clone has none', async () => {
    await unpushed();
    expect(await clones.looseObjects('r')).toBeGreaterThan(0);
    expect(await clones.looseObjects('missing')).toBe(0);
  });

  it('the clones of a worker survive a restart, and the folder may be emptied while the worker runs', async () => {
    await open(repositoryOf());
    clones = await Clones.at(folder, options, commits);
    await open(repositoryOf());
    expect(fetches).toBe(1);
    await rm(join(folder, 'repositories'), { recursive: true });
    expect(await clones.list()).toEqual([]);
    expect(await (await open(repositoryOf())).hasCommit(upstream)).toBe(true);
  });
});
