// Second factors on the profile page and at the sign-in: security keys (WebAuthn) and authenticator apps.
import { SoftwareSecurityKey } from '@parlance/testing';
import { makeBrowser } from '../../support/browser.mjs';
import { parlance, system } from '../../support/system.mjs';
import { totp } from '../../support/sign-in/totp.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, base } = system();
const PROFILE = '/accounts/profile/';
const CODE = '/accounts/login/code/';

type Browser = ReturnType<typeof makeBrowser>;

async function someone() {
  const username = unique('user');
  await api.post('/api/users/', { username, full_name: username, email: `${username}@example.com` });
  const password = parlance('user', 'reset-password', username);
  const browser = makeBrowser(base);
  expect((await browser.signIn(username, password)).status).toBe(303);
  return { username, password, browser };
}

const act = async (browser: Browser, fields: Record<string, string>) =>
  browser.send('POST', PROFILE, { body: new URLSearchParams({ csrf_token: await browser.csrfToken(), ...fields }) });

/** The options that a page gives to its script. */
const optionsOn = (page: string) =>
  JSON.parse(/data-options="([^"]*)"/.exec(page)![1]!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));

/** Registers a key on the profile page. */
async function register(user: Awaited<ReturnType<typeof someone>>, name = 'Blue key', origin = base) {
  const { browser, password } = user;
  const started = await act(browser, { action: 'add-factor', kind: 'webauthn', name, password });
  expect(started.status).toBe(200);
  const key = new SoftwareSecurityKey(origin);
  const options = optionsOn(started.text);
  const response = key.create(options);
  return { key, options, response, finished: await act(browser, { action: 'finish-key', name, response }) };
}

const auditOf = (action: string, username: string) =>
  JSON.parse(parlance('audit', '--action', action, '--limit', '50', '--json')).filter(
    ({ actor }: { actor: string }) => actor === username,
  );

describe('a security key', () => {
  it('a security key is registered on the profile page with the password, and completes a sign-in', async () => {
    const user = await someone();
    const { browser, password, username } = user;
    const refused = await act(browser, { action: 'add-factor', kind: 'webauthn', name: 'Key', password: 'wrong one' });
    expect([refused.status, refused.text.includes('The password is wrong.')]).toEqual([400, true]);
    const { key, finished, response } = await register(user);
    expect([finished.status, finished.headers.get('location')]).toEqual([303, `${PROFILE}?done=factor#factors`]);
    expect((await browser.send('GET', PROFILE)).text).toContain('<td>Blue key</td><td>Security key</td>');
    // The challenge is used up.
    const again = await act(browser, { action: 'finish-key', name: 'Again', response });
    expect([again.status, again.text.includes('The security key was not accepted')]).toEqual([400, true]);
    const listed = (await api.get(`/api/users/${username}/second-factors/`)).results;
    expect(listed).toMatchObject([{ name: 'Blue key', kind: 'webauthn', confirmed: expect.any(String) }]);
    expect(auditOf('second-factor.confirm', username)).toHaveLength(1);

    const other = makeBrowser(base);
    const first = await other.signIn(username, password, '/languages/');
    expect(first.headers.get('location')).toBe(`${CODE}?next=%2Flanguages%2F`);
    const page = await other.send('GET', `${CODE}?next=%2Flanguages%2F`);
    expect(page.text).not.toContain('Code of your authenticator app');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const pending = other.cookies.get('parlance-sign-in')!;
    const options = optionsOn(page.text);
    const assertion = key.get(options);
    const entered = await other.submit(`${CODE}?next=%2Flanguages%2F`, { response: assertion });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/languages/']);
    expect((await other.send('GET', PROFILE)).status).toBe(200);
    // Neither the pending sign-in nor the response is accepted again.
    other.cookies.set('parlance-sign-in', pending);
    const replayed = await other.submit(CODE, { response: assertion });
    expect(replayed.headers.get('location')).toBe('/accounts/login/?done=expired');
  });

  it('a security key is refused for another challenge, origin, key and counter, and such attempts are limited', async () => {
    const user = await someone();
    const { key } = await register(user);
    const pending = async () => {
      const browser = makeBrowser(base);
      await browser.signIn(user.username, user.password);
      return { browser, options: optionsOn((await browser.send('GET', CODE)).text) };
    };
    const { browser, options } = await pending();
    const foreign = new SoftwareSecurityKey('https://phishing.example');
    const other = await pending();
    const wrong = [
      key.get(other.options),
      foreign.get(options),
      key.get({ ...options, rpId: 'phishing.example' }),
      '{}',
      'nonsense',
      'x'.repeat(30_000),
    ];
    for (const response of wrong) {
      const answer = await browser.submit(CODE, { response });
      expect([response.slice(0, 20), answer.status]).toEqual([response.slice(0, 20), 400]);
      expect(answer.text).toContain('security key');
    }
    expect((await browser.submit(CODE, { response: key.get(options) })).status).toBe(303);
    expect((await other.browser.submit(CODE, { response: key.get(other.options, { rewind: true }) })).status).toBe(400);
    const refused = JSON.parse(parlance('audit', '--action', 'session.refuse', '--limit', '50', '--json'));
    const own = refused.filter(({ target }: { target: { name: string } }) => target.name === user.username);
    expect(own.length).toBeGreaterThanOrEqual(wrong.length);
    expect(own[0].details).toEqual({ factor: 'security-key' });
    for (let attempt = 0; attempt < 9; attempt++) await other.browser.submit(CODE, { response: foreign.get(options) });
    const limited = await other.browser.submit(CODE, { response: key.get(other.options) });
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('a security key of another site is not registered', async () => {
    const user = await someone();
    const { finished } = await register(user, 'Foreign', 'https://phishing.example');
    expect([finished.status, finished.text.includes('The security key was not accepted')]).toEqual([400, true]);
    expect((await api.get(`/api/users/${user.username}/second-factors/`)).count).toBe(0);
  });
});

test('an authenticator app is added, confirmed and removed on the profile page', async () => {
  const { username, password, browser } = await someone();
  const added = await act(browser, { action: 'add-factor', kind: 'totp', name: '<b>Phone</b>', password });
  const [, secret] = /<pre class="wrap"><code>([A-Z2-7]+)<\/code>/.exec(added.text)!;
  const [, factor] = /name="factor" value="(\d+)"/.exec(added.text)!;
  expect(added.text).toContain('href="otpauth://totp/');
  const wrong = await act(browser, { action: 'confirm-factor', factor: factor!, code: '12' });
  expect([wrong.status, wrong.text.includes('A code has six digits.')]).toEqual([400, true]);
  expect((await act(browser, { action: 'confirm-factor', factor: factor!, code: totp(secret!) })).status).toBe(303);
  const page = (await browser.send('GET', PROFILE)).text;
  expect(page).toContain('&lt;b&gt;Phone&lt;/b&gt;');
  expect(page).not.toContain('<b>Phone');
  const code = totp(secret!, Date.now() + 30_000);
  const keyless = await act(browser, { action: 'remove-factor', factor: factor!, password: 'not the password' });
  expect([keyless.status, keyless.text.includes('The password is wrong.')]).toEqual([400, true]);
  expect((await act(browser, { action: 'remove-factor', factor: factor!, password: code })).status).toBe(303);
  expect((await api.get(`/api/users/${username}/second-factors/`)).count).toBe(0);
});
