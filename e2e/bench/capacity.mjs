// npm run bench:capacity: what strings, components and edits take, by counting. docs/deployment/capacity.md uses it.
// Starts a system of its own for each of the chosen parts (default: strings). Options:
//   --strings 20000,60000   bytes in the stores and memory for each string; numbers of strings in all languages together
//   --components 20,60      the same, clones and events for each component of a few strings
//   --edits 200             processor time of an editor's actions and bytes for each edit
//   --languages 4           of strings and components, with the source language
//   --warm-up 500           actions before those of --edits
import { parseArgs } from 'node:util';
import { countComponents } from './capacity/components.mjs';
import { measureEdits } from './capacity/edits.mjs';
import { Installation } from './capacity/installation.mjs';
import { countStrings } from './capacity/strings.mjs';

const { values } = parseArgs({
  options: {
    strings: { type: 'string' },
    components: { type: 'string' },
    edits: { type: 'string' },
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

const strings = values.strings ?? (values.components || values.edits ? undefined : '20000,60000');
if (strings) await withInstallation((installation) => countStrings(installation, numbers(strings), codes));
if (values.components) {
  const steps = numbers(values.components);
  if (steps.length !== 2 || !(steps[0] > 0 && steps[1] > steps[0]))
    throw new Error('--components needs two ascending numbers, such as 20,60');
  await withInstallation((installation) => countComponents(installation, [steps[0], steps[1]], codes));
}
if (values.edits)
  await withInstallation((installation) => measureEdits(installation, Number(values.edits), Number(values['warm-up'])));
