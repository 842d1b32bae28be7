import { actionsIn, componentOf, po, UseCaseWorld } from '../../../test/support/memory/world';
import type { StoredAddon } from '../../domain/addon';
import { Action } from '../change-events';
import { componentsUnder, maintainFiles, runAddonsAfterUpdate, startAddonTasks } from './run';

const addon = (id: number, name: string, more: Partial<StoredAddon> = {}): StoredAddon => ({
  id,
  name,
  componentId: 1,
  projectId: 0,
  configuration: {},
  ...more,
});
const linguas = addon(1, 'weblate.gettext.linguas');
const sameLanguages = addon(2, 'weblate.consistency.languages', { componentId: 0, projectId: 1 });

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '' }), 'po/LINGUAS': 'de\n' });
});
afterEach(() => world.close());

describe('add-ons of a repository', () => {
  it('file maintenance is one commit for each add-on, after pending edits', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    await world.run(1, (work) => maintainFiles(world.deps, work, [linguas], 'update'));
    expect(await world.read(1, 'po/LINGUAS')).toBe('cs\n');
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.committed]);
    expect(world.effects.payloads('changeMade').at(-1)).toMatchObject({
      detailsJson: expect.stringContaining('weblate.gettext.linguas') as string,
    });
  });

  it('maintenance without changes makes no commit, and another add-on does not run', async () => {
    await world.imported(1);
    world.translations.add(1, 'de', 'po/de.po');
    await world.run(1, (work) => maintainFiles(world.deps, work, [linguas], 'update'));
    world.translations.add(1, 'cs', 'po/cs.po');
    await world.run(1, (work) => maintainFiles(world.deps, work, [linguas], 'update', { addon: 99 }));
    expect(world.effects.events).toEqual([]);
  });

  it('add-ons run once for each state of the repository', async () => {
    await world.imported(1);
    world.catalog.installed.push(linguas);
    world.translations.add(1, 'cs', 'po/cs.po');
    await world.run(1, ({ session }) => session.write({ maintained: null }));
    await world.run(1, (work) => runAddonsAfterUpdate(world.deps, work));
    const { head, maintained, ahead } = await world.repository(1);
    expect({ ahead, maintained }).toEqual({ ahead: 1, maintained: head });
    await world.run(1, (work) => runAddonsAfterUpdate(world.deps, work));
    expect((await world.repository(1)).head).toBe(head);
  });

  it('a task is begun once for each occasion, and only for add-ons that have one', async () => {
    const component = componentOf(1);
    for (const occasion of ['a', 'a', 'b'])
      await startAddonTasks(world.deps, [component], [linguas, sameLanguages], 'language', occasion);
    await startAddonTasks(world.deps, [component], [linguas], 'language', 'c');
    expect(world.tasks.tasks.map(({ id }) => id)).toEqual(['addons-language-1-a', 'addons-language-1-b']);
  });

  it('an add-on belongs to its component, the components of its project, or all', async () => {
    await world.index.put(1, 1, 'r');
    await world.index.put(2, 2, 'r');
    const under = (componentId: number, projectId: number) => componentsUnder(world.index, { componentId, projectId });
    expect([await under(1, 0), await under(0, 2), await under(0, 0)]).toEqual([[1], [2], [1, 2]]);
  });
});
