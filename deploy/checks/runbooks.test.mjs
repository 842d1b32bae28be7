import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricDefinitions, metrics } from '@parlance/telemetry';
import { namesIn, queriesIn } from '../observability/query.mjs';
import { knownSeries } from '../observability/series.mjs';
import { missingTests } from './named-tests.mjs';

const root = join(__dirname, '../..');
const runbooks = join(root, 'docs/runbooks');

/** Sources of all processes without their tests. */
const sources = ['libs', 'services', '.']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')))
  .flatMap((folder) => {
    try {
      return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
    } catch (error) {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
      throw error;
    }
  })
  .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|\/generated\//.test(path))
  .map((path) => readFileSync(path, 'utf8'));

/** Whether one source file has all parts of a message; `...` stands for a value. */
function isInSources(message) {
  const parts = message.split('...').map((part) => part.trim());
  return sources.some((source) => parts.every((part) => source.includes(part)));
}

/** Messages in backticks after "log line", "logs" or "message", also several: `a`, `b` or `c`. */
function quotedInProse(page) {
  const quotations = page.matchAll(
    /\b(?:log line|logs|messages?)\s+(`[^`]+`(?:(?:,|\s+or|,\s+or|\s+and)\s+`[^`]+`)*)/gi,
  );
  return [...quotations].flatMap(([, quoted]) => [...quoted.matchAll(/`([^`]+)`/g)].map(([, message]) => message));
}

/** The first cells of tables whose first column is "message". */
function quotedInTables(page) {
  const tables = page.matchAll(/^\| message +\|.*\n\|[ |-]+\n((?:\|.*\n)+)/gm);
  return [...tables].flatMap(([, rows]) =>
    rows
      .trim()
      .split('\n')
      .flatMap((row) => [...row.split(' | ')[0].matchAll(/`([^`]+)`/g)].map(([, message]) => message)),
  );
}

/** Patterns of `logs ... | grep`, without fields of JSON other than `msg` and without names to fill in. */
function searchedInLogs(page) {
  return [...page.matchAll(/ logs .*/g)]
    .flatMap(([line]) => [...line.matchAll(/\| grep (?:-\S+ )*(['"])(.+?)\1(?= \||$)/g)])
    .flatMap(([, , pattern]) =>
      pattern
        .replace(/"(?!msg")\w+":"[^"]*"/g, '')
        .replace('"msg":"', '')
        .split('|'),
    )
    .filter((text) => text !== '' && !/^[A-Z_]+$/.test(text));
}

it.each([
  ['in prose', quotedInProse],
  ['in tables', quotedInTables],
  ['as patterns of grep', searchedInLogs],
])('the sources have every message that runbooks quote %s', (place, quotedIn) => {
  const quoted = readdirSync(runbooks).flatMap((name) =>
    quotedIn(readFileSync(join(runbooks, name), 'utf8')).map((message) => ({ name, message })),
  );
  expect(quoted).not.toEqual([]);
  expect(quoted.filter(({ message }) => !isInSources(message))).toEqual([]);
});

/** Series in `query '...'`, and metrics in backticks. */
function seriesNamedIn(page) {
  const queries = queriesIn(page).flatMap(namesIn);
  const prose = page.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => namesIn(code));
  // The word is also an option and a state.
  return [...queries, ...quoted.filter((name) => name !== 'up')];
}

it('every metric that runbooks name exists', () => {
  const known = knownSeries(metricDefinitions, metrics);
  const named = readdirSync(runbooks).flatMap((page) =>
    seriesNamedIn(readFileSync(join(runbooks, page), 'utf8')).map((series) => ({ page, series })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ series }) => !known.has(series))).toEqual([]);
});

it('every test that the table of tried runbooks names exists', () => {
  const page = readFileSync(join(runbooks, 'README.md'), 'utf8');
  const named = [...page.matchAll(/\| `([\w.-]+)`: (.+?) +\|$/gm)].map(([, file, title]) => ({ file, title }));
  expect(named.length).toBeGreaterThan(10);
  expect(missingTests(root, named)).toEqual([]);
});
