import { ChangeAction } from '@parlance/contracts';
import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import type { ComponentInput } from './component-input';
import { updateComponent } from './update-component';

async function start() {
  const world = new UseCaseWorld();
  await world.language('en');
  const project = await world.project('acme');
  const component = await world.component(project.id, 'app');
  const update = (input: ComponentInput, context = world.admin, id = component.id) =>
    updateComponent(world.deps, context, id, input, false).then((result) => result.component);
  return { world, project, component, update };
}

describe('updateComponent', () => {
  it('an update stores and announces the changed settings, and a rename in the history', async () => {
    const { world, component, update } = await start();
    const updated = await update({ slug: 'renamed', license: 'MIT' });
    expect(updated).toMatchObject({ version: 2, settings: { slug: 'renamed', license: 'MIT', name: 'APP' } });
    expect(world.effects.list).toEqual([
      `store component ${component.id} (componentUpdated, changeMade, changeMade)`,
      `announce nodes ${component.id} (componentUpdated, changeMade, changeMade)`,
    ]);
    expect(world.effects.payloads('componentUpdated')).toMatchObject([{ changed: ['slug', 'license'], taskId: '' }]);
    expect(world.effects.payloads('changeMade')).toMatchObject([
      { action: ChangeAction.componentRenamed, old: 'app', target: 'renamed' },
      { action: ChangeAction.licenseChanged, old: '', target: 'MIT' },
    ]);
  });

  it('an update without a change writes and announces nothing', async () => {
    const { world, update } = await start();
    expect((await update({ slug: 'app' })).version).toBe(1);
    expect(world.effects.list).toEqual([]);
  });

  it('changed repository settings have the repository prepared before they are stored', async () => {
    const { world, component, update } = await start();
    await update({ branch: 'next' });
    expect(world.effects.list).toEqual([
      'prepare repository',
      `store component ${component.id} (componentUpdated)`,
      `store component ${component.id} task task-1`,
      `announce nodes ${component.id} (componentUpdated)`,
    ]);
    expect(world.prepared[0]).toMatchObject({ branch: 'next', componentId: component.id });
  });

  it('an update that the repository refuses leaves the component as it was', async () => {
    const { world, component, update } = await start();
    world.repositoryProblems = [{ attr: 'branch', code: 'invalid', detail: 'The branch does not exist.' }];
    expect(await fieldsOf(update({ branch: 'next' }))).toEqual(['branch:invalid']);
    expect(await world.components.get(component.id)).toEqual(component);
  });

  it('the source language cannot be changed', async () => {
    const { update } = await start();
    expect(await fieldsOf(update({ sourceLanguage: 'cs' }))).toEqual(['source_language:invalid']);
    expect(await reasonOf(update({ sourceLanguage: 'en' }))).toBe('OK');
  });

  it('an update merges with a concurrent one', async () => {
    const { world, component, update } = await start();
    world.rival.beforeNextWrite(async () => void (await update({ priority: 60 })));
    expect(await update({ license: 'MIT' })).toMatchObject({ version: 3, settings: { license: 'MIT', priority: 60 } });
    expect((await world.components.get(component.id))!.version).toBe(3);
  });

  it('an unchanged address keeps its credentials, a changed one drops them, and a mask cannot follow it', async () => {
    const { world, project } = await start();
    const shown = 'https://git.example.com/acme/secret.git';
    const { id } = await world.component(project.id, 'secret', { repo: shown }, { repoSecret: 'sealed:ana:pw' });
    const update = (repo: string) => updateComponent(world.deps, world.admin, id, { repo }, false);
    const masked = (address: string) => address.replace('://', '://ana:********@');
    expect((await update(shown)).component.repoSecret).toBe('sealed:ana:pw');
    expect((await update(masked(shown))).component.repoSecret).toBe('sealed:ana:pw');
    expect(await fieldsOf(update(masked('https://evil.example.com/acme/secret.git')))).toEqual(['repo:invalid']);
    expect((await update('https://other.example.com/acme/secret.git')).component.repoSecret).toBe('');
  });

  it('a component that others share cannot be linked itself', async () => {
    const { world, project, component, update } = await start();
    await world.component(project.id, 'owner');
    await world.component(project.id, 'guest', {}, { linkedId: component.id });
    expect(await fieldsOf(update({ repo: 'parlance://acme/owner' }))).toEqual(['repo:invalid']);
    expect(await fieldsOf(update({ repo: 'parlance://acme/app' }))).toEqual(['repo:invalid']);
  });

  it('linking a component resets the settings of its own repository', async () => {
    const { world, project, component } = await start();
    const owner = await world.component(project.id, 'owner');
    const push = 'https://git.example.com/acme/app.git';
    const { id } = await world.component(
      project.id,
      'other',
      { push, pushBranch: 'out' },
      { repoSecret: 'sealed:a:b' },
    );
    const { component: linked } = await updateComponent(
      world.deps,
      world.admin,
      id,
      { repo: 'parlance://acme/owner' },
      false,
    );
    expect(linked).toMatchObject({
      linkedId: owner.id,
      repoSecret: '',
      repoKeys: [],
      settings: { repo: '', push: '', branch: '', pushBranch: '' },
    });
    expect(component.linkedId).toBe(0);
  });

  it('the files of a linked component change only with rights on the owner of the repository', async () => {
    const { world, project, update } = await start();
    const home = await world.project('home');
    const owner = await world.component(home.id, 'owner');
    const guest = await world.component(project.id, 'guest', {}, { linkedId: owner.id });
    const member = world.member(['component.edit'], [project.id]);
    expect(await fieldsOf(update({ filemask: 'other/*.po' }, member, guest.id))).toEqual([
      'filemask:permission_denied',
    ]);
    expect(await reasonOf(update({ license: 'MIT' }, member, guest.id))).toBe('OK');
    expect(await reasonOf(update({ filemask: 'other/*.po' }, world.admin, guest.id))).toBe('OK');
  });

  it('moving a component into a category is recorded with both slugs', async () => {
    const { world, project, component, update } = await start();
    const docs = await world.category(project.id, 'docs');
    await update({ categoryId: docs.id });
    expect((await world.components.get(component.id))!.categoryId).toBe(docs.id);
    expect(world.effects.payloads('changeMade')).toMatchObject([
      { action: ChangeAction.componentMoved, old: '', target: 'docs' },
    ]);
    const closing = await world.category(project.id, 'closing', { deleting: true });
    expect(await fieldsOf(update({ categoryId: closing.id }))).toEqual(['category:does_not_exist']);
  });

  it('editing requires component.edit, and hidden components do not exist', async () => {
    const { world, project, update } = await start();
    const hidden = await world.component(project.id, 'hidden', { restricted: true });
    const reader = world.member(['unit.edit'], 'public');
    expect(await reasonOf(update({ license: 'MIT' }, reader))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(update({ license: 'MIT' }, reader, hidden.id))).toBe('NOT_FOUND');
  });

  it('a replacement requires the required settings', async () => {
    const { world, component } = await start();
    const replace = updateComponent(world.deps, world.admin, component.id, { name: 'App' }, true);
    expect(await fieldsOf(replace)).toEqual(expect.arrayContaining(['slug:required', 'filemask:required']));
  });
});
