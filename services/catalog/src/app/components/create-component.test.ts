import { ChangeAction } from '@parlance/contracts';
import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import type { ComponentInput } from './component-input';
import { assignToLists, createComponent, type UploadedFile } from './create-component';

const repo = 'https://git.example.com/acme/app.git';
const input = {
  name: 'App',
  slug: 'app',
  repo,
  filemask: 'po/*.po',
  newBase: 'po/messages.pot',
  fileFormat: 'po',
} satisfies ComponentInput;

/** A world with the English language and a project. */
async function start(settings: object = {}) {
  const world = new UseCaseWorld();
  await world.language('en');
  const project = await world.project('acme', settings);
  const create = (given: ComponentInput = input, more: { disableAutoshare?: boolean; file?: UploadedFile } = {}) =>
    createComponent(world.deps, world.admin, { projectId: project.id, input: given, disableAutoshare: false, ...more });
  return { world, project, create };
}

const file = (kind: UploadedFile['kind'], filename: string): UploadedFile => ({
  kind,
  filename,
  bytes: (async function* () {
    yield Buffer.from('x');
  })(),
});

describe('createComponent', () => {
  it('the repository is prepared before the component is stored, and its events are announced last', async () => {
    const { world, create } = await start();
    const { component } = await create();
    expect(world.effects.list).toEqual([
      'prepare repository',
      `store component ${component.id} (componentCreated, changeMade)`,
      `announce nodes ${component.id} (componentCreated, changeMade)`,
    ]);
    expect(component).toMatchObject({ version: 1, linkedId: 0, sourceLanguage: 'en', taskId: 'task-1', locked: false });
    expect(world.effects.payloads('componentCreated')).toMatchObject([{ taskId: 'task-1', userId: 1 }]);
    expect(world.effects.payloads('changeMade')).toMatchObject([{ action: ChangeAction.componentCreated }]);
  });

  it('without a branch the default branch of the repository is used and remembered as such', async () => {
    const { create } = await start();
    expect((await create()).component).toMatchObject({ settings: { branch: 'main' }, branchIsDefault: true });
    const named = await create({ ...input, name: 'B', slug: 'b', repo: `${repo}b`, branch: 'next' });
    expect(named.component).toMatchObject({ settings: { branch: 'next' }, branchIsDefault: false });
  });

  it('nothing is stored if the repository has problems', async () => {
    const { world, create } = await start();
    world.repositoryProblems = [{ attr: 'filemask', code: 'invalid', detail: 'No files match.' }];
    expect(await fieldsOf(create())).toEqual(['filemask:invalid']);
    expect(world.effects.list).toEqual(['prepare repository']);
  });

  it('invalid settings are reported together, and then the repository is not prepared', async () => {
    const { world, create } = await start();
    expect((await fieldsOf(create({}))).sort()).toEqual([
      'file_format:required',
      'filemask:required',
      'name:required',
      'repo:required',
      'slug:required',
    ]);
    const wrong = { ...input, sourceLanguage: 'xx', secondaryLanguage: 99, categoryId: 99, repo: 'no address' };
    expect((await fieldsOf(create(wrong))).sort()).toEqual([
      'category:does_not_exist',
      'repo:invalid',
      'secondary_language:does_not_exist',
      'source_language.code:does_not_exist',
    ]);
    expect(world.effects.list).toEqual([]);
  });

  it('creating a component requires project.edit on a visible project', async () => {
    const { world, project } = await start();
    const closed = await world.project('closed', { accessControl: 100 });
    const create = (projectId: number) =>
      createComponent(world.deps, world.member(['component.edit'], 'public'), {
        projectId,
        input,
        disableAutoshare: false,
      });
    expect(await reasonOf(create(project.id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(create(closed.id))).toBe('NOT_FOUND');
  });

  it('createComponent refuses a component above the quota of the project', async () => {
    const { world, project, create } = await start();
    for (let i = 0; i < world.deps.quotas.componentsPerProject; i++) await world.component(project.id, `c${i}`);
    expect(await fieldsOf(create())).toEqual(['project:max_length']);
  });

  it('credentials of an address are stored sealed and apart from it, and git gets them in clear', async () => {
    const { world, create } = await start();
    const { component } = await create({ ...input, repo: 'https://ana:secret@git.example.com/acme/app.git' });
    expect(component).toMatchObject({ settings: { repo }, repoSecret: 'sealed:ana:secret' });
    expect(world.prepared[0]!.repo).toBe('https://ana:secret@git.example.com/acme/app.git');
    expect(JSON.stringify(world.effects.events)).not.toContain('secret');
    const masked = create({ ...input, name: 'B', slug: 'b', repo: 'https://********@git.example.com/acme/app.git' });
    expect(await fieldsOf(masked)).toEqual(['repo:invalid']);
  });

  it('a component with the repository and branch of another one shares it, unless sharing is disabled', async () => {
    const { world, create } = await start();
    const owner = (await create()).component;
    const shared = (await create({ ...input, name: 'B', slug: 'b' })).component;
    expect(shared).toMatchObject({ linkedId: owner.id, settings: { repo: '', branch: '' } });
    expect(world.prepared[1]).toMatchObject({ repo: '', linkedComponentId: owner.id });
    const own = (await create({ ...input, name: 'C', slug: 'c' }, { disableAutoshare: true })).component;
    expect(own).toMatchObject({ linkedId: 0, settings: { repo } });
    const elsewhere = (await create({ ...input, name: 'D', slug: 'd', branch: 'next' })).component;
    expect(elsewhere.linkedId).toBe(0);
  });

  it('a repository is not shared with other credentials, which may grant other rights', async () => {
    const { create } = await start();
    const as = (user: string, slug: string) =>
      create({ ...input, name: slug, slug, repo: `https://${user}:secret@git.example.com/acme/app.git` });
    const owner = (await as('ana', 'a')).component;
    expect((await as('eve', 'b')).component.linkedId).toBe(0);
    expect((await as('ana', 'c')).component.linkedId).toBe(owner.id);
  });

  it('a component keeps its own repository if the one to share is not ready', async () => {
    const { world, create } = await start();
    const owner = (await create()).component;
    world.notReady.add(owner.id);
    const { component } = await create({ ...input, name: 'B', slug: 'b' });
    expect(component).toMatchObject({ linkedId: 0, settings: { repo } });
  });

  it('an internal address links to a component whose repository the caller may use', async () => {
    const { world, project } = await start();
    const owner = await world.component(project.id, 'owner');
    const guest = await world.component(project.id, 'guest', {}, { linkedId: owner.id });
    const linkTo = (slug: string, context = world.admin) =>
      createComponent(world.deps, context, {
        projectId: project.id,
        input: { ...input, repo: `parlance://acme/${slug}` },
        disableAutoshare: false,
      });
    expect(await fieldsOf(linkTo('missing'))).toEqual(['repo:invalid']);
    expect(await fieldsOf(linkTo(guest.settings.slug))).toEqual(['repo:invalid']);
    expect(await fieldsOf(linkTo('owner', world.member(['project.edit'])))).toEqual(['repo:permission_denied']);
    expect((await linkTo('owner')).component.linkedId).toBe(owner.id);
  });

  it('createComponent refuses a link to a component that is linked itself while the request runs', async () => {
    const { world, project } = await start();
    const owner = await world.component(project.id, 'owner');
    const further = await world.component(project.id, 'further');
    world.deps.repositories.prepare = async () => {
      await world.components.replace({ ...owner, version: 2, linkedId: further.id }, []);
      return { taskId: 'task', branch: 'main', files: [] };
    };
    const link = createComponent(world.deps, world.admin, {
      projectId: project.id,
      input: { ...input, repo: 'parlance://acme/owner' },
      disableAutoshare: false,
    });
    expect(await fieldsOf(link)).toEqual(['repo:invalid']);
  });

  it('a component created from a file has a local repository', async () => {
    const { world, create } = await start();
    const { name, slug, fileFormat } = input;
    const zip = (
      await create(
        { name, slug, fileFormat, filemask: 'po/*.po', newBase: 'po/a.pot' },
        { file: file('zip', 'all.zip') },
      )
    ).component;
    expect(zip.settings).toMatchObject({ vcs: 'local', repo: 'local:', branch: 'main' });
    expect(world.prepared[0]!.archiveKind).toBe('zip');
    const document = await create({ name: 'B', slug: 'b', fileFormat: 'json' }, { file: file('document', 'en.JSON') });
    expect(document.component.settings).toMatchObject({ filemask: 'b/*.json', template: 'b/en.json' });
  });

  it('a component that took the slug during the preparation wins', async () => {
    const { world, project, create } = await start();
    world.deps.repositories.prepare = async () => {
      await world.component(project.id, 'app');
      return { taskId: 'task', branch: 'main', files: [] };
    };
    expect(await fieldsOf(create())).toEqual(['slug:unique']);
  });

  it('a new component joins the lists whose rules match both slugs', async () => {
    const { world, create } = await start();
    const list = (id: number, projectMatch: string, componentMatch: string) =>
      world.lists.insert({
        id,
        version: 1,
        name: `List ${id}`,
        slug: `list${id}`,
        showDashboard: true,
        componentIds: [],
        autoAssign: [{ projectMatch, componentMatch }],
      });
    await list(1, '^acme$', '^a');
    await list(2, '^acme$', '^b');
    const { component, project } = await create();
    await assignToLists(world.deps, component, project);
    expect((await world.lists.all()).map((l) => l.componentIds)).toEqual([[component.id], []]);
  });
});
