// Effects of the settings of components and projects.
import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { exampleFiles } from '../../support/repository.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';
import { form, pixel, unique } from '../../support/worlds.mjs';

const { api, base } = system();

interface Unit {
  id: number;
  context: string;
  source: string[];
  target: string[];
  state: number;
  pending: boolean;
  has_failing_check: boolean;
}
const unitsOf = (path: string): Promise<Unit[]> => api.all(`${path}/units/`);
const unitOf = async (path: string, source: string): Promise<Unit> =>
  (await unitsOf(path)).find((u) => u.source[0] === source)!;
const edit = async (path: string, source: string, change: object) =>
  api.patch(`/api/units/${(await unitOf(path, source)).id}/`, change);
const operate = async (componentPath: string, operation: string) =>
  expect(await api.post(`${componentPath}/repository/`, { operation })).toMatchObject({ result: true });
const problem = async (path: string, body: object, method = 'PATCH') => {
  const answer = await api.send(method, path, body);
  return { status: answer.status, attr: answer.body.errors?.[0].attr };
};

/** A new user who may edit, and a client. */
async function someone() {
  const username = unique('user');
  const user = await api.post('/api/users/', { username, full_name: username, email: `${username}@example.com` });
  const { token } = await api.post(`/api/users/${username}/tokens/`, { name: 'test' });
  return { id: user.id as number, username, client: makeApi(base, token) };
}

describe('settings of a project', () => {
  it('commit_policy withholds texts until they reach the required state', async () => {
    const remote = makeRemote();
    const { project, path, componentPath } = await importExample(api, remote);
    expect(await problem(`/api/projects/${project}/`, { commit_policy: 30 })).toEqual({
      status: 400,
      attr: 'commit_policy',
    });
    await api.patch(`/api/projects/${project}/`, { commit_policy: 30, translation_review: true });
    await edit(path, 'Good bye.', { target: ['Sbohem.'], state: 20 });
    expect(await api.get(`${componentPath}/repository/`)).toMatchObject({ needs_commit: false });
    await operate(componentPath, 'commit');
    expect(await unitOf(path, 'Good bye.')).toMatchObject({ target: ['Sbohem.'], pending: true });
    expect((await api.bytes(`${path}/file/`)).toString()).not.toContain('Sbohem');
    await edit(path, 'Good bye.', { state: 30 });
    expect(await api.get(`${componentPath}/repository/`)).toMatchObject({ needs_commit: true });
    await operate(componentPath, 'push');
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Sbohem.');
    expect(await unitOf(path, 'Good bye.')).toMatchObject({ pending: false });

    await api.patch(`/api/projects/${project}/`, { commit_policy: 20, translation_review: false });
    await edit(path, 'Good bye.', { target: ['Snad ahoj.'], state: 10 });
    await edit(path, 'Hello, world!', { target: ['Nazdar, světe!'], state: 20 });
    await operate(componentPath, 'push');
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Nazdar');
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Sbohem.');
    await api.patch(`/api/projects/${project}/`, { commit_policy: 0 });
    await operate(componentPath, 'push');
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Snad ahoj.');
  });

  it('check_flags control checks and read-only strings, also of existing strings', async () => {
    const { project, path, componentPath } = await importExample(api, makeRemote());
    await edit(path, 'Good bye.', { target: ['Sbohem'], state: 20 });
    const failing = async () => (await unitOf(path, 'Good bye.')).has_failing_check;
    expect(await failing()).toBe(true);
    await api.patch(`/api/projects/${project}/`, { check_flags: 'ignore-end-stop' });
    await eventually(failing, (f: boolean) => !f);
    expect((await api.get(`${path}/statistics/`)).failing).toBe(0);
    await api.patch(`/api/projects/${project}/`, { check_flags: '' });
    await eventually(failing, (f: boolean) => f);

    await api.patch(`${componentPath}/`, { check_flags: 'read-only, priority:140' });
    const locked = await eventually(
      () => unitOf(path, 'Good bye.'),
      (u: Unit) => u.state === 100,
    );
    expect(locked).toMatchObject({ target: ['Sbohem'], priority: 140 });
    await api.patch(`${componentPath}/`, { check_flags: '' });
    await eventually(
      () => unitOf(path, 'Good bye.'),
      (u: Unit) => u.state === 20,
    );
  });

  it('set_language_team writes the team to files of new languages', async () => {
    const remote = makeRemote();
    const { project, componentPath } = await importExample(api, remote);
    await api.post(`${componentPath}/translations/`, { language_code: 'fr' });
    await api.patch(`/api/projects/${project}/`, { set_language_team: false });
    await api.post(`${componentPath}/translations/`, { language_code: 'it' });
    await operate(componentPath, 'push');
    expect(remote.remoteFile('po/fr.po').toString()).toMatch(
      new RegExp(`^"Language-Team: French <https?://\\S+/projects/${project}/example/fr/>\\\\n"$`, 'm'),
    );
    expect(remote.remoteFile('po/it.po').toString()).toContain('"Language-Team: none\\n"');
  });

  it('language_aliases and language_regex assign files to languages', async () => {
    const project = unique('aliases');
    await api.post('/api/projects/', {
      name: project,
      slug: project,
      web: 'https://example.com/',
      language_aliases: 'cs:sk',
    });
    await addExample(api, project, 'example', makeRemote(), { language_regex: '^[^d].*$' });
    const codes = (await api.all(`/api/components/${project}/example/translations/`)).map(
      (t: { language_code: string; language: { code: string } }) => [t.language_code, t.language.code],
    );
    expect(codes).toEqual([
      ['en', 'en'],
      ['cs', 'sk'],
    ]);
    expect(await problem(`/api/components/${project}/example/translations/`, { language_code: 'de' }, 'POST')).toEqual({
      status: 400,
      attr: 'language_code',
    });
  });
});

