// npm run docs: writes the generated tables of docs/ and the generated files of deploy/observability. Run after a build; unit tests
// compare each with its source.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { differences, figures, uploads } from '../e2e/agree/differences.mjs';
import { CASE_FILES, readCases } from '../libs/checks/agreement/case-files.mjs';
import { checksTable } from '../libs/checks/agreement/checks-table.mjs';
import { degradedTable } from '../e2e/degraded/table.mjs';
import { signalTables } from './observability/signals.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** A module of the last build. */
function built(path) {
  if (!existsSync(`${root}${path}.js`)) {
    process.stderr.write('npm run docs needs a build: run npm run build first.\n');
    process.exit(1);
  }
  return require(`${root}${path}.js`);
}

/** Replaces what stands between two markers of a page; the markers stay. An empty end marker means the end of the page. */
function replaced(text, page, begin, end, content) {
  const from = text.indexOf(begin);
  const to = end === '' ? text.length : text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} has no ${begin} or no ${end}`);
  const tail = end === '' ? '' : `\n${text.slice(to)}`;
  return `${text.slice(0, from + begin.length)}${content}\n${tail}`;
}

const marked = (name, content) => [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`, `\n\n${content}`];
const endpoints = built('gateway/dist/openapi/table').endpointTable(built('gateway/dist/endpoints').endpoints);
const { metricGroups, metricsTable } = built('libs/telemetry/dist/metrics/index');
const permissions = built('libs/access/dist/permission-table').permissionTable();
const formats = built('libs/formats/dist/format-tables').formatTables();

/** Sections of each page: marker before, marker after, content. */
const pages = {
  'docs/endpoints.md': [['compares it with the code.\n', '', `\n${endpoints}`]],
  'docs/metrics.md': [['compares them with the code.\n', '', `\n${metricsTable()}`]],
  'docs/signals.md': [['compares them with the sources.\n', '', `\n${signalTables(metricGroups)}`]],
  'docs/formats.md': [['<!-- formats -->', '<!-- /formats -->', `\n\n${formats}`]],
  'docs/identity.md': [marked('permissions', permissions)],
  'docs/differences.md': [
    marked('checks', checksTable(CASE_FILES.flatMap(readCases))),
    marked('answers', differences()),
    marked('figures', figures()),
  ],
  'docs/degraded-modes.md': [marked('degraded', degradedTable())],
  'docs/uploads.md': [marked('uploads', uploads())],
};

for (const [page, sections] of Object.entries(pages)) {
  let text = readFileSync(`${root}${page}`, 'utf8');
  for (const [begin, end, content] of sections) text = replaced(text, page, begin, end, content);
  writeFileSync(`${root}${page}`, text);
  process.stdout.write(`${page}\n`);
}
execFileSync('npx', ['prettier', '--write', '--log-level', 'warn', ...Object.keys(pages)], {
  cwd: root,
  stdio: 'inherit',
});
await import('./observability/generate.mjs');
await import('./chart/generate.mjs');
