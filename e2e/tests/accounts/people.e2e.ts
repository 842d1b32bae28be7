// Users, groups, roles, tokens and subscriptions: the behaviour of each endpoint.
import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { addExample, importExample, parlance, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, base } = system();
const remote = makeRemote();
let project: string;
let path: string;
beforeAll(async () => {
  ({ project, path } = await importExample(api, remote));
});

/** A new user with a client. */
async function someone(fields: object = {}) {
  const username = unique('user');
  const user = await api.post('/api/users/', {
    username,
    full_name: 'Jana Nováková',
    email: `${username}@example.com`,
    ...fields,
  });
  const { token } = await api.post(`/api/users/${username}/tokens/`, { name: 'test' });
  return { username, user, address: `/api/users/${username}`, client: makeApi(base, token) };
}

describe('users', () => {
  it('users are created, read, updated and replaced', async () => {
    const { user, address, username, client } = await someone();
    expect(user).toMatchObject({
      username,
      full_name: 'Jana Nováková',
      is_superuser: false,
      is_active: true,
      is_bot: false,
      last_login: null,
      url: `${base}${address}/`,
      statistics_url: `${base}${address}/statistics/`,
      groups: expect.arrayContaining([expect.stringContaining('/api/groups/')]),
    });
    expect(Date.parse(user.date_joined)).toBeGreaterThan(Date.now() - 60_000);
    expect(await api.patch(`${address}/`, { full_name: 'Jana' })).toMatchObject({
      full_name: 'Jana',
      email: user.email,
    });
    const replaced = await api.send('PUT', `${address}/`, { username, full_name: 'J. N.' });
    expect([replaced.status, replaced.body.full_name]).toEqual([200, 'J. N.']);
    // Other users see only public fields; the list contains the caller only.
    const other = await someone();
    expect(await other.client.get(`${address}/`)).toEqual({ id: user.id, full_name: 'J. N.', username });
    expect((await client.all('/api/users/')).map((u: { username: string }) => u.username)).toEqual([username]);
    const named = await api.all(`/api/users/?username=${username}`);
    expect(named.map((u: { username: string }) => u.username)).toEqual([username]);
  });

  it('inactive users cannot sign in until they are activated', async () => {
    const { address, client } = await someone();
    await api.patch(`${address}/`, { is_active: false });
    expect((await client.send('GET', '/api/projects/')).status).toBe(401);
    await api.patch(`${address}/`, { is_active: true });
    expect((await client.send('GET', '/api/projects/')).status).toBe(200);
  });

  it('users expire at their date', async () => {
    const { address, client, user } = await someone();
    const set = (date_expires: unknown) => api.send('PATCH', `${address}/`, { date_expires });
    const later = await set('2099-01-01T00:00:00Z');
    expect([later.status, later.body.date_expires]).toEqual([200, '2099-01-01T00:00:00.000000Z']);
    expect((await client.send('GET', '/api/projects/')).status).toBe(200);
    for (const wrong of ['nope', 7]) {
      const refused = await set(wrong);
      expect([refused.status, refused.body.errors[0].attr]).toEqual([400, 'date_expires']);
    }
    const past = await set('2020-01-01T00:00:00Z');
    expect([past.status, past.body.errors[0]]).toEqual([400, expect.objectContaining({ code: 'min_value' })]);
    // Later than the response to the request that sets it, on a busy machine too.
    const end = Date.now() + 6_000;
    expect((await set(new Date(end).toISOString())).body.is_active).toBe(true);
    const shown = async () => [
      (await api.get(`${address}/`)).is_active,
      (await api.all(`/api/users/?id=${user.id}`))[0].is_active,
    ];
    expect(await shown()).toEqual([true, true]);
    await eventually(
      async () => {
        await shown();
        return (await client.send('GET', '/api/projects/')).status;
      },
      (status: number) => status === 401,
    );
    expect(Date.now()).toBeGreaterThanOrEqual(end);
    expect(await shown()).toEqual([false, false]);
    expect((await set(null)).body.date_expires).toBeNull();
    expect((await client.send('GET', '/api/projects/')).status).toBe(200);
    const made = await someone({ date_expires: '2099-01-01T00:00:00+01:00' });
    expect(made.user.date_expires).toBe('2098-12-31T23:00:00.000000Z');
  });

  it('an empty or null mail address of a user is rejected', async () => {
    const { address, user } = await someone();
    const refused = await api.send('PATCH', `${address}/`, { email: '' });
    expect([refused.status, refused.body.errors[0]]).toEqual([
      400,
      { attr: 'email', code: 'blank', detail: expect.any(String) },
    ]);
    expect((await api.get(`${address}/`)).email).toBe(user.email);
    expect((await api.send('POST', '/api/users/', { username: unique('u'), full_name: 'X', email: '' })).status).toBe(
      400,
    );
    expect((await api.patch(`${address}/`, { email: null })).email).toBeFalsy();
  });

  it('users are found by numbers of any size', async () => {
    for (const id of ['999999999999999999999', '0']) expect((await api.get(`/api/users/?id=${id}`)).count).toBe(0);
    expect((await api.send('GET', '/api/users/?id=x')).status).toBe(400);
  });

  it('names and mail addresses of users are unique regardless of case', async () => {
    const { username, user } = await someone();
    for (const [fields, attr] of [
      [{ username: username.toUpperCase() }, 'username'],
      [{ email: user.email.toUpperCase() }, 'email'],
    ] as const) {
      const answer = await api.send('POST', '/api/users/', {
        username: unique('u'),
        full_name: 'X',
        email: `${unique('u')}@example.com`,
        ...fields,
      });
      expect({ status: answer.status, error: answer.body.errors[0] }).toMatchObject({
        status: 400,
        error: { attr, code: 'unique' },
      });
    }
  });

  it('deleted users leave no personal data, and the history keeps an author', async () => {
    const { address, username, user, client } = await someone();
    const [hello] = await api.all(`${path}/units/`);
    await client.patch(`/api/units/${hello.id}/`, { target: [`Ahoj ${username}`], state: 20 });
    const [change] = (await api.get(`${path}/changes/?user=${username}`)).results;
    expect(change.user).toBe(`${base}${address}/`);
    expect((await api.send('DELETE', `${address}/`)).status).toBe(204);
    expect((await client.send('GET', '/api/projects/')).status).toBe(401);
    expect((await api.send('GET', `${address}/`)).status).toBe(404);
    const after = await api.get(`/api/changes/${change.id}/`);
    expect(after).toMatchObject({ id: change.id, target: change.target, action: change.action });
    const ghost = await api.get(after.user);
    expect(ghost).toMatchObject({ id: user.id, is_active: false, groups: [] });
    expect(JSON.stringify(ghost)).not.toMatch(new RegExp(`${username}|Jana`));
    // The name can be used again.
    expect((await api.send('POST', '/api/users/', { username, full_name: 'Other', email: user.email })).status).toBe(
      201,
    );
  });

  it('user statistics count contributions', async () => {
    const { address, client } = await someone();
    expect(await api.get(`${address}/statistics/`)).toEqual({
      translated: 0,
      suggested: 0,
      uploaded: 0,
      commented: 0,
      languages: 0,
    });
    const [hello] = await api.all(`${path}/units/`);
    await client.patch(`/api/units/${hello.id}/`, { target: [unique('Ahoj')], state: 20 });
    expect(await api.get(`${address}/statistics/`)).toMatchObject({ translated: 1 });
  });
});

