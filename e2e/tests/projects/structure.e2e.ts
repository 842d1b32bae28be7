// Categories, links to other projects, and component lists with rules.
import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, base, user } = system();

const statusOf = async (path: string) => (await api.send('GET', path, undefined, { accept: '*/*' })).status;

describe('components that share a repository', () => {
  it('the owner of a shared repository is shown only to callers who may see it', async () => {
    const remote = makeRemote();
    const hidden = await importExample(api, remote);
    await api.patch(`/api/projects/${hidden.project}/`, { access_control: 100 });
    const open = await importExample(api, makeRemote());
    const shared = await addExample(api, open.project, 'shared', remote, {
      repo: `parlance://${hidden.project}/example`,
      branch: '',
    });
    const address = `/api/components/${open.project}/shared/`;
    const stranger = await user(unique('stranger'));
    for (const url of [
      address,
      `/api/projects/${open.project}/components/`,
      `/api/translations/${open.project}/shared/cs/`,
    ]) {
      const { status, bytes } = await stranger.send('GET', url);
      expect(status).toBe(200);
      expect(bytes.toString()).not.toContain(hidden.project);
      expect(bytes.toString()).not.toContain(JSON.stringify(remote.url));
    }
    expect(await stranger.get(address)).toMatchObject({
      linked_component: null,
      repo: null,
      branch: null,
      push: null,
      push_branch: null,
      filemask: 'po/*.po',
    });
    const archive = await stranger.bytes(`${address}file/`);
    expect(archive.toString('latin1')).toContain(`${open.project}/shared/po/cs.po`);
    expect(archive.toString('latin1')).not.toContain(hidden.project);
    expect(await api.get(address)).toMatchObject({ linked_component: hidden.component.url, repo: remote.url });
    expect(shared.component.linked_component).toBe(hidden.component.url);
  });
});

