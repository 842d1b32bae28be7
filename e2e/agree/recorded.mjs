// The figures of the last full comparison, kept in recorded.json for the tables of the documentation.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('recorded.json', import.meta.url));
const UPLOAD_AREAS = ['uploads by format', 'strings after uploads by format', 'files after uploads'];

/** `parts`: numbers of comparisons by part and area; `uploads`: by format and method, what both sides accepted and how they differ. */
export const recorded = () => JSON.parse(readFileSync(path, 'utf8'));

/** What an upload led to: how many strings it changed, or the status of the error. */
const outcome = ({ status, body }) => (status === 200 ? `${body.accepted}` : `${status}`);

/** Keeps the figures of a run; parts and formats that it left out stay as they were, unless the run was `whole`. */
export function keep(report, { whole = false } = {}) {
  const { parts, uploads } = recorded();
  for (const { step, answers } of report.records) {
    const [format, name] = step.split(' | ');
    const [ours, peer] = answers.map(outcome);
    uploads[format] = { ...uploads[format], [name]: { ours, peer, notes: report.notes(UPLOAD_AREAS, step) } };
  }
  writeFileSync(path, `${JSON.stringify({ parts: { ...(whole ? {} : parts), ...report.parts }, uploads }, null, 2)}\n`);
}
