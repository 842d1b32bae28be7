// npm run agree: builds the same world on Parlance and on the peer (a Weblate server) and compares every answer.
//   npm run agree -- --url http://127.0.0.1:8080 --token T --peer http://127.0.0.1:8099 --peer-token T [--only edits,uploads] [--record] [--examples 6]
// A whole run makes more requests than the rate limits of one hour: start Parlance with PARLANCE_RATE_LIMIT_AUTHENTICATED=1000000/hour.
// Exit status 1 when an answer differs and no rule of accepted.mjs gives a reason, or when a whole run leaves out an operation of the
// peer's published document.
import { parseArgs } from 'node:util';
import { accepted } from './accepted.mjs';
import { Judge } from './judge.mjs';
import { Report } from './report.mjs';
import { keep } from './recorded.mjs';
import { Remotes, Sides } from './sides.mjs';
import { edits } from './steps/edits.mjs';
import { files } from './steps/files.mjs';
import { glossaries } from './steps/glossaries.mjs';
import { objects } from './steps/objects.mjs';
import { searches } from './steps/searches.mjs';
import { structure } from './steps/structure.mjs';
import { uploadsByFormat } from './steps/upload-formats.mjs';
import { uploads } from './steps/uploads.mjs';

import { uploadFormats } from './upload-files.mjs';

/** Areas of a lane run one after the other, lanes at the same time: both servers spend most of it waiting for repositories. */
const lanes = [{ structure, objects, edits, glossaries }, { searches, files, uploads }, { uploadsByFormat }];
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    token: { type: 'string' },
    peer: { type: 'string', default: 'http://127.0.0.1:8099' },
    'peer-token': { type: 'string' },
    only: { type: 'string' },
    record: { type: 'boolean' },
    formats: { type: 'string' },
    objects: { type: 'string' },
    examples: { type: 'string', default: '6' },
  },
});
if (!values.token || !values['peer-token']) {
  console.error('--token and --peer-token are required: administrators of the two servers.');
  process.exit(2);
}
const kinds = uploadFormats.filter(({ format }) => !values.formats || values.formats.split(',').includes(format));
const report = new Report(accepted);
const sides = new Sides(
  { url: values.url.replace(/\/$/, ''), token: values.token },
  { url: values.peer.replace(/\/$/, ''), token: values['peer-token'] },
  report,
);
sides.judge = await Judge.of(sides.theirs);
const remotes = await Remotes.start();
// A failed run still prints the comparisons made so far.
/** Stores the results of each area, so that an interrupted run keeps them. */
const step = (name) => {
  console.log(`  ${name}: done`);
  report.explain(name);
  if (values.record) keep(report);
};
process.once('SIGTERM', () => {
  remotes.stop();
  report.print(Number(values.examples));
  process.exit(1);
});
const stamp = Date.now().toString(36);

/** Runs the wanted areas of a lane in order. */
async function runAreas(areas) {
  for (const [name, run] of Object.entries(areas))
    if (!values.only || values.only.split(',').includes(name)) {
      const project = `agree-${name.toLowerCase()}-${stamp}`;
      console.log(`${name} in project ${project}`);
      const context = { sides, remotes, project, report, kinds, only: values.objects?.split(','), done: step };
      await report.inPart(name, () => run(context));
    }
}

let failure;
try {
  for (const side of sides.both)
    await side.patch('/api/users/admin/', { full_name: 'Ada Admin', email: 'ada@example.com' });
  await Promise.all(lanes.map(runAreas));
} catch (error) {
  failure = error;
} finally {
  remotes.stop();
}
report.print(Number(values.examples));
if (failure) throw failure;
const whole = !values.only && !values.formats && !values.objects;
if (values.record) keep(report, { whole });
const neverAsked = !whole ? [] : sides.judge.neverAsked;
for (const operation of neverAsked) console.log(`never asked: ${operation}`);
process.exitCode = report.failed + neverAsked.length > 0 ? 1 : 0;
