// Sessions of browsers over HTTP: sign-in, CSRF, revocation, lockout, password reset, and the same permissions as with a token.
import { eventually, makeApi } from '../../support/api.mjs';
import { makeBrowser } from '../../support/browser.mjs';
import { parlance, system } from '../../support/system.mjs';
import { together } from '../../support/together.mjs';
import { totp } from '../../support/sign-in/totp.mjs';
import { makeCallers, makeVictim, makeWorld, unique } from '../../support/worlds.mjs';

const { api, base } = system();

const SESSION = 'parlance-session';
type Browser = ReturnType<typeof makeBrowser>;

/** A new user with a password. */
async function someone() {
  const username = unique('user');
  const email = `${username}@example.com`;
  await api.post('/api/users/', { username, full_name: username, email });
  return { username, email, password: parlance('user', 'reset-password', username) };
}

/** A browser that is signed in as a user. */
async function signedIn({ username, password }: { username: string; password: string }): Promise<Browser> {
  const browser = makeBrowser(base);
  expect((await browser.signIn(username, password)).status).toBe(303);
  return browser;
}

/** Name of the user whom the pages of a browser show; '' without one. */
async function shownTo(browser: Browser): Promise<string> {
  const { text } = await browser.send('GET', '/projects/');
  return /<a href="\/accounts\/profile\/">([^<]*)<\/a>/.exec(text)?.[1] ?? '';
}

const audit = (action: string): { actor: string; target: { kind: string; name: string } }[] =>
  JSON.parse(parlance('audit', '--action', action, '--limit', '50', '--json'));

