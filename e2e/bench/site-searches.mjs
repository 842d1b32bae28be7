// npm run bench:site-searches: searches in all strings of a running installation, which `npm run bench -- --grow 1m --keep` fills.
import { parseArgs } from 'node:util';
import { makeApi } from '../support/api.mjs';
import { exchange } from './support/exchange.mjs';
import { LANGUAGES, round } from './support/requests.mjs';
import { adminToken, checkRateLimit, DEFAULT_URL, median, percentile } from './support/setup.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: DEFAULT_URL },
    token: { type: 'string' },
    searches: { type: 'string', default: '30' },
    'edits-per-second': { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout
    .write(`npm run bench:site-searches -- [--url URL] [--token T] [--searches 30] [--edits-per-second 0] [--only SUBSTRING]

Prints the time of the first search of each kind, and the median and the 95th percentile of others, each with other words.
With --edits-per-second another client edits strings meanwhile.
`);
  process.exit(0);
}
const api = makeApi(options.url, options.token ?? adminToken(), exchange);
const [searches, editsPerSecond] = [options.searches, options['edits-per-second']].map(Number);
await checkRateLimit('Parlance', api);

/** @param {Record<string, string | number>} query */
const find = (query) => api.get(`/api/units/?${new URLSearchParams({ page_size: '50', ...query })}`);

/** Words of the benchmark's texts, each in about a quarter of them. */
const WORDS = 'file could opened another user changed name while window busy network printing document please'.split(
  ' ',
);
const word = (i) => WORDS[i % WORDS.length];

const { count: total } = await find({ page: 1 });
/** Numbers of strings all over the installation: words of few strings. */
const numbers = [];
for (let i = 0; numbers.length <= searches; i++) {
  // Nearly all texts of the benchmark have one.
  if (i > searches * 10)
    throw new Error('Too few strings have a number: fill the installation with `npm run bench -- --grow 1m --keep`.');
  const page = Math.floor((((i * 0.618) % 1) * total) / 50) + 1;
  const { results } = await find({ page });
  const found = results.map(({ source }) => /\b\d{4,}\b/.exec(source[0])?.[0]).find(Boolean);
  if (found) numbers.push(found);
}
/** The smallest project that the benchmark filled. */
const project = (await api.all('/api/projects/?page_size=1000'))
  .map(({ slug }) => slug)
  .find((s) => s.startsWith('grow-0-'));

/** Query of a search by its number. @type {Record<string, (i: number) => Record<string, string | number>>} */
const kinds = {
  'rare word': (i) => ({ q: numbers[i % numbers.length] }),
  'word without a match': (i) => ({ q: `absent${i}` }),
  'three digits, in about 1 % of the strings': (i) => ({ q: String(100 + i * 7) }),
  'word in a quarter of the strings': (i) => ({ q: word(i) }),
  'two words': (i) => ({ q: `${word(i)} ${word(i + 1 + (i % 5))}` }),
  'word, page 5 000 of 50': (i) => ({ q: word(i), page: 5000 }),
  'all strings, page 1 of 50': () => ({ page: 1 }),
  'all strings, page 5 000 of 50': (i) => ({ page: 5000 + i }),
  'untranslated strings of a language': (i) => ({ q: `language:${LANGUAGES[i % 6]} state:<translated` }),
  'strings with comments, of which there are none': () => ({ q: 'has:comment' }),
  ...(project
    ? { 'regular expression in a project': (i) => ({ q: `project:${project} source:r"[^ ]+ ${i}[0-9]+"` }) }
    : {}),
};

const { results: edited } = await find({ q: 'is:translated AND language:cs', page: 1 });
const editable = edited.filter(({ source }) => source.length === 1).map(({ id }) => id);
let over = false;
let edits = 0;
const editing = (async () => {
  while (editsPerSecond > 0 && !over) {
    await api.patch(`/api/units/${editable[edits % editable.length]}/`, { target: [`Edit ${++edits}`], state: 20 });
    await new Promise((resolve) => setTimeout(resolve, 1000 / editsPerSecond));
  }
})();

/** @returns its time in milliseconds and the number of matches; 0 for a page that does not exist */
async function timed(query) {
  const begun = performance.now();
  const { status, body } = await api.send('GET', `/api/units/?${new URLSearchParams({ page_size: '50', ...query })}`);
  if (status !== 200 && status !== 404) throw new Error(`${JSON.stringify(query)}: ${status} ${JSON.stringify(body)}`);
  return { ms: performance.now() - begun, matches: body.count ?? 0 };
}

const rows = [['search', 'matches', 'first ms', 'p50 ms', 'p95 ms']];
for (const [name, queryOf] of Object.entries(kinds)) {
  if (!name.includes(options.only)) continue;
  const first = await timed(queryOf(searches));
  const times = [];
  const matches = [];
  for (let i = 0; i < searches; i++) {
    const found = await timed(queryOf(i));
    times.push(found.ms);
    matches.push(found.matches);
  }
  rows.push([name, median(matches), ...[first.ms, median(times), percentile(times, 95)].map(round)].map(String));
}
over = true;
await editing;
process.stdout.write(`${total} strings${edits ? `, ${edits} edits meanwhile` : ''}\n\n`);
const lines = [rows[0], ['---', ...rows[0].slice(1).map(() => '---:')], ...rows.slice(1)];
process.stdout.write(lines.map((cells) => `| ${cells.join(' | ')} |\n`).join(''));
