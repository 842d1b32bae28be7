import { renderPage } from './render-page';

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>{{7*7}}<%= 7*7 %>`;
const site = { title: hostile, base: 'http://localhost', root: '' };
const frame = { title: hostile, site, username: hostile, csrfToken: 'token' };
const time = { iso: '2026-01-01T00:00:00Z', text: hostile };
const field = { name: 'name', label: hostile, type: 'text', value: hostile, problem: hostile };
const choice = { name: 'factor', label: hostile, type: 'select', choices: [{ value: hostile, text: hostile }] };
const form = {
  id: 'form',
  action: '/accounts/profile/',
  hidden: { csrf_token: 'token', action: hostile },
  fields: [field, choice],
  button: 'Send',
};
const key = {
  id: 'key',
  action: '/accounts/profile/',
  hidden: { csrf_token: 'token', name: hostile },
  button: 'Use',
  use: 'create',
  options: hostile,
};

const profile = {
  ...frame,
  action: '/accounts/profile/',
  user: { username: hostile, fullName: hostile, email: hostile },
  factors: [{ id: 1, name: hostile, kind: hostile, added: time, used: time }],
  factorForm: form,
  removalForm: form,
  confirmForm: form,
  newSecret: { secret: hostile, uri: `otpauth://totp/${hostile}` },
  key,
  provider: { name: hostile, isLinked: false, form: { ...form, id: 'start-link' } },
  openForms: { 'add-factor': true },
  sessions: [
    { id: 1, browser: hostile, address: hostile, created: time, seen: time, current: true },
    { id: 2, browser: hostile, address: hostile, created: time, seen: time, current: false },
  ],
  tokens: [{ id: 1, name: hostile, hint: hostile, limits: hostile, created: time, used: time, expires: time }],
  newToken: hostile,
  tokenForm: form,
  passwordForm: form,
  notice: hostile,
  problem: hostile,
};

const pages = {
  profile: renderPage('profile', profile),
  'second factor': renderPage('form', { ...frame, form, key, links: [{ text: hostile, href: '/' }], problem: hostile }),
};

/** Elements with an id that stands twice. */
const repeatedIds = (page: string): string[] => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
};

describe.each(Object.entries(pages))('the page of the %s', (_name, page) => {
  it('the page shows texts of users as text', () => {
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(page).not.toMatch(/<script>|<img src=x|`49|>49</);
    expect(page.match(/<script\b[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script defer src="\/static\/pages-[0-9a-f]{16}\.js" integrity="sha256-[^"]+">$/),
      expect.stringMatching(
        /^<script src="\/static\/security-key-[0-9a-f]{16}\.js" data-form="key" data-use="create" data-options="&quot;&gt;/,
      ),
    ]);
  });

  it('every form of the page posts and sends the CSRF token', () => {
    const forms = page
      .split('<form')
      .slice(1)
      .map((part) => part.split('</form>')[0]!);
    expect(forms.length).toBeGreaterThan(0);
    for (const text of forms) {
      expect(text).toMatch(/method="post"/);
      expect(text).toContain('name="csrf_token" value="token"');
    }
  });
});

it('the forms of the profile page have fields with labels, hints and problems of their own', () => {
  const { factorForm } = profile;
  const distinct = {
    ...profile,
    factorForm: { ...factorForm, id: 'add-factor' },
    removalForm: { ...form, id: 'remove-factor' },
    confirmForm: { ...form, id: 'confirm-factor' },
    tokenForm: { ...form, id: 'create-token' },
    passwordForm: { ...form, id: 'change-password' },
  };
  const page = renderPage('profile', distinct);
  expect(repeatedIds(page)).toEqual([]);
  for (const [, id] of page.matchAll(/<label for="([^"]*)"/g)) expect(page).toContain(`id="${id}"`);
  for (const [, id] of page.matchAll(/aria-describedby="([^"]*)"/g)) expect(page).toContain(`id="${id}"`);
});

it('pages without a security key run only the script of all pages', () => {
  const { key: _key, ...without } = profile;
  const page = renderPage('profile', { ...without, newSecret: undefined, confirmForm: undefined });
  expect(page.match(/<script\b[^>]* src="[^"]*"/g)).toEqual([
    expect.stringMatching(/^<script defer src="\/static\/pages-[0-9a-f]{16}\.js"$/),
  ]);
});