describe('signing in', () => {
  it('a password signs a browser in with a new cookie, and signing out ends it', async () => {
    const user = await someone();
    const browser = makeBrowser(base);
    // An attacker has planted the cookies of a session and a form.
    const planted = 'a'.repeat(43);
    browser.cookies.set(SESSION, planted);
    browser.cookies.set('parlance-sign-in', planted);
    const answer = await browser.signIn(user.username, user.password, '/languages/?page=1');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/languages/?page=1']);
    const [cookie] = answer.set.filter((text) => text.startsWith(`${SESSION}=`));
    expect(cookie).toMatch(/^parlance-session=[\w-]{43};/);
    expect(
      cookie!
        .split('; ')
        .slice(1)
        .map((part) => part.replace(/=.*/, ''))
        .sort(),
    ).toEqual(['Expires', 'HttpOnly', 'Max-Age', 'Path', 'SameSite']);
    expect(cookie).toContain('Path=/; ');
    expect(cookie).toContain('SameSite=Lax');
    const first = browser.cookies.get(SESSION)!;
    expect(first).not.toBe(planted);
    expect(await shownTo(browser)).toBe(user.username);
    const page = await browser.send('GET', '/projects/');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('vary')).toContain('Cookie');
    const json = await browser.send('GET', `/api/users/${user.username}/`, { headers: { accept: 'application/json' } });
    expect([json.status, json.headers.get('cache-control')]).toEqual([200, 'private, no-store']);

    const again = await signedIn(user);
    expect(again.cookies.get(SESSION)).not.toBe(first);
    const out = await browser.submit('/accounts/profile/', {}, { action: '/accounts/logout/' });
    expect([out.status, out.headers.get('location'), browser.cookies.has(SESSION)]).toEqual([303, '/', false]);
    browser.cookies.set(SESSION, first);
    expect(await shownTo(browser)).toBe('');
    expect(await shownTo(again)).toBe(user.username);
    expect(audit('session.start').filter(({ actor }) => actor === user.username)).toHaveLength(2);
    expect(audit('session.end').filter(({ actor }) => actor === user.username)).toHaveLength(1);
  });

  it('a sign-in leads to paths of this site only, by default to the page it came from', async () => {
    const user = await someone();
    for (const next of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/.//evil.example/',
      '/accounts/logout/',
    ])
      expect((await makeBrowser(base).signIn(user.username, user.password, next)).headers.get('location')).toBe(
        '/accounts/profile/',
      );
    const browser = makeBrowser(base);
    const { text } = await browser.send('GET', '/accounts/login/', {
      headers: { referer: `${base}/projects/?page=1` },
    });
    expect(browser.hiddenFields(text, '/accounts/login/')['next']).toBe('/projects/?page=1');
    const stray = await browser.send('GET', '/accounts/profile/');
    expect([stray.status, stray.headers.get('location')]).toEqual([
      303,
      '/accounts/login/?next=%2Faccounts%2Fprofile%2F',
    ]);
  });

  it('another site cannot sign a browser in, and a form without its cookie is shown again', async () => {
    const { username, password } = await someone();
    const browser = makeBrowser(base);
    const { text } = await browser.send('GET', '/accounts/login/');
    const fields = { ...browser.hiddenFields(text, '/accounts/login/'), username, password };
    const post = (body: Record<string, string>, headers: Record<string, string> = {}) =>
      browser.send('POST', '/accounts/login/', { body: new URLSearchParams(body), headers });
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }])
      expect((await post(fields, headers as unknown as Record<string, string>)).status).toBe(403);
    expect((await post({ username, password })).status).toBe(403);
    const other = makeBrowser(base);
    await other.send('GET', '/accounts/login/');
    const foreign = await other.send('POST', '/accounts/login/', { body: new URLSearchParams(fields) });
    expect([foreign.status, foreign.text.includes('The form has expired')]).toEqual([403, true]);
    expect([browser.cookies.has(SESSION), other.cookies.has(SESSION)]).toEqual([false, false]);
    expect((await post(fields)).status).toBe(303);
  });

  it('wrong passwords and unknown names get the same answers and must wait after ten attempts', async () => {
    const user = await someone();
    const answersTo = async (username: string) => {
      const found: unknown[] = [];
      for (let i = 0; i <= 10; i++) {
        const { status, headers, text } = await makeBrowser(base).signIn(username, 'wrong password');
        const [, message] = /role="alert">([^<]*)</.exec(text) ?? [];
        found.push([status, message, Number(headers.get('retry-after') ?? 0) > 0]);
      }
      return found;
    };
    const refused = [401, 'The user name or the password is wrong.', false];
    const unknown = await answersTo(unique('nobody'));
    expect(unknown.slice(0, 10)).toEqual(Array(10).fill(refused));
    expect(unknown[10]).toEqual([
      429,
      expect.stringMatching(/^Too many wrong passwords\. Retry in \d+ seconds\.$/),
      true,
    ]);
    expect((await answersTo(user.username)).map((answer) => (answer as unknown[])[0])).toEqual([
      ...Array(10).fill(401),
      429,
    ]);
    expect((await makeBrowser(base).signIn(user.username, user.password)).status).toBe(429);
    expect(audit('session.lock').some(({ target }) => target.name === user.username)).toBe(true);
    expect(audit('session.refuse').length).toBeGreaterThanOrEqual(20);
  });

  it('a user with a second factor enters its code after the password', async () => {
    const user = await someone();
    const before = await signedIn(user);
    const factors = `/api/users/${user.username}/second-factors/`;
    const headers = { 'x-csrf-token': await before.csrfToken(), accept: 'application/json' };
    const created = await before.send('POST', factors, { body: { name: 'phone', password: user.password }, headers });
    const factor = JSON.parse(created.text);
    const code = totp(factor.secret);
    const confirmed = await before.send('POST', `${factors}${factor.id}/confirm/`, { body: { code }, headers });
    expect([created.status, confirmed.status]).toEqual([201, 200]);

    const browser = makeBrowser(base);
    const first = await browser.signIn(user.username, user.password, '/languages/');
    expect([first.status, first.headers.get('location')]).toEqual([303, '/accounts/login/code/?next=%2Flanguages%2F']);
    expect([browser.cookies.has(SESSION), await shownTo(browser)]).toEqual([false, '']);
    // The secret of the pending sign-in is no session.
    const pending = browser.cookies.get('parlance-sign-in')!;
    const thief = makeBrowser(base);
    thief.cookies.set(SESSION, pending);
    expect(await shownTo(thief)).toBe('');
    const codePage = '/accounts/login/code/?next=%2Flanguages%2F';
    const used = await browser.submit(codePage, { code });
    expect([used.status, used.text.includes('The code is wrong, or was used before.')]).toEqual([400, true]);
    // The next time step is accepted, too.
    const entered = await browser.submit(codePage, { code: totp(factor.secret, Date.now() + 30_000) });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/languages/']);
    expect(await shownTo(browser)).toBe(user.username);
    expect(browser.cookies.get(SESSION)).not.toBe(pending);
    const repeated = makeBrowser(base);
    repeated.cookies.set('parlance-sign-in', pending);
    const late = await repeated.submit('/accounts/login/code/', { code: totp(factor.secret, Date.now() + 30_000) });
    expect(late.headers.get('location')).toBe('/accounts/login/?done=expired');
  });

  it('pages of accounts cannot be framed or cached', async () => {
    const browser = await signedIn(await someone());
    for (const path of [
      '/accounts/login/',
      '/accounts/login/code/',
      '/accounts/profile/',
      '/accounts/password/reset/',
    ]) {
      const { headers } = await browser.send('GET', path);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
  });
});

