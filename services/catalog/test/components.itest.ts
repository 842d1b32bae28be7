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
let project: number;
worldWithProject((made, id) => void ([world, project] = [made, id]));
beforeEach(() => {
  world.neighbours.problems = [];
});

describe('components', () => {
  it('components are created with defaults, a task, events and history', async () => {
    const { client, admin } = world;
    const {
      component,
      project: shown,
      sourceLanguage,
    } = await client.createComponent({ projectId: project, component: aComponent('web') }, admin);
    expect(component).toMatchObject({
      slug: 'web',
      path: 'web',
      projectSlug: 'main',
      vcs: 'git',
      branch: 'main',
      mergeStyle: 'rebase',
      newLang: 'add',
      priority: 100,
      editTemplate: true,
      manageUnits: false,
      taskId: expect.stringMatching(/^task-/),
      sourceLanguageCode: 'en',
      languageRegex: '^[^.]+$',
      fileFormatParamsJson: '{}',
      enforcedChecks: [],
      repo: 'https://git.example.com/acme/web.git',
      linkedComponentId: 0,
      locked: false,
    });
    expect(component!.commitMessage).toContain('{{ language_name }}');
    expect(shown?.componentCount).toBe(1);
    expect(sourceLanguage).toMatchObject({ code: 'en', direction: 'ltr', inUse: true });
    const created = await world.event('componentCreated', (e) => e.payload.componentId === component!.id);
    expect(created.payload).toMatchObject({ projectId: project, taskId: component!.taskId, userId: 1 });
    await world.event('changeMade', (e) => e.payload.action === 51 && e.payload.componentId === component!.id);
    expect((await client.getComponent({ projectSlug: 'main', path: 'web' }, admin)).component?.id).toBe(component!.id);
    expect((await client.listLanguages({}, world.anonymous)).languages.map((l) => l.code)).toContain('en');
  });

  it('all invalid fields of a component are reported together and nothing is created', async () => {
    const { client, admin, neighbours } = world;
    await makeComponent(world, project, 'there');
    const asked = neighbours.prepared.length;
    const create = (component: object) => client.createComponent({ projectId: project, component }, admin);
    expect(await problemsOf(create({}))).toEqual({
      name: 'required',
      slug: 'required',
      repo: 'required',
      filemask: 'required',
      file_format: 'required',
    });
    expect(
      await problemsOf(
        create(
          aComponent('there', {
            name: 'Unused',
            repo: 'ext::sh -c true',
            branch: 'a..b',
            filemask: '../*.po',
            template: '/etc/passwd',
            newBase: 'po/./x.pot',
            languageRegex: '(',
            license: 'Own',
            checkFlags: 'nonsense',
            hasEnforcedChecks: true,
            enforcedChecks: ['no_such_check'],
            commitMessage: '{{ password }}',
            suggestionAutoaccept: 1,
            priority: 5,
            newLang: 'url',
            sourceLanguage: 'tlh-none',
            categoryId: 77,
            secondaryLanguage: 99_999_999,
            fileFormatParamsJson: '{"json_indent":2}',
            repoweb: 'javascript:alert(1)',
            variantRegex: '.*',
            keyFilter: '(?:',
            vcs: 'cvs',
          }),
        ),
      ),
    ).toEqual({
      // The slug is taken in the project, but the category does not exist.
      repo: 'invalid',
      branch: 'invalid',
      filemask: 'invalid',
      template: 'invalid',
      new_base: 'invalid',
      language_regex: 'invalid',
      license: 'invalid_choice',
      check_flags: 'invalid',
      enforced_checks: 'invalid_choice',
      commit_message: 'invalid',
      suggestion_autoaccept: 'invalid',
      priority: 'invalid_choice',
      new_lang: 'invalid',
      'source_language.code': 'does_not_exist',
      category: 'does_not_exist',
      secondary_language: 'does_not_exist',
      file_format_params: 'invalid',
      repoweb: 'invalid',
      variant_regex: 'invalid',
      key_filter: 'invalid',
      vcs: 'invalid_choice',
    });
    expect(await problemsOf(create(aComponent('there')))).toEqual({ name: 'unique', slug: 'unique' });
    expect(neighbours.prepared).toHaveLength(asked);
  });

  it('problems found in the repository are passed on', async () => {
    const { client, admin, neighbours } = world;
    neighbours.problems = [
      { attr: 'repo', code: 'invalid', detail: 'The repository does not exist.' },
      { attr: 'filemask', code: 'invalid', detail: 'No file matches.' },
    ];
    expect(
      await problemsOf(client.createComponent({ projectId: project, component: aComponent('unreachable') }, admin)),
    ).toEqual({ repo: 'invalid', filemask: 'invalid' });
    expect(await reasonOf(client.getComponent({ projectSlug: 'main', path: 'unreachable' }, admin))).toBe('NOT_FOUND');
  });

  it('components follow the rules of their format', async () => {
    const { client, admin } = world;
    const create = (more: object) =>
      problemsOf(client.createComponent({ projectId: project, component: aComponent('format', more) }, admin));
    expect(await create({ template: 'po/en.po' })).toEqual({ template: 'invalid' });
    expect(await create({ newBase: '' })).toEqual({ new_base: 'required' });
    expect(await create({ fileFormat: 'aresource', filemask: 'res/values-*/strings.xml', newBase: '' })).toEqual({
      template: 'required',
    });
    expect(await create({ fileFormat: 'json', filemask: 'l/*.json', template: 'l/cs.json', newBase: '' })).toEqual({
      template: 'invalid',
    });
    expect(
      await create({ fileFormat: 'html', filemask: 'l/*.html', template: 'l/en.html', editTemplate: true }),
    ).toEqual({ edit_template: 'invalid' });
    expect(
      await create({ fileFormat: 'json', filemask: 'l/*.json', template: 'l/en.json', intermediate: 'l/en.json' }),
    ).toEqual({ intermediate: 'invalid' });
    expect(await create({ fileFormat: 'nonsense' })).toEqual({ file_format: 'invalid_choice' });
    const html = await makeComponent(world, project, 'html', {
      fileFormat: 'html',
      filemask: 'l/*.html',
      template: 'l/en.html',
    });
    expect(html).toMatchObject({ editTemplate: false, manageUnits: true });
  });

  it('a partial update contacts the repository only for settings that affect it', async () => {
    const { client, admin, neighbours } = world;
    const component = await makeComponent(world, project, 'changing');
    const asked = neighbours.prepared.length;
    const renamed = await client.updateComponent(
      { id: component.id, component: { slug: 'changed', license: 'MIT', agreement: 'Be nice.', pushOnCommit: false } },
      admin,
    );
    expect(renamed.component).toMatchObject({
      slug: 'changed',
      path: 'changed',
      license: 'MIT',
      pushOnCommit: false,
      name: component.name,
      version: 2,
    });
    expect(neighbours.prepared).toHaveLength(asked);
    expect(
      (await world.event('componentUpdated', (e) => e.payload.componentId === component.id)).payload,
    ).toMatchObject({ changed: ['slug', 'push_on_commit', 'license', 'agreement'], taskId: '' });
    for (const action of [42, 55, 56])
      await world.event('changeMade', (e) => e.payload.componentId === component.id && e.payload.action === action);
    expect(await reasonOf(client.getComponent({ projectSlug: 'main', path: 'changing' }, admin))).toBe('NOT_FOUND');

    const moved = await client.updateComponent({ id: component.id, component: { branch: 'next' } }, admin);
    expect(neighbours.prepared.at(-1)).toMatchObject({ componentId: component.id, branch: 'next' });
    expect(moved.component?.taskId).toBe(`task-${neighbours.prepared.length}`);
    expect(
      (await world.event('componentUpdated', (e) => e.payload.componentId === component.id && e.payload.taskId !== ''))
        .payload.changed,
    ).toEqual(['branch']);
    await client.setComponentTask(
      { componentId: component.id, taskId: moved.component!.taskId, completed: true },
      world.process,
    );
    expect((await client.getComponent({ id: component.id }, admin)).component?.taskId).toBe('');

    expect(
      await problemsOf(client.updateComponent({ id: component.id, component: { sourceLanguage: 'de' } }, admin)),
    ).toEqual({ source_language: 'invalid' });
    expect(
      await problemsOf(client.updateComponent({ id: component.id, replace: true, component: { name: 'x' } }, admin)),
    ).toEqual({ slug: 'required', repo: 'required', filemask: 'required', file_format: 'required' });
    expect(
      await reasonOf(client.updateComponent({ id: component.id, component: { name: 'x' } }, world.anonymous)),
    ).toBe('NOT_AUTHENTICATED');
  });

  it('components are locked by users and by errors', async () => {
    const { client, admin, bus } = world;
    const component = await makeComponent(world, project, 'locking');
    const keeper = world.member(30, [{ permissions: ['component.lock'], projects: [project] }]);
    expect(await reasonOf(client.setLock({ componentId: component.id, locked: true }, world.member(31, [])))).toBe(
      'PERMISSION_DENIED',
    );
    expect(await client.setLock({ componentId: component.id, locked: true }, keeper)).toEqual({ locked: true });
    expect((await client.getComponent({ id: component.id }, admin)).component?.locked).toBe(true);
    expect(
      (await world.event('changeMade', (e) => e.payload.action === 14 && e.payload.componentId === component.id))
        .payload.userId,
    ).toBe(30);
    await client.setLock({ componentId: component.id, locked: false }, keeper);

    await bus.publish(world.lockRequest(component.id, true, 'The merge failed.'));
    const locked = await world.event(
      'changeMade',
      (e) => e.payload.action === 14 && e.payload.componentId === component.id && e.payload.target !== '',
    );
    expect(locked.payload).toMatchObject({ target: 'The merge failed.', detailsJson: '{"auto":true}', userId: 0 });
    expect((await client.getComponent({ id: component.id }, admin)).component).toMatchObject({
      locked: true,
      lockReason: 'The merge failed.',
    });
    await bus.publish(world.lockRequest(component.id, false, ''));
    await world.event(
      'changeMade',
      (e) =>
        e.payload.action === 15 && e.payload.componentId === component.id && e.payload.detailsJson === '{"auto":true}',
    );
    expect((await client.getComponent({ id: component.id }, admin)).component?.locked).toBe(false);
  });

  it('the components of a project are locked together', async () => {
    const { client, admin } = world;
    const id = await makeProject(world, 'locked');
    await makeComponent(world, id, 'a');
    await makeComponent(world, id, 'b');
    expect((await client.getProject({ id }, admin)).project?.locked).toBe(false);
    await client.setProjectLock({ id, locked: true }, admin);
    expect((await client.getProject({ id }, admin)).project).toMatchObject({ locked: true, componentCount: 2 });
    expect((await client.listComponents({ projectId: id }, admin)).components.map((c) => c.locked)).toEqual([
      true,
      true,
    ]);
  });

  it('components are linked to other projects', async () => {
    const { client, admin } = world;
    const component = await makeComponent(world, project, 'guest');
    const host = await makeProject(world, 'host');
    const link = (projectSlug?: string) => client.createLink({ componentId: component.id, projectSlug }, admin);
    // Linking again is idempotent.
    for (let i = 0; i < 2; i++) expect((await link('host')).component?.linkProjectIds).toEqual([host]);
    expect(await problemsOf(link('main'))).toEqual({ project_slug: 'invalid' });
    expect(await problemsOf(link('nowhere'))).toEqual({ project_slug: 'does_not_exist' });
    expect(await problemsOf(link())).toEqual({ project_slug: 'required' });
    expect((await client.listLinks({ componentId: component.id }, admin)).projects.map((p) => p.slug)).toEqual([
      'host',
    ]);
    expect((await client.listComponentIds({ projectId: host, withLinks: true }, admin)).ids).toEqual([component.id]);
    expect((await client.listComponentIds({ projectId: host }, admin)).ids).toEqual([]);
    await client.deleteLink({ componentId: component.id, projectSlug: 'host' }, admin);
    expect(await reasonOf(client.deleteLink({ componentId: component.id, projectSlug: 'host' }, admin))).toBe(
      'NOT_FOUND',
    );
  });
});
