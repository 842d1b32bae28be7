import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api, base, token } = system();
const folder = mkdtempSync(join(tmpdir(), 'parlance-wlc-'));
const remote = makeRemote();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tested clients: the newest from PyPI, and Debian's if it can be installed. */
function clients(): [string, string][] {
  const venv = join(folder, 'venv');
  execFileSync('python3', ['-m', 'venv', venv], { stdio: 'pipe' });
  execFileSync(join(venv, 'bin/pip'), ['install', '-q', 'wlc'], { stdio: 'pipe' });
  const found: [string, string][] = [['PyPI', join(venv, 'bin/wlc')]];
  if (!existsSync('/usr/bin/wlc') && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq', '-o', 'Acquire::Retries=3'], { stdio: 'pipe', env });
    const options = ['-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=120'];
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...options, 'wlc'], {
      stdio: 'pipe',
      env,
    });
  }
  if (existsSync('/usr/bin/wlc')) found.push(['Debian', '/usr/bin/wlc']);
  return found;
}

describe('wlc', () => {
  const found = clients();
  it.each(found)(
    '%s runs the main flow with every command',
    async (name, program) => {
      const run = new Set<string>();
      const wlc = (...args: string[]) => {
        args.slice(0, 3).forEach((word) => run.add(word));
        const ended = spawnSync(program, ['--url', `${base}/api/`, '--key', token, ...args], {
          encoding: 'utf8',
          cwd: folder,
        });
        if (ended.status !== 0)
          throw new Error(`wlc ${args.join(' ')} (${ended.status}): ${ended.stdout}${ended.stderr}`);
        return ended.stdout;
      };
      const { project, componentPath } = await importExample(api, remote);
      const component = `${project}/example`;
      const czech = `${component}/cs`;
      const commands = /\{([a-z,-]+)\}\s*\.\.\./.exec(wlc('--help'))![1]!.split(',');

      expect(wlc('version')).toMatch(/\d+\.\d+/);
      expect(wlc('list-projects')).toContain(project);
      expect(wlc('list-components', project)).toContain('example');
      expect(wlc('list-translations', component)).toContain('cs');
      expect(JSON.parse(wlc('--format', 'json', 'list-languages')).length).toBeGreaterThan(0);
      expect(wlc('ls', project)).toContain('example');
      for (const object of [project, component, czech]) {
        expect(wlc('show', object)).toContain('example');
        expect(wlc('stats', object)).toMatch(/total/i);
        expect(wlc('repo', object)).toMatch(/needs_commit: *False/i);
      }

      const text = `Sbohem z ${name}.`;
      if (commands.includes('edit-unit')) {
        const [unit] = JSON.parse(wlc('--format', 'json', 'list-units', czech, '-q', 'source:="Good bye."'));
        expect(unit).toMatchObject({ source: ['Good bye.'] });
        wlc('edit-unit', String(unit.id), '--target', text, '--state', '20');
      }
      const file = join(folder, 'cs.po');
      const header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n';
      writeFileSync(file, `${header}msgctxt "farewell"\nmsgid "Good bye."\nmsgstr "${text}"\n`);
      wlc(
        'upload',
        czech,
        '--input',
        file,
        '--overwrite',
        '--author-name',
        'Jan Novák',
        '--author-email',
        'jan@example.com',
      );
      expect(wlc('changes', czech)).toContain(text);
      expect(wlc('download', czech)).toContain(text);
      expect(wlc('download', czech, '--convert', 'xliff')).toContain(`<target`);
      expect(wlc('repo', component)).toMatch(/needs_commit: *True/i);
      wlc('commit', component);
      expect(wlc('repo', component)).toMatch(/needs_commit: *False/i);
      wlc('push', component);
      expect(remote.remoteFile('po/cs.po').toString()).toContain(`msgstr "${text}"`);

      remote.pull();
      remote.write({
        'po/de.po': remote
          .read('po/de.po')
          .toString()
          .replace(/msgid "Good bye\."\nmsgstr ".*"/, `msgid "Good bye."\nmsgstr "Auf Wiedersehen ${name}."`),
      });
      remote.commit('German');
      remote.push();
      wlc('pull', component);
      expect((await api.bytes(`/api/translations/${project}/example/de/file/`)).toString()).toContain(
        `Auf Wiedersehen ${name}.`,
      );

      wlc('lock', component);
      expect(wlc('lock-status', component)).toMatch(/True/i);
      wlc('unlock', component);
      expect(wlc('lock-status', component)).toMatch(/False/i);
      wlc('cleanup', component);
      wlc('reset', component);
      expect((await api.get(`${componentPath}/repository/`)).needs_push).toBe(false);
      wlc('delete', project);
      expect(commands.filter((command) => !run.has(command))).toEqual([]);
      // Python starts a new process for each command.
    },
    600_000,
  );
});
