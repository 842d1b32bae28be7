// Structure objects, their lists, and unusual requests to every endpoint.
import { components, makeWorld } from '../world.mjs';

const HEADERS = ['content-type', 'allow', 'vary'];

export async function structure(context) {
  const { sides, project: p } = context;
  await makeWorld(context);
  const area = 'structure';
  const get = (path, options) =>
    sides.step(area, `GET ${path.replaceAll(p, '{p}')}`, 'GET', path, undefined, { headers: HEADERS, ...options });
  const slugs = Object.keys(components);

  await get('/api/');
  for (const path of [
    `/api/projects/${p}/`,
    `/api/projects/${p}/components/`,
    `/api/projects/${p}/repository/`,
    `/api/projects/${p}/statistics/`,
    `/api/projects/${p}/languages/`,
    `/api/projects/${p}/categories/`,
    `/api/projects/${p}/labels/`,
    `/api/projects/${p}/lock/`,
    '/api/users/admin/',
    '/api/users/admin/notifications/',
    '/api/languages/cs/',
    '/api/languages/de/',
    '/api/languages/ja/',
    '/api/languages/ar/',
    '/api/roles/?page_size=1000',
    '/api/component-lists/',
    '/api/memory/?page_size=1',
    '/api/tasks/',
  ])
    await get(path);
  await get('/api/schema/', { bodies: false, request: { accept: 'application/vnd.oai.openapi+json' } });
  for (const slug of slugs) {
    const c = `${p}/${slug}`;
    for (const tail of [
      '',
      'lock/',
      'repository/',
      'translations/',
      'statistics/',
      'links/',
      'screenshots/',
      'monolingual_base/',
      'new_template/',
    ])
      await get(`/api/components/${c}/${tail}`, { bodies: !/base|template/.test(tail) });
    for (const code of ['cs', 'de', 'en', 'fr'])
      for (const tail of ['', 'statistics/', 'repository/', 'units/?page_size=1000'])
        await get(`/api/translations/${c}/${code}/${tail}`);
  }

  // Paging, formats, unusual requests.
  for (const query of [
    'page=1',
    'page=last',
    'page=0',
    'page=-1',
    'page=x',
    'page=99',
    'page_size=0',
    'page_size=-1',
    'page_size=x',
    'page_size=2',
    'page_size=2&page=2',
    'format=json',
    'format=csv',
    'format=api',
    'format=nope',
    'format=',
  ])
    for (const list of [
      `/api/projects/${p}/components/`,
      `/api/components/${p}/po/translations/`,
      `/api/translations/${p}/po/cs/units/`,
    ])
      await get(`${list}?${query}`, { bodies: !/csv|api/.test(query) });
  for (const accept of ['text/html', 'text/csv', 'application/xml', '*/*', 'application/json; indent=2', 'image/png'])
    await get(`/api/projects/${p}/`, { request: { accept }, bodies: /json/.test(accept) });
  for (const path of [
    '/api/projects/no-such-project/',
    '/api/components/no-such/none/',
    `/api/components/${p}/none/`,
    `/api/translations/${p}/po/xx/`,
    '/api/units/0/',
    '/api/units/999999999/',
    '/api/units/abc/',
    '/api/changes/999999999/',
    '/api/screenshots/999999999/',
    '/api/addons/999999999/',
    '/api/groups/999999999/',
    '/api/roles/999999999/',
    '/api/categories/999999999/',
    '/api/languages/nope/',
    '/api/users/no-such-user/',
    '/api/component-lists/none/',
    '/api/tasks/00000000-0000-0000-0000-000000000000/',
    '/api/nothing/',
  ])
    await get(path, { bodies: path !== '/api/nothing/' });
  const odd = [
    ['POST', '/api/projects/', {}],
    ['POST', '/api/projects/', { name: 'x' }],
    ['POST', '/api/projects/', { name: p, slug: p, web: 'https://example.com/' }],
    ['POST', '/api/projects/', { name: 'Bad', slug: 'bad slug', web: 'https://example.com/' }],
    ['POST', '/api/projects/', { name: 'Bad', slug: 'bad', web: 'no address' }],
    ['POST', '/api/projects/', { name: '', slug: '', web: '' }],
    ['POST', '/api/projects/', { name: null, slug: null, web: null }],
    ['PATCH', `/api/projects/${p}/`, { name: '' }],
    ['PATCH', `/api/projects/${p}/`, { web: 'x' }],
    ['PATCH', `/api/projects/${p}/`, { translation_review: 'maybe' }],
    ['PATCH', `/api/projects/${p}/`, { check_flags: 'no-such-flag' }],
    ['PUT', `/api/projects/${p}/`, { name: p }],
    ['DELETE', '/api/projects/', undefined],
    ['POST', `/api/projects/${p}/components/`, {}],
    [
      'POST',
      `/api/projects/${p}/components/`,
      { name: 'po', slug: 'po', vcs: 'git', repo: 'git://127.0.0.1/none', filemask: 'po/*.po', file_format: 'po' },
    ],
    [
      'POST',
      `/api/projects/${p}/components/`,
      { name: 'n', slug: 'n', vcs: 'nope', repo: 'x', filemask: 'po/*.po', file_format: 'po' },
    ],
    [
      'POST',
      `/api/projects/${p}/components/`,
      { name: 'n', slug: 'n', vcs: 'git', repo: 'x', filemask: 'nostar', file_format: 'nope' },
    ],
    ['PATCH', `/api/components/${p}/po/`, { priority: 'high' }],
    ['PATCH', `/api/components/${p}/po/`, { priority: 1000 }],
    ['PATCH', `/api/components/${p}/po/`, { filemask: 'nostar.po' }],
    ['PATCH', `/api/components/${p}/po/`, { check_flags: 'no-such-flag' }],
    ['PATCH', `/api/components/${p}/po/`, { new_lang: 'whatever' }],
    ['PATCH', `/api/components/${p}/po/`, { commit_message: '{{ broken' }],
    ['PATCH', `/api/components/${p}/po/`, { enforced_checks: ['no_such_check'] }],
    ['PATCH', `/api/components/${p}/po/`, { enforced_checks: 'same' }],
    ['PUT', `/api/components/${p}/po/`, { name: 'po' }],
    ['POST', `/api/components/${p}/po/lock/`, {}],
    ['POST', `/api/components/${p}/po/lock/`, { lock: 'x' }],
    ['POST', `/api/components/${p}/po/repository/`, {}],
    ['POST', `/api/components/${p}/po/repository/`, { operation: 'nope' }],
    ['POST', `/api/components/${p}/po/translations/`, {}],
    ['POST', `/api/components/${p}/po/translations/`, { language_code: 'cs' }],
    ['POST', `/api/components/${p}/po/translations/`, { language_code: 'no-such-language' }],
    ['POST', `/api/components/${p}/po/links/`, {}],
    ['POST', `/api/components/${p}/po/links/`, { project_slug: p }],
    ['POST', `/api/components/${p}/po/links/`, { project_slug: 'no-such-project' }],
    ['POST', `/api/components/${p}/po/addons/`, {}],
    ['POST', `/api/components/${p}/po/addons/`, { name: 'no.such.addon' }],
    ['POST', `/api/components/${p}/po/addons/`, { name: 'weblate.gettext.linguas' }],
    ['PATCH', `/api/translations/${p}/po/cs/`, {}],
    ['DELETE', `/api/translations/${p}/po/en/`, undefined],
    ['POST', `/api/translations/${p}/po/cs/units/`, {}],
    ['POST', `/api/translations/${p}/po/cs/units/`, { source: ['Hello'], target: ['x'] }],
    ['POST', `/api/translations/${p}/json/en/units/`, { key: 'greeting', value: ['x'] }],
    ['POST', `/api/translations/${p}/json/en/units/`, { key: '', value: ['x'] }],
    ['POST', `/api/translations/${p}/json/en/units/`, { value: ['x'] }],
    ['POST', `/api/translations/${p}/json/en/units/`, { key: 'a' }],
    ['POST', `/api/translations/${p}/po/cs/autotranslate/`, {}],
    ['POST', `/api/translations/${p}/po/cs/autotranslate/`, { mode: 'nope', auto_source: 'others' }],
    [
      'POST',
      `/api/translations/${p}/po/cs/autotranslate/`,
      { mode: 'suggest', auto_source: 'mt', engines: ['nope'], threshold: 80 },
    ],
    [
      'POST',
      `/api/translations/${p}/po/cs/autotranslate/`,
      { mode: 'suggest', auto_source: 'others', component: 'no-such', filter_type: 'todo' },
    ],
    [
      'POST',
      `/api/translations/${p}/po/cs/autotranslate/`,
      { mode: 'suggest', auto_source: 'others', component: '999999', q: 'state:empty' },
    ],
    [
      'POST',
      `/api/translations/${p}/po/cs/autotranslate/`,
      { mode: 'suggest', auto_source: 'others', q: 'state:nope' },
    ],
    [
      'POST',
      `/api/translations/${p}/po/cs/autotranslate/`,
      { mode: 'suggest', auto_source: 'mt', engines: [], threshold: 200, q: '' },
    ],
    ['POST', `/api/projects/${p}/labels/`, {}],
    ['POST', `/api/projects/${p}/labels/`, { name: 'l', color: 'nope' }],
    ['POST', `/api/projects/${p}/labels/`, { name: 'urgent', color: 'red' }],
    ['POST', '/api/categories/', {}],
    ['POST', '/api/categories/', { name: 'c', slug: 'c', project: 'nope' }],
    ['POST', '/api/component-lists/', {}],
    ['POST', '/api/component-lists/none/components/', { component_id: 1 }],
    ['POST', '/api/languages/', {}],
    [
      'POST',
      '/api/languages/',
      { code: 'cs', name: 'Czech', direction: 'ltr', plural: { number: 2, formula: 'n != 1' } },
    ],
    [
      'POST',
      '/api/languages/',
      { code: 'x-agree', name: 'Agree', direction: 'up', plural: { number: 2, formula: 'n !' } },
    ],
    ['POST', '/api/users/', {}],
    ['POST', '/api/users/', { username: 'admin', full_name: 'x', email: 'not an address' }],
    ['POST', '/api/users/admin/groups/', {}],
    ['POST', '/api/users/admin/groups/', { group_id: 999999 }],
    ['POST', '/api/users/admin/notifications/', {}],
    ['POST', '/api/users/admin/notifications/', { notification: 'NoSuchNotification', scope: 0, frequency: 0 }],
    ['POST', '/api/groups/', {}],
    ['POST', '/api/groups/', { name: 'g', project_selection: 99, language_selection: 99 }],
    ['POST', '/api/roles/', {}],
    ['POST', '/api/roles/', { name: 'r', permissions: ['no.such'] }],
    ['POST', '/api/screenshots/', {}],
    ['PATCH', '/api/users/admin/', { username: '' }],
    ['PATCH', '/api/users/admin/', { email: 'x' }],
  ];
  for (const [method, path, body] of odd)
    await sides.step(
      'odd requests',
      `${method} ${path.replaceAll(p, '{p}')} ${JSON.stringify(body)?.replaceAll(p, '{p}') ?? ''}`,
      method,
      path,
      body,
      { headers: ['content-type'] },
    );
  for (const body of ['{', '[1]', '"x"', 'null', ''])
    await sides.step('odd requests', `PATCH project with body ${body}`, 'PATCH', `/api/projects/${p}/`, body, {
      request: { 'content-type': 'application/json' },
    });
  await sides.step('odd requests', 'PATCH project with XML', 'PATCH', `/api/projects/${p}/`, '<a/>', {
    request: { 'content-type': 'application/xml' },
  });
  for (const path of [`/api/projects/${p}/changes/`, `/api/components/${p}/po/changes/`])
    for (const query of [
      'action=nope',
      'action=2',
      'user=nobody',
      'user=admin&page_size=1',
      'timestamp_after=x',
      'timestamp_before=2020-01-01',
    ])
      await get(`${path}?${query}`, { bodies: !/page_size/.test(query) });
}
