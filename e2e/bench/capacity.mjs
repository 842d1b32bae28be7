// npm run bench:capacity: what strings, components and edits take, by counting. docs/deployment/capacity.md uses it.
// Starts a system of its own for each of the chosen parts (default: strings), except for --editors. Options:
//   --strings 20000,60000   bytes in the stores, memory and processor time for each string; numbers of strings in all languages together
//   --components 20,60      bytes, clones, events and memory for each component of a few strings
//   --component-costs 40    processor time of import, pull, commit and push of each of so many components
//   --edits 200             processor time of an editor's actions and bytes for each edit
//   --languages 4           of strings and components, with the source language
//   --warm-up 500           actions before those of --edits and --editors
//   --editors 20,50,100     what so many active editors at a time get from the running installation, and what they cost it. It needs
//                           PARLANCE_RATE_LIMIT_AUTHENTICATED=off
//   --seconds 60            for each number of editors; a multiple of 10
//   --url, --token          of the running installation; PARLANCE_DATA_DIR (.data) is its data directory
import { parseArgs } from 'node:util';
import { measureComponents } from './capacity/component-costs.mjs';
import { countComponents } from './capacity/components.mjs';
import { measureEditors } from './capacity/editors.mjs';
import { measureEdits } from './capacity/edits.mjs';
import { Installation } from './capacity/installation.mjs';
import { countStrings } from './capacity/strings.mjs';
import { adminToken, dataDir, DEFAULT_URL } from './support/setup.mjs';

const { values } = parseArgs({
  options: {
    strings: { type: 'string' },
    components: { type: 'string' },
    'component-costs': { type: 'string' },
    edits: { type: 'string' },
    editors: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    languages: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '500' },
  },
});
const codes = ['cs', 'de', 'fr', 'it', 'es', 'pl', 'pt', 'sv', 'fi'].slice(0, Number(values.languages) - 1);
const numbers = (text) => text.split(',').map(Number);

async function withInstallation(work) {
  const installation = await Installation.start();
  try {
    await work(installation);
  } finally {
    await installation.remove();
  }
}

const others = [values.components, values['component-costs'], values.edits, values.editors];
const strings = values.strings ?? (others.some(Boolean) ? undefined : '20000,60000');
if (strings) await withInstallation((installation) => countStrings(installation, numbers(strings), codes));
if (values.components) {
  const steps = numbers(values.components);
  if (steps.length !== 2 || !(steps[0] > 0 && steps[1] > steps[0]))
    throw new Error('--components needs two ascending numbers, such as 20,60');
  await withInstallation((installation) => countComponents(installation, [steps[0], steps[1]], codes));
}
const [componentCosts, edits, warmUp] = [values['component-costs'], values.edits, values['warm-up']].map(Number);
if (componentCosts) await withInstallation((installation) => measureComponents(installation, componentCosts, codes));
if (edits) await withInstallation((installation) => measureEdits(installation, edits, warmUp));
if (values.editors) {
  const system = { url: values.url, token: values.token ?? adminToken(), dataDir };
  await measureEditors(system, numbers(values.editors), Number(values.seconds), warmUp);
}
