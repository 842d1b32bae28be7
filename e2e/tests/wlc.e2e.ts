import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleFiles, TestRepository } from '../support/repository.mjs';
import { system } from '../support/system.mjs';

const { api, base, token } = system();
const folder = mkdtempSync(join(tmpdir(), 'parlance-wlc-'));
const remote = new TestRepository(exampleFiles());
afterAll(() => {
  remote.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The clients that are tried: the newest from PyPI, and the one that the system has (Debian's). */
function clients(): [string, string][] {
  const venv = join(folder, 'venv');
  execFileSync('python3', ['-m', 'venv', venv], { stdio: 'pipe' });
  execFileSync(join(venv, 'bin/pip'), ['install', '-q', 'wlc'], { stdio: 'pipe' });
  const found: [string, string][] = [['PyPI', join(venv, 'bin/wlc')]];
  if (existsSync('/usr/bin/wlc')) found.push(['Debian', '/usr/bin/wlc']);
  return found;
}

describe('wlc', () => {
  const found = clients();
  it.each(found)('%s does the main flow', async (name, program) => {
    const wlc = (...args: string[]) => {
      const run = spawnSync(program, ['--url', `${base}/api/`, '--key', token, ...args], {
        encoding: 'utf8',
        cwd: folder,
      });
      if (run.status !== 0) throw new Error(`wlc ${args.join(' ')} (${run.status}): ${run.stdout}${run.stderr}`);
      return run.stdout;
    };
    const project = `wlc-${name.toLowerCase()}-${Date.now().toString(36)}`;
    expect(
      wlc(
        '--format',
        'json',
        'create-project',
        '--name',
        project,
        '--slug',
        project,
        '--website',
        'https://example.com/',
      ),
    ).toContain(project);
    const created = JSON.parse(
      wlc(
        '--format',
        'json',
        'create-component',
        project,
        '--name',
        'Example',
        '--slug',
        'example',
        '--file-format',
        'po',
        '--repo',
        remote.url,
        '--branch',
        'main',
        '--filemask',
        'po/*.po',
        '--new-base',
        'po/example.pot',
        '--vcs',
        'git',
      ),
    );
    expect(created).toMatchObject({ slug: 'example' });
    const component = await api.get(`/api/components/${project}/example/`);
    if (component.task_url) await api.finished(component.task_url);
    await api.patch(`/api/components/${project}/example/`, { push: remote.url, push_on_commit: false });

    expect(wlc('list-projects')).toContain(project);
    expect(wlc('list-components', project)).toContain('example');
    expect(wlc('list-translations', `${project}/example`)).toContain('cs');
    expect(JSON.parse(wlc('--format', 'json', 'list-languages')).length).toBeGreaterThan(0);
    expect(wlc('show', `${project}/example/cs`)).toContain('Czech');
    expect(JSON.parse(wlc('--format', 'json', 'statistics', `${project}/example/cs`))).toMatchObject({ total: 3 });
    expect(JSON.parse(wlc('--format', 'json', 'statistics', project)).length ?? 1).toBeGreaterThan(0);
    const [, , farewell] = await api.all(`/api/translations/${project}/example/cs/units/`);
    await api.patch(`/api/units/${farewell.id}/`, { target: [`Sbohem z ${name}.`], state: 20 });
    expect(wlc('changes', `${project}/example/cs`)).toContain(`Sbohem z ${name}.`);
    expect(wlc('download', `${project}/example/cs`)).toContain(`Sbohem z ${name}.`);
    expect(wlc('repo', `${project}/example`)).toMatch(/needs_commit: *True/i);
    wlc('commit', `${project}/example`);
    wlc('push', `${project}/example`);
    expect(remote.remoteFile('po/cs.po').toString()).toContain(`Sbohem z ${name}.`);

    remote.pull();
    remote.write({
      'po/de.po': remote
        .read('po/de.po')
        .toString()
        .replace(/msgid "Good bye\."\nmsgstr ".*"/, `msgid "Good bye."\nmsgstr "Auf Wiedersehen ${name}."`),
    });
    remote.commit('German');
    remote.push();
    wlc('pull', `${project}/example`);
    expect((await api.bytes(`/api/translations/${project}/example/de/file/`)).toString()).toContain(
      `Auf Wiedersehen ${name}.`,
    );

    wlc('lock', `${project}/example`);
    expect(wlc('lock-status', `${project}/example`)).toMatch(/True/i);
    wlc('unlock', `${project}/example`);
    expect(wlc('lock-status', `${project}/example`)).toMatch(/False/i);
    wlc('delete', project);
  });
});
