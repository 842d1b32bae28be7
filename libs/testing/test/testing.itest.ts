import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines, GitRemote } from '../src';

describe('engines', () => {
  it('engines() gives every test file its own names', async () => {
    const { mongoUri, s3, namespace } = await engines();
    expect(new URL(mongoUri('catalog')).pathname).toBe(`/${namespace}_catalog`);
    expect(s3.bucket).toMatch(/^[a-z0-9-]{3,63}$/);
    expect((await fetch(`${s3.endpoint}/minio/health/live`)).status).toBe(200);
  });
});

describe('a git remote', () => {
  let remote: GitRemote;
  beforeEach(() => {
    remote = new GitRemote();
  });
  afterEach(() => remote.close());

  it('a git remote accepts commits and serves them with push access', async () => {
    remote.commit({ 'po/cs.po': 'a\n', old: 'x' });
    const second = remote.commit(
      { 'po/cs.po': 'b\n', old: null },
      { author: 'Bea', email: 'bea@example.org', message: 'Better' },
    );
    expect(remote.log()[0]).toEqual({ hash: second, author: 'Bea', email: 'bea@example.org', message: 'Better' });
    expect(remote.read('po/cs.po').toString()).toBe('b\n');
    expect(() => remote.read('old')).toThrow();

    const url = await remote.serve();
    const clone = mkdtempSync(join(tmpdir(), 'parlance-clone-'));
    const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, stdio: 'pipe' });
    git('clone', '--quiet', url, '.');
    git(
      '-c',
      'user.name=C',
      '-c',
      'user.email=c@example.org',
      'commit',
      '--quiet',
      '--allow-empty',
      '--message=Pushed',
    );
    git('push', '--quiet', 'origin', 'main');
    rmSync(clone, { recursive: true });
    expect(remote.log().map((commit) => commit.message)).toEqual(['Pushed', 'Better', 'Change']);
  });
});
