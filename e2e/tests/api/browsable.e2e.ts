// Forms on the pages of the API, and its documentation, as a browser without scripts sends and loads them.
import { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, base, token } = system();
const anonymous = makeApi(base);
const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-site': 'same-origin',
};

/** Sends a form with the token of the administrator. Returns status and page. */
async function submit(
  path: string,
  fields: Record<string, string | string[] | Blob>,
  headers: Record<string, string> = {},
  multipart = false,
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ _token: token, ...fields }))
    for (const each of [value].flat()) {
      if (typeof each === 'string') form.append(name, each);
      else form.append(name, each, 'cs.po');
    }
  const body = multipart ? form : new URLSearchParams([...form] as [string, string][]);
  const answer = await anonymous.send('POST', path, body, { ...browser, ...headers });
  const page = answer.bytes.toString();
  // The token is in no page.
  expect(page).not.toContain(token);
  return { status: answer.status, page, headers: answer.headers };
}

const shownStatus = (page: string) => /<span class="status[^"]*">([^<]*)</.exec(page)?.[1];

/** The hidden field with the values that a page shows. */
const initialOf = (page: string) =>
  /name="_initial" value="([^"]*)"/.exec(page)![1]!.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('the forms of the browsable API', () => {
  it('a form creates an object; a wrong field has its message beside it and keeps its value', async () => {
    const slug = unique('form');
    const wrong = await submit('/api/projects/', { _method: 'POST', name: `Form ${slug}`, slug, web: 'no address' });
    expect(wrong.status).toBe(400);
    expect(wrong.page).toMatch(
      /id="post-web" name="web" value="no address"[^>]*aria-describedby="[^"]*post-web-problem"/,
    );
    expect(wrong.page).toMatch(/<p class="problem" id="post-web-problem">[^<]+<\/p>/);
    expect(wrong.page).not.toContain('post-name-problem');
    const created = await submit('/api/projects/', {
      _method: 'POST',
      name: `Form ${slug}`,
      slug,
      web: 'https://example.com/',
    });
    expect([created.status, shownStatus(created.page)]).toEqual([201, '201 Created']);
    expect(await api.get(`/api/projects/${slug}/`)).toMatchObject({ name: `Form ${slug}` });

    const json = JSON.stringify({ instructions: 'By JSON' });
    expect((await submit(`/api/projects/${slug}/`, { _method: 'PATCH', _content: json })).status).toBe(200);
    expect(await api.get(`/api/projects/${slug}/`)).toMatchObject({ instructions: 'By JSON' });

    const unconfirmed = await submit(`/api/projects/${slug}/`, { _method: 'DELETE' });
    expect([unconfirmed.status, unconfirmed.page.includes('Confirm the deletion.')]).toEqual([400, true]);
    const deleted = await submit(`/api/projects/${slug}/`, { _method: 'DELETE', _confirm: 'yes' });
    expect([deleted.status, shownStatus(deleted.page)]).toEqual([200, '204 No Content']);
    expect((await api.send('GET', `/api/projects/${slug}/`)).status).toBe(404);
  });

  it('a form changes only what the user changed, uploads a file and shows what a token may see', async () => {
    const { project, path } = await importExample(api, makeRemote());
    const units = await api.all(`${path}/units/`);
    const plural = units.find(({ target }: { target: string[] }) => target.length === 3);
    const address = `/api/units/${plural.id}/`;
    const shown = (await anonymous.send('GET', address, undefined, browser)).bytes.toString();
    const _initial = initialOf(shown);
    expect(JSON.parse(_initial)).toMatchObject({ target: plural.target, state: '20' });
    const target = ['%d soubor!', plural.target[1], plural.target[2], ''];
    const changed = await submit(address, { _method: 'PATCH', _initial, target, state: '20' });
    expect(changed.status).toBe(200);
    expect(await api.get(address)).toMatchObject({ target: target.slice(0, 3) });
    const form = (await anonymous.send('GET', `/api/projects/${project}/`, undefined, browser)).bytes.toString();
    // Another user changes a field between showing and sending the form.
    await api.patch(`/api/projects/${project}/`, { instructions: 'By another user' });
    const sent = { _method: 'PATCH', _initial: initialOf(form), name: `${project} renamed`, instructions: '' };
    expect((await submit(`/api/projects/${project}/`, sent)).status).toBe(200);
    expect(await api.get(`/api/projects/${project}/`)).toMatchObject({
      name: `${project} renamed`,
      instructions: 'By another user',
    });

    const file = await api.bytes(`${path}/file/`);
    const edited = file.toString().replace(/(msgid "Good bye\."\nmsgstr) ".*"/, '$1 "Sbohem"');
    const upload = { _method: 'POST', method: 'translate', file: new Blob([edited]) };
    const uploaded = await submit(`${path}/file/`, upload, {}, true);
    expect([uploaded.status, shownStatus(uploaded.page)]).toEqual([200, '200 OK']);
    expect((await api.bytes(`${path}/file/`)).toString()).toContain('msgstr "Sbohem"');
    const files = (await anonymous.send('GET', `${path}/file/?format=api`, undefined, browser)).bytes.toString();
    expect(files).toContain('enctype="multipart/form-data"');
    expect(files).toContain('<input id="post-file" type="file" name="file"');
    expect(files).not.toContain('Sbohem');

    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    expect((await anonymous.send('GET', address, undefined, browser)).status).toBe(404);
    expect((await submit(address, { _method: 'GET' })).status).toBe(200);
    expect((await submit(address, { _method: 'GET', _token: 'wrong' })).status).toBe(401);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['no page', { 'sec-fetch-site': 'none' }],
  ])('a form of %s is refused', async (_, headers) => {
    const slug = unique('foreign');
    const fields = { _method: 'POST', name: slug, slug, web: 'https://example.com/' };
    expect((await submit('/api/projects/', fields, headers)).status).toBe(403);
    expect((await api.send('GET', `/api/projects/${slug}/`)).status).toBe(404);
  });

  it('browsers without Sec-Fetch-Site are recognized by their origin', async () => {
    const sent = async (origin: Record<string, string>) => {
      const { accept } = browser;
      const body = new URLSearchParams({ _method: 'GET', _token: token });
      return (await anonymous.send('POST', '/api/users/', body, { accept, ...origin })).status;
    };
    expect(await sent({ origin: base })).toBe(200);
    for (const origin of ['https://evil.example', 'null', `${base}.evil.example`])
      expect({ origin, status: await sent({ origin }) }).toEqual({ origin, status: 403 });
    expect(await sent({})).toBe(403);
  });

  it('the token of a form does not outlive its request, and pages of forms are not stored', async () => {
    const { headers, page } = await submit('/api/users/', { _method: 'GET' });
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(page).toContain('name="_token"');
    expect((await anonymous.send('GET', '/api/metrics/', undefined, browser)).status).toBe(401);
  });
});

