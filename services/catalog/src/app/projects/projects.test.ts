import { ChangeAction } from '@parlance/contracts';
import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { createProject, deleteProject, setProjectLock, updateProject, type ProjectInput } from './projects';

const web = 'https://example.com/';
const input = { name: 'Acme', slug: 'acme', web };

describe('createProject', () => {
  it('a new project is stored with its events before its teams are ensured and the events are announced', async () => {
    const world = new UseCaseWorld();
    const project = await createProject(world.deps, world.admin, input);
    expect(project).toMatchObject({ version: 1, createdMs: world.nowMs, settings: input, hookSecret: '' });
    expect(await world.projects.get(project.id)).toEqual(project);
    expect(world.effects.list).toEqual([
      'store project 1 (projectCreated, changeMade)',
      'ensure teams of project 1 for user 1',
      'announce projects 1 (projectCreated, changeMade)',
    ]);
    expect(world.effects.payloads('changeMade')).toMatchObject([{ action: ChangeAction.projectCreated, userId: 1 }]);
  });

  it('creating a project requires project.add on the site', async () => {
    const world = new UseCaseWorld();
    expect(await reasonOf(createProject(world.deps, world.member(['project.edit']), input))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(createProject(world.deps, world.anonymous, input))).toBe('NOT_AUTHENTICATED');
    expect(world.effects.list).toEqual([]);
  });

  it('all invalid fields of a new project are reported together', async () => {
    const world = new UseCaseWorld();
    await world.project('acme');
    const create = (given: ProjectInput) => fieldsOf(createProject(world.deps, world.admin, given));
    expect((await create({})).sort()).toEqual(['name:required', 'slug:required', 'web:required']);
    expect(await create({ ...input, name: 'ACME' })).toEqual(['name:unique', 'slug:unique']);
    const wrong = { ...input, slug: 'other', checkFlags: 'no-such-flag', languageAliases: 'x', secondaryLanguage: 99 };
    expect(await create(wrong)).toEqual([
      'check_flags:invalid',
      'language_aliases:invalid',
      'secondary_language:does_not_exist',
    ]);
  });

  it('a project that commits approved strings only must review translations', async () => {
    const world = new UseCaseWorld();
    const approved = { ...input, commitPolicy: 30 };
    expect(await fieldsOf(createProject(world.deps, world.admin, approved))).toEqual(['commit_policy:invalid']);
    expect(await reasonOf(createProject(world.deps, world.admin, { ...approved, translationReview: true }))).toBe('OK');
  });

  it('a project is created although its teams cannot be: its event creates them', async () => {
    const world = new UseCaseWorld();
    world.teamsFail = true;
    await createProject(world.deps, world.admin, input);
    expect(world.effects.list.at(-1)).toBe('announce projects 1 (projectCreated, changeMade)');
  });

  it('the secret of hooks is stored sealed, and a mask is not a secret of a new project', async () => {
    const world = new UseCaseWorld();
    const { hookSecret } = await createProject(world.deps, world.admin, { ...input, hookSecret: 'shared' });
    expect(hookSecret).toBe('sealed:shared');
    const masked = createProject(world.deps, world.admin, { ...input, slug: 'b', name: 'B', hookSecret: '********' });
    expect(await fieldsOf(masked)).toEqual(['hook_secret:invalid']);
  });
});

