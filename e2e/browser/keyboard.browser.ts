// The main flow in a browser, with the keyboard alone.
import { eventually, makeApi } from '../support/api.mjs';
import { makeRemote } from '../support/remotes.mjs';
import { exampleSettings, system } from '../support/system.mjs';
import { unique } from '../support/worlds.mjs';
import { enter, follow, makePerson, tabTo, visitor, type Visitor } from './visitor';

const { api, base } = system();

/** The link with an address in the response that a page shows. */
const linkTo = ({ page }: Visitor, path: string) => page.locator(`pre.body a[href="${base}${path}"]`).first();
const statusOf = ({ page }: Visitor) => page.locator('.status').first().innerText();

/** Opens the forms of a method. */
async function openForms(visit: Visitor, method: string): Promise<void> {
  const summary = visit.page.locator('#requests ~ details > summary', {
    has: visit.page.locator('.method', { hasText: new RegExp(`^${method}$`) }),
  });
  await tabTo(visit, summary);
  if (!(await summary.evaluate((element) => (element.parentElement as HTMLDetailsElement).open)))
    await visit.page.keyboard.press('Enter');
}

/** Fills in fields of a form in the order of the page and sends it. */
async function send(visit: Visitor, method: string, fields: Record<string, string>): Promise<void> {
  const { page } = visit;
  const id = method.toLowerCase();
  for (const [name, value] of Object.entries(fields)) await enter(visit, page.locator(`#${id}-${name}`), value);
  const form = page.locator('form.request', { has: page.locator(`#${id}-${Object.keys(fields)[0]}`) });
  await follow(visit, form.locator('button'));
}

describe('the main flow with the keyboard alone', () => {
  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])(
    'a user signs in, edits a string of a new component, makes a token and signs out, %s',
    async (_, scripts) => {
      const person = await makePerson({ superuser: true });
      const visit = await visitor({ javaScriptEnabled: scripts });
      const { page } = visit;

      await page.goto('/');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement!.textContent)).toBe('Skip to the content');
      await follow(visit, page.getByRole('link', { name: 'Sign in' }));
      // The first field has the focus: browsers give it some time after the page is loaded.
      await page.locator('input:focus').waitFor();
      await page.keyboard.type(person.username);
      await page.keyboard.press('Tab');
      await page.keyboard.type(person.password);
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      expect(await page.locator('.who').innerText()).toContain(person.username);

      // A project.
      await follow(visit, page.getByRole('link', { name: 'API', exact: true }));
      await follow(visit, linkTo(visit, '/api/projects/'));
      const slug = unique('keys');
      await openForms(visit, 'POST');
      await send(visit, 'POST', { name: `Project ${slug}`, slug, web: 'https://example.com/' });
      expect(await statusOf(visit)).toBe('201 Created');
      await follow(visit, linkTo(visit, `/api/projects/${slug}/`));

      // A component, from a repository.
      await follow(visit, linkTo(visit, `/api/projects/${slug}/components/`));
      await openForms(visit, 'POST');
      const settings = exampleSettings(makeRemote(), 'example');
      const json = page.locator('#post-json');
      if (scripts) {
        await tabTo(visit, page.getByRole('tab', { name: 'Fields' }));
        await page.keyboard.press('ArrowRight');
      }
      await enter(visit, json, '');
      await page.keyboard.insertText(JSON.stringify(settings));
      await follow(visit, page.locator('form.request', { has: json }).locator('button'));
      expect(await statusOf(visit)).toBe('201 Created');
      const task = page.locator('pre.body a[href*="/api/tasks/"]').first();
      await follow(visit, task);
      await eventually(
        async () => {
          await page.reload();
          return page.locator('pre.body').innerText();
        },
        (text: string) => text.includes('"completed": true'),
      );

      // A string, by the form of its unit.
      for (const name of ['Projects', `Project ${slug}`, 'example', 'Czech', 'Strings', 'Unfinished strings', 'API'])
        await follow(visit, page.getByRole('link', { name, exact: true }).last());
      const address = new URL(page.url()).pathname;
      await openForms(visit, 'PATCH');
      await send(visit, 'PATCH', { target: 'Na shledanou.', state: '20' });
      expect(await statusOf(visit)).toBe('200 OK');
      expect(await api.get(address)).toMatchObject({ target: ['Na shledanou.'], state: 20 });

      // Its history.
      await page.goto(address);
      await follow(visit, linkTo(visit, `/api/translations/${slug}/example/cs/`));
      await follow(visit, linkTo(visit, `/api/translations/${slug}/example/cs/changes/`));
      const history = await page.locator('pre.body').innerText();
      expect(history).toContain('"target": "Na shledanou."');
      expect(history).toContain(`/api/users/${person.username}/`);

      // A token.
      await follow(visit, page.getByRole('link', { name: person.username, exact: true }));
      await enter(visit, page.locator('#create-token-name'), 'Laptop');
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      const token = await page.locator('main pre.wrap').innerText();
      expect((await makeApi(base, token).send('GET', '/api/')).status).toBe(200);
      await follow(visit, page.getByRole('button', { name: 'Revoke the token Laptop' }));
      expect((await makeApi(base, token).send('GET', '/api/')).status).toBe(401);

      await follow(visit, page.getByRole('button', { name: 'Sign out' }));
      expect(await page.locator('.who').innerText()).toContain('Sign in');
      expect(visit.problems).toEqual([]);
      await visit.close();
    },
    300_000,
  );
});
