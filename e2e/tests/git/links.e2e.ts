// Links between components and projects: required permissions, and how both sides revoke them.
import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { addExample, exampleSettings, importExample, system } from '../../support/system.mjs';
import { exampleFiles } from '../../support/repository.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, user } = system();

const codes = (answer: { status: number; body: { errors?: { attr: string; code: string }[] } }) => ({
  status: answer.status,
  attrs: answer.body.errors?.map((e) => e.attr),
});

/** Adds a user to the Administration team of a project. */
async function administrate(username: string, project: string): Promise<void> {
  const { url } = await api.get(`/api/projects/${project}/`);
  const team = (await api.all('/api/groups/')).find((g) => g.defining_project === url && g.name === 'Administration');
  await api.post(`/api/users/${username}/groups/`, { group_id: team!.id });
}

/** Creates a component with secrets, a stranger's project, and settings that link one to the other. */
async function ground() {
  const remote = makeRemote({
    ...exampleFiles(),
    'config/secrets.json': '{"password": "hunter2"}\n',
    'docs/cs.po': 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Manual"\nmsgstr ""\n',
  });
  const { project: victim } = await importExample(api, remote);
  const username = unique('stranger');
  const stranger = await user(username);
  const own = unique('own');
  await api.post('/api/projects/', { name: own, slug: own, web: 'https://example.com/' });
  await administrate(username, own);
  const settings = {
    ...exampleSettings(remote, 'docs'),
    repo: `parlance://${victim}/example`,
    branch: '',
    filemask: 'docs/*.po',
    new_base: '',
    new_lang: 'none',
  };
  const link = (client = stranger) => client.send('POST', `/api/projects/${own}/components/`, settings);
  return { remote, victim, own, username, stranger, settings, link, at: `/api/components/${own}/docs/` };
}

describe('links to a repository', () => {
  it('a link is denied to a stranger, who can neither read nor write the repository', async () => {
    const { remote, victim, own, stranger, link, settings } = await ground();
    const before = remote.log().length;
    expect(codes(await link())).toEqual({ status: 400, attrs: ['repo'] });
    const secrets = { filemask: 'lang/*.json', template: 'config/secrets.json', file_format: 'json', new_base: '' };
    const reading = await stranger.send('POST', `/api/projects/${own}/components/`, { ...settings, ...secrets });
    expect(codes(reading)).toEqual({ status: 400, attrs: ['repo'] });
    // Changing a component with its own repository to a link is denied, too.
    await addExample(stranger, own, 'mine', makeRemote());
    const turned = await stranger.send('PATCH', `/api/components/${own}/mine/`, { repo: settings.repo });
    expect(codes(turned)).toEqual({ status: 400, attrs: ['repo'] });
    for (const operation of ['commit', 'push', 'pull', 'reset'])
      expect((await stranger.send('POST', `/api/components/${victim}/example/repository/`, { operation })).status).toBe(
        403,
      );
    expect(remote.log()).toHaveLength(before);
  });

  it('a link leaves the permissions on the repository with its owner', async () => {
    const { stranger, link, at } = await ground();
    const made = await link(api);
    await api.finished(made.body.task_url);
    const [unit] = await stranger.all(`${at.replace('components', 'translations')}cs/units/`);
    await stranger.patch(`/api/units/${unit.id}/`, { target: ['Příručka'], state: 20 });
    for (const operation of ['commit', 'push', 'pull', 'reset', 'file-sync'])
      expect((await stranger.send('POST', `${at}repository/`, { operation })).status).toBe(403);
    expect((await stranger.send('GET', `${at}repository/`)).status).toBe(403);
    const files = { filemask: 'lang/*.json', template: 'config/secrets.json', file_format: 'json' };
    const changed = codes(await stranger.send('PATCH', at, files));
    expect(changed.status).toBe(400);
    expect(changed.attrs).toEqual(expect.arrayContaining(['filemask', 'template', 'file_format']));
    const generate = {
      name: 'weblate.generate.generate',
      configuration: { filename: '.github/workflows/x.yml', template: 'on: push' },
    };
    expect((await stranger.send('POST', `${at}addons/`, generate)).status).toBe(403);
    expect((await api.post(`${at}repository/`, { operation: 'commit' })).result).toBe(true);
  });

  it('admins of the owner list links and revoke them without data loss', async () => {
    const { victim, own, stranger, link, at } = await ground();
    const { body } = await link(api);
    await api.finished(body.task_url);
    const translation = `${at.replace('components', 'translations')}cs/`;
    const [unit] = await stranger.all(`${translation}units/`);
    await stranger.patch(`/api/units/${unit.id}/`, { target: ['Příručka'], state: 20 });
    // The owner's admins see links from projects that are hidden from them.
    await api.patch(`/api/projects/${own}/`, { access_control: 100 });
    const admin = unique('admin');
    const client = await user(admin);
    const list = `/api/components/${victim}/example/linked_components/`;
    expect((await client.send('GET', list)).status).toBe(403);
    await administrate(admin, victim);
    expect(await client.get(list)).toMatchObject({
      count: 1,
      results: [{ id: body.id, name: 'docs', slug: 'docs', project: { slug: own, name: own }, filemask: 'docs/*.po' }],
    });
    expect((await stranger.send('DELETE', `${list}${body.id}/`)).status).toBe(403);
    await client.delete(`${list}${body.id}/`);
    expect((await client.get(list)).count).toBe(0);
    expect((await client.send('DELETE', `${list}${body.id}/`)).status).toBe(404);
    // The component continues on its own: same strings including the edit, and its own repository.
    await eventually(
      () => stranger.get(at),
      (c: { task_url: unknown }) => c.task_url === null,
    );
    expect(await stranger.get(at)).toMatchObject({ vcs: 'local', repo: 'local:', linked_component: null });
    expect((await stranger.get(`/api/units/${unit.id}/`)).target).toEqual(['Příručka']);
    expect((await stranger.post(`${at}repository/`, { operation: 'commit' })).result).toBe(true);
    expect((await stranger.bytes(`${translation}file/`)).toString()).toContain('Příručka');
    const archive = (await stranger.bytes(`${at}file/`)).toString('latin1');
    expect(archive).toContain('docs/cs.po');
    expect(archive).not.toContain('secrets');
  });
});

