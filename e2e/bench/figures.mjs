// The figures of a system: import, reads, edits, searches, downloads and uploads over HTTP.
import { startBare } from './bare/start.mjs';
import { atOnce, changedFile, isClosedConnection } from './support/requests.mjs';
import { checkRateLimit, importComponent, median } from './support/setup.mjs';

async function serial(count, request) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await request(i);
    times.push(performance.now() - begun);
  }
  return median(times);
}

async function timed(request) {
  const begun = performance.now();
  await request();
  return performance.now() - begun;
}

/** Requests per second. */
async function rate(clients, count, request) {
  const begun = performance.now();
  await atOnce(clients, count, request);
  return (count * 1000) / (performance.now() - begun);
}

/** Resolves when the translation memory, which imports fill in the background, stops growing. */
export async function learned(api) {
  for (let before = -1; ;) {
    const { count } = await api.get('/api/memory/?page_size=1');
    if (count === before) return;
    before = count;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
  }
}

/**
 * Measures reads and edits, serial and concurrent. Warm-up requests are not measured: the JIT compiles hot code, and an
 * import is still processed in the background.
 */
async function measureRequests(say, { get, list, patch }, requests, figures) {
  say('reading');
  await serial(2000, get);
  figures['GET unit, p50 ms'] = await serial(requests, get);
  await serial(50, list);
  figures['list of 100 units, p50 ms'] = await serial(Math.min(requests, 200), list);
  figures['list of 100 units at 16 clients, /s'] = await rate(16, requests, list);
  say('editing');
  await serial(1000, patch);
  figures['PATCH unit, p50 ms'] = await serial(Math.min(requests, 200), patch);
  figures['PATCH unit at 8 clients, /s'] = await rate(8, requests, patch);
}

/** Measures the baseline server with the same units in the same store. @param units units as returned by the API */
export async function measureBare(units, requests, figures) {
  const say = (text) => process.stderr.write(`bare express and driver: ${text}\n`);
  const { api: bare, stop } = await startBare(units);
  try {
    const pages = Math.floor(units.length / 100);
    const get = (i) => bare.get(`/units/${units[i % units.length].id}`);
    const list = (i) => bare.get(`/units?page=${(i % pages) + 1}`);
    const patch = (i) => bare.patch(`/units/${units[i % units.length].id}`, { target: [`Text ${i}`], state: 20 });
    await measureRequests(say, { get, list, patch }, requests, figures);
  } finally {
    await stop();
  }
}

/**
 * Measures one system with a new component, and deletes it. Adds each figure to `figures` as soon as it is known.
 *
 * @param {{ url: string, codes: string[], strings: number, requests: number }} plan repository, its languages, strings of each, and
 * requests of a figure
 * @param {Record<string, number>} figures milliseconds, or a rate where the name ends with /s
 * @param {(address: string) => Promise<unknown>} meanwhile runs while the units at this address exist
 */
export async function measure(name, api, plan, figures, meanwhile = async () => undefined) {
  const { url: repositoryUrl, codes, strings, requests } = plan;
  const say = (text) => process.stderr.write(`${name}: ${text}\n`);
  const slug = `bench-${Date.now().toString(36)}`;
  await checkRateLimit(name, api);

  say('importing');
  const total = (codes.length + 1) * strings;
  const begun = performance.now();
  const component = await importComponent(api, slug, repositoryUrl, total);
  const seconds = (performance.now() - begun) / 1000;
  figures['import, units/s'] = total / seconds;
  if (component.task_url) await api.finished(component.task_url);

  const path = `/api/translations/${slug}/bench/${codes[0]}`;
  const ids = [];
  for (let page = 1; ids.length < Math.min(strings, 1000); page++) {
    const answer = await api.get(`${path}/units/?page_size=100&page=${page}`);
    ids.push(...answer.results.filter((u) => u.source.length === 1).map((u) => u.id));
    if (!answer.next) break;
  }
  const pages = Math.floor(strings / 100);
  const get = (i) => api.get(`/api/units/${ids[i % ids.length]}/`);
  const list = (i) => api.get(`${path}/units/?page_size=100&page=${(i % pages) + 1}`);
  let edit = 0;
  const patch = (i) =>
    api.patch(`/api/units/${ids[i % ids.length]}/`, { target: [`Text ${++edit} from the benchmark`], state: 20 });
  await measureRequests(say, { get, list, patch }, requests, figures);
  figures['statistics of a translation, p50 ms'] = await serial(30, () => api.get(`${path}/statistics/`));
  figures['changes of a project, p50 ms'] = await serial(30, () => api.get(`/api/projects/${slug}/changes/`));
  await meanwhile(`${path}/units/`);
  say('searching and downloading');
  const search = (where) => (i) => api.get(`${where}?q=${encodeURIComponent(`target:"Text ${i + 1} from"`)}`);
  await serial(10, search(`${path}/units/`));
  figures['text search in a translation, p50 ms'] = await serial(30, search(`${path}/units/`));
  // The first searches fill caches that the measured ones use.
  await serial(30, search('/api/units/'));
  figures['text search in all units, p50 ms'] = await serial(30, search('/api/units/'));
  const afterEdits = async (request) => {
    const times = [];
    for (let i = 0; i < 10; i++) {
      await patch(i);
      times.push(await timed(request));
    }
    return median(times);
  };
  figures['download of a PO after a change, p50 ms'] = await afterEdits(() => api.bytes(`${path}/file/`));
  figures['download of an unchanged PO, p50 ms'] = await serial(30, () => api.bytes(`${path}/file/`));
  figures['download as XLIFF after a change, p50 ms'] = await afterEdits(() => api.bytes(`${path}/file/?format=xliff`));
  say('uploading');
  const stored = (await api.bytes(`${path}/file/`)).toString('utf8');
  const uploads = [];
  for (let i = 0; i < 10; i++) {
    const { form, changed } = changedFile(stored, i);
    const begun = performance.now();
    const answer = await api.post(`${path}/file/`, form).catch((error) => {
      // A server may close a kept-alive connection while a body is in flight.
      if (isClosedConnection(error)) return null;
      throw error;
    });
    if (!answer) continue;
    uploads.push(performance.now() - begun);
    if (answer.accepted < changed) throw new Error(`${name} accepted ${answer.accepted} of ${changed} texts`);
  }
  figures['upload of a PO with 1% changed, p50 ms'] = median(uploads);
  const changes = await api.get(`${path}/statistics/`);
  if (changes.total !== strings) throw new Error(`${name} counts ${changes.total} strings, expected ${strings}`);
  await api.send('DELETE', `/api/projects/${slug}/`);
}