describe('tokens of projects', () => {
  it('project tokens are added to teams by address and id, and a team list must not be empty', async () => {
    const address = `/api/projects/${project}/tokens/`;
    const { groups } = await api.post(address, { name: unique('bot') }).then((token) => api.get(token.user));
    expect(groups).toHaveLength(1);
    const id = Number(/(\d+)\/$/.exec(groups[0])![1]);
    for (const team of [id, String(id), groups[0]]) {
      const token = await api.post(address, { name: unique('bot'), groups: [team] });
      expect((await api.get(token.user)).groups).toEqual(groups);
    }
    for (const [given, attr, code] of [
      [[], 'groups', 'empty'],
      [[999_999_999], 'groups', 'does_not_exist'],
      [['nothing'], 'groups.0', 'does_not_exist'],
    ] as const) {
      const refused = await api.send('POST', address, { name: unique('bot'), groups: given });
      expect([refused.status, refused.body.errors[0]]).toMatchObject([400, { attr, code }]);
    }
  });
});

describe('personal tokens', () => {
  it('personal tokens are shown once, listed without their value, and revoked immediately', async () => {
    const { address, client } = await someone();
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const made = await client.post(`${address}/tokens/`, { name: 'laptop', expires });
    expect(made.token).toMatch(/^plu_[A-Za-z0-9]{36}$/);
    const list = await client.all(`${address}/tokens/`);
    expect(JSON.stringify(list)).not.toContain(made.token);
    expect(list.map((t: { name: string }) => t.name)).toEqual(['test', 'laptop']);
    const laptop = makeApi(base, made.token);
    expect((await laptop.send('GET', '/api/projects/')).status).toBe(200);
    const used = await eventually(
      () => client.get(`${address}/tokens/${made.id}/`),
      (t: { last_used: unknown }) => t.last_used !== null,
    );
    expect(Date.parse(used.expires)).toBe(Date.parse(expires));
    expect((await client.send('DELETE', `${address}/tokens/${made.id}/`)).status).toBe(204);
    expect((await laptop.send('GET', '/api/projects/')).status).toBe(401);
    const past = await client.send('POST', `${address}/tokens/`, { name: 'x', expires: '2001-01-01' });
    expect([past.status, past.body.errors[0].attr]).toEqual([400, 'expires']);
  });
});

