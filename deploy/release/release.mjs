// npm run release -- FOLDER [IMAGE...]: writes what a release publishes beside its images (see provenance.mjs):
//   sbom.cdx.json, sbom-PROCESS.cdx.json   packages of the repository and of each image
//   provenance.intoto.json                 SLSA provenance of all artifacts
//   SHA256SUMS                             hashes of all files
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_IMAGE } from '../engines/images.mjs';
import { audit } from './audit.mjs';
import { BASE_LABEL, requireBase } from './base-image.mjs';
import { packagesOf } from './image-packages.mjs';
import { provenance } from './provenance.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [folder, ...images] = process.argv.slice(2);

const output = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).trim();
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** The digest in the registry; of an image that was not pushed or pulled, its local id. */
function digestOf(image) {
  const format = '{{if .RepoDigests}}{{index .RepoDigests 0}}{{else}}{{.Id}}{{end}}';
  return output('docker', 'image', 'inspect', '--format', format, image).replace(/^.*sha256:/, '');
}

/** Value of the label that names the base image; '' without one. */
const baseOf = (image) =>
  output('docker', 'image', 'inspect', '--format', `{{or (index .Config.Labels "${BASE_LABEL}") ""}}`, image);

function writeSboms() {
  writeFileSync(join(folder, 'sbom.cdx.json'), output('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'));
  for (const image of images) {
    const name = /[^/:]+(?=:[^/]*$|$)/.exec(image)?.[0];
    writeFileSync(join(folder, `sbom-${name}.cdx.json`), `${JSON.stringify(packagesOf(image), null, 1)}\n`);
  }
}

function main() {
  if (!folder) throw new Error('Usage: npm run release -- FOLDER [IMAGE...]');
  if (output('git', 'status', '--porcelain') !== '') throw new Error('The work tree has changes: commit them first.');
  const bases = Object.fromEntries(images.map((image) => [image, baseOf(image)]));
  const base = images.length > 0 ? requireBase(NODE_IMAGE, bases) : undefined;
  const { text, isAccepted, isAudited } = audit();
  if (!isAccepted || !isAudited) throw new Error(text);
  const startedOn = new Date().toISOString();
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  writeSboms();
  const files = readdirSync(folder).sort();
  const statement = provenance({
    version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    commit: output('git', 'rev-parse', 'HEAD'),
    lock: sha256(readFileSync(join(root, 'package-lock.json'))),
    base,
    artifacts: [
      ...files.map((name) => ({ name, digest: sha256(readFileSync(join(folder, name))) })),
      ...images.map((name) => ({ name, digest: digestOf(name) })),
    ],
    startedOn,
    finishedOn: new Date().toISOString(),
  });
  writeFileSync(join(folder, 'provenance.intoto.json'), `${JSON.stringify(statement, null, 2)}\n`);
  const sums = readdirSync(folder)
    .sort()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  process.stdout.write(`${folder}: ${readdirSync(folder).join(', ')}\n`);
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
