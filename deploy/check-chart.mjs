// Lints the Helm chart, renders it with the values of chart/cases.mjs, and checks every object against the schemas of Kubernetes and of
// operators. Helm, kubeconform and schemas come from Go modules and a Python package, and are kept in the cache.
import { AssertionError } from 'node:assert';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { bad, good } from './chart/cases.mjs';
import { withCluster } from './chart/cluster.mjs';
import { modules, writeOperatorSchemas } from './chart/operator-schemas.mjs';
import { buildProgram, CACHE } from './engines/images.mjs';
import { CommandError, onPath, run, say, step } from './engines/process.mjs';

const chart = fileURLToPath(new URL('../charts/parlance', import.meta.url));
const tools = join(CACHE, 'tools');
const KUBERNETES = '1.33';

const fingerprint = (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

/** The program on the PATH, or built from Go modules. try-on-kubernetes.sh expects helm in `tools`. */
async function tool(name, path, version) {
  if (await onPath(name)) return name;
  const link = join(tools, name);
  const binary = await buildProgram({ name, package: path, version });
  mkdirSync(tools, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(binary, link);
  return link;
}

/** Directory of the schemas of operators' objects. */
async function operatorSchemas() {
  const folder = join(tools, `operator-schemas-${fingerprint(modules)}`);
  if (!existsSync(folder)) await writeOperatorSchemas(folder);
  return folder;
}

/** Directory of the Kubernetes schemas, extracted from a Python package. */
async function schemas() {
  const folder = join(tools, `kubernetes-schemas-${KUBERNETES}`);
  if (existsSync(folder)) return folder;
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  await step('Getting the schemas of Kubernetes', async (report) => {
    const [python, packages] = [join(work, 'python'), join(work, 'packages')];
    await run('python3', ['-m', 'venv', python]);
    const source = ['--no-deps', '--dest', packages, 'kubernetes-validate==1.37.0'];
    await run(join(python, 'bin/pip'), ['download', '--quiet', ...source], { onLine: report });
    await run('python3', ['-m', 'zipfile', '-e', join(packages, readdirSync(packages)[0]), work]);
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
  const helm = await tool('helm', 'helm.sh/helm/v3/cmd/helm', 'v3.22.0');
  const kubeconform = await tool('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform', 'v0.8.0');
  const location = join(await schemas(), '{{.ResourceKind}}{{.KindSuffix}}.json');
  const operators = join(await operatorSchemas(), '{{.ResourceKind}}_{{.ResourceAPIVersion}}.json');
  const render = (values, apis = [], flagsOfCluster = []) => {
    const { fullname: release = 'parlance', ...rest } = values;
    const flags = Object.entries(rest).flatMap(([key, value]) => [
      /^(true|false|\d+)$/.test(value) ? '--set' : '--set-string',
      `${key}=${value.replaceAll(',', String.raw`\,`)}`,
    ]);
    const cluster = ['--kube-version', `${KUBERNETES}.0`, ...apis.flatMap((api) => ['--api-versions', api])];
    return run(helm, ['template', release, chart, '--namespace', 'trial', ...cluster, ...flagsOfCluster, ...flags]);
  };
  const problems = [];

  await run(helm, ['lint', '--strict', chart]);
  for (const [what, { values, apis, secrets, holds }] of Object.entries(good)) {
    const text = await withCluster(secrets ?? {}, (flags) => render(values, apis, flags));
    // As Kubernetes reads it: 0440 is an octal number.
    const objects = parseAllDocuments(text, { version: '1.1' })
      .map((document) => document.toJS())
      .filter(Boolean);
    try {
      holds(objects);
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      problems.push(`${what}: ${error.message}`);
    }
    const locations = [location, operators].flatMap((each) => ['-schema-location', each]);
    const report = await run(kubeconform, ['-strict', '-summary', ...locations, '-'], { input: text });
    say(`${what}: ${report}`);
  }
  for (const [what, [values, message]] of Object.entries(bad)) {
    try {
      await render(values);
      problems.push(`With ${what} the chart renders.`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (!error.output.includes(message))
        problems.push(`With ${what} "${message}" is missing from the message: ${error.output}`);
      else say(`${what}: refused`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

main().catch((error) => {
  say(error.message);
  if (error instanceof CommandError && /^(go|docker|python3|\S+pip) /.test(error.message))
    say(
      'Without helm, kubeconform and the schemas in the cache, this check gets them from the Go module proxy and, with python3-venv, from ' +
        'the Python Package Index. It needs a network, or GOPROXY and PIP_INDEX_URL of a mirror.',
    );
  process.exitCode = 1;
});
