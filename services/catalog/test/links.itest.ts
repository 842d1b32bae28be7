import type { Grant } from '@parlance/access';
import type { CallOptions } from '@parlance/grpc-kit';
import {
  aComponent,
  makeComponent,
  makeProject,
  problemsOf,
  reasonOf,
  worldWithProject,
  type World,
} from './support/catalog';

let world: World;
let victims: number;
worldWithProject((made, id) => void ([world, victims] = [made, id]));

const editing: Grant['permissions'] = ['project.edit', 'component.edit'];
const linking: Grant['permissions'] = ['component.edit', 'vcs.access', 'vcs.commit', 'vcs.push'];

let count = 0;
/** A component of a victim's project, and a stranger's project. */
async function ground() {
  const at = ++count;
  const owner = await makeComponent(world, victims, `owner${at}`);
  const mine = await makeProject(world, `mine${at}`);
  const stranger = world.member(100 + at, [{ permissions: [...editing, ...linking], projects: [mine] }]);
  const partner = world.member(200 + at, [
    { permissions: [...editing, ...linking], projects: [mine] },
    { permissions: linking, projects: [victims] },
  ]);
  const settings = { repo: `parlance://main/owner${at}`, filemask: 'docs/*.po' };
  const link = (as: CallOptions, slug: string) =>
    world.client.createComponent({ projectId: mine, component: aComponent(slug, settings) }, as);
  return { at, owner, mine, stranger, partner, settings, link };
}

