// Sign-in by a real OpenID Connect provider, on a system of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { makeApi } from '../../support/api.mjs';
import { makeBrowser } from '../../support/browser.mjs';
import { parlanceOn, startSystem } from '../../support/system.mjs';
import { leaksOf, MARK } from '../../support/telemetry/leaks.mjs';
import { unique } from '../../support/worlds.mjs';

const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-oidc-'));
const CALLBACK = '/accounts/external/callback/';
const clientSecret = `${MARK}OfTheClient`;
let provider: ChildProcess;
let issuer: string;
let system: Awaited<ReturnType<typeof startSystem>>;
let base: string;
let api: ReturnType<typeof makeApi>;

beforeAll(async () => {
  const [port, providerPort] = [await freePort(), await freePort()];
  base = `http://localhost:${port}`;
  issuer = `http://127.0.0.1:${providerPort}`;
  const script = join(__dirname, '../../support/sign-in/oidc-provider.mjs');
  provider = spawn(process.execPath, [script, String(providerPort), base + CALLBACK, clientSecret], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(provider.stdout!, 'data');
  const secretFile = join(dataDir, 'oidc-secret');
  writeFileSync(secretFile, `${clientSecret}\n`, { mode: 0o600 });
  system = await startSystem({
    dataDir,
    port,
    env: {
      PARLANCE_OIDC_ISSUER: issuer,
      PARLANCE_OIDC_CLIENT_ID: 'parlance',
      PARLANCE_OIDC_CLIENT_SECRET_FILE: secretFile,
      PARLANCE_OIDC_NAME: 'Example ID',
      PARLANCE_OIDC_TEAMS: 'managers=2',
    },
  });
  api = makeApi(base, readFileSync(join(dataDir, 'admin-token'), 'utf8').trim());
}, 300_000);
afterAll(async () => {
  provider?.kill();
  await system?.stop();
});

interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  preferred_username: string;
  name: string;
  groups: string[];
}

const someone = (more: Partial<Person> = {}): Person => {
  const name = unique('ext');
  return {
    sub: name,
    email: `${name}@example.com`,
    email_verified: true,
    preferred_username: name,
    name: `Name of ${name}`,
    groups: [],
    ...more,
  };
};

/** Lets the provider authenticate a person and returns the address that it sends the browser back to. */
async function authenticate(browser: ReturnType<typeof makeBrowser>, person: Person, query = ''): Promise<URL> {
  const { headers } = await browser.send('GET', `/accounts/external/${query}`);
  return atProvider(person, headers.get('location')!);
}

/** Where the provider sends a browser back to that comes with an address. */
async function atProvider(person: Person, address: string): Promise<URL> {
  await fetch(issuer, { method: 'PUT', body: JSON.stringify(person) });
  const visitor = makeBrowser(issuer);
  let location = new URL(address, issuer);
  for (let hops = 0; hops < 5; hops++) {
    if (location.origin === base) return location;
    const { headers } = await visitor.send('GET', location.href);
    location = new URL(headers.get('location')!, issuer);
  }
  throw new Error('the provider did not send the browser back');
}

const follow = (browser: ReturnType<typeof makeBrowser>, { pathname, search }: URL) =>
  browser.send('GET', pathname + search);

test('a person of the provider is signed in as the same user each time, and returns to the page', async () => {
  const person = someone();
  const ids: number[] = [];
  for (let round = 0; round < 2; round++) {
    const browser = makeBrowser(base);
    const { text } = await browser.send('GET', '/accounts/login/?next=%2Flanguages%2F');
    expect(text).toContain('<a href="/accounts/external/?next=%2Flanguages%2F">Sign in with Example ID</a>');
    const answer = await follow(browser, await authenticate(browser, person, '?next=%2Flanguages%2F'));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/languages/']);
    const page = await browser.send('GET', '/accounts/profile/');
    for (const shown of [person.preferred_username, person.name, person.email]) expect(page.text).toContain(shown);
    ids.push((await api.get(`/api/users/${person.preferred_username}/`)).id);
  }
  expect(ids[0]).toBe(ids[1]);
});

test('a response of the provider is accepted once, in the browser that asked, with its state', async () => {
  const browser = makeBrowser(base);
  const back = await authenticate(browser, someone());
  const refused = async (who: ReturnType<typeof makeBrowser>, url: URL) => {
    const { status, text } = await follow(who, url);
    expect([...who.cookies.keys()]).not.toContain('parlance-session');
    return [status, /role="alert">([^<]*)</.exec(text)?.[1]];
  };
  const unconfirmed = [403, 'The sign-in provider did not confirm who you are. Start again.'];
  expect(await refused(makeBrowser(base), back)).toEqual([403, 'The sign-in has expired. Start again.']);
  const other = makeBrowser(base);
  await authenticate(other, someone());
  expect(await refused(other, back)).toEqual(unconfirmed);
  const altered = new URL(back);
  altered.searchParams.set(
    'state',
    `${back.searchParams.get('state')!.split('.')[0]}.${Buffer.from('/x').toString('base64url')}`,
  );
  expect(await refused(browser, altered)).toEqual(unconfirmed);
  const failed = new URL(CALLBACK, base);
  failed.searchParams.set('state', back.searchParams.get('state')!);
  failed.searchParams.set('error', 'access_denied');
  expect(await refused(browser, failed)).toEqual(unconfirmed);
  const cookies = new Map(browser.cookies);
  expect((await follow(browser, back)).status).toBe(303);
  const again = makeBrowser(base);
  again.cookies.set('parlance-sign-in', cookies.get('parlance-sign-in')!);
  expect(await refused(again, back)).toEqual(unconfirmed);
});

