// Pages for browsers: the addresses in responses and feeds, badges, and the browsable API.
import { createHash } from 'node:crypto';
import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, base, user } = system();
const anonymous = makeApi(base);

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Requests an address as an anonymous browser does. */
const visit = (address: string, headers: Record<string, string> = {}) =>
  anonymous.send('GET', address, undefined, { ...browser, ...headers });

const statusOf = async (address: string) => ({ address, status: (await visit(address)).status });

/** Expects that every address answers with a status. */
async function expectStatus(addresses: readonly string[], status: number): Promise<void> {
  const found = await Promise.all(addresses.map(statusOf));
  expect(found).toEqual(addresses.map((address) => ({ address, status })));
}

/** Addresses outside of the API in a response. */
function webAddresses(value: unknown): string[] {
  if (typeof value === 'string')
    return value.startsWith(`${base}/`) && !/^\/(api|git)\//.test(value.slice(base.length)) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(webAddresses);
}

/** A project with a component in a category, and the addresses for browsers that responses and feeds carry. */
async function makeWorld() {
  const remote = makeRemote();
  const { project } = await importExample(api, remote);
  const link = `${base}/api/projects/${project}/`;
  const category = await api.post('/api/categories/', {
    name: 'Mobile',
    slug: 'mobile',
    project: link,
    category: null,
  });
  await addExample(api, project, 'inner', remote, { category: category.url });
  const list = await api.post('/api/component-lists/', { name: unique('List'), slug: unique('list') });
  const component = await api.get(`/api/components/${project}/example/`);
  await api.post(`${list.url}components/`, { component_id: component.id });
  const paths = [
    `/api/projects/${project}/`,
    `/api/projects/${project}/components/`,
    `/api/projects/${project}/languages/`,
    `/api/projects/${project}/statistics/`,
    `/api/components/${project}/example/translations/`,
    `/api/components/${project}/example/statistics/`,
    `/api/components/${project}/mobile%252Finner/`,
    `/api/translations/${project}/mobile%252Finner/cs/`,
    `/api/translations/${project}/mobile%252Finner/cs/statistics/`,
    `/api/translations/${project}/mobile%252Finner/cs/units/`,
    `/api/translations/${project}/example/cs/units/`,
    `${category.url}statistics/`,
    `${list.url}statistics/`,
  ];
  const found = new Set<string>();
  const responses = await Promise.all(paths.map((path) => api.get(path)));
  for (const address of webAddresses(responses)) found.add(address);
  for (const feed of [`/exports/rss/${project}/`, `/exports/rss/${project}/mobile/inner/cs/`]) {
    const { body } = await api.send('GET', feed, undefined, { accept: '*/*' });
    for (const [, address] of String(body).matchAll(/<link>([^<]+)<\/link>/g)) found.add(address!);
  }
  const addresses = [...found].map((address) => address.replaceAll('&amp;', '&').replace(/#.*/, ''));
  return { project, component, category, list, remote, addresses: [...new Set(addresses)] };
}

describe('addresses for browsers', () => {
  it('addresses in responses and feeds lead to pages while their objects are visible', async () => {
    const { project, addresses } = await makeWorld();
    const owned = addresses.filter((address) => address.includes(`/${project}/`));
    const shapes = new Set(owned.map((address) => address.replace(base, '').split('/')[1]));
    expect([...shapes].sort()).toEqual(['engage', 'projects', 'translate']);
    expect(owned.some((address) => address.includes('/mobile/inner/cs/?checksum='))).toBe(true);
    await expectStatus(addresses, 200);
    expect((await visit(addresses[0]!)).headers.get('content-type')).toBe('text/html; charset=utf-8');

    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    await expectStatus(owned, 404);
    const hidden = await visit(`${base}/projects/${project}/`);
    const missing = await visit(`${base}/projects/${unique('missing')}/`);
    expect(hidden.bytes.equals(missing.bytes)).toBe(true);
    const forAdmin = await Promise.all(owned.map(async (address) => (await api.send('GET', address)).status));
    expect(forAdmin).toEqual(owned.map(() => 200));

    const renamed = unique('renamed');
    await api.patch(`/api/projects/${project}/`, { access_control: 0, slug: renamed });
    await expectStatus(owned, 404);
    await expectStatus(
      owned.map((address) => address.replace(`/${project}/`, `/${renamed}/`)),
      200,
    );
  });

  it('a restricted component is on no page of callers who may not see it', async () => {
    const { project } = await importExample(api, makeRemote(), { name: 'Open part' });
    await addExample(api, project, 'secret', makeRemote(), { name: 'Secret part', restricted: true });
    for (const path of [
      `/projects/${project}/secret/`,
      `/projects/${project}/secret/cs/`,
      `/translate/${project}/secret/cs/`,
      `/widget/${project}/secret/svg-badge.svg`,
    ])
      expect(await statusOf(base + path)).toEqual({ address: base + path, status: 404 });
    for (const path of [
      `/projects/${project}/`,
      `/projects/${project}/-/cs/`,
      `/translate/${project}/-/cs/`,
      `/engage/${project}/`,
      `/api/projects/${project}/components/`,
    ]) {
      const { status, bytes } = await visit(base + path);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(bytes.toString()).not.toContain('Secret part');
      expect((await api.bytes(path)).toString()).toContain(path.startsWith('/engage/') ? project : 'Secret part');
    }
  });

  it('a page of strings is searched, and an invalid search is reported on the page', async () => {
    const { project } = await importExample(api, makeRemote());
    const strings = `${base}/translate/${project}/example/cs/`;
    expect((await visit(strings)).bytes.toString()).toContain('Good bye.');
    const some = (await visit(`${strings}?q=Hello`)).bytes.toString();
    expect(some).toContain('Hello, world!');
    expect(some).not.toContain('Good bye.');
    const wrong = await visit(`${strings}?q=${encodeURIComponent('(')}`);
    expect(wrong.status).toBe(200);
    expect(wrong.bytes.toString()).toContain('class="status error"');
    for (const checksum of ['0123456789abcdef', '1', '', 'x'.repeat(16)])
      expect((await visit(`${strings}?checksum=${checksum}`)).status).toBe(404);
  });
});

describe('badges', () => {
  it('badges show the progress of a project, its languages, components and translations', async () => {
    const { project, path } = await importExample(api, makeRemote());
    const { translated_percent: percent, language } = await api.get(`${path}/`);
    const shown = (p: number) => `${Math.floor(p)}%`;
    const all = await api.get(`/api/projects/${project}/statistics/`);
    const expected: [string, string[]][] = [
      ['svg-badge.svg', ['translated', shown(all.translated_percent)]],
      ['-/cs/svg-badge.svg', [language.name, shown(percent)]],
      ['example/svg-badge.svg', ['translated']],
      ['example/cs/svg-badge.svg', [language.name, shown(percent)]],
      ['multi-auto.svg', ['Czech', 'English']],
      ['example/horizontal-auto.svg', ['Czech', 'English']],
    ];
    for (const [file, texts] of expected) {
      const { status, headers, bytes } = await visit(`/widget/${project}/${file}`, { accept: 'image/*' });
      expect({ file, status }).toEqual({ file, status: 200 });
      expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      for (const text of texts) expect(bytes.toString()).toContain(`>${text}</text>`);
      const etag = headers.get('etag')!;
      const again = await visit(`/widget/${project}/${file}`, { 'if-none-match': etag });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    }
    for (const file of ['other.svg', '-/xx/svg-badge.svg', 'none/svg-badge.svg', 'svg-badge.png'])
      expect((await visit(`/widget/${project}/${file}`)).status).toBe(404);
  });
});

const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>\'`${7*7}<%= 7*7 %>';

/** Fragments that appear only if a text was not escaped. Every page has one script of its own, in its head. */
const injected = /<script(?! defer src="\/static\/)|<img src=x|onerror=alert\(2\)>|<iframe/i;

describe('texts of users', () => {
  it('texts of users are text on every page, badge and browsable response', async () => {
    const remote = makeRemote();
    const { project, path, componentPath } = await importExample(api, remote, {
      name: `Example ${hostile}`.slice(0, 100),
      agreement: hostile,
      report_source_bugs: 'bugs@example.com',
    });
    await api.patch(`/api/projects/${project}/`, { name: `Project ${hostile}`.slice(0, 60), instructions: hostile });
    const link = `${base}/api/projects/${project}/`;
    const category = await api.post('/api/categories/', {
      name: hostile.slice(0, 100),
      slug: 'c',
      project: link,
      category: null,
    });
    const list = await api.post('/api/component-lists/', {
      name: unique('<script>alert(1)</script>'),
      slug: unique('list'),
    });
    const { id } = await api.get(`${componentPath}/`);
    await api.post(`${list.url}components/`, { component_id: id });
    await api.post(`/api/projects/${project}/labels/`, { name: hostile.slice(0, 60), color: 'red' });
    const code = unique('x').slice(0, 20);
    await api.post('/api/languages/', {
      code,
      name: `Lang ${hostile}`.slice(0, 90),
      direction: 'ltr',
      plural: { number: 2, formula: 'n != 1' },
    });
    await api.post(`${componentPath}/translations/`, { language_code: code });
    await api.post(`${componentPath}/agreement/`, { agreed: true });
    const [unit] = await api.all(`${path}/units/`);
    const source = unit.source_unit;
    await api.patch(source, { explanation: hostile });
    await api.patch(`/api/units/${unit.id}/`, { target: unit.target.map(() => hostile), state: 20 });
    await api.post(`/api/units/${unit.id}/comments/`, { comment: hostile, scope: 'translation' });
    await api.post(`/api/units/${unit.id}/suggestions/`, { target: unit.target.map(() => `${hostile}!`) });
    const { web_url: one } = await api.get(`/api/units/${unit.id}/`);

    const pages = [
      '/',
      '/projects/?page=1',
      `/projects/${project}/`,
      `/projects/${project}/example/`,
      `/projects/${project}/example/cs/`,
      `/projects/${project}/c/`,
      `/projects/${project}/-/${code}/`,
      `/translate/${project}/example/cs/`,
      `/translate/${project}/example/cs/?q=${encodeURIComponent(hostile)}`,
      one,
      `/engage/${project}/`,
      `/engage/${project}/-/${code}/`,
      `/languages/${code}/`,
      '/languages/',
      `/component-lists/${list.slug}/`,
      `/widget/${project}/multi-auto.svg`,
      `/widget/${project}/-/${code}/svg-badge.svg`,
      `/widget/${project}/example/${code}/svg-badge.svg`,
    ];
    const browsable = [
      `/api/projects/${project}/`,
      `/api/projects/${project}/labels/`,
      `/api/projects/${project}/languages/`,
      `/api/projects/${project}/changes/`,
      `${componentPath}/`,
      `${path}/`,
      `${path}/units/?q=${encodeURIComponent(hostile)}&page=${encodeURIComponent('"><script>')}`,
      `${path}/units/`,
      `/api/units/${unit.id}/`,
      `/api/units/${unit.id}/comments/`,
      `/api/units/${unit.id}/suggestions/`,
      `/api/languages/${code}/`,
      category.url,
      list.url,
      `/api/projects/${encodeURIComponent(hostile)}/`,
    ];
    let seen = 0;
    for (const as of [anonymous, api]) {
      const addresses = [...pages, ...browsable];
      const answers = await Promise.all(addresses.map((address) => as.send('GET', address, undefined, browser)));
      for (const [i, { bytes, headers }] of answers.entries()) {
        const address = addresses[i];
        const text = bytes.toString();
        expect(headers.get('content-type')).toMatch(/^(text\/html|image\/svg\+xml); charset=utf-8$/);
        expect({ address, found: injected.exec(text)?.[0] }).toEqual({ address, found: undefined });
        expect({ address, evaluated: text.includes('`49') }).toEqual({ address, evaluated: false });
        if (text.includes('&lt;script&gt;alert(1)')) seen++;
      }
    }
    // The texts are on the pages, escaped.
    expect(seen).toBeGreaterThan(50);
  });

  it('an address that a user entered is a link only to a web page', async () => {
    const { project } = await importExample(api, makeRemote());
    const pages = [`/projects/${project}/`, `/engage/${project}/`];
    for (const page of pages)
      expect((await visit(page)).bytes.toString()).toMatch(/<a href="https:\/\/example\.com\/" rel="[^"]*noopener/);
    const changed = await api.send('PATCH', `/api/projects/${project}/`, { web: 'javascript:alert(1)' });
    expect(changed.status).toBe(400);
    await api.patch(`/api/projects/${project}/`, { instructions: 'javascript:alert(1)' });
    for (const page of pages) expect((await visit(page)).bytes.toString()).not.toContain('href="javascript:');
  });
});

describe('headers of pages', () => {
  it('pages load nothing but their own styles, images and script, and cannot be framed', async () => {
    const { project } = await importExample(api, makeRemote());
    const own = /<script defer src="(\/static\/pages-[0-9a-f]{16}\.js)" integrity="(sha256-[\w+/]{43}=)"><\/script>/;
    const [, script, digest] = own.exec((await visit('/')).bytes.toString())!;
    const { bytes: content } = await visit(script!);
    expect(`sha256-${createHash('sha256').update(content).digest('base64')}`).toBe(digest);
    const policy = `default-src 'none';script-src '${digest}';style-src 'self';img-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'`;
    for (const path of [
      '/',
      `/projects/${project}/`,
      '/nowhere/',
      '/api/',
      `/api/projects/${project}/`,
      `/widget/${project}/svg-badge.svg`,
    ]) {
      const { headers, bytes } = await visit(path);
      expect({ path, policy: headers.get('content-security-policy') }).toEqual({ path, policy });
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(bytes.toString().replace(own, '')).not.toMatch(/<script|<style| style=| on[a-z]+="/i);
    }
  });

  it('the stylesheet is cached forever under a name that depends on its content', async () => {
    const page = (await visit('/projects/')).bytes.toString();
    const [, stylesheet] = /<link rel="stylesheet" href="([^"]+)">/.exec(page)!;
    const { status, headers } = await visit(stylesheet!);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await visit('/static/pages-0.css')).status).toBe(404);
  });

  it('pages for a token are not stored, and public pages are revalidated', async () => {
    const { project } = await importExample(api, makeRemote());
    for (const path of [`/projects/${project}/`, `/widget/${project}/svg-badge.svg`, `/api/projects/${project}/`]) {
      const { headers } = await api.send('GET', path, undefined, browser);
      expect({ path, cache: headers.get('cache-control') }).toEqual({ path, cache: 'private, no-store' });
      expect(headers.get('etag')).toBeNull();
    }
    // Until the background checks of the import have ended, the page may show a new number of failing strings.
    const { page } = await eventually(
      async () => {
        const first = await visit(`/projects/${project}/`);
        const again = await visit(`/projects/${project}/`, { 'if-none-match': first.headers.get('etag')! });
        return { page: first, status: again.status };
      },
      ({ status }: { status: number }) => status === 304,
    );
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('vary')).toContain('Authorization');
    await api.patch(`/api/projects/${project}/`, { instructions: 'New' });
    expect((await visit(`/projects/${project}/`, { 'if-none-match': page.headers.get('etag')! })).status).toBe(200);
    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    expect((await visit(`/projects/${project}/`, { 'if-none-match': page.headers.get('etag')! })).status).toBe(404);
  });
});

