import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { formatOf } from '../src/formats';
import { filesBelow, formatsFor, readReal, tryFile } from '../src/trial/real-file';

const run = promisify(execFile);

/**
 * Packages with files of formats that installed packages rarely have, and the minimum number of files that each format must read.
 * Other files of a package only have a similar name.
 */
const PACKAGES: readonly (readonly [name: string, formats: Readonly<Record<string, number>>])[] = [
  ['ngx-i18nsupport-lib@1.10.2', { xliff: 2, plainxliff: 2, poxliff: 2 }],
  ['@kariudo/ng2-pdfjs-viewer@17.0.22', { fluent: 100 }],
  ['subsrt@1.1.1', { srt: 1, sub: 1, ass: 1, ssa: 1 }],
  ['srt2vtt@1.3.1', { srt: 4 }],
  ['subtitles-parser@0.0.2', { srt: 1 }],
  ['carbone@3.8.2', { odf: 2 }],
];

/** The same for the Python package index. */
const WHEELS: typeof PACKAGES = [['translate-toolkit==3.8.0', { idml: 1, odf: 1 }]];

const folder = mkdtempSync(join(tmpdir(), 'parlance-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function fetch(name: string): Promise<string> {
  const place = mkdtempSync(join(folder, 'package-'));
  await run('npm', ['pack', '--silent', '--prefer-offline', '--pack-destination', place, name], { cwd: place });
  const archive = readdirSync(place).find((file) => file.endsWith('.tgz'))!;
  await run('tar', ['-xzf', archive], { cwd: place });
  return place;
}

async function fetchWheel(name: string): Promise<string> {
  const place = mkdtempSync(join(folder, 'wheel-'));
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  await run('python3', [...pip, name], { cwd: place });
  const archive = readdirSync(place).find((file) => file.endsWith('.whl'))!;
  await run('python3', ['-m', 'zipfile', '-e', archive, 'files'], { cwd: place });
  return join(place, 'files');
}

/** Tests each file whose name suggests a wanted format. @returns problems, and the formats with enough correct files */
function tryFiles(place: string, wanted: Readonly<Record<string, number>>): { wrong: string[]; well: string[] } {
  const wrong: string[] = [];
  const kept: Record<string, number> = {};
  for (const path of filesBelow(place, 500)) {
    const ids = formatsFor(path).filter((id) => id in wanted);
    const bytes = ids.length > 0 ? readReal(path, 500_000) : undefined;
    if (!bytes) continue;
    for (const id of ids) {
      const { outcome, reason } = tryFile(formatOf(id), bytes);
      if (outcome === 'kept') kept[id] = (kept[id] ?? 0) + 1;
      else if (outcome !== 'refused') wrong.push(`${id} ${path}: ${outcome} ${reason}`);
    }
  }
  return { wrong, well: Object.keys(wanted).filter((id) => (kept[id] ?? 0) >= wanted[id]!) };
}

/** Files of published packages, which were not written for these tests. */
it.each(PACKAGES)(
  'the files of %s keep all bytes outside the changed string',
  async (name, wanted) => {
    expect(tryFiles(await fetch(name), wanted)).toEqual({ wrong: [], well: Object.keys(wanted) });
  },
  600_000,
);

it.each(WHEELS)(
  'the files of the wheel %s keep all bytes outside the changed string',
  async (name, wanted) => {
    expect(tryFiles(await fetchWheel(name), wanted)).toEqual({ wrong: [], well: Object.keys(wanted) });
  },
  600_000,
);