test('an account with the same address is not taken over, and mapped teams follow the claim', async () => {
  const person = someone({ groups: ['managers'] });
  await api.post('/api/users/', { username: unique('local'), full_name: 'Local', email: person.email });
  const browser = makeBrowser(base);
  const refused = await follow(browser, await authenticate(browser, person));
  expect([refused.status, refused.text.includes('An account with your mail address exists')]).toEqual([403, true]);

  const free = someone({ groups: ['managers', 'others'] });
  const teams = async (groups: string[]) => {
    const own = makeBrowser(base);
    expect((await follow(own, await authenticate(own, { ...free, groups }))).status).toBe(303);
    const user = await api.get(`/api/users/${free.preferred_username}/`);
    return user.groups.includes(`${base}/api/groups/2/`);
  };
  expect([await teams(['managers', 'others']), await teams([])]).toEqual([true, false]);
  const entries = JSON.parse(parlanceOn(dataDir, 'audit', '--action', 'user.', '--json'));
  expect(entries.some((entry: { actor: string }) => entry.actor === 'openid-connect')).toBe(true);
});

test('a user links an account of the provider on the profile page, signs in with it, and removes the link', async () => {
  const member = async () => {
    const username = unique('local');
    await api.post('/api/users/', { username, full_name: username, email: `${username}@example.com` });
    const password = parlanceOn(dataDir, 'user', 'reset-password', username);
    const browser = makeBrowser(base);
    await browser.signIn(username, password);
    const csrf = await browser.csrfToken();
    const act = (fields: Record<string, string>) =>
      browser.send('POST', '/accounts/profile/', { body: new URLSearchParams({ csrf_token: csrf, ...fields }) });
    const start = async () =>
      (await act({ action: 'start-link', password })).headers.get('refresh')!.slice('0;url='.length);
    return { username, password, browser, act, start };
  };
  const [ana, eve] = [await member(), await member()];
  const person = someone();
  expect((await ana.browser.send('GET', '/accounts/profile/')).text).toContain('Your account is not linked.');
  const forged = { body: new URLSearchParams({ action: 'start-link', password: ana.password }) };
  expect((await ana.browser.send('POST', '/accounts/profile/', forged)).status).toBe(403);
  const wrong = await ana.act({ action: 'start-link', password: 'not the password' });
  expect([wrong.status, wrong.text.includes('The password is wrong.')]).toEqual([400, true]);

  // A response of the provider links no other user, whether or not a link was started there.
  const foreign = await follow(eve.browser, await atProvider(person, await ana.start()));
  expect([foreign.status, foreign.text.includes('The link took too long.')]).toEqual([403, true]);
  await eve.start();
  const back = await atProvider(person, await ana.start());
  expect((await follow(eve.browser, back)).status).toBe(403);
  const linked = await follow(ana.browser, back);
  expect([linked.status, linked.headers.get('location')]).toEqual([303, '/accounts/profile/?done=linked#provider']);
  expect((await follow(ana.browser, back)).status).toBe(403);
  const taken = await follow(eve.browser, await atProvider(person, await eve.start()));
  expect([taken.status, taken.text.includes('Another user is linked')]).toEqual([403, true]);

  const whoSignsIn = async () => {
    const browser = makeBrowser(base);
    await follow(browser, await authenticate(browser, person));
    return (await browser.send('GET', '/accounts/profile/')).text.includes(`<dd>${ana.username}</dd>`);
  };
  expect(await whoSignsIn()).toBe(true);
  const removed = await ana.act({ action: 'remove-link', password: ana.password });
  expect([removed.status, removed.headers.get('location')]).toEqual([303, '/accounts/profile/?done=unlinked#provider']);
  expect(await whoSignsIn()).toBe(false);
  const entries = JSON.parse(parlanceOn(dataDir, 'audit', '--action', 'user.', '--limit', '100', '--json'));
  const own = entries.filter(({ actor }: { actor: string }) => actor === ana.username);
  expect(own.map(({ action }: { action: string }) => action)).toEqual(['user.unlink', 'user.link']);
});

test('an account that was made by the provider keeps its link while it has no password', async () => {
  const person = someone();
  const browser = makeBrowser(base);
  await follow(browser, await authenticate(browser, person));
  const fields = { csrf_token: await browser.csrfToken(), action: 'remove-link', password: 'any password' };
  const refused = await browser.send('POST', '/accounts/profile/', { body: new URLSearchParams(fields) });
  expect([refused.status, refused.text.includes('the only way to sign in')]).toEqual([400, true]);
});

test('without the provider, a password still signs in', async () => {
  const username = unique('local');
  await api.post('/api/users/', { username, full_name: username, email: `${username}@example.com` });
  const ended = once(provider, 'exit');
  provider.kill();
  await ended;
  const browser = makeBrowser(base);
  const password = parlanceOn(dataDir, 'user', 'reset-password', username);
  expect((await browser.signIn(username, password)).status).toBe(303);
});

test('no log contains the secret of the client', () => {
  expect(leaksOf(dataDir)).toEqual([]);
});
