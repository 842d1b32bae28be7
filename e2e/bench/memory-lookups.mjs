// npm run bench:memory: look-ups in a large translation memory: their duration, and the share of what a comparison with every entry finds.
import { distance } from 'fastest-levenshtein';
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { exchange } from './support/exchange.mjs';
import { median } from './support/setup.mjs';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:8080' },
    token: { type: 'string' },
    entries: { type: 'string', default: '1000000' },
    projects: { type: 'string', default: '500' },
    lookups: { type: 'string', default: '60' },
    keep: { type: 'boolean', default: false },
    existing: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || !values.token) {
  process.stdout
    .write(`npm run bench:memory -- --url URL --token T [--entries 1000000] [--projects 500] [--lookups 60] [--keep] [--existing PREFIX]

Adds the entries to the memories of new projects, each a fifth of them shared, and looks texts up for a reader of the shared memory and for
one of a single project. Recall: the share of the best five texts of at least 75 % that a comparison with every visible entry finds.
--keep leaves the projects, for another run with --existing and the prefix of their names.
`);
  process.exit(values.help ? 0 : 1);
}
const [entries, projects, lookups] = [values.entries, values.projects, values.lookups].map(Number);
const perProject = Math.ceil(entries / projects);
const THRESHOLD = 75;
const BEST = 5;
const api = makeApi(values.url, values.token, exchange);

/** Deterministic random numbers (mulberry32). */
function random(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const pick = random(11);
const letters = 'eeeetttaaooiinnsshhrrddllucmwfgypbvk';
const vocabulary = Array.from({ length: 8_000 }, () =>
  Array.from({ length: 2 + Math.floor(pick() * 8) }, () => letters[Math.floor(pick() * letters.length)]).join(''),
);
/** Frequent words come first. */
const word = () => vocabulary[Math.floor(vocabulary.length * pick() ** 3)];
const sentence = () => Array.from({ length: 2 + Math.floor(pick() * 10) }, word).join(' ');

const prefix = values.existing ?? `memory-${Date.now().toString(36)}`;
const slug = (n) => `${prefix}-${n}`;
/** Texts of each project. One in ten is a variant of another one. */
const texts = [];
for (let n = 0; n < projects; n++) {
  const own = [];
  for (let i = 0; i < perProject; i++) {
    const other = own[Math.floor(pick() * own.length)];
    own.push(i % 10 === 9 && other ? other.replace(/ \S+$/, ` ${word()}`) : sentence());
  }
  texts.push(own);
}

/** Similarity in percent, as the API defines it for texts that differ. */
const similarity = (a, b) => {
  const longest = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) * 100 > longest * (100 - THRESHOLD)) return 0;
  return a === b ? 100 : Math.min(99, Math.floor((100 * (longest - distance(a, b))) / longest));
};

const isShared = (project) => project % 5 === 0;

async function fill() {
  for (let n = 0; n < projects; n++) {
    await api.post('/api/projects/', { name: slug(n), slug: slug(n), web: 'https://example.com/' });
    await api.patch(`/api/projects/${slug(n)}/`, { contribute_shared_tm: isShared(n), use_shared_tm: n === 0 });
    const file = texts[n].map((source) => ({
      source,
      target: `Překlad: ${source}`,
      source_language: 'en',
      target_language: 'cs',
    }));
    const body = new FormData();
    body.set('file', new Blob([JSON.stringify(file)]), 'memory.json');
    body.set('format', 'json');
    body.set('project', slug(n));
    body.set('shared', String(isShared(n)));
    await api.post('/api/memory/', body);
    if (n % 50 === 49) process.stderr.write(`${(n + 1) * perProject} entries\n`);
  }
}

async function lookUp(project, source) {
  const query = new URLSearchParams({
    project: slug(project),
    source,
    source_language: 'en',
    target_language: 'cs',
    threshold: String(THRESHOLD),
    page_size: String(BEST),
  });
  return (await api.get(`/api/memory/?${query}`)).results;
}

/** Duration and recall of look-ups of variants of visible texts. */
async function measure(name, project, visible) {
  const pool = visible.flatMap((n) => texts[n]);
  const durations = [];
  let [wanted, found] = [0, 0];
  for (let i = 0; i < lookups; i++) {
    const text = `${pool[Math.floor(pick() * pool.length)]} ${word()}`;
    const begun = performance.now();
    const results = await lookUp(project, text);
    durations.push(performance.now() - begun);
    const left = results.map((result) => result.similarity);
    const best = [...new Set(pool)]
      .map((other) => similarity(text, other))
      .filter((percent) => percent >= THRESHOLD)
      .sort((a, b) => b - a)
      .slice(0, BEST);
    for (const percent of best) {
      wanted++;
      const at = left.findIndex((each) => each >= percent);
      if (at < 0) continue;
      found++;
      left.splice(at, 1);
    }
  }
  const sorted = [...durations].sort((a, b) => a - b);
  process.stdout.write(
    `| ${name} | ${pool.length} | ${durations[0].toFixed(0)} | ${median(durations).toFixed(1)} | ${sorted[Math.floor(sorted.length * 0.95)].toFixed(1)} | ${(found / wanted).toFixed(3)} (${found} of ${wanted}) |\n`,
  );
}

if (!values.existing) await fill();
process.stdout.write(
  '| reader | visible entries | first ms | p50 ms | p95 ms | recall |\n| --- | ---: | ---: | ---: | ---: | --- |\n',
);
const all = Array.from({ length: projects }, (_, n) => n);
await measure('project without the shared memory', 1, [1]);
await measure('project with the shared memory', 0, all.filter(isShared));
await measure('project without the shared memory', 2, [2]);
if (values.keep) process.stdout.write(`The projects are named ${prefix}-0 and so on.\n`);
else for (const n of all) await api.send('DELETE', `/api/projects/${slug(n)}/`);
