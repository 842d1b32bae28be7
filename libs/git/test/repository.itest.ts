import { existsSync, rmSync } from 'node:fs';
import { blobHash, describeStatus, GitRepository, MergeConflictError, type Resolver } from '../src';
import { git, Lab, signature } from './fixture';

const leaveOpen: Resolver = async () => undefined;
const committer = signature('Parlance');

describe('a repository', () => {
  let lab: Lab;
  let repository: GitRepository;
  let url: string;

  beforeEach(async () => {
    lab = new Lab();
    url = `git://127.0.0.1:${await lab.serve()}/project.git`;
    repository = await GitRepository.create(lab.folder('clone'), lab.options());
  });
  afterEach(() => lab.close());

  it('a repository finds the default branch, fetches it and reads files byte for byte', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x0d, 0x0a, 0x00, 0x61]);
    const hash = lab.develop({
      '.gitattributes': '* text=auto eol=crlf\n',
      'po/cs.po': bytes,
      'weird "name"\\ ž.txt': 'x\r\ny\n',
    });
    expect(await repository.remoteBranch(url, '')).toEqual({ branch: 'main', hash });
    expect(await repository.fetch(url, 'main')).toBe(hash);
    const files = await repository.listFiles(hash);
    expect(files.map((file) => file.path).sort()).toEqual(['.gitattributes', 'po/cs.po', 'weird "name"\\ ž.txt']);
    expect(await repository.readFile(hash, 'po/cs.po')).toEqual({ hash: blobHash(bytes), bytes });
    expect(await repository.readFile(hash, 'po/de.po')).toBeNull();
    expect(await repository.readFile(hash, 'po')).toBeNull();
  });

  it('a repository tells a missing repository, a missing branch and an empty repository apart', async () => {
    await expect(repository.remoteBranch(url, '')).rejects.toMatchObject({ problem: 'empty' });
    lab.develop({ a: '1' });
    await expect(repository.remoteBranch(url, 'nowhere')).rejects.toMatchObject({ problem: 'no-branch' });
    await expect(repository.fetch(url, 'nowhere')).rejects.toMatchObject({ problem: 'no-branch' });
    await expect(repository.fetch(url.replace('project', 'other'), 'main')).rejects.toMatchObject({
      problem: 'not-found',
    });
    await expect(repository.fetch('git://127.0.0.1:1/project.git', 'main')).rejects.toMatchObject({
      problem: 'unreachable',
    });
  });

  it('commits changes of several authors, keeps file modes and pushes exactly these commits', async () => {
    lab.develop({ 'po/cs.po': 'old\n', 'run.sh': '#!/bin/sh\n' });
    git(lab.desk, 'update-index', '--chmod=+x', 'run.sh');
    git(lab.desk, 'commit', '--quiet', '-m', 'mode');
    git(lab.desk, 'push', '--quiet', 'origin', 'HEAD');
    const base = await repository.fetch(url, 'main');
    const hashes = await repository.commit(base, [
      {
        changes: [{ path: 'po/cs.po', bytes: Buffer.from('new\r\n') }],
        author: signature('Ann'),
        committer,
        message: 'Czech\n\nBy hand',
      },
      {
        changes: [{ path: 'run.sh', bytes: Buffer.from('#!/bin/bash\n') }],
        author: signature('Bob <x>\n'),
        committer,
        message: 'Script',
      },
    ]);
    await repository.push(url, hashes[1]!, 'main', 'fast-forward');
    expect(git(lab.remote, 'log', '--format=%an <%ae> %cn %s', 'main', `^${base}`)).toBe(
      'Bob x <bobx@example.com> Parlance Script\nAnn <ann@example.com> Parlance Czech',
    );
    expect(git(lab.remote, 'cat-file', 'blob', 'main:po/cs.po')).toBe('new');
    expect(git(lab.remote, 'ls-tree', 'main', 'run.sh')).toContain('100755');
    expect(await repository.distance(hashes[1]!, base)).toEqual({ ahead: 2, behind: 0 });
    expect(await repository.changedPaths(base, hashes[1]!)).toEqual([
      { path: 'po/cs.po', kind: 'changed' },
      { path: 'run.sh', kind: 'changed' },
    ]);
  });

  it('a repository refuses to overwrite unknown commits with a push', async () => {
    lab.develop({ a: '1\n' });
    const base = await repository.fetch(url, 'main');
    const [mine] = await repository.commit(base, [
      { changes: [{ path: 'b', bytes: Buffer.from('b') }], author: committer, committer, message: 'b' },
    ]);
    const theirs = lab.develop({ a: '2\n' });
    await expect(repository.push(url, mine!, 'main', 'fast-forward')).rejects.toMatchObject({ problem: 'stale' });
    await expect(repository.push(url, mine!, 'main', { expected: base })).rejects.toMatchObject({ problem: 'stale' });
    expect(git(lab.remote, 'rev-parse', 'main')).toBe(theirs);
    await repository.push(url, mine!, 'main', { expected: theirs });
    expect(git(lab.remote, 'rev-parse', 'main')).toBe(mine);
  });

  describe.each(['rebase', 'merge'] as const)('%s', (style) => {
    const lines = (...changed: [number, string][]) =>
      Array.from({ length: 20 }, (_, at) => changed.find(([line]) => line === at)?.[1] ?? `line ${at}`).join('\n') +
      '\n';

    it('a repository merges changes of different lines if the resolver leaves the file open', async () => {
      lab.develop({ f: lines() });
      const base = await repository.fetch(url, 'main');
      const [local] = await repository.commit(base, [
        {
          changes: [{ path: 'f', bytes: Buffer.from(lines([2, 'mine'])) }],
          author: signature('Ann'),
          committer,
          message: 'mine',
        },
      ]);
      lab.develop({ f: lines([17, 'theirs']), g: 'g\n' });
      const upstream = await repository.fetch(url, 'main');
      const outcome = await repository.merge({
        local: local!,
        upstream,
        style,
        message: 'Merge',
        committer,
        resolve: leaveOpen,
      });
      expect(outcome.kind).toBe('merged');
      expect((await repository.readFile(outcome.head, 'f'))?.bytes.toString()).toBe(lines([2, 'mine'], [17, 'theirs']));
      const commits = await repository.readCommits(await repository.commitsBetween(upstream, outcome.head));
      expect(commits.at(style === 'rebase' ? 0 : 0)!.author.name).toBe('Ann');
      expect(commits.at(-1)!.parents).toEqual(style === 'rebase' ? [upstream] : [local, upstream]);
    });

    it('a repository passes the three versions of a conflicting file to the resolver and commits its result', async () => {
      lab.develop({ f: 'a\nb\nc\n' });
      const base = await repository.fetch(url, 'main');
      const [first, local] = await repository.commit(base, [
        {
          changes: [{ path: 'f', bytes: Buffer.from('a\nmine\nc\n') }],
          author: signature('Ann'),
          committer,
          message: 'one',
        },
        {
          changes: [{ path: 'f', bytes: Buffer.from('a\nmine\nC\n') }],
          author: signature('Bob'),
          committer,
          message: 'two',
        },
      ]);
      expect(first).toBeDefined();
      lab.develop({ f: 'a\ntheirs\nc\n' });
      const upstream = await repository.fetch(url, 'main');
      const asked: string[][] = [];
      const outcome = await repository.merge({
        local: local!,
        upstream,
        style,
        message: 'Merge',
        committer,
        resolve: async (conflict) => {
          asked.push([conflict.path, String(conflict.base), String(conflict.local), String(conflict.upstream)]);
          return Buffer.from(String(conflict.local));
        },
      });
      expect(asked[0]).toEqual([
        'f',
        'a\nb\nc\n',
        style === 'rebase' ? 'a\nmine\nc\n' : 'a\nmine\nC\n',
        'a\ntheirs\nc\n',
      ]);
      expect((await repository.readFile(outcome.head, 'f'))?.bytes.toString()).toBe('a\nmine\nC\n');
      if (style === 'rebase') {
        const commits = await repository.readCommits(await repository.commitsBetween(upstream, outcome.head));
        expect(commits.map((commit) => [commit.author.name, commit.message])).toEqual([
          ['Ann', 'one\n'],
          ['Bob', 'two\n'],
        ]);
      }
    });

    it('a repository changes nothing when a conflict stays open', async () => {
      lab.develop({ f: 'a\n', g: 'a\n' });
      const base = await repository.fetch(url, 'main');
      const [local] = await repository.commit(base, [
        {
          changes: [
            { path: 'f', bytes: Buffer.from('b\n') },
            { path: 'g', bytes: Buffer.from('b\n') },
          ],
          author: committer,
          committer,
          message: 'mine',
        },
      ]);
      lab.develop({ f: 'c\n', g: null });
      const upstream = await repository.fetch(url, 'main');
      const failed = repository.merge({ local: local!, upstream, style, message: 'm', committer, resolve: leaveOpen });
      await expect(failed).rejects.toBeInstanceOf(MergeConflictError);
      await expect(failed).rejects.toMatchObject({ paths: ['f', 'g'] });
    });
  });

  it('a repository reads any number of files and commits through one git process', async () => {
    const hash = lab.develop({ 'po/cs.po': 'cs\n', 'po/de.po': 'de\n' });
    await repository.fetch(url, 'main');
    const missing = '1'.repeat(40);
    const found: unknown[] = [];
    const processes = await lab.countProcesses(async () => {
      for (const path of ['po/cs.po', 'po/de.po', 'po/fr.po', 'po', 'po/cs.po/x'])
        found.push((await repository.readFile(hash, path))?.bytes.toString());
      found.push(await repository.hasCommit(hash), await repository.hasCommit(missing));
    });
    expect(found).toEqual(['cs\n', 'de\n', undefined, undefined, undefined, true, false]);
    expect(processes).toBe(1);
  });

  it('a repository rebases any number of local commits that edit files with the same number of git processes', async () => {
    const lines = (changed: Record<number, string>) =>
      Array.from({ length: 40 }, (_, at) => changed[at] ?? `line ${at}`).join('\n') + '\n';
    lab.develop({ 'po/cs.po': lines({}), 'po/de.po': 'de\n' });
    const base = await repository.fetch(url, 'main');
    const mine: Record<number, string> = {};
    const local = await repository.commit(
      base,
      Array.from({ length: 12 }, (_, at) => {
        mine[2 * at] = `mine ${at}`;
        return {
          changes: [{ path: 'po/cs.po', bytes: Buffer.from(lines(mine)) }],
          author: signature(`Author${at}`),
          committer,
          message: `commit ${at}`,
        };
      }),
    );
    lab.develop({ 'po/cs.po': lines({ 35: 'theirs' }) });
    const upstream = await repository.fetch(url, 'main');
    const rebase = async (head: string) => {
      let rebased = '';
      const request = { local: head, upstream, style: 'rebase' as const, message: '', committer, resolve: leaveOpen };
      const processes = await lab.countProcesses(async () => {
        rebased = (await repository.merge(request)).head;
      });
      return { processes, head: rebased };
    };
    const few = await rebase(local[1]!);
    const many = await rebase(local.at(-1)!);
    expect(many.processes).toBe(few.processes);
    expect(few.processes).toBeGreaterThan(0);
    const text = (await repository.readFile(many.head, 'po/cs.po'))?.bytes.toString();
    expect(text).toBe(lines({ ...mine, 35: 'theirs' }));
    const commits = await repository.readCommits(await repository.commitsBetween(upstream, many.head));
    expect(commits.map(({ author, message }) => [author.name, message])).toEqual(
      local.map((_, at) => [`Author${at}`, `commit ${at}\n`]),
    );
  });

  it('a repository rebases commits that add and remove files between commits that edit them', async () => {
    const lines = (changed: Record<number, string>) =>
      Array.from({ length: 9 }, (_, at) => changed[at] ?? `line ${at}`).join('\n') + '\n';
    lab.develop({ 'po/cs.po': lines({}), 'po/de.po': lines({}) });
    const base = await repository.fetch(url, 'main');
    const steps: Record<string, string | null>[] = [
      { 'po/cs.po': lines({ 0: 'one' }) },
      { 'po/de.po': lines({ 0: 'eins' }) },
      { 'po/fr.po': 'fr\n' },
      { 'po/cs.po': lines({ 0: 'one', 2: 'two' }), 'po/fr.po': 'fr 2\n' },
      { 'po/fr.po': null },
      { 'po/cs.po': lines({ 0: 'one', 2: 'two', 8: 'theirs' }) },
      { 'po/cs.po': lines({ 0: 'one', 2: 'two', 8: 'theirs', 4: 'three' }) },
    ];
    const local = await repository.commit(
      base,
      steps.map((files, at) => ({
        changes: Object.entries(files).map(([path, text]) => ({
          path,
          bytes: text === null ? null : Buffer.from(text),
        })),
        author: committer,
        committer,
        message: `step ${at}`,
      })),
    );
    lab.develop({ 'po/cs.po': lines({ 8: 'theirs' }), 'po/it.po': 'it\n' });
    const upstream = await repository.fetch(url, 'main');
    const request = { upstream, style: 'rebase' as const, message: '', committer, resolve: leaveOpen };
    const { head } = await repository.merge({ ...request, local: local.at(-1)! });
    const commits = await repository.readCommits(await repository.commitsBetween(upstream, head));
    // Upstream already contains the only change of step 5.
    expect(commits.map(({ message }) => message.trim())).toEqual([
      'step 0',
      'step 1',
      'step 2',
      'step 3',
      'step 4',
      'step 6',
    ]);
    const text = async (commit: string, path: string) => (await repository.readFile(commit, path))?.bytes.toString();
    expect(await text(head, 'po/cs.po')).toBe(lines({ 0: 'one', 2: 'two', 4: 'three', 8: 'theirs' }));
    expect(await text(head, 'po/de.po')).toBe(lines({ 0: 'eins' }));
    expect(await text(head, 'po/it.po')).toBe('it\n');
    expect(await text(head, 'po/fr.po')).toBeUndefined();
    expect(await text(commits[3]!.hash, 'po/fr.po')).toBe('fr 2\n');
  });

  it('a repository fast-forwards when only upstream has new commits, and drops commits that upstream already contains', async () => {
    lab.develop({ f: 'a\n' });
    const base = await repository.fetch(url, 'main');
    const [local] = await repository.commit(base, [
      { changes: [{ path: 'f', bytes: Buffer.from('b\n') }], author: committer, committer, message: 'mine' },
    ]);
    lab.develop({ f: 'b\n', g: 'g' });
    const upstream = await repository.fetch(url, 'main');
    const request = { upstream, message: 'm', committer, resolve: leaveOpen };
    expect(await repository.merge({ ...request, local: base, style: 'rebase' })).toEqual({
      kind: 'fast-forward',
      head: upstream,
    });
    expect(await repository.merge({ ...request, local: upstream, style: 'rebase' })).toEqual({
      kind: 'up-to-date',
      head: upstream,
    });
    expect(await repository.merge({ ...request, local: local!, style: 'rebase' })).toEqual({
      kind: 'merged',
      head: upstream,
    });
    expect((await repository.merge({ ...request, local: base, style: 'merge_noff' })).kind).toBe('merged');
  });

  it('a repository is restored from the remote and a bundle of the unpushed commits', async () => {
    lab.develop({ f: 'a\n' });
    const base = await repository.fetch(url, 'main');
    const [local] = await repository.commit(base, [
      { changes: [{ path: 'f', bytes: Buffer.from('b\n') }], author: signature('Ann'), committer, message: 'mine' },
    ]);
    const bundle = await repository.createBundle(local!, [base]);
    expect(await repository.createBundle(base, [base])).toBeNull();
    rmSync(repository.folder, { recursive: true });
    expect(await GitRepository.open(repository.folder, lab.options())).toBeNull();

    const again = await GitRepository.create(repository.folder, lab.options());
    await expect(again.restoreBundle(bundle!, local!)).rejects.toMatchObject({ problem: 'incomplete' });
    await again.fetch(url, 'main');
    await again.restoreBundle(bundle!, local!);
    await again.collectGarbage();
    await again.push(url, local!, 'main', 'fast-forward');
    expect(git(lab.remote, 'log', '-1', '--format=%H %an', 'main')).toBe(`${local} Ann`);
  });

  it('a repository starts a history with a root commit and saves all of it in a bundle', async () => {
    const [root] = await repository.commit(null, [
      { changes: [{ path: 'en.po', bytes: Buffer.from('x') }], author: committer, committer, message: 'Start' },
    ]);
    const bundle = await repository.createBundle(root!, []);
    const other = await GitRepository.create(lab.folder('other'), lab.options());
    await other.restoreBundle(bundle!, root!);
    expect(await other.listFiles(root!)).toMatchObject([{ path: 'en.po', size: 1 }]);
  });

  it('a repository stops on a signal, at the time limit and at the size limit', async () => {
    lab.develop({ big: Buffer.alloc(3_000_000, 'x').map((_, at) => (at * 7919) % 251) as Buffer });
    const stop = new AbortController();
    stop.abort();
    await expect(repository.fetch(url, 'main', stop.signal)).rejects.toMatchObject({ problem: 'aborted' });
    const hasty = await GitRepository.create(lab.folder('hasty'), lab.options({ networkTimeoutMs: 1 }));
    await expect(hasty.fetch(url, 'main')).rejects.toMatchObject({ problem: 'timeout' });
    const head = await repository.fetch(url, 'main');
    await expect(repository.run(['cat-file', 'blob', `${head}:big`], { maxOutputBytes: 1000 })).rejects.toMatchObject({
      problem: 'too-large',
    });
  });

  it('a repository leaves no folder behind when its creation fails', async () => {
    const blocked = lab.options({ localTimeoutMs: 1 });
    await expect(GitRepository.create(lab.folder('never'), blocked)).rejects.toMatchObject({ problem: 'timeout' });
    expect(existsSync(lab.folder('never'))).toBe(false);
  });

  it('a repository describes its state like git status', () => {
    expect(describeStatus({ branch: 'main', upstream: { ahead: 0, behind: 0 } })).toContain(
      "up to date with 'origin/main'",
    );
    expect(describeStatus({ branch: 'main', upstream: { ahead: 1, behind: 0 } })).toContain(
      "ahead of 'origin/main' by 1 commit.",
    );
    expect(describeStatus({ branch: 'main', upstream: { ahead: 2, behind: 3 } })).toContain(
      'have 2 and 3 different commits each',
    );
    expect(describeStatus({ branch: 'main' })).toBe('On branch main\nnothing to commit, working tree clean');
  });
});
