import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRemote } from '../../support/remotes.mjs';
import { system } from '../../support/system.mjs';

const root = join(__dirname, '..', '..', '..');
const { api, base, token } = system();

// Below the repository, so that the compiled client finds its packages.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'parlance-clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const schema = join(folder, 'openapi.json');
beforeAll(async () => writeFileSync(schema, await api.bytes('/api/schema/')));

/** Runs a program. @throws Error with its output if it fails */
function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
  }
}

const bin = (name: string) => join(root, 'node_modules/.bin', name);

/** Compiles the flow against generated types. */
function typescriptClient(): string[] {
  copyFileSync(join(root, 'e2e/clients/flow.mts'), join(folder, 'flow.mts'));
  run(bin('openapi-typescript'), schema, '--output', join(folder, 'schema.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--skipLibCheck'];
  run(bin('tsc'), ...options, '--ignoreConfig', '--outDir', join(folder, 'out'), join(folder, 'flow.mts'));
  return [process.execPath, join(folder, 'out/flow.mjs')];
}

/** Content types that the generator for Python does not know. */
const overrides = {
  'application/zip': 'application/octet-stream',
  'application/binary': 'application/octet-stream',
  'application/rss+xml': 'text/plain',
  'application/x-git-upload-pack-advertisement': 'application/octet-stream',
  'application/x-git-upload-pack-request': 'application/octet-stream',
  'application/x-git-upload-pack-result': 'application/octet-stream',
};

/** Generates a package; the generator reports operations that it omits. */
function pythonClient(): string[] {
  const venv = join(folder, 'venv');
  const python = join(venv, 'bin/python');
  run('python3', '-m', 'venv', venv);
  run(join(venv, 'bin/pip'), 'install', '-q', 'openapi-python-client==0.29.1');
  const config = join(folder, 'config.json');
  const names = { project_name_override: 'client', package_name_override: 'parlance_client' };
  writeFileSync(config, JSON.stringify({ ...names, content_type_overrides: overrides, post_hooks: [] }));
  const output = ['--output-path', join(folder, 'python')];
  const options = ['--path', schema, '--config', config, '--fail-on-warning', ...output];
  run(join(venv, 'bin/openapi-python-client'), 'generate', ...options);
  copyFileSync(join(root, 'e2e/clients/flow.py'), join(folder, 'python/flow.py'));
  return [python, join(folder, 'python/flow.py')];
}

describe('clients that are generated from the OpenAPI document', () => {
  it.each([
    ['TypeScript', typescriptClient],
    ['Python', pythonClient],
  ])(
    'a client in %s creates a project and a component, edits a string and downloads its file',
    (language, generate) => {
      const [program, ...args] = generate() as [string, string];
      const slug = `client-${language.toLowerCase()}-${process.pid}`;
      const printed = run(program, ...args, base, token, slug, makeRemote().url);
      expect(JSON.parse(printed)).toEqual({
        target: ['Sbohem.'],
        translated: 3,
        line: 'msgid "Good bye."\nmsgstr "Sbohem."',
        code: 'not_found',
      });
    },
    // Packages are installed and thousands of lines are generated and compiled.
    900_000,
  );
});
