// npm run fuzz:api [-- --requests N --seed S]: sends requests that schemathesis makes from /api/schema/ to a running Parlance.
// Fails on 5xx, on statuses and content types missing from the document, and on bodies that do not match their schema.
// Never run it against data that matter: it changes and deletes objects.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exampleFiles, TestRepository } from '../support/repository.mjs';
import { makeApi } from '../support/api.mjs';
import { makeWorld } from './world.mjs';

const SCHEMATHESIS = 'schemathesis==4.32.5';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    /** Only paths that match this regular expression. */
    path: { type: 'string' },
  },
});
const base = process.env.PARLANCE_URL ?? `http://localhost:${process.env.PORT ?? 8080}`;
const tokenFile = join(process.env.PARLANCE_DATA_DIR ?? '.data', 'admin-token');
const token = process.env.PARLANCE_TOKEN ?? (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : '');
if (!token) {
  process.stderr.write(`No token: run "npm start" first (it writes ${tokenFile}) or set PARLANCE_TOKEN.\n`);
  process.exit(2);
}

/** The program in a virtual environment that later runs reuse. */
function schemathesis() {
  const folder = join(here, '../../node_modules/.cache', SCHEMATHESIS);
  const program = join(folder, 'bin/schemathesis');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    execFileSync(join(folder, 'bin/pip'), ['install', '-q', SCHEMATHESIS], { stdio: 'inherit' });
  }
  return program;
}

const program = schemathesis();
const api = makeApi(base, token);
const repository = new TestRepository(exampleFiles());
const world = await makeWorld(api, repository);
const operations = Object.values((await api.get('/api/schema/')).paths).flatMap((methods) => Object.keys(methods));
const each = Math.max(1, Math.ceil(Number(options.requests) / operations.length));

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];

/** Runs some methods. @returns whether all responses were right */
function run(...methods) {
  const selected = methods.flatMap((method) => ['--include-method', method]);
  // Git clients send packs, for which a schema has no rules; schemathesis reads only the first MiB of the document.
  const paths = ['--exclude-path-regex', '^/git/|^/api/schema/$'];
  if (options.path) paths.push('--include-path-regex', options.path);
  const { status, stderr } = spawnSync(
    program,
    [
      'run',
      `${base}/api/schema/`,
      ...['--header', `Authorization: Bearer ${token}`, '--header', 'Accept: application/json'],
      ...['--checks', checks.join(','), '--phases', 'examples,coverage,fuzzing', '--max-examples', String(each)],
      ...['--seed', options.seed, '--workers', '1', '--continue-on-failure', '--request-timeout', '60'],
      ...['--suppress-health-check', 'all', '--warnings', 'off', '--no-color', ...selected, ...paths],
    ],
    {
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
      maxBuffer: 100_000_000,
      // It writes a cache there.
      cwd: repository.folder,
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: 'hooks',
        PYTHONPATH: here,
        PARLANCE_FUZZ_WORLD: JSON.stringify(world),
      },
    },
  );
  process.stderr.write(stderr);
  // schemathesis reports success although a thread that failed left operations untested.
  return status === 0 && !stderr.includes('Exception in thread');
}

try {
  const first = run('GET', 'POST', 'PUT', 'PATCH');
  // Last, because other requests need the objects.
  const last = run('DELETE');
  process.exitCode = first && last ? 0 : 1;
} finally {
  repository.remove();
}
