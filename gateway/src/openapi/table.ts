import type { Endpoint } from '../routing/endpoint';
import { accessText } from '../access/rule';
import { coverageOf } from './coverage';

/** The table of endpoints for docs/endpoints.md, in Markdown. */
export function endpointTable(endpoints: readonly Endpoint[]): string {
  const rows = [...endpoints]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map((e) => {
      const test = coverageOf(e);
      return `| ${e.method} | \`${e.path}\` | ${accessText(e)} | ${e.doc} | \`${test.file}\` |`;
    });
  return ['| Method | Path | Access | | Test |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}
