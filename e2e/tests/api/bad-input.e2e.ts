import { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { exampleFiles } from '../../support/repository.mjs';
import { exampleSettings, importExample, parlance, system } from '../../support/system.mjs';
import { form } from '../../support/worlds.mjs';

const { api, base } = system();
const remote = makeRemote();

interface ErrorBody {
  type: string;
  detail: string;
  errors: { code: string; detail: string; attr: string | null }[];
}
const attrs = (body: ErrorBody) => body.errors.map((e) => e.attr);

describe('bad input', () => {
  let project: string;
  let path: string;
  beforeAll(async () => {
    ({ project, path } = await importExample(api, remote));
  });

  it('malformed JSON is a parse error', async () => {
    const answer = await api.send('POST', '/api/projects/', '{"name": ', { 'content-type': 'application/json' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'client_error', errors: [{ code: 'parse_error', attr: null }] });
  });

  it('content types other than JSON are rejected, also for endpoints that only take JSON', async () => {
    for (const type of ['application/vnd.api+json', 'application/merge-patch+json', 'text/json']) {
      const answer = await api.send('POST', '/api/projects/', '{}', { 'content-type': type });
      expect([type, answer.status]).toEqual([type, 415]);
    }
  });

  it('JSON is decoded with the charset of its content type', async () => {
    const name = `Zeyn-ë-${project}`;
    const body = Buffer.from(
      JSON.stringify({ username: `u-${project}`, full_name: name, email: `u-${project}@localhost` }),
      'utf16le',
    );
    const answer = await api.send('POST', '/api/users/', body, {
      'content-type': 'application/json; charset=utf-16le',
    });
    expect([answer.status, answer.body.full_name]).toEqual([201, name]);
  });

  it('a text is not a list in JSON but is a list of one item in a form', async () => {
    const role = (permissions: unknown) => api.send('POST', '/api/roles/', { name: `R ${project}`, permissions });
    const refused = await role('unit.edit');
    expect([refused.status, attrs(refused.body)]).toEqual([400, ['permissions']]);
    const form = new URLSearchParams({ name: `R ${project}`, permissions: 'unit.edit' }).toString();
    const taken = await api.send('POST', '/api/roles/', form, { 'content-type': 'application/x-www-form-urlencoded' });
    expect([taken.status, taken.body.permissions]).toEqual([201, ['unit.edit']]);
  });

  it('nonexistent days are not valid dates', async () => {
    const admin = (await api.get('/api/users/?username=admin')).results[0].username;
    const body = { name: 'e', expires: '2030-02-30T00:00:00Z' };
    const token = await api.send('POST', `/api/users/${admin}/tokens/`, body);
    expect([token.status, attrs(token.body)]).toEqual([400, ['expires']]);
    for (const [address, attr] of [
      ['/api/changes/?timestamp_after=2026-02-30', 'timestamp'],
      ['/api/changes/?timestamp_before=2026-11-31T10:00:00Z', 'timestamp'],
      [`/api/projects/${project}/credits/?start=2026-02-30&end=2026-12-01`, 'start'],
    ] as const) {
      const answer = await api.send('GET', address);
      expect([address, answer.status, attrs(answer.body)]).toEqual([address, 400, [attr]]);
    }
  });

  it('all fields of a wrong type are reported together', async () => {
    const answer = await api.send('POST', '/api/projects/', { name: { a: 1 }, slug: 'has spaces', web: 'not a URL' });
    expect(answer.status).toBe(400);
    expect(answer.body.type).toBe('validation_error');
    expect(attrs(answer.body).sort()).toEqual(['name', 'slug', 'web']);
    expect(answer.body.detail).toEqual(expect.any(String));
  });

  it('wrong types, wrong values, taken names and wrong references are reported together and change nothing', async () => {
    const admin = (await api.get('/api/users/?username=admin')).results[0].username;
    const [role] = await api.all('/api/roles/');
    const cases: [string, object, string[]][] = [
      [
        '/api/users/',
        { username: admin, full_name: 'X', email: 'no address', is_bot: 'zzz' },
        ['email', 'is_bot', 'username'],
      ],
      [
        `/api/users/${admin}/notifications/`,
        { notification: 'X', scope: 5, frequency: 9 },
        ['frequency', 'notification', 'scope'],
      ],
      [`/api/users/${admin}/tokens/`, { name: {}, expires: '2001-01-01' }, ['expires', 'name']],
      ['/api/roles/', { name: role.name, permissions: 5 }, ['name', 'permissions']],
      ['/api/groups/', { name: '', project_selection: 'x' }, ['name', 'project_selection']],
      [
        '/api/projects/',
        {
          slug: project,
          web: 'https://example.com/',
          check_flags: 'no-such-flag',
          language_aliases: 'x',
          source_review: 'zzz',
        },
        ['check_flags', 'language_aliases', 'name', 'slug', 'source_review'],
      ],
      [
        `/api/projects/${project}/labels/`,
        { name: 'x'.repeat(500), color: 7, description: {} },
        ['color', 'description', 'name'],
      ],
      [`/api/projects/${project}/tokens/`, { name: '', groups: [], expires: 'x' }, ['expires', 'groups', 'name']],
      [
        `/api/projects/${project}/components/`,
        {
          ...exampleSettings(remote, 'example'),
          name: 'new',
          priority: 'x',
          enforced_checks: ['none'],
          zipfile: 'aGk=',
          docfile: 5,
        },
        ['docfile', 'enforced_checks', 'priority', 'slug', 'zipfile'],
      ],
      [
        '/api/component-lists/',
        { name: 'x', slug: 'a b', show_dashboard: 'zzz', auto_assign: [{ project_match: '(', component_match: 'x' }] },
        ['auto_assign.0.project_match', 'show_dashboard', 'slug'],
      ],
      [
        '/api/categories/',
        { name: 5, slug: 'a b', project: `${base}/api/projects/${project}/`, configuration: [] },
        ['configuration', 'slug'],
      ],
      [
        '/api/languages/',
        { code: 'x y', plural: { number: 'x', formula: 'n +' } },
        ['code', 'name', 'plural.formula', 'plural.number'],
      ],
      [
        '/api/memory/',
        { source: 1, target: {}, source_language: 'nothing', target_language: {}, project: 'nope' },
        ['origin', 'project', 'source_language', 'target', 'target_language'],
      ],
    ];
    for (const [address, body, wrong] of cases) {
      const answer = await api.send('POST', address, body);
      expect({
        address,
        status: answer.status,
        wrong: answer.status === 400 && [...new Set(attrs(answer.body))].sort(),
      }).toEqual({
        address,
        status: 400,
        wrong,
      });
    }
    const fine = { instructions: 'Changed', source_review: 'zzz' };
    expect(attrs((await api.send('PATCH', `/api/projects/${project}/`, fine)).body)).toEqual(['source_review']);
    expect((await api.get(`/api/projects/${project}/`)).instructions).toBe('');
    expect((await api.send('POST', `/api/projects/${project}/lock/`, { lock: 'zzz' })).status).toBe(400);
    expect((await api.get(`/api/projects/${project}/`)).locked).toBe(false);
  });

  const component = (change: object) => exampleSettings(remote, 'x', change);

  it.each([
    ['a missing repository', { repo: 'file:///nowhere/at/all.git' }, 'repo'],
    ['a missing branch', { branch: 'nothing' }, 'branch'],
    ['a filemask that matches nothing', { filemask: 'nothing/*.po', new_base: '', new_lang: 'none' }, 'filemask'],
    ['a filemask without an asterisk', { filemask: 'po/cs.po' }, 'filemask'],
    ['a filemask with parent directories', { filemask: '../../*.po' }, 'filemask'],
    ['an absolute filemask', { filemask: '/etc/*.po' }, 'filemask'],
    ['an option instead of a repository', { repo: '--upload-pack=touch /tmp/x' }, 'repo'],
    ['a command instead of a repository', { repo: 'ext::sh -c "id"' }, 'repo'],
    ['an unknown format', { file_format: 'msword' }, 'file_format'],
    ['a missing base file', { new_base: 'po/missing.pot' }, 'new_base'],
    ['an invalid priority', { priority: 101 }, 'priority'],
    ['a text instead of a boolean', { push_on_commit: 'perhaps' }, 'push_on_commit'],
  ])('a component with %s is rejected and leaves no objects behind', async (_name, change, attr) => {
    const answer = await api.send('POST', `/api/projects/${project}/components/`, component(change));
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 400 });
    // Clients of the peer report a wrong branch as a problem of the repository.
    expect(attr === 'branch' ? ['branch', 'repo'] : [attr]).toContain(attrs(answer.body)[0]);
    expect((await api.send('GET', `/api/components/${project}/x/`)).status).toBe(404);
    expect(
      (await api.get(`/api/projects/${project}/components/`)).results.map((c: { slug: string }) => c.slug),
    ).not.toContain('x');
  });

  it('a file with a syntax error is reported with its line, and the other files are imported', async () => {
    const files = exampleFiles();
    const broken = makeRemote({
      ...files,
      'po/de.po': `${files['po/de.po']}\nmsgid "unfinished\nmsgstr ""\n`,
      'po/fr.po': files['po/de.po']!.replace('charset=UTF-8', 'charset=klingon-8'),
    });
    const { project: other, task } = await importExample(api, broken);
    expect(task.completed).toBe(true);
    expect(task.log).toMatch(/po\/de\.po.*\b\d+/);
    expect(task.log).toMatch(/po\/fr\.po/);
    const languages = (await api.all(`/api/components/${other}/example/translations/`)).map(
      (t: { language_code: string }) => t.language_code,
    );
    expect(languages).toContain('cs');
    expect(languages).not.toContain('de');
    const errors = (await api.all(`/api/components/${other}/example/changes/?action=24`)).map(
      (c: { target: string }) => c.target,
    );
    expect(errors.join('\n')).toMatch(/de\.po/);
  });

  it('invalid edits are rejected with the field', async () => {
    const [hello, plural] = await api.all(`${path}/units/`);
    const cases: [number, object, string][] = [
      [hello.id, { target: ['a', 'b'], state: 20 }, 'target'],
      [hello.id, { target: 5, state: 20 }, 'target'],
      [hello.id, { target: ['a'], state: 15 }, 'state'],
      [hello.id, { target: ['a'], state: 100 }, 'state'],
      [hello.id, { target: ['a'], state: 30 }, 'state'],
      [hello.id, { target: [''], state: 20 }, 'target'],
      [plural.id, { target: ['jen jedna'], state: 20 }, 'target'],
    ];
    for (const [id, body, attr] of cases) {
      const answer = await api.send('PATCH', `/api/units/${id}/`, body);
      expect({ body, status: answer.status, attr: attrs(answer.body)[0]?.split('.')[0] }).toEqual({
        body,
        status: 400,
        attr,
      });
    }
    expect((await api.get(`/api/units/${hello.id}/`)).target).toEqual(['Ahoj, světe!']);
  });

  it('a query that does not parse is reported on the field q', async () => {
    const answer = await api.send('GET', `${path}/units/?q=${encodeURIComponent('state:nonsense')}`);
    expect(answer.status).toBe(400);
    expect(attrs(answer.body)).toEqual(['q']);
    expect((await api.send('GET', `${path}/units/?q=${encodeURIComponent('('.repeat(9000))}`)).status).toBe(400);
  });

  it('a body of 200 MB is refused early', async () => {
    let sent = 0;
    const response = await fetch(`${base}/api/projects/`, {
      method: 'POST',
      headers: { authorization: `Token ${api.token}`, 'content-type': 'application/json' },
      body: new ReadableStream<Uint8Array>({
        pull(controller) {
          if (++sent > 200) controller.close();
          else controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
        },
      }),
      duplex: 'half',
    } as RequestInit).then(
      (r) => r.status,
      // The server may close the connection before the client has sent everything.
      () => 413,
    );
    expect(response).toBe(413);
    expect((await api.send('GET', '/api/')).status).toBe(200);
  });

  it('a token of another project cannot read this project', async () => {
    const other = `other-${project}`;
    await api.post('/api/projects/', { name: other, slug: other, web: 'https://example.com/' });
    const stranger = makeApi(base, parlance('token', 'create', '--project', other));
    expect(stranger.token).toMatch(/^plp_[A-Za-z0-9]{36}$/);
    expect((await stranger.send('GET', `/api/projects/${other}/`)).status).toBe(200);
    const [hello] = await api.all(`${path}/units/`);
    for (const [method, url, body] of [
      ['GET', `/api/projects/${project}/`, undefined],
      ['GET', `${path}/units/`, undefined],
      ['PATCH', `/api/units/${hello.id}/`, { target: ['x'], state: 20 }],
      ['POST', `/api/components/${project}/example/repository/`, { operation: 'push' }],
    ] as const) {
      expect({ url, status: (await stranger.send(method, url, body)).status }).toEqual({ url, status: 404 });
    }
    const slugs = (await stranger.all('/api/projects/')).map((p: { slug: string }) => p.slug);
    expect(slugs).toEqual([other]);
  });

  it('invalid tokens are answered with 401, also on public resources', async () => {
    const answer = await makeApi(base, 'plu_wrong').send('GET', '/api/projects/');
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ type: 'client_error', errors: [{ code: 'authentication_failed' }] });
    const anonymous = await makeApi(base).send('POST', '/api/projects/', { name: 'x' });
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('www-authenticate')).toContain('Token');
  });

  it('unsupported methods are answered with the supported ones', async () => {
    const answer = await api.send('DELETE', '/api/projects/');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('POST');
    expect((await api.send('POST', '/api/projects/', 'x', { 'content-type': 'application/x-unknown' })).status).toBe(
      415,
    );
    expect((await api.send('GET', '/api/projects/', undefined, { accept: 'image/png' })).status).toBe(406);
    expect((await api.send('GET', '/api/nowhere/')).status).toBe(404);
  });
});