describe('links to repositories', () => {
  it('a link requires permissions on the owner, for new and changed components', async () => {
    const { mine, stranger, partner, settings, link, at } = await ground();
    expect(await problemsOf(link(stranger, 'docs'))).toEqual({ repo: 'permission_denied' });
    const own = await makeComponent(world, mine, 'own');
    const change = (as: CallOptions) =>
      world.client.updateComponent({ id: own.id, component: { repo: settings.repo } }, as);
    expect(await problemsOf(change(stranger))).toEqual({ repo: 'permission_denied' });
    for (const missing of linking) {
      const rights = linking.filter((permission) => permission !== missing);
      const almost = world.member(300 + at, [
        { permissions: [...editing, ...linking], projects: [mine] },
        { permissions: rights, projects: [victims] },
      ]);
      expect(await problemsOf(link(almost, 'docs'))).toEqual({ repo: 'permission_denied' });
    }
    expect((await link(partner, 'docs')).component!.linkedProjectId).toBe(victims);
    expect((await change(partner)).component!.linkedProjectId).toBe(victims);
  });

  it('repositories are not shared automatically without permissions on the owner', async () => {
    const { at, mine } = await ground();
    const repo = 'https://git.example.com/acme/alike.git';
    const owner = await makeComponent(world, mine, 'alike-1', { repo });
    const limited = world.member(400 + at, [
      { permissions: editing, projects: [mine] },
      { permissions: ['vcs.access'], projects: [mine] },
    ]);
    const create = (as: CallOptions, slug: string) =>
      world.client.createComponent({ projectId: mine, component: aComponent(slug, { repo }) }, as);
    expect((await create(limited, 'alike-2')).component!.linkedComponentId).toBe(0);
    expect((await create(world.admin, 'alike-3')).component!.linkedComponentId).toBe(owner.id);
  });

  it('callers without permissions on the owner cannot change files or add-ons of a linked component', async () => {
    const { stranger, partner, link } = await ground();
    const { component } = await link(partner, 'docs');
    const { id } = component!;
    const change = (as: CallOptions, settings: object) => world.client.updateComponent({ id, component: settings }, as);
    expect((await change(stranger, { name: 'Docs' })).component!.name).toBe('Docs');
    const files = { filemask: '*.po', newBase: 'secrets.pot', screenshotFilemask: 'img/*.png', languageRegex: '.' };
    expect(await problemsOf(change(stranger, files))).toEqual({
      filemask: 'permission_denied',
      new_base: 'permission_denied',
      screenshot_filemask: 'permission_denied',
      language_regex: 'permission_denied',
    });
    expect((await change(partner, files)).component).toMatchObject(files);

    const configuration = { filename: '.github/workflows/x.yml', template: 'on: push' };
    const install = (as: CallOptions) =>
      world.client.createAddon(
        { componentId: id, name: 'weblate.generate.generate', configurationJson: JSON.stringify(configuration) },
        as,
      );
    expect(await reasonOf(install(stranger))).toBe('PERMISSION_DENIED');
    const addon = (await install(partner)).addon!;
    const configure = (as: CallOptions) =>
      world.client.updateAddon({ id: addon.id, configurationJson: JSON.stringify(configuration) }, as);
    expect(await reasonOf(configure(stranger))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(configure(partner))).toBe('OK');
    // Deleting an add-on does not change the owner's repository.
    expect(await reasonOf(world.client.deleteAddon({ id: addon.id }, stranger))).toBe('OK');
  });

  it('linked components stay editable for admins who cannot see the owner', async () => {
    const { at, owner, stranger, partner, link } = await ground();
    const { component } = await link(partner, 'docs');
    await world.client.updateComponent({ id: owner.id, component: { restricted: true } }, world.admin);
    const change = { id: component!.id, component: { name: `Docs ${at}` } };
    expect((await world.client.updateComponent(change, stranger)).component).toMatchObject({
      name: `Docs ${at}`,
      linkedComponentId: owner.id,
    });
  });

  it('the owner lists and revokes links', async () => {
    const { at, owner, mine, stranger, partner, link } = await ground();
    const { component } = await link(partner, 'docs');
    const { id } = component!;
    // The owner's admins see links from projects that are hidden from them.
    await world.client.updateProject({ id: mine, project: { accessControl: 100 } }, world.admin);
    const admin = world.member(500 + at, [{ permissions: ['component.edit'], projects: [victims] }]);
    const list = (as: CallOptions) => world.client.listLinkedComponents({ componentId: owner.id }, as);
    expect(await list(admin)).toMatchObject({
      total: 1,
      components: [
        { id, name: 'DOCS', path: 'docs', projectSlug: `mine${at}`, projectName: `MINE${at}`, filemask: 'docs/*.po' },
      ],
    });
    expect(await reasonOf(list(stranger))).toBe('PERMISSION_DENIED');
    const revoke = (as: CallOptions, linkedComponentId: number) =>
      world.client.deleteLinkedComponent({ componentId: owner.id, linkedComponentId }, as);
    expect(await reasonOf(revoke(stranger, id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(revoke(admin, owner.id))).toBe('NOT_FOUND');
    const { taskId } = await revoke(admin, id);
    expect(await list(admin)).toMatchObject({ total: 0, components: [] });
    const after = (await world.client.getComponent({ id }, stranger)).component!;
    expect(after).toMatchObject({
      linkedComponentId: 0,
      vcs: 'local',
      repo: 'local:',
      branch: 'main',
      push: '',
      filemask: 'docs/*.po',
      taskId,
    });
    const { payload } = await world.event('componentUpdated', (e) => e.payload.taskId === taskId);
    expect(payload).toMatchObject({ componentId: id, changed: ['vcs', 'repo', 'branch'] });
    expect(await reasonOf(revoke(admin, id))).toBe('NOT_FOUND');
  });
});

describe('an owner of a repository', () => {
  it('an owner is not deleted while components of others use its repository', async () => {
    const { at, owner, mine, partner, link } = await ground();
    const { component } = await link(partner, 'docs');
    const own = await world.client.createComponent(
      {
        projectId: victims,
        component: aComponent(`same${at}`, { repo: `parlance://main/owner${at}`, filemask: 'x/*.po' }),
      },
      world.admin,
    );
    const admin = world.member(600 + at, [{ permissions: editing, projects: [victims] }]);
    const remove = () => world.client.deleteComponent({ id: owner.id }, admin);
    const problem = { problems: [{ code: 'linked', detail: expect.stringContaining(`mine${at}/docs`) }] };
    await expect(remove()).rejects.toMatchObject(problem);
    await expect(world.client.deleteProject({ id: victims }, admin)).rejects.toMatchObject(problem);
    const { category } = await world.client.createCategory(
      { category: { projectId: victims, name: `C${at}`, slug: `c${at}` } },
      world.admin,
    );
    await world.client.updateComponent({ id: owner.id, component: { categoryId: category!.id } }, world.admin);
    const removeCategory = () => world.client.deleteCategory({ id: category!.id }, admin);
    await expect(removeCategory()).rejects.toMatchObject(problem);
    for (const { id } of [owner, component!, own.component!])
      expect((await world.client.getComponent({ id }, world.admin)).component?.id).toBe(id);

    await world.client.deleteLinkedComponent({ componentId: owner.id, linkedComponentId: component!.id }, admin);
    await removeCategory();
    expect(await reasonOf(world.client.getComponent({ id: owner.id }, world.admin))).toBe('NOT_FOUND');
    expect(await reasonOf(world.client.getComponent({ id: own.component!.id }, world.admin))).toBe('NOT_FOUND');
    const kept = (await world.client.getComponent({ id: component!.id }, world.admin)).component;
    expect(kept).toMatchObject({ id: component!.id, linkedComponentId: 0, projectId: mine });
  });

  it('an owner is deleted with the linked components that the caller may delete', async () => {
    const { at, owner, mine, partner, link } = await ground();
    const { component } = await link(partner, 'docs');
    const both = world.member(700 + at, [{ permissions: editing, projects: [victims, mine] }]);
    await world.client.deleteComponent({ id: owner.id }, both);
    for (const { id } of [owner, component!])
      expect(await reasonOf(world.client.getComponent({ id }, world.admin))).toBe('NOT_FOUND');
  });
});

describe('links to projects', () => {
  it('a link to a project requires permissions on both sides, and either side can end it', async () => {
    const { at, owner, mine, stranger } = await ground();
    const editor = world.member(600 + at, [{ permissions: ['component.edit'], projects: [victims] }]);
    const both = world.member(700 + at, [
      { permissions: ['component.edit'], projects: [victims] },
      { permissions: ['project.edit'], projects: [mine] },
    ]);
    const share = (as: CallOptions) => world.client.createLink({ componentId: owner.id, projectSlug: `mine${at}` }, as);
    const end = (as: CallOptions) => world.client.deleteLink({ componentId: owner.id, projectSlug: `mine${at}` }, as);
    expect(await problemsOf(share(editor))).toEqual({ project_slug: 'permission_denied' });
    expect(await reasonOf(share(stranger))).toBe('PERMISSION_DENIED');
    for (const side of [editor, stranger]) {
      await share(both);
      expect(await reasonOf(end(world.member(800 + at, [])))).toBe('PERMISSION_DENIED');
      expect(await reasonOf(end(side))).toBe('OK');
      expect(await reasonOf(end(both))).toBe('NOT_FOUND');
    }
  });

  it('admins of a project list and end links, also of components that are hidden from them', async () => {
    const { at, owner, mine, stranger } = await ground();
    await world.client.createLink({ componentId: owner.id, projectSlug: `mine${at}` }, world.admin);
    await world.client.updateComponent({ id: owner.id, component: { restricted: true } }, world.admin);
    expect(await reasonOf(world.client.getComponent({ id: owner.id }, stranger))).toBe('NOT_FOUND');
    const list = (as: CallOptions) => world.client.listSharedComponents({ projectId: mine }, as);
    expect(await list(stranger)).toMatchObject({ total: 1, components: [{ id: owner.id, projectSlug: 'main' }] });
    expect(await reasonOf(list(world.anonymous))).toBe('NOT_AUTHENTICATED');
    const end = (as: CallOptions) => world.client.deleteSharedComponent({ projectId: mine, componentId: owner.id }, as);
    expect(await reasonOf(end(world.member(900 + at, [])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(end(stranger))).toBe('OK');
    expect(await reasonOf(end(stranger))).toBe('NOT_FOUND');
    expect(await list(stranger)).toMatchObject({ total: 0 });
  });
});
