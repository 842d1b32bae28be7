import { readBrowserForm } from '../../bodies/browser-form';
import { labelEndpoints } from '../../resources/labels/routes';
import { renderApiPage } from './api-page';

/** The page that answers a form with a wrong label. */
function pageAfterForm(csrfToken: string): Promise<string> {
  const pattern = labelEndpoints[0]!.path;
  const methods = new Map(labelEndpoints.filter(({ path }) => path === pattern).map((each) => [each.method, each]));
  const values = { _method: 'POST', csrf_token: csrfToken, name: 'Urgent', color: 'pink' };
  const error = { attr: 'color', code: 'invalid_choice', detail: 'Not a color.' };
  return renderApiPage(
    { type: 'validation_error', errors: [error] },
    {
      route: { pattern, methods, allow: '', ancestors: [] },
      method: 'POST',
      path: '/api/projects/example/labels/',
      query: new URLSearchParams(),
      status: 400,
      headers: {},
      site: { title: 'Site', base: 'http://localhost', root: '' },
      username: 'ana',
      form: readBrowserForm({ values, form: true, files: new Map() }),
      csrfToken,
    },
  );
}

it('the commands on a page show the fields of a form, but not the token of the session', async () => {
  const page = await pageAfterForm('the-token-of-the-session');
  const commands = page
    .split('<pre')
    .slice(1)
    .map((part) => part.split('</pre>')[0]!)
    .join('\n');
  expect(commands).toContain('Urgent');
  expect(commands).not.toMatch(/csrf_token|the-token-of-the-session/);
  // The forms have it.
  expect(page).toContain('name="csrf_token" value="the-token-of-the-session"');
});