describe('writes by session', () => {
  it('an unsafe request needs the CSRF token of the session and a page of this site', async () => {
    const user = await someone();
    await api.patch(`/api/users/${user.username}/`, { is_superuser: true });
    const browser = await signedIn(user);
    const other = await signedIn(await someone());
    const slug = unique('list');
    const token = await browser.csrfToken();
    const create = async (headers: Record<string, string>, body: unknown = { name: slug, slug }) => {
      const json = { accept: 'application/json', ...headers };
      const { status, text } = await browser.send('POST', '/api/component-lists/', { body, headers: json });
      return status === 403 ? JSON.parse(text).detail.replace(/:.*/, '') : status;
    };
    const form = (fields: Record<string, string>) => new URLSearchParams({ name: slug, slug, ...fields });
    const refused = 'CSRF check failed';
    expect(await create({})).toBe(refused);
    expect(await create({ 'x-csrf-token': 'wrong' })).toBe(refused);
    expect(await create({ 'x-csrf-token': await other.csrfToken() })).toBe(refused);
    expect(await create({ 'x-csrf-token': token, origin: 'https://evil.example' })).toBe(refused);
    expect(await create({ 'x-csrf-token': token, origin: 'null' })).toBe(refused);
    expect(await create({ 'x-csrf-token': token, 'sec-fetch-site': 'same-site' })).toBe(refused);
    expect(await create({}, form({}))).toBe(refused);
    expect(await create({}, form({ csrf_token: await other.csrfToken() }))).toBe(refused);
    expect(await create({ origin: 'https://evil.example' }, form({ csrf_token: token }))).toBe(refused);
    expect(await create({}, { name: slug, slug, csrf_token: token })).toBe(refused);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await browser.send(method, `/api/users/${user.username}/`, {})).status).toBe(403);
    expect((await api.send('GET', `/api/component-lists/${slug}/`)).status).toBe(404);
    expect(await create({}, form({ csrf_token: token }))).toBe(201);
    const renamed = await browser.send('PATCH', `/api/component-lists/${slug}/`, {
      body: { name: `${slug} renamed` },
      headers: { accept: 'application/json', 'x-csrf-token': token, 'sec-fetch-site': 'same-origin' },
    });
    expect(renamed.status).toBe(200);
  });

  it('a token in Authorization takes precedence over the session and needs no CSRF token', async () => {
    const [user, owner] = [await someone(), await someone()];
    const browser = await signedIn(user);
    const { token } = await api.post(`/api/users/${owner.username}/tokens/`, { name: 'test' });
    const names = async (headers: Record<string, string>) =>
      JSON.parse(
        (await browser.send('GET', '/api/users/', { headers: { accept: 'application/json', ...headers } })).text,
      ).results.map(({ username }: { username: string }) => username);
    expect(await names({})).toEqual([user.username]);
    expect(await names({ authorization: `Token ${token}` })).toEqual([owner.username]);
    const tokens = `/api/users/${owner.username}/tokens/`;
    const headers = { authorization: `Token ${token}`, origin: 'https://tool.example' };
    expect((await browser.send('POST', tokens, { body: { name: 'second' }, headers })).status).toBe(201);
    const wrong = { authorization: 'Token wrong' };
    expect((await browser.send('GET', '/api/users/', { headers: wrong })).status).toBe(401);
  });
});