describe('subscriptions', () => {
  it('subscriptions are created, changed, replaced and deleted, and are unique per kind', async () => {
    const { address } = await someone();
    const wanted = { notification: 'NewSuggestionNotificaton', scope: 0, frequency: 2 };
    const answer = await api.send('POST', `${address}/notifications/`, wanted);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ ...wanted, id: expect.any(Number), project: null, component: null });
    const one = `${address}/notifications/${answer.body.id}/`;
    expect(answer.headers.get('location')).toBe(`${base}${one}`);
    const twice = await api.send('POST', `${address}/notifications/`, wanted);
    expect(twice.status).toBe(400);
    expect(await api.patch(one, { frequency: 1 })).toMatchObject({ ...wanted, frequency: 1 });
    expect((await api.send('PUT', one, { ...wanted, scope: 10 })).body).toMatchObject({ ...wanted, scope: 10 });
    expect(await api.get(one)).toMatchObject({ scope: 10 });
    expect((await api.send('DELETE', one)).status).toBe(204);
    expect((await api.send('GET', one)).status).toBe(404);
  });

  it('subscriptions of a narrow scope name their object', async () => {
    const { address } = await someone();
    const subscribe = (more: object) =>
      api.send('POST', `${address}/notifications/`, { notification: 'LockNotification', frequency: 1, ...more });
    const ofProject = await subscribe({ scope: 30, project_slug: project });
    expect([ofProject.status, ofProject.body.project.slug, ofProject.body.component]).toEqual([201, project, null]);
    const ofComponent = await subscribe({ scope: 40, project_slug: project, component_slug: 'example' });
    expect([ofComponent.status, ofComponent.body.component.slug]).toEqual([201, 'example']);
    expect((await subscribe({ scope: 40, project_slug: project, component_slug: 'example' })).status).toBe(400);
    for (const [more, wrong] of [
      [{ scope: 0, project_slug: project }, ['project_slug']],
      [{ scope: 30, project_slug: project, component_slug: 'example' }, ['component_slug']],
      [{ scope: 40, component_slug: 'example' }, ['project_slug']],
      [{ scope: 30, project_slug: 'none' }, ['project_slug']],
      [{ scope: 40, project_slug: project, component_slug: 'none' }, ['component_slug']],
      [
        { notification: 'X', scope: 0, project_slug: {}, component_slug: 'x' },
        ['component_slug', 'notification', 'project_slug'],
      ],
    ] as const) {
      const answer = await subscribe(more);
      const attrs = (answer.body.errors ?? []).map((e: { attr: string }) => e.attr).sort();
      expect({ more, status: answer.status, attrs }).toEqual({ more, status: 400, attrs: wrong });
    }
  });

  it('subscriptions send mail, which the operator can read without a mail server', async () => {
    const { address, username } = await someone();
    const subject = { scope: 40, project_slug: project, component_slug: 'example' };
    await api.post(`${address}/notifications/`, { notification: 'LockNotification', frequency: 1, ...subject });
    await api.post(`/api/components/${project}/example/lock/`, { lock: true });
    await api.post(`/api/components/${project}/example/lock/`, { lock: false });
    const read = () =>
      Promise.resolve(JSON.parse(parlance('mail', '--user', username, '--json')) as Record<string, string>[]);
    const mails = await eventually(read, (list: object[]) => list.length >= 2);
    for (const mail of mails)
      expect(mail).toMatchObject({
        to: `${username}@example.com`,
        notification: 'LockNotification',
        subject: expect.stringMatching(/./),
        body: expect.stringContaining('Example'),
      });
    // Locks set by users are distinguished from locks caused by a broken file.
    const entries = await api.get(`/api/components/${project}/example/changes/?action=14&action=15`);
    expect(entries.results.map((entry: { details: object }) => entry.details)).toEqual([
      { auto: false },
      { auto: false },
    ]);
  });
});

