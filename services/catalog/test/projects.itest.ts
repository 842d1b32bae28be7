import { aProject, makeComponent, makeProject, problemsOf, reasonOf, startWorld, type World } from './support/catalog';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('projects', () => {
  it('projects are created with defaults, teams, events and history', async () => {
    const { client, admin, neighbours } = world;
    const { project } = await client.createProject({ project: aProject('first') }, admin);
    expect(project).toMatchObject({
      name: 'FIRST',
      slug: 'first',
      accessControl: 0,
      enableHooks: true,
      setLanguageTeam: true,
      translationReview: false,
      commitPolicy: 0,
      locked: false,
      componentCount: 0,
      languageAliases: '',
    });
    expect(neighbours.teams).toContainEqual(
      expect.objectContaining({ projectId: project!.id, creatorUserId: 1, slug: 'first' }),
    );
    const created = await world.event('projectCreated', (e) => e.payload.projectId === project!.id);
    expect(created.payload).toMatchObject({ slug: 'first', userId: 1 });
    expect((await world.event('changeMade', (e) => e.payload.projectId === project!.id)).payload).toMatchObject({
      action: 50,
      userId: 1,
    });
    expect((await client.getProject({ slug: 'first' }, world.anonymous)).project?.id).toBe(project!.id);
  });

  it('all invalid fields of a project are reported', async () => {
    const { client, admin } = world;
    await makeProject(world, 'taken');
    expect(await problemsOf(client.createProject({ project: {} }, admin))).toEqual({
      name: 'required',
      slug: 'required',
      web: 'required',
    });
    expect(
      await problemsOf(
        client.createProject(
          {
            project: {
              name: 'x'.repeat(61),
              slug: '-',
              web: 'ftp://a',
              languageAliases: 'a:b:c',
              checkFlags: 'no-such-flag',
              commitPolicy: 5,
              accessControl: 7,
              secondaryLanguage: 999_999,
            },
          },
          admin,
        ),
      ),
    ).toEqual({
      name: 'max_length',
      slug: 'invalid',
      web: 'invalid',
      language_aliases: 'invalid',
      check_flags: 'invalid',
      commit_policy: 'invalid_choice',
      access_control: 'invalid_choice',
      secondary_language: 'does_not_exist',
    });
    expect(await problemsOf(client.createProject({ project: aProject('taken', { name: 'Other' }) }, admin))).toEqual({
      slug: 'unique',
    });
    const twice = aProject('taken', { name: 'TAKEN', web: 'x' });
    expect(await problemsOf(client.createProject({ project: twice }, admin))).toEqual({
      name: 'unique',
      slug: 'unique',
      web: 'invalid',
    });
  });

  it('a renamed project is visible immediately under a new version', async () => {
    const { client, admin } = world;
    const id = await makeProject(world, 'before');
    const { project } = await client.updateProject({ id, project: { slug: 'after' } }, admin);
    expect(project).toMatchObject({ slug: 'after', name: 'BEFORE', version: 2 });
    expect(await reasonOf(client.getProject({ slug: 'before' }, admin))).toBe('NOT_FOUND');
    expect(
      (await world.event('changeMade', (e) => e.payload.action === 41 && e.payload.projectId === id)).payload,
    ).toMatchObject({ old: 'before', target: 'after' });
    expect(await problemsOf(client.updateProject({ id, replace: true, project: { name: 'N' } }, admin))).toEqual({
      slug: 'required',
      web: 'required',
    });
    const unchanged = await client.updateProject({ id, project: { slug: 'after' } }, admin);
    expect(unchanged.project?.version).toBe(2);
  });

  it('concurrent writes of a project are not lost', async () => {
    const { client, admin } = world;
    const id = await makeProject(world, 'busy');
    await Promise.all([
      client.updateProject({ id, project: { instructions: 'Read this.' } }, admin),
      client.updateProject({ id, project: { translationReview: true } }, admin),
      client.updateProject({ id, project: { enableHooks: false } }, admin),
    ]);
    expect((await client.getProject({ id }, admin)).project).toMatchObject({
      instructions: 'Read this.',
      translationReview: true,
      enableHooks: false,
      version: 4,
    });
  });

  it('changing a project requires permission', async () => {
    const { client } = world;
    const id = await makeProject(world, 'guarded');
    const outsider = world.member(50, []);
    const editor = world.member(51, [{ permissions: ['project.edit'], projects: [id] }]);
    expect(await reasonOf(client.createProject({ project: aProject('mine') }, outsider))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(client.createProject({ project: aProject('mine') }, world.anonymous))).toBe(
      'NOT_AUTHENTICATED',
    );
    expect(await reasonOf(client.updateProject({ id, project: { name: 'X' } }, outsider))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(client.updateProject({ id, project: { name: 'X' } }, editor))).toBe('OK');
    expect(await reasonOf(client.updateProject({ id, project: { accessControl: 100 } }, editor))).toBe(
      'PERMISSION_DENIED',
    );
    expect(await reasonOf(client.deleteProject({ id }, outsider))).toBe('PERMISSION_DENIED');
  });

  it('private projects are hidden from strangers', async () => {
    const { client, admin } = world;
    const id = await makeProject(world, 'secret', { accessControl: 100 });
    const component = await makeComponent(world, id, 'inside');
    const open = await makeProject(world, 'open');
    const restricted = await makeComponent(world, open, 'restricted', { restricted: true });
    const stranger = world.member(60, [{ permissions: ['suggestion.add'], projects: 'public' }]);
    const insider = world.member(61, [{ permissions: ['unit.edit'], projects: [id] }]);
    const lister = world.member(62, [{ permissions: [], projects: [open], components: [restricted.id] }]);
    const slugs = async (as: typeof admin) =>
      (await client.listProjects({ page: { pageSize: 1000 } }, as)).projects.map((p) => p.slug);
    expect(await slugs(stranger)).not.toContain('secret');
    expect(await slugs(insider)).toContain('secret');
    for (const as of [stranger, world.anonymous]) {
      expect(await reasonOf(client.getProject({ id }, as))).toBe('NOT_FOUND');
      expect(await reasonOf(client.getComponent({ id: component.id }, as))).toBe('NOT_FOUND');
      expect(await reasonOf(client.getComponent({ projectSlug: 'open', path: 'restricted' }, as))).toBe('NOT_FOUND');
      expect(await reasonOf(client.updateProject({ id, project: {} }, as))).toBe('NOT_FOUND');
      expect((await client.batchGetProjects({ ids: [id] }, as)).projects).toEqual([]);
      expect((await client.batchGetComponents({ ids: [component.id, restricted.id] }, as)).components).toEqual([]);
      const hidden = await client.listHidden({}, as);
      expect(hidden.projectIds).toContain(id);
      expect(hidden.componentIds).toContain(restricted.id);
      const listed = (await client.listComponents({ page: { pageSize: 1000 } }, as)).components.map((c) => c.id);
      expect(listed).not.toContain(component.id);
      expect(listed).not.toContain(restricted.id);
    }
    expect(await reasonOf(client.getComponent({ id: restricted.id }, lister))).toBe('OK');
    expect((await client.listHidden({}, lister)).componentIds).not.toContain(restricted.id);
    expect(await client.listHidden({}, admin)).toMatchObject({ projectIds: [], componentIds: [] });
  });

  it('members of teams with listed components see only these', async () => {
    const { client } = world;
    const id = await makeProject(world, 'partly', { accessControl: 100 });
    const [mine, other] = [await makeComponent(world, id, 'mine'), await makeComponent(world, id, 'other')];
    const member = world.member(70, [{ permissions: ['unit.edit'], projects: [id], components: [mine.id] }]);
    expect((await client.listComponents({ projectId: id }, member)).components.map((c) => c.id)).toEqual([mine.id]);
    expect((await client.listHidden({}, member)).componentIds).toContain(other.id);
    expect((await client.listHidden({}, member)).projectIds).not.toContain(id);
  });

  it('a bot sees only its own project', async () => {
    const { client } = world;
    const id = await makeProject(world, 'own');
    const other = await makeProject(world, 'foreign');
    const bot = world.member(80, [{ permissions: ['project.edit'], projects: [id] }], {
      isBot: true,
      onlyProjects: [id],
    });
    expect((await client.listProjects({}, bot)).projects.map((p) => p.id)).toEqual([id]);
    expect(await reasonOf(client.getProject({ id: other }, bot))).toBe('NOT_FOUND');
    expect((await client.listHidden({}, bot)).projectIds).toContain(other);
  });

  it('a project is deleted with all its contents', async () => {
    const { client, admin } = world;
    const id = await makeProject(world, 'doomed');
    const component = await makeComponent(world, id, 'part');
    await client.createLabel({ projectId: id, label: { name: 'l' } }, admin);
    const { componentList } = await client.createComponentList(
      { componentList: { name: 'Doomed', slug: 'doomed' } },
      admin,
    );
    await client.addToComponentList({ id: componentList!.id, componentId: component.id }, admin);
    await client.deleteProject({ id }, admin);
    expect(await reasonOf(client.getProject({ id }, admin))).toBe('NOT_FOUND');
    expect(await reasonOf(client.getComponent({ id: component.id }, admin))).toBe('NOT_FOUND');
    expect(
      (await client.listComponents({ page: { pageSize: 1000 } }, admin)).components.map((c) => c.id),
    ).not.toContain(component.id);
    await world.event('componentDeleted', (e) => e.payload.componentId === component.id);
    await world.event('changeMade', (e) => e.payload.action === 39 && e.payload.projectId === id);
    await makeProject(world, 'doomed');
  });

  it('lists of projects are paginated by id', async () => {
    const { client, admin } = world;
    const all = await client.listProjects({ page: { pageSize: 1000 } }, admin);
    expect(all.total).toBe(all.projects.length);
    const ids = all.projects.map((p) => p.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const second = await client.listProjects({ page: { page: 2, pageSize: 3 } }, admin);
    expect(second).toMatchObject({ total: all.total });
    expect(second.projects.map((p) => p.id)).toEqual(ids.slice(3, 6));
    expect((await client.listProjects({ page: { page: 5000 } }, admin)).projects).toEqual([]);
    expect(await problemsOf(client.listProjects({ page: { page: -1 } }, admin))).toEqual({ page: 'invalid' });
    expect(await problemsOf(client.listProjects({ page: { pageSize: 1001 } }, admin))).toEqual({
      page_size: 'invalid',
    });
  });

  it('the secret of hooks is readable for services only', async () => {
    const { client, admin } = world;
    const id = await makeProject(world, 'hooked', { hookSecret: 'sesame' } as never);
    expect((await client.getProject({ id }, admin)).project).toMatchObject({ hookSecret: '', hasHookSecret: true });
    expect((await client.getProject({ id }, world.process)).project?.hookSecret).toBe('sesame');
    await client.updateProject({ id, project: { hookSecret: '********' } }, admin);
    expect((await client.getProject({ id }, world.process)).project?.hookSecret).toBe('sesame');
    await client.updateProject({ id, project: { hookSecret: '' } }, admin);
    expect(await problemsOf(client.updateProject({ id, project: { hookSecret: '********' } }, admin))).toEqual({
      hook_secret: 'invalid',
    });
    expect((await client.getProject({ id }, admin)).project?.hasHookSecret).toBe(false);
  });
});
