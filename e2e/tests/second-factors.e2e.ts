// Second factors, and what asks for them: `enforced_2fa` of projects and of teams.
import { makeApi } from '../support/api.mjs';
import { makeRemote } from '../support/remotes.mjs';
import { exampleFiles } from '../support/repository.mjs';
import { importExample, system } from '../support/system.mjs';
import { totp } from '../support/totp.mjs';
import { form, unique } from '../support/worlds.mjs';

const { api, base } = system();

type Api = typeof api;

/** A new user with a client of their own. */
async function someone() {
  const username = unique('user');
  const { id } = await api.post('/api/users/', { username, full_name: username, email: `${username}@example.com` });
  const { token } = await api.post(`/api/users/${username}/tokens/`, { name: 'test' });
  return {
    id: id as number,
    username,
    factors: `/api/users/${username}/second-factors/`,
    client: makeApi(base, token),
  };
}

/** Makes and confirms a factor as an authenticator program would; answers its address. */
async function enrol(client: Api, factors: string): Promise<string> {
  const made = await client.post(factors, { name: 'phone' });
  const code = totp(made.secret);
  await client.post(`${factors}${made.id}/confirm/`, { code });
  return `${factors}${made.id}/`;
}

describe('second factors', () => {
  it('are made and confirmed by their owner, shown without their secret, and removed', async () => {
    const { client, factors } = await someone();
    const answer = await client.send('POST', factors, { name: 'phone' });
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
    // Ten minutes old; it is one of the present ones by a chance of three in a million.
    const old = totp(made.secret, Date.now() - 600_000);
    expect(await problem({ code: old })).toEqual([400, 'code', 'invalid']);
    expect(await problem({ code: 'twelve' })).toEqual([400, 'code', 'invalid']);
    expect(await problem({})).toEqual([400, 'code', 'required']);
    const code = totp(made.secret);
    // Who may do everything else still has no part in this.
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
    expect((await api.send('DELETE', one)).status).toBe(204);
    expect((await client.send('GET', one)).status).toBe(404);
    expect((await confirm({ code })).status).toBe(404);
  });

  it('let people change strings of a project that asks for one', async () => {
    const { project, path, componentPath } = await importExample(api, makeRemote(), { manage_units: true });
    const { client, username, factors } = await someone();
    // Somebody with every right of the project, which alone do not suffice.
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

    /** Statuses of what changes strings. */
    const changes = async (who: Api) => {
      const made = await who.send('POST', `${path}/units/`, { source: [unique('s')], target: ['x'], state: 20 });
      // Without a string of one's own the refusal is looked at with one that is there.
      const gone = await who.send('DELETE', `/api/units/${made.body.id ?? unit.id}/`);
      const auto = { mode: 'suggest', filter_type: 'todo', auto_source: 'others', threshold: 100 };
      const answers = [
        await who.send('PATCH', `/api/units/${unit.id}/`, { target: [unique('t')], state: 20 }),
        await who.send('POST', `${path}/file/`, upload('translate')),
        await who.send('POST', `${path}/file/`, upload('suggest')),
        await who.send('POST', `${path}/file/`, upload('add')),
        await who.send('POST', `${path}/autotranslate/`, auto),
        made,
        gone,
      ];
      return answers.map((a) => a.status);
    };
    /** Statuses of what does not change strings of a translation. */
    const others = async (who: Api) => {
      const answers = [
        await who.send('GET', `/api/projects/${project}/`),
        await who.send('GET', `/api/units/${unit.id}/`),
        await who.send('GET', `${path}/file/`),
        await who.send('POST', `/api/units/${unit.id}/comments/`, { scope: 'translation', comment: 'x' }),
        await who.send('PATCH', `/api/units/${source.id}/`, { explanation: unique('e') }),
        await who.send('PATCH', `${componentPath}/`, { priority: 100 }),
        await who.send('POST', `${componentPath}/repository/`, { operation: 'commit' }),
        await who.send('POST', `/api/projects/${project}/labels/`, { name: unique('l'), color: 'red' }),
      ];
      return answers.filter((a) => a.status >= 300).map((a) => a.body);
    };
    const allowed = [200, 200, 200, 200, 200, 200, 204];
    const refused = allowed.map(() => 403);

    expect(await changes(client)).toEqual(allowed);
    await asks(true);
    expect(await changes(client)).toEqual(refused);
    expect(await changes(api)).toEqual(refused);
    expect(await others(client)).toEqual([]);
    const { body } = await client.send('PATCH', `/api/units/${unit.id}/`, { target: ['Ahoj'], state: 20 });
    expect(body).toMatchObject({
      type: 'client_error',
      errors: [{ code: 'permission_denied', detail: expect.stringContaining('second-factors/'), attr: null }],
    });

    // A factor that was made and not confirmed is none.
    const { id: spare } = await client.post(factors, { name: 'spare' });
    expect(await changes(client)).toEqual(refused);
    await client.send('DELETE', `${factors}${spare}/`);
    const factor = await enrol(client, factors);
    expect(await changes(client)).toEqual(allowed);
    expect((await client.send('DELETE', factor)).status).toBe(204);
    expect(await changes(client)).toEqual(refused);

    const bot = await api.post(`/api/projects/${project}/tokens/`, { name: unique('bot') });
    expect(await changes(makeApi(base, bot.token))).toEqual(allowed);
    await asks(false);
    expect(await changes(client)).toEqual(allowed);
  });

  it('give members the permissions of a team that asks for one', async () => {
    const { project } = await importExample(api, makeRemote());
    const { client, username, factors } = await someone();
    const role = await api.post('/api/roles/', { name: unique('role'), permissions: ['component.lock'] });
    const group = await api.post('/api/groups/', { name: unique('team'), project_selection: 0, enforced_2fa: true });
    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    await api.post(`${group.url}roles/`, { role_id: role.id });
    await api.post(`${group.url}projects/`, { project_id: (await api.get(`/api/projects/${project}/`)).id });
    await api.patch(`${group.url}`, { language_selection: 1 });
    await api.post(`/api/users/${username}/groups/`, { group_id: group.id });
    const lock = async () =>
      (await client.send('POST', `/api/components/${project}/example/lock/`, { lock: false })).status;
    expect((await client.send('GET', `/api/projects/${project}/`)).status).toBe(200);
    expect(await lock()).toBe(403);
    const factor = await enrol(client, factors);
    expect(await lock()).toBe(200);
    await client.send('DELETE', factor);
    expect(await lock()).toBe(403);
    await api.patch(`${group.url}`, { enforced_2fa: false });
    expect(await lock()).toBe(200);
  });
});
