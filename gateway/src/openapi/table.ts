import type { Endpoint } from '../http/endpoint';
import { accessText } from '../access/rule';

/** The table of endpoints for the README, in Markdown. */
export function endpointTable(endpoints: readonly Endpoint[]): string {
  const rows = [...endpoints]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map((e) => `| ${e.method} | \`${e.path}\` | ${accessText(e)} | ${e.doc} |`);
  return ['| Method | Path | Access | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
