import { UseCaseWorld, fieldsOf } from '../../../test/support/memory/world';
import type { Addon } from '../../domain/objects';
import { createAddon } from './addons';
import { checkWebhook, syncWebhook, trySyncWebhook } from './addon-webhooks';

const WEBHOOK = 'weblate.webhook.webhook';
const configuration = { webhook_url: 'https://hooks.example.com/a', events: [], secret: '' };

async function start() {
  const world = new UseCaseWorld();
  const project = await world.project('acme');
  const component = await world.component(project.id, 'app');
  const install = async (name: string, settings: object): Promise<Addon> => {
    const { addon } = await createAddon(world.deps, world.admin, {
      componentId: component.id,
      projectId: 0,
      name,
      configurationJson: JSON.stringify(settings),
    });
    world.effects.clear();
    world.webhooks.clear();
    return (await world.deps.addons.get(addon.id))!;
  };
  return { world, install, component };
}

describe('webhooks of add-ons', () => {
  it('the subscription follows the stored add-on, however often it is aligned', async () => {
    const { world, install, component } = await start();
    const { id } = await install(WEBHOOK, configuration);
    await syncWebhook(world.deps, id);
    await syncWebhook(world.deps, id);
    expect([...world.webhooks.values()]).toMatchObject([
      { addonId: id, componentId: component.id, url: configuration.webhook_url, slack: false },
    ]);
  });

  it('a deleted add-on and one that is no webhook have no subscription', async () => {
    const { world, install } = await start();
    const other = await install('weblate.removal.comments', { age: 30 });
    await syncWebhook(world.deps, other.id);
    await syncWebhook(world.deps, 404);
    expect(world.effects.list).toEqual([`remove webhook ${other.id}`, 'remove webhook 404']);
  });

  it('a target that the hooks service refuses is a problem of the configuration', async () => {
    const { world, install } = await start();
    const addon = await install(WEBHOOK, configuration);
    const refused = { ...addon, configuration: { ...configuration, webhook_url: 'http://10.0.0.1/' } };
    expect(await fieldsOf(checkWebhook(world.deps, refused))).toEqual(['configuration:invalid']);
    await checkWebhook(world.deps, addon);
  });

  it('an outage of the hooks service does not fail the change', async () => {
    const { world, install } = await start();
    const addon = await install(WEBHOOK, configuration);
    world.webhooksFail = true;
    await trySyncWebhook(world.deps, addon);
    await expect(syncWebhook(world.deps, addon.id)).rejects.toThrow('hooks is unavailable');
  });
});
