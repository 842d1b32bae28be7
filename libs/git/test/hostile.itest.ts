import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { GitRepository, type GitOptions } from '../src';
import { git, Lab, signature } from './fixture';

describe('a hostile repository', () => {
  let lab: Lab;
  let url: string;
  let trap: string;

  beforeEach(async () => {
    lab = new Lab();
    trap = lab.folder('trapped');
    url = `git://127.0.0.1:${await lab.serve()}/project.git`;
  });
  afterEach(() => lab.close());

  it('a hostile repository runs no code: hooks, filters, drivers, submodules and links stay data', async () => {
    const touch = `touch ${trap}`;
    writeFileSync(lab.folder('secret'), 'secret');
    mkdirSync(join(lab.desk, 'hooks'));
    symlinkSync(lab.folder('secret'), join(lab.desk, 'cs.po'));
    symlinkSync('../../../../../../etc', join(lab.desk, 'etc'));
    lab.develop({
      'hooks/post-checkout': `#!/bin/sh\n${touch}\n`,
      'hooks/reference-transaction': `#!/bin/sh\n${touch}\n`,
      '.gitattributes': '*.po filter=evil diff=evil merge=evil\n*.bin filter=lfs diff=lfs merge=lfs\n',
      '.gitconfig': `[filter "evil"]\n\tclean = ${touch}\n\tsmudge = ${touch}\n[core]\n\tfsmonitor = ${touch}\n`,
      '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1/\n',
      'de.po': 'one\n',
      'x.bin': 'version https://git-lfs.github.com/spec/v1\n',
    });
    git(lab.desk, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    git(lab.desk, 'commit', '--quiet', '-m', 'sub');
    git(lab.desk, 'push', '--quiet', 'origin', 'HEAD');

    const repository = await GitRepository.create(lab.folder('clone'), lab.options());
    const base = await repository.fetch(url, 'main');
    const paths = (await repository.listFiles(base)).map((file) => file.path);
    expect(paths).toContain('de.po');
    expect(paths).not.toContain('cs.po');
    expect(paths).not.toContain('etc');
    expect(paths).not.toContain('sub');
    expect(await repository.readFile(base, 'cs.po')).toBeNull();

    const [local] = await repository.commit(base, [
      {
        changes: [{ path: 'de.po', bytes: Buffer.from('two\n') }],
        author: signature('Ann'),
        committer: signature('P'),
        message: 'x',
      },
    ]);
    lab.develop({ 'de.po': 'three\n' });
    const upstream = await repository.fetch(url, 'main');
    const outcome = await repository.merge({
      local: local!,
      upstream,
      style: 'rebase',
      message: 'm',
      committer: signature('P'),
      resolve: async (conflict) => conflict.local,
    });
    expect((await repository.readFile(outcome.head, 'de.po'))?.bytes.toString()).toBe('two\n');
    await repository.push(url, outcome.head, 'main', 'fast-forward');
    await repository.collectGarbage();
    expect(existsSync(trap)).toBe(false);
    expect(existsSync(join(repository.folder, 'hooks'))).toBe(false);
    expect(readdirSync(lab.home)).toEqual([]);
  });

  it('a hostile repository does not run hooks in its own folder on disk', async () => {
    lab.develop({ a: 'a' });
    const repository = await GitRepository.create(lab.folder('clone'), lab.options());
    mkdirSync(join(repository.folder, 'hooks'));
    writeFileSync(join(repository.folder, 'hooks', 'reference-transaction'), `#!/bin/sh\ntouch ${trap}\n`, {
      mode: 0o755,
    });
    const head = await repository.fetch(url, 'main');
    await repository.protectCommit(head);
    expect(existsSync(trap)).toBe(false);
  });

  it('a hostile repository is refused when its objects contain a .git path', async () => {
    lab.develop({ a: 'a' });
    const blob = git(lab.remote, 'rev-parse', 'main:a');
    const raw = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]);
    const tree = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
      cwd: lab.remote,
      input: raw,
      encoding: 'utf8',
    }).trim();
    const commit = git(lab.desk, 'rev-parse', 'HEAD');
    git(
      lab.remote,
      'update-ref',
      'refs/heads/main',
      execFileSync('git', ['commit-tree', '-m', 'x', '-p', commit, tree], {
        cwd: lab.remote,
        env: {
          ...process.env,
          GIT_AUTHOR_NAME: 'x',
          GIT_AUTHOR_EMAIL: 'x@y',
          GIT_COMMITTER_NAME: 'x',
          GIT_COMMITTER_EMAIL: 'x@y',
        },
        encoding: 'utf8',
      }).trim(),
    );
    const repository = await GitRepository.create(lab.folder('clone'), lab.options());
    await expect(repository.fetch(url, 'main')).rejects.toMatchObject({ problem: 'broken' });
  });

  it('a hostile repository cannot inject options through names of branches, paths and addresses', async () => {
    lab.develop({ a: 'a' });
    const repository = await GitRepository.create(lab.folder('clone'), lab.options());
    const head = await repository.fetch(url, 'main');
    for (const branch of [`--upload-pack=touch ${trap}`, `--exec=touch ${trap}`, '-x', 'a:refs/heads/b', '../x', ''])
      await expect(repository.fetch(url, branch)).rejects.toMatchObject({ problem: 'refused' });
    for (const address of [
      `ext::touch ${trap}`,
      `--upload-pack=touch ${trap}`,
      `ssh://-oProxyCommand=touch%20${trap}/x`,
      `git@-oProxyCommand=x:y`,
    ])
      await expect(repository.fetch(address, 'main')).rejects.toMatchObject({ problem: 'refused' });
    for (const path of ['../x', '/etc/passwd', '.git/config', 'a/../../x'])
      await expect(repository.readFile(head, path)).rejects.toMatchObject({ problem: 'refused' });
    const author = signature('A');
    await expect(
      repository.commit(head, [
        { changes: [{ path: '.git/hooks/x', bytes: Buffer.from('x') }], author, committer: author, message: 'x' },
      ]),
    ).rejects.toMatchObject({ problem: 'refused' });
    await expect(repository.readFile('HEAD', 'a')).rejects.toMatchObject({ problem: 'refused' });
    expect(existsSync(trap)).toBe(false);
  });

  it('a hostile repository cannot inject fast-import commands through commit messages and signatures', async () => {
    const repository = await GitRepository.create(lab.folder('clone'), lab.options());
    const author = { name: 'A\nM 100644 inline evil\n', email: 'a>\ncommitter x <y> 0 +0000', timeMs: 0 };
    const message = 'x\n\ndata 3\nM 100644 inline evil\ndata 1\nx\ndone\n';
    const [head] = await repository.commit(null, [
      {
        changes: [{ path: 'a"\\b', bytes: Buffer.from('data 3\ndone\n') }].filter(
          (change) => !change.path.includes('\\'),
        ),
        author,
        committer: author,
        message,
      },
    ]);
    const [commit] = await repository.readCommits([head!]);
    expect(commit!.message).toBe(message);
    expect(commit!.author.name).toBe('A M 100644 inline evil');
    expect(await repository.listFiles(head!)).toEqual([]);
  });
});

