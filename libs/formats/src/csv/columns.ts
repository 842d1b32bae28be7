/** Content of a column. `target[1]` and so on are plural forms after the first. */
export type ColumnName =
  'location' | 'source' | 'target' | 'id' | 'fuzzy' | 'context' | 'comment' | 'note' | `target[${number}]`;

const HEADINGS: Readonly<Record<string, ColumnName>> = {
  location: 'location',
  source: 'source',
  target: 'target',
  translation: 'target',
  value: 'target',
  id: 'id',
  key: 'id',
  fuzzy: 'fuzzy',
  context: 'context',
  translator_comments: 'comment',
  developer_comments: 'note',
  comment: 'note',
  description: 'note',
};

/** The column of a plural form. */
export function formColumn(form: number): 'target' | `target[${number}]` {
  return form === 0 ? 'target' : `target[${form}]`;
}

function columnNamed(heading: string): ColumnName | undefined {
  const form = /^target\[([1-5])\]$/i.exec(heading.trim());
  return form ? formColumn(Number(form[1])) : HEADINGS[heading.trim().toLowerCase()];
}

/**
 * The plural forms of a row. A row with only the first form cannot be distinguished from one without plurals.
 * @param count number of forms of the language, if known
 */
export function formsOf(
  columns: readonly (ColumnName | undefined)[],
  textOf: (name: ColumnName) => string,
  count: number | undefined,
): string[] {
  const forms = [textOf('target')];
  while (columns.includes(formColumn(forms.length))) forms.push(textOf(formColumn(forms.length)));
  if (forms.slice(1).every((text) => text === '')) return forms.slice(0, 1);
  return Array.from({ length: count ?? forms.length }, (_, i) => forms[i] ?? '');
}

/** The columns of a table by their headings, else by position. `skip` is the number of heading rows. */
export function columnsOf(
  rows: readonly (readonly string[])[],
  simple: boolean,
): { columns: (ColumnName | undefined)[]; skip: number } {
  const first = (rows[0] ?? []).map(columnNamed);
  const named = first.filter((name) => name !== undefined);
  if (simple) return { columns: ['source', 'target'], skip: first[0] === 'source' && first[1] === 'target' ? 1 : 0 };
  if ((named.includes('source') || named.includes('target')) && named.length >= 2) return { columns: first, skip: 1 };
  const width = Math.max(0, ...rows.slice(0, 10).map((row) => row.length));
  if (width <= 2) return { columns: ['source', 'target'], skip: 0 };
  if (width === 3) return { columns: ['location', 'source', 'target'], skip: 0 };
  return { columns: ['location', 'source', 'target', 'id', 'fuzzy', 'context', 'comment', 'note'], skip: 0 };
}

/** Headings of a CSV download. Columns for plural forms may follow. */
export const EXPORT_COLUMNS: readonly string[] = [
  'location',
  'source',
  'target',
  'id',
  'fuzzy',
  'context',
  'translator_comments',
  'developer_comments',
];

/** First characters of a formula. Spreadsheets of East Asian locales accept full-width characters. */
const FORMULA = /^'*[=+\-@|%＝＋－＠｜％\t\r]/;

/** Guards a text that is a spreadsheet formula with an apostrophe. Files with our headings lose it again when read. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