describe('settings of a component', () => {
  it('key_filter selects strings by key', async () => {
    const remote = makeRemote({
      'l/en.json': '{"month": "Month", "monthShort": "Mon", "title": "Title", "internal.x": "X"}\n',
      'l/cs.json': '{"month": "Měsíc", "internal.x": "Iks"}\n',
    });
    const { project, componentPath } = await importExample(api, remote, {
      filemask: 'l/*.json',
      template: 'l/en.json',
      new_base: '',
      file_format: 'json',
      key_filter: '^[^i]',
    });
    const english = `/api/translations/${project}/example/en`;
    const czech = `/api/translations/${project}/example/cs`;
    const keys = async (path: string) => (await unitsOf(path)).map((u) => u.context);
    expect(await keys(czech)).toEqual(['month', 'monthShort', 'title']);
    expect(await problem(`${english}/units/`, { key: 'internal.y', value: ['Y'] }, 'POST')).toEqual({
      status: 400,
      attr: 'key',
    });
    // Excluded strings stay in the files.
    await edit(czech, 'Title', { target: ['Nadpis'], state: 20 });
    await operate(componentPath, 'push');
    expect(JSON.parse(remote.remoteFile('l/cs.json').toString())).toMatchObject({
      title: 'Nadpis',
      'internal.x': 'Iks',
    });
    await api.finished((await api.patch(`${componentPath}/`, { key_filter: '' })).task_url);
    expect(await keys(english)).toContain('internal.x');
    expect((await unitsOf(czech)).find((u) => u.context === 'internal.x')!.target).toEqual(['Iks']);
    await api.finished((await api.patch(`${componentPath}/`, { key_filter: '^month' })).task_url);
    expect(await keys(english)).toEqual(['month', 'monthShort']);
    expect((await api.get(`${english}/statistics/`)).total).toBe(2);
  });

  it('the agreement is required before edits, again after each change of its text, and not for bots', async () => {
    const { project, path, componentPath } = await importExample(api, makeRemote(), { agreement: 'Be kind.' });
    const { client } = await someone();
    const { id } = await unitOf(path, 'Good bye.');
    const tryEdit = async (who: typeof client, text: string) =>
      (await who.send('PATCH', `/api/units/${id}/`, { target: [text], state: 20 })).status;
    const tryUpload = async () =>
      (
        await client.send(
          'POST',
          `${path}/file/`,
          form({}, { field: 'file', bytes: Buffer.from(exampleFiles()['po/cs.po']), filename: 'cs.po' }),
        )
      ).status;
    expect(await client.get(`${componentPath}/agreement/`)).toEqual({
      agreement: 'Be kind.',
      agreed: false,
      agreed_at: null,
    });
    expect([await tryEdit(client, 'Sbohem.'), await tryUpload()]).toEqual([403, 403]);
    expect((await client.send('POST', `${componentPath}/agreement/`, { agreed: false })).status).toBe(400);
    expect(await client.post(`${componentPath}/agreement/`, { agreed: true })).toMatchObject({
      agreed: true,
      agreed_at: expect.stringContaining('T'),
    });
    expect([await tryEdit(client, 'Sbohem.'), await tryUpload()]).toEqual([200, 200]);
    await api.patch(`${componentPath}/`, { agreement: 'Be kind and careful.' });
    expect(await tryEdit(client, 'Čau.')).toBe(403);
    const { token } = await api.post(`/api/projects/${project}/tokens/`, { name: unique('bot') });
    expect(await tryEdit(makeApi(base, token), 'Ahoj.')).toBe(200);
    expect((await client.get(`${componentPath}/changes/?action=56`)).count).toBe(1);
  });

  it('restricted hides a component from everyone except teams that list it', async () => {
    const { project, component, componentPath, path } = await importExample(api, makeRemote());
    const { client, username } = await someone();
    expect((await client.send('GET', `${path}/`)).status).toBe(200);
    await api.patch(`${componentPath}/`, { restricted: true });
    for (const at of [`${componentPath}/`, `${path}/`, `${path}/units/`, `${path}/file/`])
      expect({ at, status: (await client.send('GET', at)).status }).toEqual({ at, status: 404 });
    const seen = await client.all(`/api/projects/${project}/components/`);
    expect(seen.filter((found: { slug: string }) => found.slug !== 'glossary')).toEqual([]);
    expect((await client.get(`/api/projects/${project}/statistics/`)).total).toBe(0);
    const group = await api.post('/api/groups/', { name: unique('team'), project_selection: 0 });
    await api.post(`${group.url}components/`, { component_id: component.id });
    await api.post(`/api/users/${username}/groups/`, { group_id: group.id });
    expect((await client.send('GET', `${path}/`)).status).toBe(200);
  });

  it('check_flags of a component extend and override those of the project', async () => {
    const { project, path } = await importExample(api, makeRemote());
    await api.patch(`/api/projects/${project}/`, { check_flags: 'max-length:2' });
    await addExample(api, project, 'long', makeRemote(), { name: 'Long', check_flags: 'discard:max-length' });
    const tooLong = async (at: string) => (await api.get(`${at}/units/?q=check:max-length`)).count;
    await eventually(
      () => tooLong(path),
      (count: number) => count > 0,
    );
    expect(await tooLong(`/api/translations/${project}/long/cs`)).toBe(0);
  });

  it('enforced_checks, enable_suggestions and language_code_style take effect', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote, {
      enforced_checks: ['end_stop'],
      enable_suggestions: false,
      language_code_style: 'bcp',
    });
    expect(await edit(path, 'Good bye.', { target: ['Sbohem'], state: 20 })).toMatchObject({ state: 10 });
    expect(await edit(path, 'Good bye.', { target: ['Sbohem.'], state: 20 })).toMatchObject({ state: 20 });
    const suggest = () =>
      api.send(
        'POST',
        `${path}/file/`,
        form(
          { method: 'suggest' },
          { field: 'file', bytes: Buffer.from(exampleFiles()['po/cs.po']), filename: 'cs.po' },
        ),
      );
    expect((await suggest()).status).toBe(403);
    await api.patch(`${componentPath}/`, { enable_suggestions: true });
    expect((await suggest()).status).toBe(200);
    const { filename } = await api.post(`${componentPath}/translations/`, { language_code: 'pt_BR' });
    expect(filename).toBe('po/pt-BR.po');
  });

  it('messages, merge_style and push_on_commit control commits and merges', async () => {
    const remote = makeRemote();
    const { project, path, componentPath } = await importExample(api, remote, {
      push_on_commit: true,
      merge_style: 'merge_noff',
      commit_message: 'C {{ language_code }} of {{ project_slug }}',
      add_message: 'A {{ language_code }}',
      delete_message: 'D {{ language_code }}',
      merge_message: 'M {{ component_remote_branch }}',
    });
    const subjects = () => remote.log().map((commit) => commit.subject);
    await edit(path, 'Good bye.', { target: ['Sbohem.'], state: 20 });
    await operate(componentPath, 'commit');
    expect(subjects()).toEqual([`C cs of ${project}`, 'Initial texts']);
    await api.post(`${componentPath}/translations/`, { language_code: 'fr' });
    await api.delete(`/api/translations/${project}/example/fr/`);
    expect(subjects().slice(0, 2)).toEqual(['D fr', 'A fr']);
    await api.patch(`${componentPath}/`, { push_on_commit: false });
    await edit(path, 'Good bye.', { target: ['Ahoj.'], state: 20 });
    await operate(componentPath, 'commit');
    expect(subjects()[0]).toBe('D fr');
    remote.pull();
    remote.write({ README: 'Another text.\n' });
    remote.commit('Upstream');
    remote.push();
    await operate(componentPath, 'push');
    expect(subjects()[0]).toBe('M main');
  });

  it('screenshot_filemask imports images from the repository', async () => {
    const remote = makeRemote({ ...exampleFiles(), 'shots/menu.png': pixel });
    const { componentPath } = await importExample(api, remote, { screenshot_filemask: 'shots/*.png' });
    const shots = () => api.all(`${componentPath}/screenshots/`);
    const [menu] = await eventually(shots, (found: unknown[]) => found.length === 1);
    expect(menu).toMatchObject({ name: 'menu', repository_filename: 'shots/menu.png', units: [] });
    expect((await api.bytes(menu.file_url)).subarray(1, 4).toString()).toBe('PNG');
    remote.write({ 'shots/more.png': pixel });
    remote.commit('Another image');
    remote.push();
    await operate(componentPath, 'pull');
    // Replicas allocate ids in blocks, so the order of the list is not that of creation.
    expect((await shots()).map((shot: { name: string }) => shot.name).sort()).toEqual(['menu', 'more']);
  });

  it('auto_lock_error controls whether a broken file locks the component', async () => {
    const remote = makeRemote();
    const { componentPath } = await importExample(api, remote, { auto_lock_error: false });
    remote.write({ 'po/cs.po': `${exampleFiles()['po/cs.po']}\nmsgid "broken\n` });
    remote.commit('Broken');
    remote.push();
    await api.post(`${componentPath}/repository/`, { operation: 'pull' });
    await eventually(
      () => api.get(`${componentPath}/changes/?action=24`),
      (found: { count: number }) => found.count > 0,
    );
    expect(await api.get(`${componentPath}/lock/`)).toEqual({ locked: false });
    await api.patch(`${componentPath}/`, { auto_lock_error: true });
    await api.post(`${componentPath}/repository/`, { operation: 'file-scan' });
    await eventually(
      () => api.get(`${componentPath}/lock/`),
      (lock: { locked: boolean }) => lock.locked,
    );
    remote.write({ 'po/cs.po': exampleFiles()['po/cs.po'] });
    remote.commit('Mended');
    remote.push();
    await api.post(`${componentPath}/repository/`, { operation: 'pull' });
    await api.post(`${componentPath}/repository/`, { operation: 'file-scan' });
    await eventually(
      () => api.get(`${componentPath}/lock/`),
      (lock: { locked: boolean }) => !lock.locked,
    );
  });
});
