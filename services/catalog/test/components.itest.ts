import {
  aComponent,
  makeComponent,
  makeProject,
  problemsOf,
  reasonOf,
  startWorld,
  type World,
} from './support/catalog';

let world: World;
let project: number;
beforeAll(async () => {
  world = await startWorld();
  project = await makeProject(world, 'main');
});
afterAll(() => world.close());
beforeEach(() => {
  world.neighbours.problems = [];
});

describe('components', () => {
  it('are made with defaults, a task, events and history', async () => {
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

  it('report every wrong field together and make nothing', async () => {
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
      // The slug is taken in the project, but the category it was to lie in does not exist.
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

  it('pass on what looking into the repository finds', async () => {
    const { client, admin, neighbours } = world;
    neighbours.problems = [
      { attr: 'repo', code: 'invalid', detail: 'There is no repository.' },
      { attr: 'filemask', code: 'invalid', detail: 'No file matches.' },
    ];
    expect(
      await problemsOf(client.createComponent({ projectId: project, component: aComponent('unreachable') }, admin)),
    ).toEqual({ repo: 'invalid', filemask: 'invalid' });
    expect(await reasonOf(client.getComponent({ projectSlug: 'main', path: 'unreachable' }, admin))).toBe('NOT_FOUND');
  });

  it('follow the rules of formats', async () => {
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

  it('keep credentials unreadable and to themselves', async () => {
    const { client, admin, neighbours } = world;
    const component = await makeComponent(world, project, 'private', {
      repo: 'https://user:s3cret@git.example.com/acme/private.git',
      push: 'https://user:pu5h@git.example.com/acme/private.git',
    });
    expect(neighbours.prepared.at(-1)).toMatchObject({
      repo: 'https://user:s3cret@git.example.com/acme/private.git',
      push: 'https://user:pu5h@git.example.com/acme/private.git',
    });
    expect(component).toMatchObject({
      repo: 'https://git.example.com/acme/private.git',
      push: 'https://git.example.com/acme/private.git',
      repoWithCredentials: '',
    });
    expect(JSON.stringify(await world.stored(component.id))).not.toMatch(/s3cret|pu5h|user:/);
    expect(await reasonOf(client.getComponent({ id: component.id, withCredentials: true }, admin))).toBe(
      'PERMISSION_DENIED',
    );
    expect(
      (await client.getComponent({ id: component.id, withCredentials: true }, world.process)).component,
    ).toMatchObject({
      repoWithCredentials: 'https://user:s3cret@git.example.com/acme/private.git',
      pushWithCredentials: 'https://user:pu5h@git.example.com/acme/private.git',
    });
    // What is shown, sent back, changes nothing.
    await client.updateComponent({ id: component.id, component: { repo: component.repo, name: 'Private' } }, admin);
    const after = (await client.getComponent({ id: component.id, withCredentials: true }, world.process)).component!;
    expect(after).toMatchObject({
      name: 'Private',
      repoWithCredentials: 'https://user:s3cret@git.example.com/acme/private.git',
    });
    await client.updateComponent(
      { id: component.id, component: { repo: 'https://git.example.com/acme/elsewhere.git' } },
      admin,
    );
    expect(
      (await client.getComponent({ id: component.id, withCredentials: true }, world.process)).component
        ?.repoWithCredentials,
    ).toBe('https://git.example.com/acme/elsewhere.git');
  });

  it('share repositories by internal addresses', async () => {
    const { client, admin, neighbours } = world;
    const owner = await makeComponent(world, project, 'owner', { branch: 'stable', pushBranch: 'translations' });
    const linked = await makeComponent(world, project, 'linked', {
      repo: 'parlance://main/owner',
      filemask: 'docs/*.po',
    });
    expect(owner).toMatchObject({ linkedComponentId: 0, linkedProjectId: 0 });
    expect(linked).toMatchObject({
      linkedComponentId: owner.id,
      linkedComponentPath: 'main/owner',
      linkedProjectId: project,
      linkedAccessControl: 0,
      linkedRestricted: false,
      repo: owner.repo,
      branch: 'stable',
      pushBranch: 'translations',
    });
    expect(neighbours.prepared.at(-1)).toMatchObject({ linkedComponentId: owner.id, repo: '' });
    const create = (repo: string, more = {}) =>
      problemsOf(
        client.createComponent({ projectId: project, component: aComponent('other', { repo, ...more }) }, admin),
      );
    expect(await create('parlance://main/nothing')).toEqual({ repo: 'invalid' });
    expect(await create('parlance://main/linked')).toEqual({ repo: 'invalid' });
    expect(
      await create('parlance://main/owner', { push: 'https://a.example/b', branch: 'x', pushBranch: 'y' }),
    ).toEqual({ push: 'invalid', branch: 'invalid', push_branch: 'invalid' });
    expect(
      await problemsOf(client.updateComponent({ id: owner.id, component: { repo: 'parlance://main/owner' } }, admin)),
    ).toEqual({ repo: 'invalid' });
    expect(
      await problemsOf(client.updateComponent({ id: owner.id, component: { repo: 'parlance://main/web' } }, admin)),
    ).toEqual({ repo: 'invalid' });
    // A PUT of what was shown leaves it linked.
    const put = await client.updateComponent(
      {
        id: linked.id,
        replace: true,
        component: {
          name: 'Linked',
          slug: 'linked',
          repo: linked.repo,
          branch: linked.branch,
          pushBranch: linked.pushBranch,
          filemask: linked.filemask,
          fileFormat: 'po',
        },
      },
      admin,
    );
    expect(put.component).toMatchObject({ name: 'Linked', linkedComponentId: owner.id });
    await client.deleteComponent({ id: owner.id }, admin);
    expect(await reasonOf(client.getComponent({ id: linked.id }, admin))).toBe('NOT_FOUND');
    await world.event('componentDeleted', (e) => e.payload.componentId === linked.id);
  });

  it('have a repository of their own while an equal one is not there yet, but for those that ask to share it', async () => {
    const { client, admin, neighbours } = world;
    const repo = 'https://git.example.com/acme/early.git';
    const first = await makeComponent(world, project, 'early-1', { repo });
    neighbours.notReady.add(first.id);
    const second = await makeComponent(world, project, 'early-2', { repo });
    expect(second).toMatchObject({ linkedComponentId: 0, repo });
    expect(neighbours.prepared.at(-1)).toMatchObject({ linkedComponentId: 0, repo });
    const asked = aComponent('early-3', { repo: 'parlance://main/early-1' });
    expect(await problemsOf(client.createComponent({ projectId: project, component: asked }, admin))).toEqual({
      repo: 'invalid',
    });
    neighbours.notReady.delete(first.id);
    expect(await makeComponent(world, project, 'early-4', { repo })).toMatchObject({ linkedComponentId: first.id });
  });

  it('share equal repositories of a project by themselves', async () => {
    const { client, admin } = world;
    const repo = 'https://git.example.com/acme/shared.git';
    const first = await makeComponent(world, project, 'share-1', { repo });
    const second = await makeComponent(world, project, 'share-2', { repo });
    const onBranch = await makeComponent(world, project, 'share-3', { repo, branch: 'other' });
    const named = await makeComponent(world, project, 'share-4', { repo, branch: 'main' });
    const alone = (
      await client.createComponent(
        { projectId: project, disableAutoshare: true, component: aComponent('share-5', { repo }) },
        admin,
      )
    ).component!;
    expect([second, onBranch, named, alone].map((c) => c.linkedComponentId)).toEqual([first.id, 0, first.id, 0]);
  });

  it('start from archives and documents', async () => {
    const { client, admin, neighbours } = world;
    const upload = async function* (
      kind: 'FILE_KIND_ZIP' | 'FILE_KIND_DOCUMENT',
      filename: string,
      component: object,
      bytes: Buffer,
    ) {
      yield { header: { kind, filename, request: { projectId: project, component } } };
      for (let at = 0; at < bytes.length; at += 100_000) yield { chunk: bytes.subarray(at, at + 100_000) };
    };
    const archive = Buffer.alloc(6_000_000, 'z');
    const zip = await client.createComponentFromFile(
      upload(
        'FILE_KIND_ZIP',
        'a.zip',
        { name: 'Zip', slug: 'zip', filemask: 'po/*.po', fileFormat: 'po', newBase: 'po/a.pot' },
        archive,
      ),
      admin,
    );
    expect(zip.component).toMatchObject({ vcs: 'local', repo: 'local:', branch: 'main' });
    expect(neighbours.archives.at(-1)!.equals(archive)).toBe(true);
    expect(neighbours.prepared.at(-1)).toMatchObject({ archiveKind: 'zip', repo: 'local:', vcs: 'local' });
    const doc = await client.createComponentFromFile(
      upload(
        'FILE_KIND_DOCUMENT',
        'Guide.HTML',
        { name: 'Doc', slug: 'doc', fileFormat: 'html' },
        Buffer.from('<p>x</p>'),
      ),
      admin,
    );
    expect(doc.component).toMatchObject({
      filemask: 'doc/*.html',
      template: 'doc/en.html',
      newBase: 'doc/en.html',
      vcs: 'local',
    });
    expect(
      await problemsOf(client.createComponentFromFile(upload('FILE_KIND_ZIP', 'a.zip', { name: 'Z' }, archive), admin)),
    ).toEqual({ slug: 'required', filemask: 'required', file_format: 'required' });
    expect(
      await problemsOf(
        client.createComponentFromFile(
          upload(
            'FILE_KIND_ZIP',
            'a.zip',
            { name: 'Z', slug: 'z', filemask: 'a/*.po', fileFormat: 'po', newBase: 'a.pot' },
            Buffer.alloc(0),
          ),
          admin,
        ),
      ),
    ).toEqual({ zipfile: 'empty' });
  });

  it('are changed in part; the repository is looked into only when that matters', async () => {
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

  it('are locked by people and by errors', async () => {
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
        e.payload.action === 15 && e.payload.componentId === component.id && e.payload.detailsJson.includes('auto'),
    );
    expect((await client.getComponent({ id: component.id }, admin)).component?.locked).toBe(false);
  });

  it('of a project are locked together', async () => {
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

  it('are linked to other projects', async () => {
    const { client, admin } = world;
    const component = await makeComponent(world, project, 'guest');
    const host = await makeProject(world, 'host');
    const link = (projectSlug?: string) => client.createLink({ componentId: component.id, projectSlug }, admin);
    // Linking again changes nothing, and is no mistake of somebody who makes sure of it.
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

  it('are found by what hooks say', async () => {
    const { client } = world;
    const hooked = await makeProject(world, 'hooks', { hookSecret: 'abc' });
    const silent = await makeProject(world, 'silent', { enableHooks: false });
    const component = await makeComponent(world, hooked, 'one', {
      repo: 'https://user:pw@code.example.org/team/App.git',
      branch: 'main',
    });
    await makeComponent(world, silent, 'two', { repo: 'git@code.example.org:team/app.git', branch: 'main' });
    const match = async (candidateUrls: string[], fullName = '', branch = 'main') =>
      (await client.matchRepositories({ candidateUrls, fullName, branch }, world.process)).matches.map((m) => [
        m.component!.projectSlug,
        m.branchMatches,
        m.enabled,
        m.hookSecret,
      ]);
    const both = [
      ['hooks', true, true, 'abc'],
      ['silent', true, false, ''],
    ];
    for (const url of [
      'https://code.example.org/team/app',
      'ssh://git@code.example.org:2222/team/App.git',
      'git://code.example.org/team/app/',
      'git@code.example.org:team/App.git',
    ]) {
      expect(await match([url])).toEqual(both);
    }
    expect(await match([], 'team/app')).toEqual(both);
    expect(await match(['https://code.example.org/team/app'], '', 'dev')).toEqual([
      ['hooks', false, false, 'abc'],
      ['silent', false, false, ''],
    ]);
    expect(await match(['https://evil.example.org/team/app'], 'other/app')).toEqual([]);
    expect(await match([], 'am/app')).toEqual([]);
    expect(await match([])).toEqual([]);
    const direct = await client.matchRepositories({ projectSlug: 'hooks', componentPath: 'one' }, world.process);
    expect(direct.matches.map((m) => m.component?.id)).toEqual([component.id]);
    expect(await reasonOf(client.matchRepositories({ fullName: 'team/app' }, world.admin))).toBe('PERMISSION_DENIED');
  });
});