describe('the documentation of the API', () => {
  it('the viewer and its script come from this site, and only its page allows other scripts', async () => {
    const { status, headers, bytes } = await anonymous.send('GET', '/api/docs/', undefined, browser);
    const page = bytes.toString();
    expect(status).toBe(200);
    const policy = "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self'";
    expect(headers.get('content-security-policy')).toBe(
      `${policy};form-action 'self';frame-ancestors 'none';base-uri 'none'`,
    );
    const loaded = [...page.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(loaded).toHaveLength(4);
    for (const address of loaded) {
      expect(address).toMatch(/^\/static\//);
      const file = await anonymous.send('GET', address, undefined, { accept: '*/*' });
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toContain('immutable');
      expect(file.headers.get('content-security-policy')).not.toContain("script-src 'self'");
    }
    expect(page).not.toMatch(/<script(?![^>]* src=)|\son\w+=|https?:\/\//);
    expect((await anonymous.send('GET', '/api/', undefined, browser)).bytes.toString()).toContain('href="/api/docs/"');
  });

  it('the description is served as JSON and as YAML', async () => {
    const { openapi } = await api.get('/api/schema/?format=json');
    expect(openapi).toBe('3.1.0');
    const yaml = await anonymous.send('GET', '/api/schema/?format=yaml');
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(yaml.bytes.toString()).toMatch(/^openapi: 3\.1\.0\ninfo:\n {2}title: /);
  });
});
