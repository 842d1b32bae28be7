// npm run bench -- --grow: the same figures in installations of growing size.
import { learned, measure } from './figures.mjs';
import { measureBusyShare } from './support/processor-times.mjs';
import { round } from './support/requests.mjs';
import { serveTexts } from './support/serve-texts.mjs';
import { importComponent } from './support/setup.mjs';

/** Units of a project that fills the installation, at most. */
const MAX_FILLER = 500_000;

/** @param {string} text sizes such as `10k,100k,1m` @throws {Error} that names what is wrong */
export function readSizes(text) {
  const sizes = text.split(',').map((part) => {
    const [, digits, unit] = /^(\d+)(k|m)?$/i.exec(part.trim()) ?? [];
    if (!digits) throw new Error(`--grow ${JSON.stringify(part)}: give sizes such as 10k,100k,1m.`);
    return Number(digits) * { k: 1_000, m: 1_000_000 }[unit?.toLowerCase() ?? ''] || Number(digits);
  });
  if (sizes.some((size, i) => i > 0 && size <= sizes[i - 1])) throw new Error('--grow: sizes must increase.');
  return sizes;
}

/** Share of this machine's processors below which it counts as idle. All processes and engines take up to 0.15 of two slow ones without requests. */
const IDLE = 0.25;

/** Resolves when the work that follows imports in the background has ended: an installation that does nothing else for five seconds. */
async function settled() {
  for (let busy = 1; busy > IDLE;) {
    const share = measureBusyShare();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    busy = share();
  }
}

/** Imports other projects until the installation has `size` units. @returns their slugs */
async function fill(api, codes, size) {
  const slugs = [];
  for (let units = (await api.get('/api/metrics/')).units; units < size;) {
    const strings = Math.ceil(Math.min(size - units, MAX_FILLER) / (codes.length + 1));
    const { url, stop } = await serveTexts(codes, strings);
    const slug = `grow-${units}-${Date.now().toString(36)}`;
    process.stderr.write(`importing ${strings * (codes.length + 1)} other units\n`);
    slugs.push(slug);
    try {
      const { task_url: task } = await importComponent(api, slug, url, strings * (codes.length + 1));
      if (task) await api.finished(task);
    } finally {
      stop();
    }
    units += strings * (codes.length + 1);
  }
  await learned(api);
  await settled();
  return slugs;
}

const label = (size) => (size >= 1_000_000 ? `${size / 1_000_000} m` : `${size / 1_000} k`);

/**
 * Measures the plan at each size, and prints the figures of a size as soon as they are known.
 * @returns a Markdown table, and a chart of how much slower the largest size is
 * @param {number[]} sizes units of the installation, without those of the plan
 * @param {boolean} keep leaves the projects that fill the installation
 */
export async function measureGrowth(api, plan, sizes, keep) {
  const slugs = [];
  /** @type {Record<string, number>[]} */
  const columns = [];
  try {
    for (const size of sizes) {
      slugs.push(...(await fill(api, plan.codes, size)));
      /** @type {Record<string, number>} */
      const figures = {};
      await measure(`at ${label(size)} units`, api, plan, figures);
      columns.push(figures);
      process.stderr.write(`${label(size)}: ${JSON.stringify(figures)}\n`);
    }
  } finally {
    for (const slug of keep ? [] : slugs) await api.send('DELETE', `/api/projects/${slug}/`);
  }
  const names = Object.keys(columns[0]);
  const growth = (name) => {
    const [small, large] = [columns[0][name], columns.at(-1)?.[name] ?? NaN];
    return name.endsWith('/s') ? small / large : large / small;
  };
  const head = ['figure', ...sizes.map(label), 'growth'];
  const lines = [
    head,
    ['---', ...sizes.map(() => '---:'), '---:'],
    ...names.map((name) => [name, ...columns.map((figures) => String(round(figures[name]))), growth(name).toFixed(2)]),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const chart = [
    '```mermaid',
    'xychart-beta horizontal',
    `  title "Times slower at ${label(sizes.at(-1))} units than at ${label(sizes[0])}"`,
    `  x-axis [${names.map((name) => JSON.stringify(name.replace(/, .*/, ''))).join(', ')}]`,
    '  y-axis "times"',
    `  bar [${names.map((name) => growth(name).toFixed(2)).join(', ')}]`,
    '```',
  ];
  return `${[...lines, '', ...chart].join('\n')}\n`;
}
