import { ChangeAction } from '@parlance/contracts';
import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { createAddon, deleteAddon, effectiveAddons, getAddon, listAddons, updateAddon } from './addons';

const REMOVAL = 'weblate.removal.comments';
const WEBHOOK = 'weblate.webhook.webhook';
const page = { page: 1, size: 10 };

async function start() {
  const world = new UseCaseWorld();
  const project = await world.project('acme');
  const component = await world.component(project.id, 'app');
  const create = (name: string, configuration: object | undefined, scope = {}, context = world.admin) =>
    createAddon(world.deps, context, {
      componentId: 0,
      projectId: 0,
      name,
      configurationJson: configuration && JSON.stringify(configuration),
      ...scope,
    });
  return { world, project, component, create };
}

describe('createAddon', () => {
  it('an add-on is stored with its events before they are announced', async () => {
    const { world, component, create } = await start();
    const { addon } = await create(REMOVAL, { age: 30 }, { componentId: component.id });
    expect(addon).toMatchObject({ version: 1, componentId: component.id, projectId: 1, configuration: { age: 30 } });
    expect(world.effects.list).toEqual([
      'store addon 1 (changeMade, addonChanged)',
      'announce addons 1 (changeMade, addonChanged)',
    ]);
    expect(world.effects.payloads('addonChanged')).toMatchObject([{ name: REMOVAL, removed: false }]);
    expect(world.effects.payloads('changeMade')).toMatchObject([
      { action: ChangeAction.addonInstalled, target: REMOVAL },
    ]);
  });

  it('each scope has its own permission', async () => {
    const { world, project, component, create } = await start();
    const may = (permission: 'component.edit' | 'project.edit', scope: object) =>
      reasonOf(create(REMOVAL, { age: 30 }, scope, world.member([permission])));
    expect(await may('project.edit', { componentId: component.id })).toBe('PERMISSION_DENIED');
    expect(await may('component.edit', { componentId: component.id })).toBe('OK');
    expect(await may('component.edit', { projectId: project.id })).toBe('PERMISSION_DENIED');
    expect(await may('project.edit', { projectId: project.id })).toBe('OK');
    expect(await may('project.edit', {})).toBe('PERMISSION_DENIED');
  });

  it('createAddon refuses unknown names, scopes that the add-on does not support and a second installation', async () => {
    const { project, component, create } = await start();
    expect(await fieldsOf(create('', {}))).toEqual(['name:required']);
    expect(await fieldsOf(create('no.such.addon', {}))).toEqual(['name:invalid_choice']);
    expect(await fieldsOf(create('weblate.discovery.discovery', undefined, { projectId: project.id }))).toEqual([
      'name:invalid',
    ]);
    await create(REMOVAL, { age: 30 }, { componentId: component.id });
    expect(await fieldsOf(create(REMOVAL, { age: 9 }, { componentId: component.id }))).toEqual(['name:unique']);
  });

  it('an add-on of the same name that is installed concurrently wins', async () => {
    const { world, component, create } = await start();
    const { insert } = world.addons;
    world.addons.insert = async (addon, single, events) => {
      world.addons.insert = insert;
      await world.addons.insert({ ...addon, id: 99 }, single, []);
      return world.addons.insert(addon, single, events);
    };
    expect(await fieldsOf(create(REMOVAL, { age: 30 }, { componentId: component.id }))).toEqual(['name:unique']);
  });

  it('createAddon refuses an add-on above the quota of its scope', async () => {
    const { world, component, create } = await start();
    const { addonsPerScope } = world.deps.quotas;
    for (let i = 0; i < addonsPerScope; i++)
      await create(WEBHOOK, { webhook_url: `https://example.com/${i}` }, { componentId: component.id });
    expect(await fieldsOf(create(REMOVAL, { age: 3 }, { componentId: component.id }))).toEqual(['name:max_length']);
    expect(await reasonOf(create(REMOVAL, { age: 3 }))).toBe('OK');
  });

  it('an add-on of a linked component requires rights on the owner of the repository', async () => {
    const { world, project, component, create } = await start();
    const home = await world.project('home');
    const owner = await world.component(home.id, 'owner');
    const guest = await world.component(project.id, 'guest', {}, { linkedId: owner.id });
    const editor = world.member(['component.edit'], [project.id]);
    expect(await reasonOf(create(REMOVAL, { age: 3 }, { componentId: guest.id }, editor))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(create(REMOVAL, { age: 3 }, { componentId: component.id }, editor))).toBe('OK');
  });

  it('an invalid configuration and name are reported together', async () => {
    const { component, create } = await start();
    await create(REMOVAL, { age: 30 }, { componentId: component.id });
    expect(await fieldsOf(create(REMOVAL, { age: 0 }, { componentId: component.id }))).toEqual([
      'name:unique',
      'configuration:invalid',
    ]);
  });

  it('a webhook is validated before it is stored and subscribed before its events are announced', async () => {
    const { world, component, create } = await start();
    const scope = { componentId: component.id };
    expect(await fieldsOf(create(WEBHOOK, { webhook_url: 'https://10.0.0.1/' }, scope))).toEqual([
      'configuration:invalid',
    ]);
    expect(world.effects.list).toEqual([]);
    const { addon } = await create(WEBHOOK, { webhook_url: 'https://example.com/' }, scope);
    expect(world.effects.list.map((e) => e.replace(/ \(.*/, ''))).toEqual([
      `store addon ${addon.id}`,
      `put webhook ${addon.id}`,
      `announce addons ${addon.id}`,
    ]);
  });

  it('a webhook is installed although the hooks service is unavailable: the event repeats the subscription', async () => {
    const { world, component, create } = await start();
    world.webhooksFail = true;
    const { addon } = await create(WEBHOOK, { webhook_url: 'https://example.com/' }, { componentId: component.id });
    expect(world.effects.list.at(-1)).toBe(`announce addons ${addon.id} (changeMade, addonChanged)`);
  });
});

describe('secrets of add-ons', () => {
  it('secrets are stored sealed, shown masked to editors, hidden from readers and open to services', async () => {
    const { world, component, create } = await start();
    const secret = Buffer.from('a secret of a webhook, 32 bytes!').toString('base64');
    const url = 'https://example.com/';
    const { addon } = await create(WEBHOOK, { webhook_url: url, secret }, { componentId: component.id });
    expect((await world.addons.get(addon.id))!.configuration['secret']).toBe(`sealed:${secret}`);
    const shown = async (context = world.admin) =>
      (await getAddon(world.deps, context, addon.id)).configuration['secret'];
    expect(await shown()).toBe('********');
    expect(await shown(world.service)).toBe(secret);
    const reader = await getAddon(world.deps, world.member(['unit.edit']), addon.id);
    expect(Object.keys(reader.configuration)).not.toContain('secret');
  });
});

describe('updateAddon', () => {
  it('a configuration replaces the former one, and its secrets stay if they are masked', async () => {
    const { world, component, create } = await start();
    const secret = Buffer.from('a secret of a webhook, 32 bytes!').toString('base64');
    const { addon } = await create(
      WEBHOOK,
      { webhook_url: 'https://example.com/a', secret },
      { componentId: component.id },
    );
    const update = (url: string, more: object = {}) =>
      updateAddon(
        world.deps,
        world.admin,
        addon.id,
        { configurationJson: JSON.stringify({ webhook_url: url, secret: '********', ...more }) },
        false,
      );
    await update('https://example.com/a', { events: [2] });
    expect(await world.addons.get(addon.id)).toMatchObject({
      version: 2,
      configuration: { events: [2], secret: `sealed:${secret}` },
    });
    expect(world.webhooks.get(addon.id)).toMatchObject({ events: [2], secret });
    // Otherwise an editor who does not know the secret could have it sent to another server.
    expect(await fieldsOf(update('https://evil.example.com/'))).toEqual(['configuration:invalid']);
  });

  it('the name of an add-on cannot change, and a replacement repeats it', async () => {
    const { world, create } = await start();
    const { addon } = await create(REMOVAL, { age: 30 });
    const update = (input: object, replace = false) =>
      fieldsOf(updateAddon(world.deps, world.admin, addon.id, input, replace));
    expect(await update({ name: WEBHOOK })).toEqual(['name:invalid']);
    expect(await update({}, true)).toEqual(['name:required']);
    expect(await update({ configurationJson: '{"age":"x"}' })).toEqual(['configuration:invalid']);
  });

  it('an update without a configuration writes and announces nothing', async () => {
    const { world, create } = await start();
    const { addon } = await create(REMOVAL, { age: 30 });
    world.effects.clear();
    await updateAddon(world.deps, world.admin, addon.id, { name: REMOVAL }, true);
    expect(world.effects.list).toEqual([]);
  });
});

describe('deleteAddon', () => {
  it('a deleted add-on ends its webhook before the deletion is announced', async () => {
    const { world, component, create } = await start();
    const { addon } = await create(WEBHOOK, { webhook_url: 'https://example.com/' }, { componentId: component.id });
    world.effects.clear();
    await deleteAddon(world.deps, world.admin, addon.id);
    expect(world.effects.list).toEqual([
      `store addon ${addon.id} removed (changeMade, addonChanged)`,
      `remove webhook ${addon.id}`,
      `announce addons ${addon.id} (changeMade, addonChanged)`,
    ]);
    expect(world.effects.payloads('addonChanged')).toMatchObject([{ removed: true }]);
    expect(await reasonOf(deleteAddon(world.deps, world.admin, addon.id))).toBe('NOT_FOUND');
  });

  it('deleting requires the permission of the scope, and add-ons of the site are hidden from others', async () => {
    const { world, project, create } = await start();
    const ofProject = await create(REMOVAL, { age: 30 }, { projectId: project.id });
    const ofSite = await create(REMOVAL, { age: 30 });
    const editor = world.member(['component.edit']);
    expect(await reasonOf(deleteAddon(world.deps, editor, ofProject.addon.id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(deleteAddon(world.deps, editor, ofSite.addon.id))).toBe('NOT_FOUND');
  });
});

describe('lists of add-ons', () => {
  it('add-ons of hidden projects and of the site are listed for those who see them', async () => {
    const { world, project, component, create } = await start();
    const closed = await world.project('closed', { accessControl: 100 });
    await create(REMOVAL, { age: 1 }, { componentId: component.id });
    await create(REMOVAL, { age: 2 }, { projectId: project.id });
    await create(REMOVAL, { age: 3 }, { projectId: closed.id });
    await create(REMOVAL, { age: 4 });
    const list = async (context = world.admin) =>
      (await listAddons(world.deps, context, { componentId: 0, projectId: 0 }, page)).items.map((v) => v.addon.id);
    expect(await list()).toEqual([1, 2, 3, 4]);
    expect(await list(world.anonymous)).toEqual([1, 2]);
    const ofProject = await listAddons(world.deps, world.anonymous, { componentId: 0, projectId: project.id }, page);
    expect(ofProject.items.map((v) => v.addon.id)).toEqual([2]);
  });

  it('the add-ons that apply to a component are its own, those of its project and those of the site', async () => {
    const { world, project, component, create } = await start();
    const other = await world.component(project.id, 'other');
    await create(REMOVAL, { age: 1 }, { componentId: component.id });
    await create(REMOVAL, { age: 2 }, { projectId: project.id });
    await create(REMOVAL, { age: 3 });
    await create(REMOVAL, { age: 4 }, { componentId: other.id });
    const apply = async (by: object, context = world.service) =>
      (await effectiveAddons(world.deps, context, { componentId: 0, componentIds: [], name: '', ...by })).map(
        (v) => v.addon.id,
      );
    expect(await apply({ componentId: component.id })).toEqual([1, 2, 3]);
    expect(await apply({ componentId: component.id, name: 'other' })).toEqual([]);
    expect(await apply({ componentIds: [component.id, other.id] })).toEqual([1, 2, 3, 4]);
    expect(await apply({ name: REMOVAL })).toEqual([1, 2, 3, 4]);
    expect(await reasonOf(apply({ componentId: 99 }))).toBe('NOT_FOUND');
    expect(await reasonOf(apply({ name: REMOVAL }, world.admin))).toBe('PERMISSION_DENIED');
  });
});
