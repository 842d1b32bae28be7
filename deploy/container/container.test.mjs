import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeFlags } from '../local/node-flags.mjs';
import { closureOf, collect } from './collect.mjs';

const root = join(__dirname, '../..');

describe('the files of an image', () => {
  let work;
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'parlance-collect-'));
    const files = {
      'package.json': { version: '1.2.3' },
      'protos/a.proto': 'syntax',
      'services/mail/package.json': { name: '@x/mail', version: '1.2.3', dependencies: { '@x/lib': '*', tool: '1' } },
      'services/mail/dist/main.js': '1',
      'services/mail/dist/main.js.map': '{}',
      'services/mail/src/main.ts': '1',
      'libs/lib/package.json': {
        name: '@x/lib',
        version: '1.2.3',
        dependencies: { deep: '2', '@opentelemetry/api': '1' },
      },
      'libs/lib/dist/index.js': '1',
      'node_modules/tool/package.json': { name: 'tool', version: '1.0.0', license: 'MIT' },
      'node_modules/tool/index.js': '1',
      'node_modules/tool/index.d.ts': '1',
      'node_modules/tool/LICENSE.md': 'MIT',
      'node_modules/deep/package.json': { name: 'deep', version: '2.0.0' },
      'node_modules/deep/test/data.js': '1',
      'node_modules/@opentelemetry/api/package.json': { name: '@opentelemetry/api', version: '1.0.0' },
      'node_modules/@opentelemetry/api/build/src/index.js': '1',
      'node_modules/@opentelemetry/api/build/esm/index.js': '1',
      'node_modules/@opentelemetry/api/build/esnext/index.js': '1',
      'node_modules/unused/package.json': { name: 'unused', version: '1.0.0' },
    };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
    mkdirSync(join(work, 'node_modules/@x'));
    symlinkSync('../../libs/lib', join(work, 'node_modules/@x/lib'));
  });
  afterEach(() => rmSync(work, { recursive: true }));

  it('an image contains the files that its process needs at run time', () => {
    collect(work, 'services/mail', join(work, 'out'));
    const found = readdirSync(join(work, 'out'), { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(work.length + '/out/'.length));
    expect(found.sort()).toEqual([
      'libs/lib/dist/index.js',
      'libs/lib/package.json',
      'node_modules/@opentelemetry/api/build/src/index.js',
      'node_modules/@opentelemetry/api/package.json',
      'node_modules/@x/lib',
      'node_modules/deep/package.json',
      'node_modules/deep/test/data.js',
      'node_modules/tool/LICENSE.md',
      'node_modules/tool/index.js',
      'node_modules/tool/package.json',
      'protos/a.proto',
      'sbom.cdx.json',
      'services/mail/dist/main.js',
      'services/mail/package.json',
    ]);
    const { components } = JSON.parse(readFileSync(join(work, 'out/sbom.cdx.json'), 'utf8'));
    expect(components.map(({ purl }) => purl)).toContain('pkg:npm/tool@1.0.0');
  });

  it('all files of an image have one time, so that equal sources give equal layers', () => {
    collect(work, 'services/mail', join(work, 'out'));
    const times = readdirSync(join(work, 'out'), { recursive: true }).map(
      (path) => statSync(join(work, 'out', String(path))).mtimeMs,
    );
    expect(new Set([...times, statSync(join(work, 'out')).mtimeMs])).toEqual(new Set([0]));
  });
});

describe('a package of the repository', () => {
  const packages = execFileSync(
    'git',
    ['ls-files', 'libs/*/package.json', 'services/*/package.json', 'gateway/package.json'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
    .trim()
    .split('\n')
    .map((path) => dirname(path));

  it.each(packages)('%s declares the packages of the repository that it imports', (path) => {
    const sources = execFileSync('git', ['ls-files', `${path}/src/**.ts`], { cwd: root, encoding: 'utf8' });
    const imported = sources
      .trim()
      .split('\n')
      .filter((file) => file && !file.endsWith('.test.ts') && !file.includes('/testing/'))
      .flatMap((file) => [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /^(?:import|export) (?!type)[^;']*? from '(@parlance\/[^'/]+)/gm,
        ),
      ])
      .map(([, name]) => name);
    const { name, dependencies } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    expect([...new Set(imported)].filter((each) => each !== name && !dependencies?.[each])).toEqual([]);
  });

  it('vcs-worker needs no compiler and no test tools', () => {
    const names = [...closureOf(root, 'services/vcs-worker').folders].map((folder) => folder.slice(root.length + 1));
    expect(names).toContain('libs/git');
    expect(names.filter((name) => /typescript$|jest|libs\/testing/.test(name))).toEqual([]);
  });
});

it('processes of images have the flags of those of `npm start`', () => {
  const script = readFileSync(join(__dirname, 'parlance-process'), 'utf8');
  expect(/^flags='(.*)'$/m.exec(script)?.[1]?.split(' ')).toEqual(nodeFlags);
});