describe('rejected changes of strings', () => {
  let project: string;
  let path: string;
  let unit: { id: number; source_unit: string };
  beforeAll(async () => {
    ({ project, path } = await importExample(api, remote, { manage_units: true }));
    unit = (await api.get(`${path}/units/`)).results[0];
  });

  it('deleting the source translation is rejected', async () => {
    const answer = await api.send('DELETE', path.replace(/cs$/, 'en/'));
    expect([answer.status, answer.body.errors[0].code]).toEqual([403, 'permission_denied']);
  });

  it('labels on a translated string are rejected before the labels are resolved', async () => {
    for (const labels of [[], [999_999]]) {
      const answer = await api.send('PATCH', `/api/units/${unit.id}/`, { labels });
      expect([answer.status, answer.body.errors[0].code]).toEqual([403, 'permission_denied']);
    }
    const source = await api.send('PATCH', unit.source_unit, { labels: [999_999] });
    expect([source.status, attrs(source.body)]).toEqual([400, ['labels']]);
  });

  it('a comment without a text is rejected', async () => {
    const answer = await api.send('POST', `/api/units/${unit.id}/comments/`, { scope: 'nowhere', comment: '' });
    expect([answer.status, attrs(answer.body).sort()]).toEqual([400, ['comment', 'scope']]);
  });

  it('all problems of a string, comment, add-on, image or file are reported together, whichever service finds them', async () => {
    const bytes = Buffer.from('neither an image nor a file');
    const place = { project_slug: project, component_slug: 'example', language_code: 'cs' };
    const component = path.replace('/translations/', '/components/').replace(/\/cs\/?$/, '');
    const cases: [string, string, object | FormData, string[]][] = [
      ['PATCH', `/api/units/${unit.id}/`, { target: ['a', 'b', 'c', 'd'], state: 'x' }, ['state', 'target']],
      ['PUT', `/api/units/${unit.id}/`, { target: ['a\0'], state: 15 }, ['state', 'target.0']],
      ['PATCH', unit.source_unit, { extra_flags: 'no-such-flag', labels: 'x' }, ['extra_flags', 'labels']],
      [
        'POST',
        `${path}/units/`,
        { context: {}, target: ['a', 'b', 'c'], state: 17 },
        ['context', 'source', 'state', 'target'],
      ],
      ['POST', `/api/units/${unit.id}/comments/`, { comment: '\u0001', scope: 'x' }, ['comment', 'scope']],
      [
        'POST',
        `${component}/addons/`,
        { name: 'weblate.cdn.cdnjs', configuration: { threshold: 'x' } },
        ['configuration', 'name'],
      ],
      [
        'POST',
        '/api/screenshots/',
        { ...place, project_slug: 'x' },
        ['component_slug', 'image', 'language_code', 'name', 'project_slug'],
      ],
      [
        'POST',
        '/api/screenshots/',
        form({ ...place, name: 'x'.repeat(300) }, { field: 'image', bytes, filename: 'x.png' }),
        ['image', 'name'],
      ],
      ['POST', '/api/screenshots/', form({ ...place, name: '\u0001' }), ['image', 'name']],
      [
        'POST',
        `${path}/file/`,
        form({ method: 'x', email: 'x', conflicts: 'replace-approved' }, { field: 'file', bytes, filename: 'x.po' }),
        ['conflicts', 'email', 'file', 'method'],
      ],
      ['POST', `${path}/file/`, { fuzzy: 'x', conflicts: 'replace-approved' }, ['conflicts', 'file', 'fuzzy']],
      [
        'POST',
        `${path}/autotranslate/`,
        { mode: 'x', filter_type: 'x', auto_source: 'x', threshold: 'x' },
        ['auto_source', 'filter_type', 'mode', 'threshold'],
      ],
      [
        'POST',
        `${path}/autotranslate/`,
        { mode: 'x', q: 'state:nope', auto_source: 'mt', engines: ['x'] },
        ['engines', 'mode', 'q'],
      ],
    ];
    for (const [method, address, body, wrong] of cases) {
      const answer = await api.send(method, address, body);
      const named = [...new Set(attrs(answer.body))].sort();
      expect({ method, address, status: answer.status, named }).toEqual({ method, address, status: 400, named: wrong });
    }
  });
});