describe('the protection of private networks', () => {
  let lab: Lab;
  let port: number;
  beforeEach(async () => {
    lab = new Lab();
    lab.develop({ a: 'a' });
    port = await lab.serve();
  });
  afterEach(() => lab.close());

  const strict = (resolve?: (host: string) => Promise<string[]>): Partial<GitOptions> => ({
    policy: { allowPrivate: false, ...(resolve ? { resolve } : {}) },
  });

  it.each([
    'git://127.0.0.1:PORT/project.git',
    'git://localhost:PORT/project.git',
    'git://[::1]:PORT/project.git',
    'git://[::ffff:127.0.0.1]:PORT/x',
    'https://169.254.169.254/latest',
    'ssh://git@10.0.0.1/x',
    'git@192.168.0.1:x',
    'https://0x7f000001/x',
  ])('the protection of private networks refuses %s', async (address) => {
    const repository = await GitRepository.create(lab.folder('clone'), lab.options(strict()));
    await expect(repository.fetch(address.replace('PORT', String(port)), 'main')).rejects.toMatchObject({
      problem: 'refused',
    });
  });

  it('the protection of private networks refuses local folders and plain http', async () => {
    const repository = await GitRepository.create(lab.folder('clone'), lab.options(strict()));
    for (const address of [`file://${lab.remote}`, lab.remote, 'http://example.org/x'])
      await expect(repository.fetch(address, 'main')).rejects.toMatchObject({ problem: 'refused' });
    const allowed = await GitRepository.create(lab.folder('allowed'), lab.options());
    expect(await allowed.fetch(`file://${lab.remote}`, 'main')).toBe(git(lab.remote, 'rev-parse', 'main'));
  });

  it('the protection of private networks refuses names that resolve to this machine', async () => {
    const repository = await GitRepository.create(lab.folder('clone'), lab.options(strict(async () => ['127.0.0.1'])));
    await expect(repository.fetch(`git://rebind.example:${port}/project.git`, 'main')).rejects.toMatchObject({
      problem: 'refused',
    });
  });

  // DNS rebinding: the name resolves to a public address for the check and would then resolve to this machine. The connection
  // must go to the checked address, so the trap must receive no connection.
  it.each(['git', 'https', 'ssh'])(
    'the protection of private networks connects to the checked address even if the name resolves differently later (%s)',
    async (protocol) => {
      const connections: Socket[] = [];
      const trap: Server = createServer((socket) => {
        connections.push(socket);
        socket.destroy();
      });
      trap.listen(0, '127.0.0.1');
      await once(trap, 'listening');
      const { port: trapPort } = trap.address() as { port: number };
      try {
        const repository = await GitRepository.create(
          lab.folder('clone'),
          lab.options({ ...strict(async () => ['8.8.8.8']), networkTimeoutMs: 2_000 }),
        );
        // The system's resolver maps `localhost` to this machine.
        await expect(repository.fetch(`${protocol}://localhost:${trapPort}/project.git`, 'main')).rejects.toMatchObject(
          { name: 'GitError' },
        );
        expect(connections).toEqual([]);
      } finally {
        trap.close();
      }
    },
  );

  it('the protection of private networks shows no password in errors', async () => {
    const repository = await GitRepository.create(lab.folder('clone'), lab.options());
    const failure = await repository
      .fetch('https://user:hunter2%21@127.0.0.1:1/x', 'main')
      .catch((error: Error) => error);
    expect(failure).toMatchObject({ problem: 'unreachable' });
    expect(String(failure) + (failure as Error).stack).not.toMatch(/hunter2/);
  });
});
