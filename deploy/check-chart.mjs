// Lints the Helm chart, renders it with several sets of values, and checks every object against the schemas of Kubernetes.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE } from './engines/images.mjs';
import { CommandError, onPath, run, say, step } from './engines/process.mjs';

const chart = fileURLToPath(new URL('../charts/parlance', import.meta.url));
const trial = fileURLToPath(new URL('./trial', import.meta.url));
const tools = join(CACHE, 'tools');
const KUBERNETES = '1.33';

const required = {
  'mongodb.uri': 'mongodb://mongo:27017/?replicaSet=rs0',
  'nats.url': 'nats://nats:4222',
  'redis.url': 'redis://redis:6379',
  's3.endpoint': 'http://minio:9000',
  's3.accessKey': 'key',
  's3.secretKey': 'secret',
  'secrets.serviceSecret': 'x'.repeat(32),
  'secrets.encryptionKey': Buffer.alloc(32).toString('base64'),
};

/**
 * Values that must render, and a predicate that the result must satisfy.
 *
 * @type {Record<string, [values: Record<string, string>, holds: (text: string) => boolean]>}
 */
const good = {
  'the required values only': [
    required,
    (text) => text.includes('mongodb://mongo:27017/parlance_vcs_worker?replicaSet=rs0'),
  ],
  'all features that are off by default': [
    {
      ...required,
      'ingress.enabled': 'true',
      'ingress.className': 'nginx',
      'ingress.tlsSecret': 'tls',
      'allowedHosts[0]': 'other.example.org',
      'networkPolicy.enabled': 'true',
      'podMonitor.enabled': 'true',
      'services.gateway.autoscaling.enabled': 'true',
      'services.gateway.podDisruptionBudget.enabled': 'true',
      'services.translation.mongodbUri': 'mongodb://translation:pw@other:27017/strings',
      'services.vcs-worker.replicas': '3',
      'services.vcs-worker.persistence.storageClass': 'fast',
      'config.PARLANCE_RATE_LIMIT_ANONYMOUS': '10/day',
    },
    (text) =>
      [
        '"other.example.org,parlance.example.org,',
        'kind: HorizontalPodAutoscaler',
        'kind: NetworkPolicy',
        'translation:pw@other',
        '10/day',
      ].every((part) => text.includes(part)),
  ],
  'an existing Secret': [
    { 'secrets.existingSecret': 'mine', 's3.endpoint': 'http://minio:9000' },
    (text) => !text.includes('kind: Secret\n') && text.includes('name: mine'),
  ],
};

/**
 * Values that must be rejected, and the name that the message must contain.
 *
 * @type {Record<string, [values: Record<string, string>, name: string]>}
 */
const bad = {
  'no database': [{ ...required, 'mongodb.uri': '' }, 'mongodb.uri'],
  'a short secret': [{ ...required, 'secrets.serviceSecret': 'short' }, 'serviceSecret'],
  'an unknown process': [{ ...required, 'services.mailer.replicas': '1' }, 'mailer'],
  'a setting that is no variable': [{ ...required, 'config.lower': '1' }, 'lower'],
};

async function tool(name, module) {
  if (await onPath(name)) return name;
  const path = join(tools, name);
  if (!existsSync(path)) {
    if (!(await onPath('go'))) throw new Error(`${name} is needed: install it, or Go to build it with.`);
    mkdirSync(tools, { recursive: true });
    await step(`Building ${name} from Go modules`, (report) =>
      run('go', ['install', module], { env: { GOBIN: tools, CGO_ENABLED: '0' }, onLine: report }),
    );
  }
  return path;
}

/** Directory of the Kubernetes schemas, extracted from a Python package. */
async function schemas() {
  const folder = join(tools, `kubernetes-schemas-${KUBERNETES}`);
  if (existsSync(folder)) return folder;
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  await step('Getting the schemas of Kubernetes', async (report) => {
    const source = ['--no-deps', '--dest', work, 'kubernetes-validate==1.37.0'];
    await run('python3', ['-m', 'pip', 'download', '--quiet', ...source], { onLine: report });
    await run('python3', ['-m', 'zipfile', '-e', join(work, readdirSync(work)[0]), work]);
  });
  const found = join(work, 'kubernetes_validate/kubernetes-json-schema', `v${KUBERNETES}.0-local-strict`);
  // The schemas refer to each other by URL. Local validation needs relative file names.
  for (const name of readdirSync(found)) {
    const schema = JSON.parse(
      readFileSync(join(found, name), 'utf8').replaceAll('"/api/_definitions.json', '"_definitions.json'),
    );
    delete schema.$id;
    writeFileSync(join(found, name), JSON.stringify(schema));
  }
  renameSync(found, folder);
  rmSync(work, { recursive: true });
  return folder;
}

async function main() {
  const helm = await tool('helm', 'helm.sh/helm/v3/cmd/helm@v3.22.0');
  const kubeconform = await tool('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0');
  const location = join(await schemas(), '{{.ResourceKind}}{{.KindSuffix}}.json');
  const set = (values) =>
    Object.entries(values).flatMap(([key, value]) => [
      value === 'true' || /^\d+$/.test(value) ? '--set' : '--set-string',
      `${key}=${value}`,
    ]);
  const problems = [];

  for (const [what, [values, holds]] of Object.entries(good)) {
    await run(helm, ['lint', '--strict', chart, ...set(values)]);
    const text = await run(helm, ['template', 'trial', chart, '--kube-version', `${KUBERNETES}.0`, ...set(values)]);
    if (!holds(text)) problems.push(`The chart renders wrong objects for: ${what}.`);
    const report = await run(
      kubeconform,
      ['-strict', '-summary', '-schema-location', location, '-skip', 'PodMonitor', '-'],
      { input: text },
    );
    say(`${what}: ${report}`);
  }
  const ofTrial = ['--kube-version', `${KUBERNETES}.0`, '--values', join(trial, 'values.yaml')];
  const rendered = await run(helm, ['template', 'trial', chart, ...ofTrial]);
  if (rendered.includes('kind: Secret\n') || !rendered.includes('name: parlance-trial,'))
    problems.push('The values of the trial do not render to processes that use its Secret.');
  const secrets = await run('node', [join(trial, 'secrets.mjs')]);
  for (const [what, input] of [
    ['the trial', rendered],
    ['the engines of the trial', readFileSync(join(trial, 'engines.yaml'), 'utf8')],
    ['the credentials of the trial', secrets],
  ])
    say(`${what}: ${await run(kubeconform, ['-strict', '-summary', '-schema-location', location, '-'], { input })}`);
  for (const [what, [values, named]] of Object.entries(bad)) {
    try {
      await run(helm, ['template', 'trial', chart, '--kube-version', `${KUBERNETES}.0`, ...set(values)]);
      problems.push(`With ${what} the chart renders.`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (!error.output.includes(named))
        problems.push(`With ${what} the message does not name ${named}: ${error.output}`);
      else say(`${what}: refused`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