describe('links to other projects', () => {
  it('linking a component requires permissions on the other project', async () => {
    const { victim, own, username, stranger } = await ground();
    const total = async () => (await api.get(`/api/projects/${victim}/statistics/`)).total;
    await addExample(stranger, own, 'mine', makeRemote());
    const before = await total();
    const share = () => stranger.send('POST', `/api/components/${own}/mine/links/`, { project_slug: victim });
    expect(codes(await share())).toEqual({ status: 400, attrs: ['project_slug'] });
    expect(await total()).toBe(before);
    await administrate(username, victim);
    expect((await share()).status).toBe(201);
    expect(await total()).toBeGreaterThan(before);
  });

  it('a link to another project can be ended by the admins of either side', async () => {
    const { victim, own, stranger } = await ground();
    const links = `/api/components/${victim}/example/links/`;
    const shared = `/api/projects/${own}/shared_components/`;
    const { id } = await api.get(`/api/components/${victim}/example/`);
    const plainUser = await user(unique('plain'));
    await api.post(links, { project_slug: own });
    expect((await plainUser.send('DELETE', `${links}${own}/`)).status).toBe(403);
    await stranger.delete(`${links}${own}/`);
    expect((await api.get(links)).count).toBe(0);
    // Also for components that are hidden from them.
    await api.post(links, { project_slug: own });
    await api.patch(`/api/projects/${victim}/`, { access_control: 100 });
    expect((await stranger.send('DELETE', `${links}${own}/`)).status).toBe(404);
    expect(await stranger.get(shared)).toMatchObject({ count: 1, results: [{ id, slug: 'example' }] });
    expect((await plainUser.send('GET', shared)).status).toBe(403);
    expect((await plainUser.send('DELETE', `${shared}${id}/`)).status).toBe(403);
    await stranger.delete(`${shared}${id}/`);
    expect((await api.get(links)).count).toBe(0);
    expect((await stranger.send('DELETE', `${shared}${id}/`)).status).toBe(404);
  });
});
