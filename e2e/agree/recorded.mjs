// Results of the last full comparison, stored in recorded.json for the tables of the documentation.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('recorded.json', import.meta.url));
const UPLOAD_AREAS = ['uploads by format', 'strings after uploads by format', 'files after uploads'];

/** `parts`: numbers of comparisons by part and area; `uploads`: results of both sides and their differences by format and method. */
export const recorded = () => JSON.parse(readFileSync(path, 'utf8'));

/** Result of an upload: number of changed strings, or the status of the error. */
const outcome = ({ status, body }) => (status === 200 ? `${body.accepted}` : `${status}`);

/** Stores the results of a run; parts and formats outside the run keep their values unless it is `whole`. */
export function keep(report, { whole = false } = {}) {
  const { parts, uploads } = recorded();
  for (const { step, answers } of report.records) {
    const [format, name] = step.split(' | ');
    const [ours, peer] = answers.map(outcome);
    uploads[format] = { ...uploads[format], [name]: { ours, peer, notes: report.notes(UPLOAD_AREAS, step) } };
  }
  writeFileSync(path, `${JSON.stringify({ parts: { ...(whole ? {} : parts), ...report.parts }, uploads }, null, 2)}\n`);
}
