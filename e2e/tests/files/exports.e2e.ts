// Exports of the API: statistics as JSON and CSV, feeds, site metrics, credits.
import { SaxesParser } from 'saxes';
import { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, base } = system();

/** Rows of CSV (RFC 4180). */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (quoted === undefined && plain === '' && end === '') break;
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Parses XML to a tree. @throws if it is not well formed */
function readXml(text: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  for (const event of ['text', 'cdata'] as const) parser.on(event, (part) => void (open.at(-1)!.text += part));
  parser.write(text).close();
  return top.children[0]!;
}

const childrenOf = (element: Element, name: string) => element.children.filter((child) => child.name === name);
const textOf = (element: Element, name: string) => childrenOf(element, name)[0]?.text;

describe('exports', () => {
  const remote = makeRemote();
  const hostile = '<b>&amp;"]]> \u{1F600}';
  let project: string;
  let path: string;
  /** The UTC day before the first edit; the tests may run past midnight. */
  let firstDay: string;
  const day = () => new Date().toISOString().slice(0, 10);
  beforeAll(async () => {
    firstDay = day();
    ({ project, path } = await importExample(api, remote));
    const [hello] = await api.all(`${path}/units/`);
    await api.patch(`/api/units/${hello.id}/`, { target: [hostile], state: 20 });
  });

  const columns = [
    'name',
    'code',
    'total',
    'translated',
    'translated_percent',
    'total_words',
    'translated_words',
    'failing',
    'failing_percent',
    'fuzzy',
    'fuzzy_percent',
    'url_translate',
    'url',
    'last_change',
    'last_author',
  ];

  it('statistics are exported as JSON and as CSV with the same numbers', async () => {
    const json = await api.send('GET', `/exports/stats/${project}/example/`);
    expect(json.headers.get('content-type')).toContain('application/json');
    expect(json.body).toHaveLength(3);
    for (const row of json.body) expect(Object.keys(row).sort()).toEqual([...columns].sort());
    const czech = json.body.find((row: { code: string }) => row.code === 'cs');
    const same = await api.get(`${path}/statistics/`);
    expect(czech).toMatchObject({ name: 'Czech', total: same.total, translated: same.translated, fuzzy: same.fuzzy });
    const csv = await api.send('GET', `/exports/stats/${project}/example/?format=csv`, undefined, { accept: '*/*' });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    const [head, ...rows] = readCsv(csv.bytes.toString('utf8'));
    expect(head).toEqual(columns);
    expect(rows.map((row) => row[1]).sort()).toEqual(json.body.map((row: { code: string }) => row.code).sort());
    expect(rows.find((row) => row[1] === 'cs')![2]).toBe(String(czech.total));
    // JSONP callbacks are not supported.
    const jsonp = await api.send('GET', `/exports/stats/${project}/example/?jsonp=alert&callback=alert`);
    expect(jsonp.bytes.toString('utf8').trimStart()[0]).toBe('[');
  });

  const feeds = () => [
    '/exports/rss/',
    `/exports/rss/${project}/`,
    `/exports/rss/${project}/-/cs/`,
    `/exports/rss/${project}/example/`,
    `/exports/rss/${project}/example/cs/`,
    '/exports/rss/language/cs/',
  ];

  it.each([0, 1, 2, 3, 4, 5])('feed %d is RSS 2.0', async (at) => {
    const address = feeds()[at]!;
    const answer = await api.send('GET', address, undefined, { accept: '*/*' });
    expect(answer.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    const text = answer.bytes.toString('utf8');
    const rss = readXml(text);
    expect([rss.name, rss.attributes['version']]).toEqual(['rss', '2.0']);
    const [channel] = childrenOf(rss, 'channel') as [Element];
    // Required elements of a channel.
    for (const name of ['title', 'link', 'description'])
      expect({ name, value: textOf(channel, name) }).toEqual({ name, value: expect.stringMatching(/./) });
    expect(new URL(textOf(channel, 'link')!).protocol).toMatch(/^https?:$/);
    expect(childrenOf(channel, 'atom:link')[0]!.attributes).toMatchObject({ rel: 'self', href: `${base}${address}` });
    const items = childrenOf(channel, 'item');
    expect(items.length).toBeGreaterThan(0);
    const guids = new Set<string>();
    for (const item of items) {
      expect(textOf(item, 'title')).toMatch(/./);
      expect(new URL(textOf(item, 'link')!).protocol).toMatch(/^https?:$/);
      // RFC 822 date as in RSS: day, date with a four-digit year, time, zone.
      expect(textOf(item, 'pubDate')).toMatch(
        /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d (GMT|[+-]\d{4})$/,
      );
      guids.add(textOf(item, 'guid')!);
    }
    expect(guids.size).toBe(items.length);
    const times = items.map((item) => Date.parse(textOf(item, 'pubDate')!));
    expect(times).toEqual([...times].sort((a: number, b: number) => b - a));
    // Texts of strings are escaped, so that feed readers do not run HTML in them.
    if (address.includes(project)) expect(text).not.toContain('<b>&amp;"');
  });

  it('feeds of unknown objects are not found', async () => {
    for (const address of [
      '/exports/rss/nothing/',
      `/exports/rss/${project}/nothing/`,
      `/exports/rss/${project}/example/xx/`,
      '/exports/rss/language/xx/',
    ])
      expect({ address, status: (await api.send('GET', address, undefined, { accept: '*/*' })).status }).toEqual({
        address,
        status: 404,
      });
  });

  it('components in categories are found with the categories unencoded in their path', async () => {
    const own = await importExample(api, makeRemote());
    const categories = { project: `${base}/api/projects/${own.project}/` };
    const outer = await api.post('/api/categories/', { name: 'outer', slug: 'outer', ...categories, category: null });
    const inner = { name: 'inner', slug: 'inner', ...categories, category: outer.url };
    await api.patch(`${own.componentPath}/`, { category: (await api.post('/api/categories/', inner)).url });
    const ask = (address: string) => api.send('GET', address, undefined, { accept: '*/*' });
    const within = `${own.project}/outer/inner/example`;
    const titles = [];
    for (const address of [`/exports/rss/${within}/`, `/exports/rss/${within}/cs/`]) {
      const channel = childrenOf(readXml((await ask(address)).bytes.toString('utf8')), 'channel')[0]!;
      titles.push(textOf(channel, 'title'));
    }
    expect(titles).toEqual([expect.stringMatching(/, Example$/), expect.stringMatching(/, Example, Czech$/)]);
    expect((await ask(`/exports/stats/${within}/`)).body).toHaveLength(3);
    expect((await ask(`/exports/stats/${own.project}/outer%2Finner%2Fexample/`)).body).toHaveLength(3);
    expect((await ask(`/hooks/update/${within}/`)).body).toMatchObject({ status: 'success' });
    for (const address of [
      `/exports/rss/${own.project}/outer/inner/`,
      `/exports/rss/${own.project}/inner/example/`,
      `/exports/rss/${within}/xx/`,
      `/exports/stats/${own.project}/outer/inner/`,
      `/hooks/update/${own.project}/inner/example/`,
    ])
      expect({ address, status: (await ask(address)).status }).toEqual({ address, status: 404 });
  });

  it('site metrics are denied to project tokens', async () => {
    const { project } = await importExample(api, makeRemote());
    const { token } = await api.post(`/api/projects/${project}/tokens/`, { name: unique('bot') });
    expect((await makeApi(base, token).send('GET', '/api/metrics/')).status).toBe(403);
    expect((await makeApi(base).send('GET', '/api/metrics/')).status).toBe(401);
  });

  it('site metrics are exported as JSON, CSV and OpenMetrics', async () => {
    const json = await api.get('/api/metrics/');
    const names = [
      'units',
      'units_translated',
      'users',
      'changes',
      'projects',
      'components',
      'translations',
      'languages',
      'checks',
      'configuration_errors',
      'suggestions',
    ];
    for (const name of names) expect({ name, value: json[name] }).toEqual({ name, value: expect.any(Number) });
    expect(json.units).toBeGreaterThanOrEqual(9);
    expect(json.users).toBe((await api.get('/api/users/')).count);
    const [head, row] = readCsv(
      (await api.send('GET', '/api/metrics/?format=csv', undefined, { accept: '*/*' })).bytes.toString('utf8'),
    );
    expect(Number(row![head!.indexOf('projects')])).toBe(json.projects);
    for (const answer of [
      await api.send('GET', '/api/metrics/?format=openmetrics', undefined, { accept: '*/*' }),
      await api.send('GET', '/api/metrics/', undefined, {
        accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5',
      }),
    ]) {
      expect(answer.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
      const lines = answer.bytes.toString('utf8').split('\n');
      expect(lines.slice(-2)).toEqual(['# EOF', '']);
      const samples = lines.filter((line) => line !== '' && !line.startsWith('#'));
      for (const line of samples)
        expect(line).toMatch(/^[a-zA-Z_:][a-zA-Z0-9_:]*(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? -?\d+(\.\d+)?$/);
      // A TYPE line precedes the samples of its family exactly once.
      const types = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2]);
      expect(new Set(types).size).toBe(types.length);
      expect(samples.length).toBeGreaterThanOrEqual(names.length);
    }
  });

  it('credits list translators with their counts to callers with permission', async () => {
    const someone = unique('credited');
    const { token } = await (async () => {
      await api.post('/api/users/', { username: someone, full_name: 'Ana Novak', email: `${someone}@example.com` });
      return api.post(`/api/users/${someone}/tokens/`, { name: 'x' });
    })();
    const ana = makeApi(base, token);
    const [, plural] = await api.all(`${path}/units/`);
    await ana.patch(`/api/units/${plural.id}/`, { target: ['%d svazek', '%d svazky', '%d svazků'], state: 20 });
    const period = `start=${firstDay}&end=${day()}`;
    for (const place of [`/api/projects/${project}`, `/api/components/${project}/example`]) {
      const all = await api.get(`${place}/credits/?${period}`);
      expect(all).toHaveLength(1);
      expect(all[0].Czech).toContainEqual({ email: `${someone}@example.com`, full_name: 'Ana Novak', change_count: 1 });
      expect(all[0].Czech).toHaveLength(2);
      // Without reports.view, users see only themselves.
      expect(await ana.get(`${place}/credits/?${period}`)).toEqual([
        { Czech: [{ email: `${someone}@example.com`, full_name: 'Ana Novak', change_count: 1 }] },
      ]);
      expect(await api.get(`${place}/credits/?start=2001-01-01&end=2001-12-31`)).toEqual([]);
      for (const [query, attrs] of [
        ['', ['start', 'end']],
        ['?start=yesterday&end=2026-01-01', ['start']],
        ['?start=2026-02-01&end=2026-01-01', ['end']],
      ] as const) {
        const answer = await api.send('GET', `${place}/credits/${query}`);
        expect({
          query,
          status: answer.status,
          attrs: answer.body.errors.map((e: { attr: string }) => e.attr),
        }).toEqual({ query, status: 400, attrs });
      }
      expect((await makeApi(base).send('GET', `${place}/credits/?${period}`)).status).toBe(401);
    }
    const contributions = await api.get(`/api/users/${someone}/contributions/`);
    expect(contributions.results.map((t: { url: string }) => t.url)).toEqual([`${base}${path}/`]);
    expect(await api.get(`/api/users/${someone}/statistics/`)).toMatchObject({ translated: 1 });
  });

  it('every address in a response can be requested', async () => {
    const seen = new Set<string>();
    const dead: string[] = [];
    const follow = async (value: unknown): Promise<void> => {
      if (typeof value === 'string' && value.startsWith(`${base}/api/`) && !seen.has(value)) {
        seen.add(value);
        // Credits require a period; a 400 response shows that the address exists.
        const { status } = await api.send('GET', value, undefined, { accept: '*/*' });
        if (status !== 200 && !(status === 400 && value.endsWith('/credits/'))) dead.push(`${value}: ${status}`);
      } else if (typeof value === 'object' && value !== null)
        for (const item of Object.values(value)) await follow(item);
    };
    const [unit] = await api.all(`${path}/units/`);
    for (const address of [
      '/api/',
      `/api/projects/${project}/`,
      `/api/components/${project}/example/`,
      `${path}/`,
      `/api/units/${unit.id}/`,
      '/api/users/admin/',
      '/api/languages/cs/',
      `/api/projects/${project}/repository/`,
    ])
      await follow(await api.get(address));
    for (const list of [`/api/projects/${project}/changes/`, '/api/groups/', '/api/roles/'])
      await follow((await api.get(list)).results.slice(0, 5));
    expect(dead).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });
});
