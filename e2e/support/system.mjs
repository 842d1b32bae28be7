// The running system under test, started by global-setup.mjs.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, makeApi } from './api.mjs';
import { checkedExchange } from './checked-exchange.mjs';
import { metricsOf, sumOfSamples } from './telemetry/metrics.mjs';

const root = process.env.PARLANCE_E2E_ROOT ?? '';

/** Address and data directory of the system that belongs to this jest worker. */
function own() {
  return JSON.parse(process.env.PARLANCE_E2E_SYSTEMS ?? '[]')[Number(process.env.JEST_WORKER_ID) - 1];
}

/** The run file of `npm start`: addresses and process ids. */
export function running() {
  return JSON.parse(readFileSync(join(own().dataDir, 'run.json'), 'utf8'));
}

/** The addresses of the operations ports of all replicas of a process. */
export function operationsOf(kind) {
  return Object.entries(running().operations)
    .filter(([name]) => name.replace(/-\d+$/, '') === kind)
    .map(([, address]) => address);
}

/** The sum of the samples of a metric of all replicas of a process whose labels contain all of these. */
export async function sumOfMetric(kind, name, ...labels) {
  const texts = await Promise.all(operationsOf(kind).map(metricsOf));
  return sumOfSamples(texts.join('\n'), name, labels);
}

/** Runs the operator's command against the system. Returns its standard output. */
export function parlance(...args) {
  return parlanceOn(own().dataDir, ...args);
}

/** The same against the system with this data directory. */
export function parlanceOn(dataDir, ...args) {
  return execFileSync(process.execPath, [join(root, 'deploy/local/parlance.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, PARLANCE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** The system under test. */
export function system() {
  const { url: base, dataDir } = own();
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
  return {
    base,
    dataDir,
    token,
    api: makeApi(base, token, checkedExchange),
    /** Creates a user and a client with their token. */
    async user(name) {
      return makeApi(
        base,
        parlance('user', 'create', name, '--email', `${name}@example.com`, '--token'),
        checkedExchange,
      );
    },
    /** Deletes all clones at once, as a lost disk would, even while a task writes to them. */
    loseClones() {
      for (const folder of Object.values(running().workDirs)) {
        if (!existsSync(folder)) continue;
        const lost = mkdtempSync(join(dataDir, 'lost-'));
        for (const entry of readdirSync(folder)) renameSync(join(folder, entry), join(lost, entry));
      }
    },
  };
}

/** Spans of a trace that the processes have exported. */
export function spansOf(trace) {
  const file = join(own().dataDir, 'spans');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.includes(trace)).map((line) => JSON.parse(line));
}

let count = 0;

/** Settings of a component with the example's layout. */
export function exampleSettings(repository, slug, settings = {}) {
  return {
    name: slug,
    slug,
    vcs: 'git',
    repo: repository.url,
    branch: 'main',
    filemask: 'po/*.po',
    new_base: 'po/example.pot',
    file_format: 'po',
    ...settings,
  };
}

/** Adds a component with the example's layout to a project and imports it. Returns the component and its finished task. */
export async function addExample(api, project, slug, repository, settings = {}) {
  const component = await api.post(`/api/projects/${project}/components/`, exampleSettings(repository, slug, settings));
  return { component, task: await api.finished(component.task_url) };
}

/** Creates a project with the example component and imports it. */
export async function importExample(api, repository, settings = {}) {
  const project = `p${process.pid}-${Date.now().toString(36)}-${count++}`;
  await api.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
  const { component, task } = await addExample(api, project, 'example', repository, {
    name: 'Example',
    push: repository.url,
    push_on_commit: false,
    ...settings,
  });
  return {
    project,
    component,
    task,
    componentPath: `/api/components/${project}/example`,
    path: `/api/translations/${project}/example/cs`,
  };
}

/** Waits until the project's glossary, created with its first component, has all languages of that component. Returns them. */
export async function followedByGlossary(api, project, component = 'example') {
  const codes = async (slug) =>
    (await api.all(`/api/components/${project}/${slug}/translations/`)).map((t) => t.language_code).sort();
  const wanted = await codes(component);
  await eventually(
    () => api.all(`/api/projects/${project}/components/`),
    (found) => found.some(({ is_glossary }) => is_glossary),
  );
  return eventually(
    () => codes('glossary'),
    (found) => wanted.every((code) => found.includes(code)),
  );
}

/** Starts a whole system with `npm start` and a data directory of its own. @param replicas as `npm start -- --replicas` takes them */
export async function startSystem({ dataDir, port, env = {}, replicas = '' }) {
  const here = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const log = openSync(join(dataDir, 'start.log'), 'a');
  const child = spawn(
    process.execPath,
    [join(here, 'deploy/local/start.mjs'), ...(replicas ? ['--replicas', replicas] : [])],
    {
      cwd: here,
      env: { ...process.env, PARLANCE_DATA_DIR: dataDir, PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', log],
    },
  );
  closeSync(log);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      let printed = '';
      child.stdout?.on('data', (chunk) => {
        printed += chunk;
        if (/Parlance is ready: \S+/.test(printed)) resolve();
      });
      void ended.then((code) =>
        reject(
          new Error(
            `npm start exited with ${code}:\n${printed}\n${existsSync(join(dataDir, 'start.log')) ? readFileSync(join(dataDir, 'start.log'), 'utf8').slice(-3000) : ''}`,
          ),
        ),
      );
    })
  );
  return {
    child,
    /** Sends SIGINT (Ctrl-C) and resolves with the exit code. */
    async stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}
