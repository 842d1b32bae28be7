// Runs `promtool check` and `promtool test rules`, also for the rules of one installation that the chart installs, and checks the queries
// of all dashboards and runbooks:
// node deploy/observability/check-rules.mjs
// PROMTOOL names the program. By default it is on the PATH, in a container of Prometheus' image, or from Debian's package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dashboards } from './dashboards/index.mjs';
import { filledQuery, queriesIn } from './query.mjs';
import { rules, ruleTests } from './rules.mjs';
import { scopedRules, scopedRuleTests } from './scope.mjs';
import { toYaml } from './yaml.mjs';

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const folder = fileURLToPath(new URL('./prometheus', import.meta.url));
const image = /image: (prom\/prometheus:\S+)/.exec(
  readFileSync(new URL('./compose.yaml', import.meta.url), 'utf8'),
)?.[1];
const own = process.env.PROMTOOL || 'promtool';
const inContainer = (where) => ['docker', 'run', '--rm', '--volume', `${where}:/rules:ro`, '--workdir', '/rules'];

const succeeds = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: 'ignore', ...options }).status === 0;

/** The program of Debian's package, without installing the package, which would start a server. */
function unpacked() {
  const target = join(cache, 'promtool');
  const program = join(target, 'usr/bin/promtool');
  if (existsSync(program)) return program;
  mkdirSync(target, { recursive: true });
  succeeds('apt-get', ['update', '-q']);
  if (!succeeds('apt-get', ['download', 'prometheus'], { cwd: target })) return undefined;
  const archive = readdirSync(target).find((name) => name.endsWith('.deb'));
  return archive && succeeds('dpkg-deb', ['--extract', join(target, archive), target]) ? program : undefined;
}

/** The command line of promtool for files of a folder; undefined if there is none. */
function findPromtool() {
  if (succeeds(own, ['--version'])) return () => [own];
  if (succeeds('docker', ['pull', '--quiet', String(image)], { timeout: 120_000 }))
    return (where) => [...inContainer(where), '--entrypoint', 'promtool', String(image)];
  const program = unpacked();
  return program && (() => [program]);
}

/** The rules of one installation with their tests, as files of a folder. */
function writeScoped() {
  const labels = { namespace: 'trial', release: 'parlance' };
  const target = join(cache, 'scoped-rules');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'rules.yaml'), toYaml(scopedRules(rules, labels)));
  writeFileSync(join(target, 'rules.test.yaml'), toYaml(scopedRuleTests(ruleTests, labels)));
  return target;
}

/** The queries of dashboards and runbooks as recording rules, which promtool checks: a folder with one file. */
function writeQueries() {
  const runbooks = fileURLToPath(new URL('../../docs/runbooks', import.meta.url));
  const pages = readdirSync(runbooks).map((name) => readFileSync(join(runbooks, name), 'utf8'));
  const panels = dashboards.flatMap((dashboard) => dashboard.panels.flatMap(({ targets }) => targets));
  const queries = [
    ...pages.flatMap(queriesIn),
    ...panels.map(({ expr }) => filledQuery(expr, { rateInterval: '1m', component: 'gateway' })),
  ];
  const target = join(cache, 'queries');
  mkdirSync(target, { recursive: true });
  const recorded = queries.map((expr, i) => ({ record: `query:${i}`, expr }));
  writeFileSync(join(target, 'queries.yaml'), toYaml({ groups: [{ name: 'queries', rules: recorded }] }));
  return target;
}

const promtool = findPromtool();
if (!promtool) {
  process.stderr.write('promtool was not found. Install Prometheus or docker, or set PROMTOOL.\n');
  process.exit(1);
}
const scoped = writeScoped();
const queries = writeQueries();
for (const [where, ...args] of [
  [folder, 'check', 'config', 'prometheus.yaml'],
  [folder, 'check', 'rules', 'rules.yaml'],
  [folder, 'test', 'rules', 'rules.test.yaml'],
  [scoped, 'check', 'rules', 'rules.yaml'],
  [scoped, 'test', 'rules', 'rules.test.yaml'],
  [queries, 'check', 'rules', 'queries.yaml'],
]) {
  const [command, ...before] = promtool(where);
  if (!succeeds(command, [...before, ...args], { cwd: where, stdio: 'inherit' })) process.exit(1);
}
