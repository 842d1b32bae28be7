import { readBrowserForm } from '../../bodies/browser-form';
import { labelEndpoints } from '../../resources/labels/routes';
import { renderApiPage, type ApiExchange } from './api-page';

/** The page of a list of labels. */
function pageOf(data: unknown, given: Partial<ApiExchange>): Promise<string> {
  const pattern = labelEndpoints[0]!.path;
  const methods = new Map(labelEndpoints.filter(({ path }) => path === pattern).map((each) => [each.method, each]));
  return renderApiPage(data, {
    route: { pattern, methods, allow: '', ancestors: [] },
    method: 'GET',
    path: '/api/projects/example/labels/',
    query: new URLSearchParams(),
    status: 200,
    headers: {},
    site: { title: 'Site', base: 'http://localhost', root: '' },
    username: 'ana',
    form: undefined,
    csrfToken: undefined,
    ...given,
  });
}

/** Texts of the preformatted blocks. */
const blocksOf = (page: string): string =>
  page
    .split('<pre')
    .slice(1)
    .map((part) => part.split('</pre>')[0]!)
    .join('\n');

it('the commands on a page show the fields of a form, but not the token of the session', async () => {
  const csrfToken = 'the-token-of-the-session';
  const values = { _method: 'POST', csrf_token: csrfToken, name: 'Urgent', color: 'pink' };
  const form = readBrowserForm({ values, form: true, files: new Map() });
  const error = { attr: 'color', code: 'invalid_choice', detail: 'Not a color.' };
  const answer = { type: 'validation_error', errors: [error] };
  const page = await pageOf(answer, { method: 'POST', status: 400, form, csrfToken });
  const commands = blocksOf(page);
  expect(commands).toContain('Urgent');
  expect(commands).not.toMatch(/csrf_token|the-token-of-the-session/);
  // The forms have it.
  expect(page).toContain('name="csrf_token" value="the-token-of-the-session"');
});

it('the command of a read repeats its query, but does not ask for this page', async () => {
  const query = new URLSearchParams('page=2&format=api');
  const page = await pageOf({ count: 0, next: null, previous: null, results: [] }, { query });
  expect(blocksOf(page)).toContain('/labels/?page=2&#39;');
  expect(blocksOf(page)).not.toContain('format=');
});