describe('the end of sessions', () => {
  it('sessions that are ended, and those of inactive users, are refused with the next request', async () => {
    const user = await someone();
    const browsers = [await signedIn(user), await signedIn(user), await signedIn(user)] as const;
    const [one, two, three] = browsers;
    // Repeated, so that the gateway answers from its cache.
    const shown = async () =>
      Promise.all([...browsers, ...browsers].map(async (browser) => ((await shownTo(browser)) ? 1 : 0)));
    expect(await shown()).toEqual([1, 1, 1, 1, 1, 1]);
    const { text } = await one.send('GET', '/accounts/profile/');
    const ids = [...text.matchAll(/name="action" value="end-session"><input type="hidden" name="id" value="(\d+)"/g)];
    const csrf_token = await one.csrfToken();
    const act = (fields: Record<string, string>) =>
      one.send('POST', '/accounts/profile/', { body: new URLSearchParams({ csrf_token, ...fields }) });
    // Newest first, so the first is that of the third browser.
    expect((await act({ action: 'end-session', id: ids[0]![1]! })).status).toBe(303);
    expect(await shown()).toEqual([1, 1, 0, 1, 1, 0]);
    expect((await act({ action: 'end-other-sessions' })).status).toBe(303);
    expect(await shown()).toEqual([1, 0, 0, 1, 0, 0]);
    for (const browser of [two, three]) await browser.signIn(user.username, user.password);
    expect(await shown()).toEqual([1, 1, 1, 1, 1, 1]);
    await api.patch(`/api/users/${user.username}/`, { is_active: false });
    expect(await shown()).toEqual([0, 0, 0, 0, 0, 0]);
    await api.patch(`/api/users/${user.username}/`, { is_active: true });
    expect(await shown()).toEqual([0, 0, 0, 0, 0, 0]);
    const write = await one.send('POST', `/api/users/${user.username}/tokens/`, {
      body: { name: 'x' },
      headers: { 'x-csrf-token': csrf_token, accept: 'application/json' },
    });
    expect(write.status).toBe(401);
  });

  it('a new password ends all sessions but that of the browser that set it', async () => {
    const user = await someone();
    const [browser, other] = [await signedIn(user), await signedIn(user)];
    const before = browser.cookies.get(SESSION)!;
    const csrf_token = await browser.csrfToken();
    const change = (fields: Record<string, string>) =>
      browser.send('POST', '/accounts/profile/', {
        body: new URLSearchParams({ csrf_token, action: 'change-password', ...fields }),
      });
    const next = { password: 'a new password', repeated: 'a new password' };
    const wrong = await change({ current_password: 'wrong', ...next });
    expect([wrong.status, wrong.text.includes('The password is wrong.')]).toEqual([400, true]);
    const differs = await change({ current_password: user.password, ...next, repeated: 'another' });
    expect([differs.status, differs.text.includes('The two passwords differ.')]).toEqual([400, true]);
    const done = await change({ current_password: user.password, ...next });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/accounts/profile/?done=password#password']);
    expect([await shownTo(browser), await shownTo(other)]).toEqual([user.username, '']);
    other.cookies.set(SESSION, before);
    expect(await shownTo(other)).toBe('');
    expect((await makeBrowser(base).signIn(user.username, user.password)).status).toBe(401);
    await signedIn({ ...user, password: 'a new password' });
  });

  it('a user creates a token, sees it once, and revokes it', async () => {
    const user = await someone();
    const browser = await signedIn(user);
    const act = async (fields: Record<string, string>) =>
      browser.send('POST', '/accounts/profile/', {
        body: new URLSearchParams({ csrf_token: await browser.csrfToken(), ...fields }),
      });
    const past = await act({ action: 'create-token', name: '<b>CI</b>', expires: '2001-01-01' });
    expect([past.status, past.text.includes('The date must lie in the future.')]).toEqual([400, true]);
    const made = await act({ action: 'create-token', name: '<b>CI</b>', expires: '2999-12-31' });
    const [value] = /plu_[A-Za-z0-9]{36}/.exec(made.text) ?? [];
    expect(made.status).toBe(200);
    expect(made.text).not.toContain('<b>CI');
    const client = makeApi(base, value);
    expect((await client.send('GET', `/api/users/${user.username}/tokens/`)).body.results).toMatchObject([
      { name: '<b>CI</b>', expires: '2999-12-31T23:59:59.999000Z' },
    ]);
    const { text } = await browser.send('GET', '/accounts/profile/');
    expect(text).not.toContain(value);
    const [, id] = /name="action" value="revoke-token"><input type="hidden" name="id" value="(\d+)"/.exec(text) ?? [];
    expect((await act({ action: 'revoke-token', id: id! })).status).toBe(303);
    expect((await client.send('GET', '/api/')).status).toBe(401);
    // Limited tokens.
    const unknown = await act({ action: 'create-token', name: 'CI', projects: 'no-such-project' });
    expect([unknown.status, unknown.text.includes('One of these projects does not exist.')]).toEqual([400, true]);
    const slug = unique('limited');
    await api.post('/api/projects/', { name: slug, slug, web: 'https://example.com/' });
    const limited = await act({ action: 'create-token', name: 'Reader', access: 'read', projects: slug });
    const reader = makeApi(base, /plu_[A-Za-z0-9]{36}/.exec(limited.text)![0]);
    const seen = (await reader.all('/api/projects/')).map((project: { slug: string }) => project.slug);
    expect(seen).toEqual([slug]);
    const written = await reader.send('PATCH', `/api/projects/${slug}/`, { name: 'x' });
    expect([written.status, written.body.errors[0].detail]).toEqual([403, 'This token only reads.']);
    expect((await browser.send('GET', '/accounts/profile/')).text).toContain(`<td>reads only; ${slug}</td>`);
    // Another user's token does not exist for this user.
    const { id: foreign } = await api.post('/api/users/admin/tokens/', { name: 'foreign' });
    await act({ action: 'revoke-token', id: String(foreign) });
    expect((await api.send('GET', `/api/users/admin/tokens/${foreign}/`)).status).toBe(200);
  });
});