describe('categories', () => {
  it('categories are moved and renamed with their contents unchanged', async () => {
    const { project, path: oldPath, componentPath } = await importExample(api, makeRemote());
    const make = (slug: string, category: string | null) =>
      api.post('/api/categories/', { name: slug, slug, project: `${base}/api/projects/${project}/`, category });
    const outer = await make('outer', null);
    const inner = await make('inner', outer.url);
    const elsewhere = await make('elsewhere', null);
    const [unit] = await api.all(`${oldPath}/units/`);
    await api.patch(`/api/units/${unit.id}/`, { target: ['Nazdar!'], state: 20 });
    const list = await api.post('/api/component-lists/', { name: unique('list'), slug: unique('list') });
    const { id } = await api.get(`${componentPath}/`);
    await api.post(`${list.url}components/`, { component_id: id });
    const other = unique('other');
    await api.post('/api/projects/', { name: other, slug: other, web: 'https://example.com/' });
    // A project without repositories has no pending repository work.
    const idle = { needs_commit: false, needs_merge: false, needs_push: false };
    expect(await api.get(`/api/projects/${other}/repository/`)).toMatchObject(idle);
    expect(await api.post(`/api/projects/${other}/repository/`, { operation: 'pull' })).toEqual({ result: true });
    await api.post(`${componentPath}/links/`, { project_slug: other });

    const moved = await api.patch(`${componentPath}/`, { category: inner.url });
    const at = (path: string) => `/api/components/${project}/${path}`;
    expect(moved).toMatchObject({
      id,
      url: `${base}${at('outer%252Finner%252Fexample')}/`,
      category: inner.url,
      web_url: `${base}/projects/${project}/outer/inner/example/`,
    });
    // The category is renamed and its parent is moved: the address follows, the old addresses are not found.
    await api.patch(inner.url, { slug: 'renamed', name: 'Renamed' });
    await api.patch(outer.url, { category: elsewhere.url });
    const now = 'elsewhere%252Fouter%252Frenamed%252Fexample';
    for (const old of [
      'example',
      'outer%252Finner%252Fexample',
      'outer%252Frenamed%252Fexample',
      'renamed%252Fexample',
    ])
      expect({ old, status: await statusOf(`${at(old)}/`) }).toEqual({ old, status: 404 });
    for (const path of [now, now.replaceAll('%252F', '%2F')])
      expect({ path, status: await statusOf(`${at(path)}/`) }).toEqual({ path, status: 200 });

    const translation = await api.get(`/api/translations/${project}/${now}/cs/`);
    expect(translation.component.url).toBe(`${base}${at(now)}/`);
    for (const address of ['file_url', 'units_list_url', 'changes_list_url', 'statistics_url', 'repository_url'])
      expect({ address, status: await statusOf(translation[address]) }).toEqual({ address, status: 200 });
    expect(await api.get(`/api/units/${unit.id}/`)).toMatchObject({
      target: ['Nazdar!'],
      translation: translation.url,
    });
    const history = await api.get(`${at(now)}/changes/?action=2`);
    expect(history.results[0]).toMatchObject({ target: 'Nazdar!', component: `${base}${at(now)}/` });
    expect((await api.get(`/api/projects/${project}/changes/?action=68&action=69&action=43`)).count).toBe(3);
    expect((await api.get(list.url)).components).toEqual([`${base}${at(now)}/`]);
    expect((await api.get(`${at(now)}/links/`)).results.map((p: { slug: string }) => p.slug)).toEqual([other]);
    expect((await api.get(`${inner.url}statistics/`)).total).toBe((await api.get(`${elsewhere.url}statistics/`)).total);
    expect(await api.get(`/api/units/?q=path:${project}/elsewhere/outer/renamed/example/cs`)).toMatchObject({
      count: 3,
    });
    expect(await api.post(`${at(now)}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    // A component is deleted with its category.
    await api.delete(elsewhere.url);
    expect(await statusOf(`${at(now)}/`)).toBe(404);
    expect((await api.get(list.url)).components).toEqual([]);
  });
});

describe('links to other projects', () => {
  it('a linked component counts in the statistics of the other project as far as the caller may see it', async () => {
    const { project, componentPath } = await importExample(api, makeRemote());
    const { project: other } = await importExample(api, makeRemote());
    const totals = async (client = api) => (await client.get(`/api/projects/${other}/statistics/`)).total;
    const [own, linked] = [await totals(), (await api.get(`/api/projects/${project}/statistics/`)).total];
    await api.post(`${componentPath}/links/`, { project_slug: other });
    expect(await totals()).toBe(own + linked);
    expect((await api.get(`/api/projects/${other}/languages/`)).results).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'de', total: 6 })]),
    );
    // The component stays in its own project.
    expect((await api.get(`${componentPath}/`)).project.slug).toBe(project);
    // Adding an existing link is idempotent.
    await api.post(`${componentPath}/links/`, { project_slug: other });
    expect((await api.get(`${componentPath}/links/`)).count).toBe(1);
    const stranger = await user(unique('stranger'));
    expect(await totals(stranger)).toBe(own + linked);
    await api.patch(`${componentPath}/`, { restricted: true });
    expect(await totals(stranger)).toBe(own);
    await api.patch(`${componentPath}/`, { restricted: false });
    await api.delete(`${componentPath}/links/${other}/`);
    expect(await totals()).toBe(own);
    await api.post(`${componentPath}/links/`, { project_slug: other });
    await api.delete(`${componentPath}/`);
    await eventually(totals, (total: number) => total === own);
  });
});

describe('component lists', () => {
  it('component lists add new components that match a rule', async () => {
    const remote = makeRemote();
    const { project } = await importExample(api, remote);
    const list = await api.post('/api/component-lists/', {
      name: unique('list'),
      slug: unique('list'),
      auto_assign: [
        { project_match: `^${project}$`, component_match: '^docs-' },
        { project_match: '^nothing$', component_match: '.*' },
      ],
    });
    for (const slug of ['docs-one', 'other'])
      await addExample(api, project, slug, remote, { repo: `parlance://${project}/example`, branch: '' });
    expect((await api.get(list.url)).components).toEqual([`${base}/api/components/${project}/docs-one/`]);
    // Rules apply to new components; existing ones are added manually.
    await api.patch(list.url, { auto_assign: [{ project_match: `^${project}$`, component_match: '.*' }] });
    expect((await api.get(list.url)).components).toHaveLength(1);
    await addExample(api, project, 'third', remote, { repo: `parlance://${project}/example`, branch: '' });
    expect((await api.get(list.url)).components).toHaveLength(2);
    expect((await api.get(`${list.url}statistics/`)).total).toBe(
      2 *
        (await api.get(`/api/components/${project}/third/statistics/`)).results.reduce(
          (sum: number, s: { total: number }) => sum + s.total,
          0,
        ),
    );
    const answer = await api.send('PATCH', list.url, { auto_assign: [{ project_match: '(', component_match: '' }] });
    expect([answer.status, answer.body.errors[0].attr]).toEqual([400, 'auto_assign.0.project_match']);
  });
});
