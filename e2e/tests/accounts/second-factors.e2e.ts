// Second factors, and `enforced_2fa` of projects and teams.
import { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { exampleFiles } from '../../support/repository.mjs';
import { importExample, parlance, system } from '../../support/system.mjs';
import { totp } from '../../support/sign-in/totp.mjs';
import { form, unique } from '../../support/worlds.mjs';

const { api, base } = system();

type Api = typeof api;

/** A new user with a password and a client. */
async function someone() {
  const username = unique('user');
  const { id } = await api.post('/api/users/', { username, full_name: username, email: `${username}@example.com` });
  const { token } = await api.post(`/api/users/${username}/tokens/`, { name: 'test' });
  return {
    id: id as number,
    username,
    password: parlance('user', 'reset-password', username),
    factors: `/api/users/${username}/second-factors/`,
    client: makeApi(base, token),
  };
}

/** Creates and confirms a factor as an authenticator app does; returns its address. */
async function enrol({ client, factors, password }: Awaited<ReturnType<typeof someone>>): Promise<string> {
  const made = await client.post(factors, { name: 'phone', password });
  const code = totp(made.secret);
  await client.post(`${factors}${made.id}/confirm/`, { code });
  return `${factors}${made.id}/`;
}

describe('second factors', () => {
  it('second factors are enrolled and confirmed by their owner, listed without their secret, and removed', async () => {
    const { client, username, factors, password } = await someone();
    // A token alone cannot enrol a factor.
    const refused = async (who: Api, method: string, path: string, body: object) => {
      const { status, body: said } = await who.send(method, path, body);
      return [status, said.errors[0].attr, said.errors[0].code];
    };
    expect(await refused(client, 'POST', factors, { name: 'phone' })).toEqual([400, 'password', 'required']);
    const wrong = { name: 'phone', password: 'wrong' };
    expect(await refused(client, 'POST', factors, wrong)).toEqual([400, 'password', 'invalid']);
    expect(await client.all(factors)).toEqual([]);
    const answer = await client.send('POST', factors, { name: 'phone', password });
    expect(answer.status).toBe(201);
    const made = answer.body;
    const one = `${factors}${made.id}/`;
    expect(answer.headers.get('location')).toBe(`${base}${one}`);
    expect(made).toMatchObject({ name: 'phone', confirmed: null, last_used: null, url: `${base}${one}` });
    expect(new URL(made.otpauth_uri).searchParams.get('secret')).toBe(made.secret);
    const shown = await client.get(one);
    expect(await client.all(factors)).toEqual([shown]);
    expect({ ...shown, secret: made.secret, otpauth_uri: made.otpauth_uri }).toEqual(made);

    const confirm = (body: object, who: Api = client) => who.send('POST', `${one}confirm/`, body);
    const problem = async (body: object) => {
      const { status, body: said } = await confirm(body);
      return [status, said.errors[0].attr, said.errors[0].code];
    };
    // Ten minutes old; the chance that it is a current code is three in a million.
    const old = totp(made.secret, Date.now() - 600_000);
    expect(await problem({ code: old })).toEqual([400, 'code', 'invalid']);
    expect(await problem({ code: 'twelve' })).toEqual([400, 'code', 'invalid']);
    expect(await problem({})).toEqual([400, 'code', 'required']);
    const code = totp(made.secret);
    // Administrators cannot confirm factors of other users.
    expect((await confirm({ code }, api)).status).toBe(403);
    expect((await api.send('POST', factors, { name: 'x' })).status).toBe(403);
    const confirmed = await confirm({ code });
    expect([confirmed.status, Date.parse(confirmed.body.confirmed)]).toEqual([
      200,
      Date.parse(confirmed.body.last_used),
    ]);
    expect(await problem({ code })).toEqual([400, 'code', 'invalid']);

    const other = await someone();
    expect((await other.client.send('GET', factors)).status).toBe(403);
    expect((await other.client.send('DELETE', one)).status).toBe(403);
    expect(await api.all(factors)).toEqual([confirmed.body]);
    expect(await refused(client, 'DELETE', one, {})).toEqual([400, 'password', 'required']);
    expect(await refused(api, 'DELETE', one, { password: 'wrong' })).toEqual([400, 'password', 'invalid']);
    const adminPassword = parlance('user', 'reset-password', 'admin');
    expect((await api.send('DELETE', one, { password: adminPassword })).status).toBe(204);
    const mails = JSON.parse(parlance('mail', '--user', username, '--json'));
    expect(mails.map((m: { notification: string }) => m.notification)).toEqual(['AccountSecurity', 'AccountSecurity']);
    expect((await client.send('GET', one)).status).toBe(404);
    expect((await confirm({ code })).status).toBe(404);
  });

  it('a project that enforces second factors can be changed only by users who have one', async () => {
    const { project, path, componentPath } = await importExample(api, makeRemote(), { manage_units: true });
    const person = await someone();
    const { client, username, factors, password } = person;
    // A user with all permissions of the project, which are insufficient without a factor.
    const administration = (await api.all('/api/groups/')).find(
      (g: { defining_project: string | null; name: string }) =>
        g.defining_project?.endsWith(`/${project}/`) && g.name === 'Administration',
    );
    await api.post(`/api/users/${username}/groups/`, { group_id: administration.id });
    const [unit] = await api.all(`${path}/units/`);
    const [source] = await api.all(`/api/translations/${project}/example/en/units/`);
    const asks = (value: boolean) => client.patch(`/api/projects/${project}/`, { enforced_2fa: value });
    const upload = (method: string) =>
      form({ method }, { field: 'file', bytes: Buffer.from(exampleFiles()['po/cs.po']), filename: 'cs.po' });

    /** Statuses of requests that change strings. */
    const changes = async (who: Api) => {
      const made = await who.send('POST', `${path}/units/`, { source: [unique('s')], target: ['x'], state: 20 });
      // Without an own string, deleting an existing one is tested.
      const deleted = await who.send('DELETE', `/api/units/${made.body.id ?? unit.id}/`);
      const auto = { mode: 'suggest', filter_type: 'todo', auto_source: 'others', threshold: 100 };
      const answers = [
        await who.send('PATCH', `/api/units/${unit.id}/`, { target: [unique('t')], state: 20 }),
        await who.send('POST', `${path}/file/`, upload('translate')),
        await who.send('POST', `${path}/file/`, upload('suggest')),
        await who.send('POST', `${path}/file/`, upload('add')),
        await who.send('POST', `${path}/autotranslate/`, auto),
        made,
        deleted,
      ];
      return answers.map((a) => a.status);
    };
    const remove = (factor: string) => client.send('DELETE', factor, { password });

    /** Statuses of requests that change other objects of the project. */
    const settings = async (who: Api) => {
      const label = await who.send('POST', `/api/projects/${project}/labels/`, { name: unique('l'), color: 'red' });
      const category = { name: unique('c'), slug: unique('c'), project: `${base}/api/projects/${project}/` };
      const answers = [
        await who.send('POST', `/api/units/${unit.id}/comments/`, { scope: 'translation', comment: 'x' }),
        await who.send('PATCH', `/api/units/${source.id}/`, { explanation: unique('e') }),
        await who.send('PATCH', `${componentPath}/`, { priority: 100 }),
        await who.send('PATCH', `/api/projects/${project}/`, { instructions: unique('i') }),
        await who.send('POST', `${componentPath}/repository/`, { operation: 'commit' }),
        await who.send('POST', `${componentPath}/lock/`, { lock: false }),
        await who.send('POST', `${componentPath}/addons/`, { name: 'weblate.gettext.linguas' }),
        label,
        await who.send('POST', '/api/categories/', category),
        await who.send('POST', `/api/projects/${project}/tokens/`, { name: unique('bot') }),
        await who.send('POST', `/api/users/${username}/groups/`, { group_id: administration.id }),
        await who.send('PATCH', `/api/groups/${administration.id}/`, { language_selection: 1 }),
        await who.send('POST', `/api/projects/${project}/machinery_settings/`, { service: 'libretranslate' }),
      ];
      return answers.map((a) => a.status);
    };
    const settingsAllowed = [201, 200, 200, 200, 200, 200, 400, 201, 201, 201, 200, 200, 400];
    const settingsRefused = settingsAllowed.map(() => 403);
    /** Reading does not require a factor. */
    const reads = async (who: Api) => {
      const paths = [
        `/api/projects/${project}/`,
        `/api/units/${unit.id}/`,
        `${path}/file/`,
        `${componentPath}/repository/`,
        `/api/projects/${project}/tokens/`,
        `/api/projects/${project}/machinery_settings/`,
      ];
      const answers = await Promise.all(paths.map((each) => who.send('GET', each)));
      return answers.filter((a) => a.status !== 200).map((a) => a.body);
    };
    const allowed = [200, 200, 200, 200, 200, 200, 204];
    const refused = allowed.map(() => 403);

    expect(await changes(client)).toEqual(allowed);
    expect(await settings(client)).toEqual(settingsAllowed);
    await asks(true);
    expect(await changes(client)).toEqual(refused);
    expect(await changes(api)).toEqual(refused);
    expect(await settings(client)).toEqual(settingsRefused);
    expect(await settings(api)).toEqual(settingsRefused);
    expect(await reads(client)).toEqual([]);
    // A caller without a factor cannot switch enforcement off or bypass it.
    for (const who of [client, api]) {
      const off = await who.send('PATCH', `/api/projects/${project}/`, { enforced_2fa: false });
      expect([off.status, off.body.errors[0].detail]).toEqual([403, expect.stringContaining('second-factors/')]);
      expect((await who.send('DELETE', `/api/projects/${project}/`)).status).toBe(403);
    }
    const { body } = await client.send('PATCH', `/api/units/${unit.id}/`, { target: ['Ahoj'], state: 20 });
    expect(body).toMatchObject({
      type: 'client_error',
      errors: [{ code: 'permission_denied', detail: expect.stringContaining('second-factors/'), attr: null }],
    });

    // An unconfirmed factor does not count.
    const { id: spare } = await client.post(factors, { name: 'spare', password });
    expect(await changes(client)).toEqual(refused);
    await remove(`${factors}${spare}/`);
    const factor = await enrol(person);
    expect(await changes(client)).toEqual(allowed);
    const bot = await client.post(`/api/projects/${project}/tokens/`, { name: unique('bot') });
    expect((await remove(factor)).status).toBe(204);
    expect(await changes(client)).toEqual(refused);
    expect(await changes(makeApi(base, bot.token))).toEqual(allowed);

    const another = await enrol(person);
    await asks(false);
    expect((await remove(another)).status).toBe(204);
    expect(await changes(client)).toEqual(allowed);
  });

  it('a team that enforces second factors grants its permissions only to members who have one', async () => {
    const { project } = await importExample(api, makeRemote());
    const person = await someone();
    const { client, username, password } = person;
    const manager = await someone();
    await api.patch(`/api/users/${manager.username}/`, { is_superuser: true });
    const role = await api.post('/api/roles/', { name: unique('role'), permissions: ['component.lock'] });
    const group = await api.post('/api/groups/', { name: unique('team'), project_selection: 0, enforced_2fa: true });
    const refused = await api.send('PATCH', group.url, { enforced_2fa: false });
    expect([refused.status, refused.body.errors[0].detail]).toEqual([403, expect.stringContaining('second factor')]);
    const admin = manager.client;
    await enrol(manager);
    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    await admin.post(`${group.url}roles/`, { role_id: role.id });
    await admin.post(`${group.url}projects/`, { project_id: (await api.get(`/api/projects/${project}/`)).id });
    await admin.patch(`${group.url}`, { language_selection: 1 });
    await admin.post(`/api/users/${username}/groups/`, { group_id: group.id });
    const lock = async () =>
      (await client.send('POST', `/api/components/${project}/example/lock/`, { lock: false })).status;
    expect((await client.send('GET', `/api/projects/${project}/`)).status).toBe(200);
    expect(await lock()).toBe(403);
    const factor = await enrol(person);
    expect(await lock()).toBe(200);
    await client.send('DELETE', factor, { password });
    expect(await lock()).toBe(403);
    await admin.patch(`${group.url}`, { enforced_2fa: false });
    expect(await lock()).toBe(200);
  });
});
