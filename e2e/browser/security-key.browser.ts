// Security keys (WebAuthn) in Chromium, which plays the part of the key.
import type { Page } from 'playwright-core';
import { system } from '../support/system.mjs';
import { signInOn } from './places.mjs';
import { makePerson, visitor } from './visitor';

const { api } = system();
const PROFILE = '/accounts/profile/';

/** Plugs a key into the browser that answers every request, as if it was touched at once. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true },
  });
  return {
    credentials: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    remove: () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
}

/** Presses the button of a form and waits for the page that follows. */
const press = (page: Page, name: string) =>
  Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);

async function startRegistration(page: Page, { password }: { password: string }) {
  await page.getByText('Add a second factor', { exact: true }).first().click();
  await page.selectOption('#add-factor-kind', 'webauthn');
  await page.fill('#add-factor-name', 'Blue key');
  await page.fill('#add-factor-password', password);
  await press(page, 'Add a second factor');
}

async function enterPassword(page: Page, { username, password }: { username: string; password: string }) {
  await page.goto('/accounts/login/');
  await page.fill('input[name=username]', username);
  await page.fill('input[name=password]', password);
  await press(page, 'Sign in');
}

/** A new person who is signed in and has registered a key. */
async function registered() {
  const person = await makePerson();
  const visit = await visitor();
  const key = await plugIn(visit.page);
  await signInOn(visit.page, person);
  await startRegistration(visit.page, person);
  await press(visit.page, 'Use the security key');
  return { ...visit, person, key };
}

describe('a security key in a browser', () => {
  it('is registered on the profile page and completes a sign-in', async () => {
    const { person, key, page, problems, close } = await registered();
    expect(await page.locator('#factors ~ .scroll').first().innerText()).toContain('Blue key');
    expect(await key.credentials()).toMatchObject([{ rpId: 'localhost', signCount: 1 }]);
    const { results } = await api.get(`/api/users/${person.username}/second-factors/`);
    expect(results).toMatchObject([{ name: 'Blue key', kind: 'webauthn', confirmed: expect.any(String) }]);

    await press(page, 'Sign out');
    await enterPassword(page, person);
    expect(new URL(page.url()).pathname).toBe('/accounts/login/code/');
    // The password alone opens nothing.
    expect(await page.locator('.who').innerText()).toContain('Public view');
    await press(page, 'Use a security key');
    await page.waitForURL(`**${PROFILE}`);
    expect(await page.locator('.who').innerText()).toContain(person.username);
    expect(await key.credentials()).toMatchObject([{ signCount: 2 }]);
    expect(problems).toEqual([]);
    await close();
  });

  it('that is not the registered one does not complete a sign-in, and the page says so', async () => {
    const { person, key, page, problems, close } = await registered();
    await press(page, 'Sign out');
    await key.remove();
    await plugIn(page);
    await enterPassword(page, person);
    await page.getByRole('button', { name: 'Use a security key' }).click();
    await page.getByText('The security key was not used').waitFor();
    await page.goto(PROFILE);
    expect(new URL(page.url()).pathname).toBe('/accounts/login/');
    expect(problems).toEqual([]);
    await close();
  });
});
