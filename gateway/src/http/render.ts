import { Eta } from 'eta';
import { apiPage } from '../pages/api';
import type { Negotiated } from './negotiation';

const eta = new Eta({ autoEscape: true });
const page = eta.compile(apiPage);

/** A cell that a spreadsheet would take for a formula gets an apostrophe. Full-width signs count as their ASCII ones do. */
function cell(value: unknown): string {
  let text = value === null || value === undefined ? '' : String(value as string | number | boolean);
  if (typeof value === 'string' && /^[=+\-@|%＝＋－＠｜％\t\r]/.test(text)) text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function rowsOf(data: unknown): Record<string, unknown>[] {
  const list = Array.isArray(data)
    ? data
    : typeof data === 'object' && data !== null && Array.isArray((data as { results?: unknown }).results)
      ? (data as { results: unknown[] }).results
      : [data];
  return list.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null);
}

/** A row without nesting: what is in objects and lists stands under `key.inner` and `key.0`. */
function flattened(row: object, prefix = ''): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null) Object.assign(flat, flattened(value, `${prefix}${key}.`));
    else flat[prefix + key] = value;
  }
  return flat;
}

export function toCsv(data: unknown): string {
  const rows = rowsOf(data).map((row) => flattened(row));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    [columns, ...rows.map((row) => columns.map((column) => row[column]))]
      .map((row) => row.map(cell).join(','))
      .join('\r\n') + '\r\n'
  );
}

/** Metrics as OpenMetrics text, which Prometheus' older format reads as well. */
function toOpenMetrics(data: unknown): string {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(data as Record<string, unknown>)) {
    if (typeof value === 'number') lines.push(`${name} ${value}`);
    else if (typeof value === 'object' && value !== null) {
      for (const [queue, length] of Object.entries(value)) lines.push(`${name}{queue="${queue}"} ${Number(length)}`);
    }
  }
  return `${lines.join('\n')}\n# EOF\n`;
}

/** What the browsable page shows. */
export interface PageFacts {
  title: string;
  method: string;
  path: string;
  status: number;
  allow: string;
  doc: string;
  username: string;
}

export function render(data: unknown, { renderer, indent }: Negotiated, facts: PageFacts): string {
  switch (renderer) {
    case 'api':
      return eta.render(page, { ...facts, body: JSON.stringify(data, null, 2) });
    case 'csv':
      return toCsv(data);
    case 'openmetrics':
    case 'prometheus':
      return toOpenMetrics(data);
    case 'json-flat':
      return JSON.stringify(
        typeof data === 'object' && data !== null && 'results' in data ? (data as { results: unknown }).results : data,
      );
    default:
      return indent > 0 ? JSON.stringify(data, null, indent) : JSON.stringify(data);
  }
}
