// One page of every kind, with texts that are hard to lay out: for tests and screenshots.
import { font, form, pixel, unique } from '../support/forms.mjs';

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Files of a repository with long texts, plurals, markup and a language that is written from right to left. */
export const repositoryFiles = () => ({
  'po/app.pot': poFile('', {}),
  'po/cs.po': poFile('cs', { 'Hello, world!': 'Ahoj, světe!' }),
  'po/de.po': poFile('de', { 'Hello, world!': 'Hallo Welt!', 'The name of the company.': LONG_WORD }),
  'po/ar.po': poFile('ar', { 'Hello, world!': 'مرحبا بالعالم!' }),
});

const sources = [
  'Hello, world!',
  'The name of the company.',
  'Read <a href=\\"https://example.com/\\">the manual</a> before you press %s.',
  'First line\\nSecond line\\n\\tindented',
];

function poFile(language, targets) {
  const header = `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n${language ? `"Language: ${language}\\n"\n` : ''}`;
  const entries = sources.map(
    (source, i) =>
      `#. Shown in the window with the number ${i}.\n#: src/windows/${i}/main.c:${i}\nmsgid "${source}"\nmsgstr "${targets[source] ?? ''}"\n`,
  );
  return [header, ...entries].join('\n');
}

/**
 * Creates the objects that the pages show.
 * @param api client of a superuser
 * @param {{ url: string }} repository with repositoryFiles()
 */
export async function makeObjects(api, repository) {
  const project = unique('shown');
  const title = `Pages ${project}`;
  const instructions =
    'Please translate politely.\n\nAsk in the forum at https://forum.example.com/ if a text is unclear.';
  const { url } = await api.post('/api/projects/', { name: title, slug: project, web: 'https://example.com/' });
  await api.patch(url, { instructions });
  const category = await api.post('/api/categories/', { name: 'Mobile', slug: 'mobile', project: url, category: null });
  const component = await api.post(`/api/projects/${project}/components/`, {
    name: `Application for ${LONG_WORD}`,
    slug: 'app',
    vcs: 'git',
    repo: repository.url,
    branch: 'main',
    filemask: 'po/*.po',
    new_base: 'po/app.pot',
    file_format: 'po',
    license: 'Apache-2.0',
    agreement: 'You agree to the licence.',
    report_source_bugs: 'bugs@example.com',
  });
  await api.finished(component.task_url);
  await api.post(`/api/components/${project}/app/agreement/`, { agreed: true });
  const linked = await api.post(`/api/projects/${project}/components/`, {
    name: 'Mobile app',
    slug: 'phone',
    vcs: 'git',
    repo: `parlance://${project}/app`,
    filemask: 'po/*.po',
    new_base: 'po/app.pot',
    file_format: 'po',
    category: category.url,
  });
  await api.finished(linked.task_url);
  await api.post(`/api/projects/${project}/labels/`, { name: 'Urgent', color: 'red' });
  const list = await api.post('/api/component-lists/', { name: `List ${project}`, slug: project });
  await api.post(`${list.url}components/`, { component_id: component.id });
  const translation = `/api/translations/${project}/app/cs/`;
  const units = await api.all(`${translation}units/`);
  const unit = units.find(({ source }) => source[0].includes('%s'));
  await api.patch(`/api/units/${unit.id}/`, { target: ['Přečtěte si <b>návod</b>'], state: 20 });
  await api.post(`/api/units/${unit.id}/comments/`, { comment: 'Which button?', scope: 'translation' });
  await api.post(`/api/units/${unit.id}/suggestions/`, { target: ['Přečtěte si návod a stiskněte %s.'] });
  const shot = form(
    { name: 'Main window', project_slug: project, component_slug: 'app', language_code: 'cs' },
    { field: 'image', bytes: pixel, filename: 'window.png' },
  );
  const screenshot = await api.post('/api/screenshots/', shot);
  await api.post(`/api/projects/${project}/fonts/`, form({}, { field: 'font', bytes: font, filename: 'sample.ttf' }));
  const { web_url: string } = await api.get(`/api/units/${unit.id}/`);
  return { project, translation, unit: unit.id, string: new URL(string), list: list.slug, screenshot: screenshot.id };
}

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ name: string, signedIn?: boolean, path: string, then?: (page: Page) => Promise<unknown> }} Place */

const sendForm = (fields, button) => async (page) => {
  for (const [selector, value] of Object.entries(fields)) await page.fill(selector, value);
  await Promise.all([page.waitForEvent('load'), page.click(button)]);
};

/**
 * Pages of every kind. `then` leads from the path to the page.
 * @returns {Place[]}
 */
