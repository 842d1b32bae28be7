// What a browser with a session must not do or keep, for every endpoint of /api/schema/ and every page: CSRF, caches, frames, redirects.
import { makeBrowser } from '../../support/browser.mjs';
import { pathOf } from '../../support/hostile-texts.mjs';
import { parlance, system } from '../../support/system.mjs';
import { together } from '../../support/together.mjs';
import { makeVictim, makeWorld, unique } from '../../support/worlds.mjs';

const { api, base } = system();

type Browser = ReturnType<typeof makeBrowser>;

let world: Awaited<ReturnType<typeof makeWorld>>;
let rows: { method: string; path: string }[];
let browser: Browser;
let token: string;

beforeAll(async () => {
  world = await makeWorld(api, 100, await makeVictim(api));
  const { paths } = await api.get('/api/schema/');
  rows = Object.entries(paths as Record<string, object>).flatMap(([pattern, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: pathOf(pattern, world.params) })),
  );
  const username = unique('root');
  await api.post('/api/users/', { username, full_name: username, email: `${username}@example.com` });
  await api.patch(`/api/users/${username}/`, { is_superuser: true });
  browser = makeBrowser(base);
  await browser.signIn(username, parlance('user', 'reset-password', username));
  token = await browser.csrfToken();
});

/** Pages that show a private project or an account. */
const privatePages = () => [
  '/',
  '/projects/',
  `/projects/${world.project}/`,
  `/projects/${world.project}/example/`,
  `/projects/${world.project}/example/cs/`,
  `/projects/${world.project}/-/cs/`,
  `/translate/${world.project}/example/cs/`,
  `/engage/${world.project}/`,
  `/engage/${world.project}/-/cs/`,
  `/widget/${world.project}/svg-badge.svg`,
  `/exports/rss/${world.project}/`,
  '/languages/cs/',
  '/accounts/profile/',
  '/projects/no-such-project/',
];
/** Git clients and hosts send passwords and signatures; a session counts for nothing there. */
const ignoresSessions = ({ path }: { path: string }) => /^\/(git|hooks)\//.test(path);
const ofSessions = () => rows.filter((row) => !ignoresSessions(row));
const reads = () =>
  ofSessions()
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path);

describe('a browser with a session', () => {
  it('no unsafe request of any endpoint or page is accepted without the token of the session from a page of this site', async () => {
    const accounts = ['/accounts/profile/', '/accounts/logout/'].map((path) => ({ method: 'POST', path }));
    const unsafe = [...ofSessions().filter(({ method }) => method !== 'GET'), ...accounts];
    const forgeries: Record<string, Record<string, string>> = {
      'without a token': {},
      'with a token of another session': { 'x-csrf-token': `${'a'.repeat(22)}.${'b'.repeat(43)}` },
      'from another site': { 'x-csrf-token': token, origin: 'https://evil.example' },
      'from another host of the site': { 'x-csrf-token': token, 'sec-fetch-site': 'same-site' },
    };
    const accepted: string[] = [];
    await together(
      unsafe.flatMap(({ method, path }) =>
        Object.entries(forgeries).map(([name, forged]) => async () => {
          const headers = { accept: 'application/json', ...forged };
          const { status, text } = await browser.send(method, path, { body: {}, headers });
          if (status !== 403 || !text.includes('CSRF check failed'))
            accepted.push(`${method} ${path} ${name}: ${status}`);
        }),
      ),
    );
    expect(accepted).toEqual([]);
    expect(unsafe.length).toBeGreaterThan(80);
    expect((await browser.send('GET', '/accounts/profile/')).status).toBe(200);
  });

  it('repositories and hooks of a private project accept no session', async () => {
    const others = rows.filter(ignoresSessions);
    const accepted: string[] = [];
    for (const { method, path } of others) {
      const headers = { accept: 'application/json', 'x-csrf-token': token };
      const { status } = await browser.send(method, path, { headers });
      if (![400, 401, 404].includes(status)) accepted.push(`${method} ${path}: ${status}`);
    }
    expect(accepted).toEqual([]);
    expect(others.length).toBeGreaterThan(4);
  });

  it('no cache keeps a response to a session, and no site frames it or guesses its type', async () => {
    const wrong: string[] = [];
    await together(
      ['text/html', '*/*'].flatMap((accept) =>
        [...reads(), ...privatePages()].map((path) => async () => {
          const { status, headers } = await browser.send('GET', path, { headers: { accept } });
          const at = `${path} as ${accept}, ${status}`;
          if (!/\bprivate\b.*\bno-store\b/.test(headers.get('cache-control') ?? ''))
            wrong.push(`${at}: ${headers.get('cache-control')}`);
          if (headers.get('x-frame-options') !== 'DENY') wrong.push(`${at}: can be framed`);
          if (!headers.get('content-security-policy')?.includes("frame-ancestors 'none'"))
            wrong.push(`${at}: no policy`);
          if (headers.get('x-content-type-options') !== 'nosniff') wrong.push(`${at}: type is guessed`);
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('files that users uploaded are attachments, and no response of the API to a program is a page', async () => {
    const wrong: string[] = [];
    await together(
      reads().map((path) => async () => {
        const { status, headers } = await browser.send('GET', path, { headers: { accept: '*/*' } });
        const type = headers.get('content-type') ?? '';
        const isData = /^(application\/(json|yaml|rss\+xml|openmetrics-text)|text\/csv)\b/.test(type);
        if (status < 300 && !isData && !headers.get('content-disposition')?.startsWith('attachment'))
          wrong.push(`${path}: ${type} ${headers.get('content-disposition')}`);
        if (type.startsWith('text/html')) wrong.push(`${path}: ${type}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('no address redirects to another site', async () => {
    const evil = 'evil.example';
    const query = new URLSearchParams({ next: `https://${evil}/`, url: `//${evil}/`, done: `//${evil}/` });
    const paths = [
      `//${evil}`,
      `//${evil}/..`,
      `/%5C${evil}`,
      `/.//${evil}`,
      ...[
        '/accounts/login/',
        '/accounts/login/code/',
        '/accounts/profile/',
        '/accounts/password/set/',
        '/api',
        '/',
      ].map((path) => `${path}?${query}`),
    ];
    const foreign: string[] = [];
    for (const visitor of [browser, makeBrowser(base)])
      for (const path of paths) {
        const location = (await visitor.send('GET', path)).headers.get('location');
        if (location !== null && new URL(location, base).origin !== base) foreign.push(`${path}: ${location}`);
      }
    expect(foreign).toEqual([]);
  });
});
