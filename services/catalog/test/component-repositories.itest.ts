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

describe('components with their repositories', () => {
  it('credentials of repositories are encrypted and hidden', async () => {
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
    // Sending back the shown address is not a change.
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

  it('masked credentials are kept only for the same address', async () => {
    const { client, admin } = world;
    const address = (user: string, rest = 'git.example.com/acme/masked.git') => `https://${user}@${rest}`;
    const full = { repo: address('user:s3cret'), push: address('t0ken') };
    const { id } = await makeComponent(world, project, 'mask-kept', full);
    const send = (component: object) => client.updateComponent({ id, component }, admin);
    await send({ repo: address('user:********'), push: address('********'), name: 'Mask kept' });
    const kept = async () => (await client.getComponent({ id, withCredentials: true }, world.process)).component!;
    const before = { name: 'Mask kept', repoWithCredentials: full.repo, pushWithCredentials: full.push };
    expect(await kept()).toMatchObject(before);
    const elsewhere = ['evil.example.com/acme/masked.git', 'git.example.com:8443/acme/masked.git'];
    for (const rest of [...elsewhere, 'git.example.com/other/masked.git']) {
      expect(await problemsOf(send({ repo: address('********', rest) }))).toEqual({ repo: 'invalid' });
      expect(await problemsOf(send({ push: address('user:********', rest) }))).toEqual({ push: 'invalid' });
    }
    expect(await problemsOf(send({ repo: 'http://********@git.example.com/acme/masked.git' }))).toEqual({
      repo: 'invalid',
    });
    expect(await kept()).toMatchObject(before);
    const created = makeComponent(world, project, 'mask-new', { repo: full.repo, push: address('********') });
    expect(await problemsOf(created)).toEqual({ push: 'invalid' });
  });

  it('internal addresses share repositories', async () => {
    const { client, admin, neighbours } = world;
    const owner = await makeComponent(world, project, 'owner', { branch: 'stable', pushBranch: 'translations' });
    await makeComponent(world, project, 'web');
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
    // A PUT with the shown settings keeps the link.
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

  it('a component gets its own repository while an equal one is being prepared, unless it explicitly shares it', async () => {
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

  it('equal repositories of a project are shared automatically', async () => {
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

  it('components are created from archives and documents', async () => {
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
    const masked = async (slug: string, more: object) => {
      const component = { name: slug, slug, ...more };
      const made = await client.createComponentFromFile(
        upload('FILE_KIND_DOCUMENT', 'texts.json', component, Buffer.from('{"a":"b"}')),
        admin,
      );
      const { filemask, template, newBase } = made.component!;
      return [filemask, template, newBase];
    };
    expect(await masked('masked', { fileFormat: 'json', filemask: 'lang/*.json' })).toEqual([
      'lang/*.json',
      'lang/en.json',
      'lang/en.json',
    ]);
    const czech = { fileFormat: 'po', filemask: 'po/*/LC_MESSAGES/*.po', sourceLanguage: 'cs' };
    expect(await masked('masked-po', czech)).toEqual([czech.filemask, '', 'po/cs/LC_MESSAGES/cs.po']);
    const based = { fileFormat: 'json', filemask: 'i18n/*.json', template: 'base.json', newBase: 'base.json' };
    expect(await masked('masked-base', based)).toEqual(['i18n/*.json', 'base.json', 'base.json']);
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

  it('hooks find components by address and name', async () => {
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