describe('a password reset', () => {
  it('a mailed link sets a password once; unknown addresses get the same answer', async () => {
    const user = await someone();
    const session = await signedIn(user);
    const request = async (email: string) => {
      const { status, text } = await makeBrowser(base).submit('/accounts/password/reset/', { email });
      return { status, text };
    };
    const known = await request(user.email);
    expect(known).toEqual(await request(`${unique('nobody')}@example.com`));
    expect([known.status, known.text.includes('Check your mail')]).toEqual([200, true]);
    const [mail] = await eventually(
      () => JSON.parse(parlance('mail', '--user', user.username, '--json')),
      (mails: { notification: string; state: string }[]) =>
        mails.some(({ notification, state }) => notification === 'PasswordReset' && state === 'kept'),
    );
    const [link] = /http\S+\/accounts\/password\/set\/\?secret=[\w-]{43}/.exec(
      (mail as unknown as { body: string }).body,
    )!;
    const path = link.slice(link.indexOf('/accounts/'));
    const browser = makeBrowser(base);
    const set = (password: string, repeated = password) => browser.submit(path, { password, repeated });
    expect((await set('short')).text).toContain('A password has at least 8 characters.');
    expect((await set('a new password', 'another one')).text).toContain('The two passwords differ.');
    const done = await set('a new password');
    expect([done.status, done.headers.get('location')]).toEqual([303, '/accounts/login/?done=password']);
    expect([await shownTo(session), await shownTo(browser)]).toEqual(['', '']);
    const again = await set('yet another one');
    expect([again.status, again.text.includes('The link has expired or was used.')]).toEqual([400, true]);
    await signedIn({ ...user, password: 'a new password' });
    expect(audit('user.password.reset').some(({ actor }) => actor === user.username)).toBe(true);
  });
});

describe('permissions', () => {
  it('a session has exactly the permissions of its user on a hidden project', async () => {
    const world = await makeWorld(api, 100, await makeVictim(api));
    const callers = await makeCallers(api, world);
    const schema = await api.get('/api/schema/');
    const paths = Object.entries(schema.paths as Record<string, object>)
      .filter(([path, methods]) => 'get' in methods && !path.startsWith('/git/') && !path.startsWith('/hooks/'))
      .map(([path]) =>
        path.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(String((world.params as Record<string, unknown>)[name])),
        ),
      );
    const pages = [
      `/projects/${world.project}/`,
      `/translate/${world.project}/example/cs/`,
      `/engage/${world.project}/`,
    ];
    const outcomes = new Map<string, Set<number>>();
    for (const kind of ['stranger', 'member', 'manager'] as const) {
      const { username, client } = callers[kind];
      const browser = await signedIn({ username, password: parlance('user', 'reset-password', username) });
      const seen = new Set<number>();
      const differences = await together(
        [...paths, ...pages].map((path) => async () => {
          const headers = { accept: '*/*' };
          const [bySession, byToken] = await Promise.all([
            browser.send('GET', path, { headers }),
            client.send('GET', path, undefined, headers),
          ]);
          if (path.includes(world.project)) seen.add(bySession.status);
          return bySession.status === byToken.status ? [] : [`${kind} ${path}: ${bySession.status} ${byToken.status}`];
        }),
      );
      expect(differences.flat()).toEqual([]);
      outcomes.set(kind, seen);
    }
    expect(outcomes.get('stranger')).toEqual(new Set([404]));
    expect(outcomes.get('member')).toContain(200);
    expect(paths.length).toBeGreaterThan(50);
  });
});