export function placesOf({ project, translation, unit, string, list, screenshot }) {
  const profile = '/accounts/profile/';
  const wrongUser = { 'input[name=username]': 'nobody', 'input[name=password]': 'wrong password' };
  return [
    { name: 'home', path: '/' },
    { name: 'projects', path: '/projects/' },
    { name: 'project', path: `/projects/${project}/` },
    { name: 'component', path: `/projects/${project}/app/` },
    { name: 'translation', path: `/projects/${project}/app/cs/` },
    { name: 'category', path: `/projects/${project}/mobile/` },
    { name: 'project-language', path: `/projects/${project}/-/cs/` },
    { name: 'languages', path: '/languages/' },
    { name: 'language', path: '/languages/ar/' },
    { name: 'component-list', path: `/component-lists/${list}/` },
    { name: 'strings', path: `/translate/${project}/app/de/` },
    { name: 'strings-right-to-left', path: `/translate/${project}/app/ar/` },
    { name: 'strings-wrong-search', path: `/translate/${project}/app/cs/?q=(` },
    { name: 'string', path: string.pathname + string.search },
    { name: 'engage', path: `/engage/${project}/` },
    { name: 'engage-language', path: `/engage/${project}/-/cs/` },
    { name: 'missing', path: '/projects/no-such-project/' },
    { name: 'sign-in', path: '/accounts/login/' },
    { name: 'sign-in-refused', path: '/accounts/login/', then: sendForm(wrongUser, 'main form button') },
    { name: 'reset', path: '/accounts/password/reset/' },
    {
      name: 'reset-sent',
      path: '/accounts/password/reset/',
      then: sendForm({ 'input[name=email]': 'nobody@example.com' }, 'main form button'),
    },
    {
      name: 'reset-expired',
      path: '/accounts/password/set/?secret=expired',
      then: sendForm({ '#set-password': 'a new password', '#set-repeated': 'a new password' }, 'main form button'),
    },
    { name: 'profile', signedIn: true, path: profile },
    {
      name: 'profile-new-token',
      signedIn: true,
      path: profile,
      then: sendForm({ '#create-token-name': 'Laptop' }, 'form:has(#create-token-name) button'),
    },
    {
      name: 'profile-wrong-password',
      signedIn: true,
      path: profile,
      then: sendForm(
        {
          '#change-password-current_password': 'wrong password',
          '#change-password-password': 'a new password',
          '#change-password-repeated': 'a new password',
        },
        'form:has(#change-password-password) button',
      ),
    },
    { name: 'api', path: '/api/' },
    { name: 'api-list', signedIn: true, path: '/api/projects/' },
    { name: 'api-object', signedIn: true, path: `/api/projects/${project}/` },
    { name: 'api-fonts', signedIn: true, path: `/api/projects/${project}/fonts/` },
    { name: 'api-component', signedIn: true, path: `/api/components/${project}/app/` },
    { name: 'api-units', path: `${translation}units/?page_size=2` },
    { name: 'api-unit', signedIn: true, path: `/api/units/${unit}/` },
    { name: 'api-checks', signedIn: true, path: `/api/units/${unit}/checks/` },
    { name: 'api-upload', path: `${translation}file/?format=api` },
    { name: 'api-screenshot', path: `/api/screenshots/${screenshot}/` },
    { name: 'api-missing', path: '/api/projects/no-such-project/' },
    { name: 'api-refused', path: '/api/users/admin/notifications/' },
    {
      name: 'api-wrong-field',
      signedIn: true,
      path: `/api/projects/${project}/`,
      then: async (page) => {
        await page
          .locator('details', { has: page.locator('#patch-web') })
          .first()
          .evaluate((element) => (element.open = true));
        await sendForm({ '#patch-web': 'no address', '#patch-name': '' }, 'form:has(#patch-web) button')(page);
      },
    },
    {
      name: 'docs',
      path: '/api/docs/',
      // All endpoints at once are a page of some 200 sections.
      then: async (page) => {
        const other = page.locator('[data-path="/api/"]');
        await other.waitFor();
        await page.fill('.operation-filter-input', 'labels');
        // Until the viewer has filtered its list, a click meets another endpoint.
        await other.waitFor({ state: 'detached' });
        await page.locator('.opblock-post .opblock-summary-control').first().click();
        await page.waitForSelector('.opblock-body');
      },
    },
  ];
}

/** @type {readonly { look: string, colorScheme: 'light' | 'dark', viewport: { width: number, height: number } }[]} */
export const looks = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 360, height: 740 } },
];

/** Signs in through the form. @param {Page} page @param {{ username: string, password: string }} person */
export async function signInOn(page, { username, password }) {
  await page.goto('/accounts/login/');
  await sendForm({ 'input[name=username]': username, 'input[name=password]': password }, 'main form button')(page);
  await page.waitForURL('**/accounts/profile/');
}

/** Opens a page of a kind. @param {Page} page @param {Place} place */
export async function openPlace(page, { path, then }) {
  await page.goto(path);
  await then?.(page);
}