describe('updateProject', () => {
  it('an update announces the changed settings and a rename', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    await updateProject(world.deps, world.admin, id, { slug: 'renamed', enableHooks: false }, false);
    expect(world.effects.payloads('projectUpdated')).toMatchObject([
      { slug: 'renamed', changed: ['slug', 'enable_hooks'] },
    ]);
    expect(world.effects.payloads('changeMade')).toMatchObject([
      { action: ChangeAction.projectRenamed, old: 'acme', target: 'renamed' },
    ]);
    expect(world.effects.list).toEqual([
      'store project 1 (projectUpdated, changeMade)',
      'announce projects 1 (projectUpdated, changeMade)',
    ]);
  });

  it('an update without a change writes and announces nothing', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    await updateProject(world.deps, world.admin, id, { slug: 'acme' }, false);
    expect(world.effects.list).toEqual([]);
  });

  it('a replacement names every required setting', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    expect(await fieldsOf(updateProject(world.deps, world.admin, id, { slug: 'acme' }, true))).toEqual([
      'name:required',
      'web:required',
    ]);
  });

  it('changing the access control requires project.permissions and renews the teams', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    const update = (context = world.admin) => updateProject(world.deps, context, id, { accessControl: 100 }, false);
    expect(await reasonOf(update(world.member(['project.edit'])))).toBe('PERMISSION_DENIED');
    await update();
    expect(world.effects.list).toContain('ensure teams of project 1 for user 0');
    expect(world.effects.payloads('changeMade')).toMatchObject([{ action: ChangeAction.accessChanged }]);
  });

  it('an update merges with a concurrent one', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    world.rival.beforeNextWrite(async () => {
      await updateProject(world.deps, world.admin, id, { instructions: 'Be kind.' }, false);
    });
    const updated = await updateProject(world.deps, world.admin, id, { name: 'Acme Corp' }, false);
    expect(updated).toMatchObject({ version: 3, settings: { name: 'Acme Corp', instructions: 'Be kind.' } });
  });

  it('a masked secret of hooks keeps the stored one, and an empty one removes it', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme', {}, 'sealed:shared');
    const update = async (hookSecret: string) =>
      (await updateProject(world.deps, world.admin, id, { hookSecret }, false)).hookSecret;
    expect(await update('********')).toBe('sealed:shared');
    expect(world.effects.list).toEqual([]);
    expect(await update('')).toBe('');
  });

  it('hidden projects do not exist, and visible ones require project.edit', async () => {
    const world = new UseCaseWorld();
    const open = await world.project('open');
    const closed = await world.project('closed', { accessControl: 100 });
    const update = (id: number) => updateProject(world.deps, world.member(['unit.edit'], 'public'), id, {}, false);
    expect(await reasonOf(update(closed.id))).toBe('NOT_FOUND');
    expect(await reasonOf(update(open.id))).toBe('PERMISSION_DENIED');
  });
});

describe('deleteProject', () => {
  it('the project is deleted with its event before its components are hidden', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    await world.component(id, 'app');
    await deleteProject(world.deps, world.admin, id);
    expect(world.effects.list).toEqual([
      'store project 1 removed (projectDeleted, changeMade)',
      'store components of project 1 hidden',
      'announce projects 1 (projectDeleted, changeMade)',
    ]);
    expect(await world.projects.get(id)).toBeNull();
  });

  it('deleteProject refuses to delete a project while components of others use its repositories', async () => {
    const world = new UseCaseWorld();
    const mine = await world.project('mine');
    const other = await world.project('other');
    const owner = await world.component(mine.id, 'owner');
    await world.component(other.id, 'guest', {}, { linkedId: owner.id });
    const admin = world.member(['project.edit', 'component.edit'], [mine.id]);
    expect(await fieldsOf(deleteProject(world.deps, admin, mine.id))).toEqual(['null:linked']);
    expect(await world.projects.get(mine.id)).not.toBeNull();
    expect(await reasonOf(deleteProject(world.deps, world.admin, mine.id))).toBe('OK');
  });
});

describe('setProjectLock', () => {
  it('a lock of a project locks each of its components that is not locked yet', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    const open = await world.component(id, 'open');
    const shut = await world.component(id, 'shut', {}, { locked: true });
    const elsewhere = await world.component((await world.project('other')).id, 'app');
    await setProjectLock(world.deps, world.admin, id, true);
    const locked = await Promise.all(
      [open, shut, elsewhere].map(async (c) => (await world.components.get(c.id))!.locked),
    );
    expect(locked).toEqual([true, true, false]);
    expect(world.effects.payloads('changeMade')).toMatchObject([
      { componentId: open.id, action: ChangeAction.componentLocked },
    ]);
  });

  it('locking a project requires component.lock', async () => {
    const world = new UseCaseWorld();
    const { id } = await world.project('acme');
    expect(await reasonOf(setProjectLock(world.deps, world.member(['project.edit']), id, true))).toBe(
      'PERMISSION_DENIED',
    );
  });
});
