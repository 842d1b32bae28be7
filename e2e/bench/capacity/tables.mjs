// Tables of the capacity benchmark.

/** @typedef {import('./installation.mjs').Size} Size */

export const say = (...lines) => lines.forEach((line) => process.stdout.write(`${line}\n`));

/** Prints cells as a row. */
export const row = (...cells) => say(cells.join(' | '));

/** Bytes of documents below which a collection is left out of a table. */
const SMALL_BYTES = 0.5;
const NONE = { documents: 0, bytes: 0, indexes: 0, stored: 0 };

/**
 * Prints the growth of every collection between two counts, for each of `added` objects, and of all together.
 * @param {Record<string, Size>} before
 * @param {Record<string, Size>} after
 * @param {number} added
 */
export function growthTable(before, after, added) {
  row('collection', 'documents', 'bytes of BSON', 'bytes of indexes', 'bytes on disk');
  const sums = { documents: 0, bytes: 0, indexes: 0, stored: 0 };
  const cells = (each) => [each.documents.toFixed(3), ...['bytes', 'indexes', 'stored'].map((f) => each[f].toFixed(0))];
  for (const [name, now] of Object.entries(after)) {
    const then = before[name] ?? NONE;
    const each = { ...NONE };
    for (const field of Object.keys(sums)) {
      each[field] = (now[field] - then[field]) / added;
      sums[field] += each[field];
    }
    if (Math.abs(each.bytes) >= SMALL_BYTES) row(name, ...cells(each));
  }
  row('all', ...cells(sums));
}

/**
 * Prints figures by process, one column for each title.
 * @param {string[]} titles
 * @param {Record<string, number>[]} columns figures by process
 * @param {number} [digits] after the point
 */
export function processTable(titles, columns, digits = 0) {
  row('process', ...titles);
  for (const name of Object.keys(columns[0] ?? {}))
    row(name, ...columns.map((column) => (column[name] ?? 0).toFixed(digits)));
}

/** Prints cells as a row of a Markdown table, as the guide has them. */
export const markdownRow = (...cells) => say(`| ${cells.join(' | ')} |`);

/** Prints the titles of a Markdown table; all columns but the first are aligned to the right. */
export function markdownTitles(...titles) {
  markdownRow(...titles);
  markdownRow(...titles.map((_, i) => (i === 0 ? '---' : '---:')));
}

const ENGINES = { mongo: 'MongoDB', nats: 'NATS', redis: 'Redis', minio: 'object store' };

/** Name of a process or engine in the guide. */
export const titleOf = (name) => ENGINES[name] ?? name;

/**
 * Costs in the order of columns: all, those of some processes, and those of the others together.
 * @param {Record<string, number>} costs by process
 * @param {string[]} names processes with a column of their own
 */
export function costColumns(costs, names) {
  const all = Object.values(costs).reduce((sum, ms) => sum + ms, 0);
  const own = names.map((name) => costs[name] ?? 0);
  return [all, ...own, all - own.reduce((sum, ms) => sum + ms, 0)];
}

/**
 * Prints costs as a Markdown table.
 * @param {Record<string, Record<string, number>>} rows costs by process of each row, by its title
 * @param {string[]} names processes with a column of their own
 */
export function costTable(rows, names) {
  markdownTitles('', 'all', ...names.map(titleOf), 'others');
  for (const [title, costs] of Object.entries(rows))
    markdownRow(title, ...costColumns(costs, names).map((ms) => ms.toFixed(1)));
}
