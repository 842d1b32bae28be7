// Set-up that the benchmarks share: address and token of the system under test, and a component with many units.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/api.mjs';

export const DEFAULT_URL = process.env.PARLANCE_URL ?? `http://localhost:${process.env.PORT ?? 8080}`;
export const dataDir = process.env.PARLANCE_DATA_DIR ?? '.data';

/** Token that `npm start` created for the administrator; empty if there is none. */
export function adminToken() {
  const file = join(dataDir, 'admin-token');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

/** What `npm start` keeps of its processes in a data directory: addresses and process ids; undefined without one. */
export function runState(dir = dataDir) {
  const file = join(dir, 'run.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** @param {number} p percent */
export function percentile(times, p) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];
}

export const median = (times) => percentile(times, 50);

/** Throws if a system refuses the token, or if its rate limit would refuse requests of a benchmark. */
export async function checkRateLimit(name, api) {
  const { status, headers, body } = await api.send('GET', '/api/projects/');
  const limit = Number(headers.get('x-ratelimit-limit') ?? Infinity);
  if (status !== 200) throw new Error(`${name} responds with ${status}: ${JSON.stringify(body)}`);
  if (limit < 100_000)
    throw new Error(`${name} allows only ${limit} requests; start it with PARLANCE_RATE_LIMIT_AUTHENTICATED=off`);
}

/** Settings of a component of the repository that `serveTexts` serves. */
export const benchComponent = (name, repo) => ({
  name,
  slug: name.toLowerCase(),
  vcs: 'git',
  repo,
  branch: 'main',
  filemask: 'po/*.po',
  new_base: 'po/bench.pot',
  file_format: 'po',
  push_on_commit: false,
  license: 'MIT',
});

/** Creates a project with a component of the repository. Resolves when its statistics count all units. */
export async function importComponent(api, slug, repositoryUrl, total) {
  await api.post('/api/projects/', { name: slug, slug, web: 'https://example.com/' });
  const component = await api.post(`/api/projects/${slug}/components/`, benchComponent('Bench', repositoryUrl));
  await eventually(
    async () => (await api.get(`/api/components/${slug}/bench/statistics/?page_size=100`)).results,
    (results) => results.reduce((sum, r) => sum + r.total, 0) >= total,
    1_800_000,
  );
  return component;
}
