import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ZipFile } from 'yazl';
import { repositoryPerTest } from './support/repository';
import { po, pot, problemsOf, texts, type Started, type World } from './support/world';

async function zip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(files))
    archive.addBuffer(Buffer.from(content), path, { forceDosTimestamp: true });
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('looking into a repository', () => {
  let world: World;
  let one: Started;
  repositoryPerTest((ground) => void ({ world, one } = ground), {
    'po/app.pot': pot,
    'po/cs.po': texts(),
    'en.po': 'msgid "broken',
  });

  const fields = (settings: Parameters<World['prepareRequest']>[0], more: object = {}) =>
    problemsOf(one.client.prepareRepository({ ...world.prepareRequest(settings), ...more }, world.process));
  const clones = () => readdirSync(join(one.folder, 'repositories'));

  it('preparing a repository finds branch and files', async () => {
    const prepared = await one.client.prepareRepository(world.prepareRequest({ newBase: 'po/app.pot' }), world.process);
    expect(prepared).toMatchObject({ branch: 'main', files: ['po/cs.po'] });
    const { task } = await one.client.getTask({ id: prepared.taskId }, world.admin);
    expect(task).toMatchObject({ completed: false, progress: 0, resultJson: 'null' });
  });

  it('the component of a task is available before it is stored', async () => {
    const prepared = await one.client.prepareRepository(world.prepareRequest({}), world.process);
    const answer = one.client.getTask({ id: prepared.taskId }, world.process);
    await world.imported(one, 4_711, {}, prepared);
    expect((await answer).task).toMatchObject({ componentId: 4_711 });
  });

  it('a mask is rejected if no file has the format, but not if some files have mistakes', async () => {
    const broken = 'msgid "broken';
    await world.fresh({
      'loc/cs.json': '{"a": "b"}',
      'loc/de.json': '{}',
      'po/cs.po': broken,
      'po/de.po': texts(),
      'doc/cs.po': broken,
    });
    expect(await fields({ filemask: 'loc/*.json' })).toEqual({
      filemask: expect.stringMatching(/^No file of the mask can be read in this format; loc\/cs\.json, line 1/),
    });
    expect(await fields({ filemask: 'doc/*.po' })).toHaveProperty('filemask');
    const prepared = await one.client.prepareRepository(world.prepareRequest({ filemask: 'po/*.po' }), world.process);
    expect(prepared.files).toEqual(['po/cs.po', 'po/de.po']);
  });

  it('invalid settings are rejected by field and leave no repository', async () => {
    const before = clones();
    expect(await fields({ repo: world.url.replace('project', 'nowhere') })).toHaveProperty('repo');
    expect(await fields({ repo: 'git://127.0.0.1:1/x.git' })).toHaveProperty('repo');
    expect(await fields({ branch: 'nowhere' })).toHaveProperty('repo');
    expect(await fields({ branch: '--upload-pack=touch /tmp/x' })).toHaveProperty('repo');
    expect(await fields({ filemask: 'locale/*.po' })).toEqual({ filemask: expect.stringContaining('matches no file') });
    expect(await fields({ filemask: '../*.po', newBase: '/etc/passwd', template: 'a//b' })).toEqual({
      filemask: expect.any(String),
      new_base: expect.any(String),
      template: expect.any(String),
    });
    expect(await fields({ filemask: 'po/cs.po' })).toHaveProperty('filemask');
    expect(await fields({ newBase: 'po/nothing.pot' })).toEqual({
      new_base: expect.stringContaining('not in the repository'),
    });
    expect(await fields({ newBase: 'en.po' })).toEqual({ new_base: expect.stringMatching(/line 1/) });
    expect(await fields({}, { languageRegex: '(' })).toHaveProperty('language_regex');
    expect(await fields({ repo: 'ext::sh -c id' })).toHaveProperty('repo');
    expect(await fields({ push: '-oProxyCommand=id' })).toHaveProperty('push');
    expect(clones()).toEqual(before);
    expect(await world.store.collection('repositories').countDocuments({ head: null })).toBe(0);
  });

  it('private addresses are rejected unless they are allowed, whatever a name resolves to', async () => {
    const strict = await world.worker(
      { PARLANCE_ALLOW_PRIVATE_REMOTES: 'false' },
      { resolve: async (host) => (host === 'public.example' ? ['192.0.2.1', '127.0.0.1'] : ['10.0.0.7']) },
    );
    const repoOf = (repo: string, push = '') =>
      problemsOf(strict.client.prepareRepository(world.prepareRequest({ repo, push }), world.process));
    for (const repo of [
      world.url,
      'https://intranet.example/x.git',
      'https://public.example/x.git',
      world.remote.fileUrl,
      'http://example.org/x',
      'https://[::1]/x',
      'git@169.254.169.254:x',
    ]) {
      expect(await repoOf(repo)).toHaveProperty('repo');
    }
    expect(await repoOf('https://intranet.example/x.git', 'ssh://git@10.0.0.1/x')).toHaveProperty('push');
    await world.stop(strict);
  });

  it('local repositories are created from archives and documents and kept without a remote', async () => {
    const bytes = await zip({ 'l10n/app.pot': pot, 'l10n/cs.po': texts() });
    const settings = { vcs: 'local', repo: 'local:', filemask: 'l10n/*.po', newBase: 'l10n/app.pot' };
    const id = await world.fresh({ x: 'x' });
    const prepared = await one.client.prepareRepositoryFromFile(
      (async function* () {
        yield { header: { ...world.prepareRequest(settings), archiveKind: 'zip' } };
        yield { chunk: bytes };
      })(),
      world.process,
    );
    expect(prepared).toMatchObject({ branch: 'main', files: ['l10n/cs.po'] });
    await world.imported(one, id, settings, prepared);
    world.translation.edit('l10n/cs.po', 'One', 'první', 'Ann');
    expect(await world.run(one, 'OPERATION_COMMIT', id)).toMatchObject({ result: true });
    expect(await world.run(one, 'OPERATION_PUSH', id)).toMatchObject({ result: true });
    expect(await world.status(one, id)).toMatchObject({
      needsPush: false,
      needsCommit: false,
      remoteCommit: '',
      status: 'On branch main\nnothing to commit, working tree clean',
    });

    // Another worker has no clone of it.
    const other = await world.worker();
    expect(await world.read(other, id, 'l10n/cs.po')).toBe(texts({ One: 'první' }));
    await world.stop(other);

    const document = await one.client.prepareRepository(
      {
        ...world.prepareRequest({ ...settings, filemask: 'doc/*.po', newBase: 'doc/en.po' }),
        archive: Buffer.from(po({ One: '' })),
        archiveKind: 'document',
      },
      world.process,
    );
    expect(document.files).toEqual([]);
  });

  it('harmful archives are rejected', async () => {
    const local = { vcs: 'local', repo: 'local:', filemask: '*.po' };
    const archive = async (bytes: Buffer) => fields(local, { archive: bytes, archiveKind: 'zip' });
    expect(await archive(Buffer.from('no archive'))).toHaveProperty('zipfile');
    expect(await archive(await zip({}))).toHaveProperty('zipfile');
    expect(await archive(await zip({ '.git/hooks/post-commit': 'x', 'cs.po': texts() }))).toHaveProperty('zipfile');
    expect(await archive(await zip({ 'cs.po': Buffer.alloc(30_000_000) }))).toHaveProperty('zipfile');
    const climbing = Buffer.from(
      (await zip({ 'aa/evil.po': texts() })).toString('latin1').replaceAll('aa/evil.po', '../evil.po'),
      'latin1',
    );
    expect(await archive(climbing)).toHaveProperty('zipfile');
    expect(existsSync(join(one.folder, 'evil.po'))).toBe(false);
    expect(await fields({ ...local, repo: '/etc' })).toHaveProperty('repo');
  });

  it('prepared repositories without a component are deleted', async () => {
    const prepared = await one.client.prepareRepository(world.prepareRequest({}), world.process);
    const repository = await one.worker.deps.repositories.ofTask(prepared.taskId);
    await one.worker.housekeeping.sweep();
    expect(await one.worker.deps.clones.list()).toContain(repository!.id);
    await world.store
      .collection('repositories')
      .updateOne({ _id: repository!.id as never }, { $set: { createdAt: new Date(0) } });
    await one.worker.housekeeping.sweep();
    expect(await one.worker.deps.clones.list()).not.toContain(repository!.id);
    expect(await one.worker.deps.repositories.get(repository!.id)).toBeNull();
  });
});