describe('groups and roles', () => {
  it('groups give their members the permissions of their roles on their associated objects', async () => {
    const { client, user, address } = await someone();
    const role = await api.post('/api/roles/', { name: unique('role'), permissions: ['component.lock'] });
    const group = await api.post('/api/groups/', {
      name: unique('group'),
      project_selection: 0,
      language_selection: 1,
    });
    const g = `/api/groups/${group.id}`;
    const made = await api.get(`/api/projects/${project}/`);
    const lock = () => client.send('POST', `/api/components/${project}/example/lock/`, { lock: false });
    expect((await lock()).status).toBe(403);
    await api.post(`${g}/roles/`, { role_id: role.id });
    const joined = await api.post(`${address}/groups/`, { group_id: group.id });
    expect(joined.groups).toContain(group.url);
    expect((await lock()).status).toBe(403);
    expect((await api.post(`${g}/projects/`, { project_id: made.id })).projects).toEqual([made.url]);
    expect((await lock()).status).toBe(200);
    // A change of role, association or membership takes effect with the next request.
    expect((await api.send('DELETE', `${g}/projects/${made.id}`)).status).toBe(204);
    expect((await lock()).status).toBe(403);
    const component = await api.get(`/api/components/${project}/example/`);
    await api.post(`${g}/components/`, { component_id: component.id });
    await api.send('PUT', `/api/roles/${role.id}/`, { name: role.name, permissions: ['unit.edit'] });
    expect((await lock()).status).toBe(403);
    expect((await api.patch(`/api/roles/${role.id}/`, { permissions: ['component.lock'] })).permissions.sort()).toEqual(
      ['component.lock', 'unit.edit'],
    );
    const members = await client.all('/api/groups/');
    expect(members.map((m: { id: number }) => m.id)).toContain(group.id);
    expect((await client.all('/api/roles/')).map((r: { id: number }) => r.id)).toContain(role.id);
    expect((await api.send('DELETE', `${address}/groups/`, { group_id: group.id })).body.groups).not.toContain(
      group.url,
    );
    expect((await client.send('GET', `${g}/`)).status).toBe(404);
    // Admins of a team manage its members.
    const admins = await api.post(`${g}/admins/`, { user_id: user.id });
    expect(admins.id).toBe(group.id);
    const other = await someone();
    expect((await client.send('POST', `${other.address}/groups/`, { group_id: group.id })).status).toBe(200);
    expect((await api.send('DELETE', `${g}/admins/${user.id}`)).status).toBe(200);
    expect((await client.send('DELETE', `${other.address}/groups/`, { group_id: group.id })).status).toBe(403);
    expect((await api.send('DELETE', `${g}/`)).status).toBe(204);
    expect((await api.get(`${other.address}/`)).groups).not.toContain(group.url);
    expect((await api.send('DELETE', `/api/roles/${role.id}/`)).status).toBe(204);
  });

  it('groups limited to languages grant nothing in other languages', async () => {
    const { client, address } = await someone();
    const hidden = unique('private');
    const made = await api.post('/api/projects/', {
      name: hidden,
      slug: hidden,
      web: 'https://example.com/',
      access_control: 100,
    });
    const own = await importInto(hidden);
    const [translate] = (await api.all('/api/roles/')).filter((r: { name: string }) => r.name === 'Translate');
    const group = await api.post('/api/groups/', {
      name: unique('czechs'),
      project_selection: 0,
      language_selection: 0,
    });
    await api.post(`/api/groups/${group.id}/roles/`, { role_id: translate.id });
    await api.post(`/api/groups/${group.id}/projects/`, { project_id: made.id });
    await api.post(`/api/groups/${group.id}/languages/`, { language_code: 'cs' });
    await api.post(`${address}/groups/`, { group_id: group.id });
    const edit = async (language: string) => {
      const [unit] = await api.all(`${own}/${language}/units/`);
      return (await client.send('PATCH', `/api/units/${unit.id}/`, { target: [unique('t')], state: 20 })).status;
    };
    expect([await edit('cs'), await edit('de')]).toEqual([200, 403]);
    // The other languages can neither be added nor removed.
    const [languages] = (await api.all('/api/roles/')).filter((r: { name: string }) => r.name === 'Manage languages');
    await api.post(`/api/groups/${group.id}/roles/`, { role_id: languages.id });
    await api.post(`/api/groups/${group.id}/languages/`, { language_code: 'it' });
    const add = async (code: string) =>
      (await client.send('POST', `/api/components/${hidden}/example/translations/`, { language_code: code })).status;
    expect([await add('fr'), await add('it')]).toEqual([403, 201]);
    const remove = async (code: string) => (await client.send('DELETE', `${own}/${code}/`)).status;
    expect([await remove('de'), await remove('it')]).toEqual([403, 204]);
  });

  async function importInto(slug: string): Promise<string> {
    await addExample(api, slug, 'example', remote);
    return `/api/translations/${slug}/example`;
  }

  it('a project with custom access has an administration team and no generated ones', async () => {
    const slug = unique('custom');
    const made = await api.post('/api/projects/', {
      name: slug,
      slug,
      web: 'https://example.com/',
      access_control: 200,
    });
    const teams = (await api.all('/api/groups/')).filter(
      (g: { defining_project: string }) => g.defining_project === made.url,
    );
    expect(teams.map((t: { name: string }) => t.name)).toEqual(['Administration']);
    const { client, address } = await someone();
    expect((await client.send('GET', `/api/projects/${slug}/`)).status).toBe(404);
    await api.post(`${address}/groups/`, { group_id: teams[0].id });
    expect((await client.send('PATCH', `/api/projects/${slug}/`, { instructions: 'x' })).status).toBe(200);
    // Managers of a project create teams within the project.
    const team = await client.post('/api/groups/', { name: 'Readers', defining_project: made.url });
    const wider = await client.send('PATCH', `/api/groups/${team.id}/`, { project_selection: 1 });
    expect([400, 403]).toContain(wider.status);
    expect((await api.get(`/api/groups/${team.id}/`)).project_selection).toBe(0);
  });
});
