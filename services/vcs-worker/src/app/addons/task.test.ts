import { po, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { addonsTask } from './task';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '' }), 'po/LINGUAS': 'de\n' });
});
afterEach(() => world.close());

const linguas = { id: 1, name: 'weblate.gettext.linguas', componentId: 1, projectId: 0, configuration: {} };
const comments = { ...linguas, id: 2, name: 'weblate.removal.comments', configuration: { age: 5 } };
const suggestions = { ...linguas, id: 3, name: 'weblate.removal.suggestions', configuration: { age: 5 } };

const run = (changed: string[]) =>
  addonsTask(world.deps)({
    task: { component: 1, changed, user: 0 },
    log: (line: string) => void world.log.push(line),
    signal: new AbortController().signal,
  } as never);

describe('the task of add-ons', () => {
  it('after an installation, file maintenance runs before the work on strings', async () => {
    await world.imported(1);
    world.translations.add(1, 'cs', 'po/cs.po');
    world.catalog.installed.push(linguas, comments);
    expect(await run(['install'])).toEqual({ component: 1 });
    expect(await world.read(1, 'po/LINGUAS')).toBe('cs\n');
    expect(world.translations.cleanedUp).toMatchObject([{ component: 1 }]);
    expect(world.log.at(-1)).toBe('Remove old comments: 0 comments removed');
  });

  it('after an update, file maintenance has already run', async () => {
    await world.imported(1);
    world.translations.add(1, 'cs', 'po/cs.po');
    world.catalog.installed.push(linguas);
    await run(['update']);
    expect(await world.read(1, 'po/LINGUAS')).toBe('de\n');
  });

  it('a named add-on runs alone', async () => {
    await world.imported(1);
    world.translations.add(1, 'cs', 'po/cs.po');
    world.catalog.installed.push(linguas, comments, suggestions);
    await run(['install', '2']);
    expect(await world.read(1, 'po/LINGUAS')).toBe('de\n');
    expect(world.translations.cleanedUp).toEqual([{ component: 1, before: expect.any(Number) }]);
  });

  it('commits of the maintenance are pushed if the component pushes on commit', async () => {
    await world.imported(1, { push: world.url, pushOnCommit: true });
    world.translations.add(1, 'cs', 'po/cs.po');
    world.catalog.installed.push(linguas);
    await run(['install']);
    expect((await world.repository(1)).ahead).toBe(0);
    expect(world.remote.read('po/LINGUAS').toString()).toBe('cs\n');
  });

  it('a deleted component, and one without a repository, end the task', async () => {
    expect(await reasonOf(run(['daily']))).toBe('NOT_FOUND');
    await world.imported(1);
    world.catalog.stored.delete(1);
    expect(await reasonOf(run(['daily']))).toBe('NOT_FOUND');
  });

  it('a task without an event is a defect', async () => {
    expect(await reasonOf(run(['commit']))).toBe('INTERNAL');
    expect(await reasonOf(run([]))).toBe('INTERNAL');
  });
});