describe('the browsable API', () => {
  it('browsers get pages and clients of the API get JSON, also for errors', async () => {
    const paths = ['/api/', '/api/projects/', '/api/projects/none/', '/api/nowhere/', '/projects/none/'];
    for (const path of paths) {
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5', 'application/json, */*']) {
        const { headers } = await anonymous.send('GET', path, undefined, { accept });
        expect({ path, accept, type: headers.get('content-type') }).toEqual({ path, accept, type: 'application/json' });
      }
      const { headers } = await visit(path);
      expect({ path, type: headers.get('content-type') }).toEqual({ path, type: 'text/html; charset=utf-8' });
    }
    const { headers, bytes } = await anonymous.send('GET', '/api/?format=api', undefined, {
      accept: 'application/json',
    });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(bytes.toString()).toContain('Lists the resources of the API.');
  });

  it('the page of a list has filters, neighbouring pages, headers, the rate limit and commands', async () => {
    const { project } = await importExample(api, makeRemote());
    const units = `/api/translations/${project}/example/cs/units/`;
    const page = (await visit(`${units}?page_size=1&page=2`)).bytes.toString();
    expect(page).toContain(`<a rel="next" href="${base}${units}?page_size=1&amp;page=3">`);
    expect(page).toContain(`<a rel="prev" href="${base}${units}?page_size=1">`);
    for (const name of ['q', 'page', 'page_size']) expect(page).toContain(`name="${name}"`);
    expect(page).toContain('200 OK');
    expect(page).toMatch(/Rate limit: \d+ of 1000000 requests left/);
    expect(page).toContain('GET, POST, HEAD, OPTIONS');
    expect(page).toContain(`<a href="${base}/translate/${project}/example/cs/?checksum=`);
    expect(page).toContain('curl -H &quot;Authorization: Token $TOKEN&quot; -X POST');
    expect(page).toContain(`list-units &#39;${project}/example/cs&#39;`);
    expect(page).toContain('?page_size=1&amp;page=2&amp;format=csv');
    const forms = [...page.matchAll(/<form[^>]*>/g)].map(([form]) => form);
    const request = `<form class="request" method="post" action="${units}">`;
    expect(forms).toEqual(['<form class="filters" method="get">', request, request, request]);
  });

  it('the page of an error shows its status, and missing permissions are those of the API', async () => {
    const { status, bytes } = await visit('/api/users/');
    expect(status).toBe((await anonymous.send('GET', '/api/users/')).status);
    expect(bytes.toString()).toContain(`${status} `);
    const created = await anonymous.send('POST', '/api/projects/', { name: 'x', slug: 'x' }, browser);
    expect(created.status).toBe(401);
    expect(created.bytes.toString()).toContain('401 Unauthorized');
  });

  it('a page names the owner of the token, and no user without a token', async () => {
    const name = unique('reader');
    const reader = await user(name);
    for (const path of ['/api/', '/projects/']) {
      expect((await visit(path)).bytes.toString()).toContain('Public view');
      const own = (await reader.send('GET', path, undefined, browser)).bytes.toString();
      expect(own).toContain(`Token of ${name}`);
      expect(own).not.toContain('Public view');
    }
  });
});
