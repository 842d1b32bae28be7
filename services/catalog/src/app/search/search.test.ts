import { UseCaseWorld } from '../../../test/support/memory/world';
import { search } from './search';

async function start() {
  const world = new UseCaseWorld();
  const open = await world.project('open', { name: 'Open apps' });
  const closed = await world.project('closed', { name: 'Closed apps', accessControl: 100 });
  const docs = await world.category(open.id, 'docs', {
    settings: { name: 'Apps docs', slug: 'docs', configuration: {} },
  });
  await world.component(open.id, 'zeta', { name: 'An APP' }, { categoryId: docs.id });
  await world.component(open.id, 'app-two', { name: 'Second' });
  await world.component(open.id, 'hidden-app', { restricted: true });
  await world.component(closed.id, 'app');
  await world.language('en');
  await world.language('de');
  const find = (text: string, limit = 10, context = world.admin) => search(world.deps, context, { text, limit });
  return { world, find };
}

describe('search', () => {
  it('objects are found by name and slug, ignoring case, with full names and paths', async () => {
    const { world, find } = await start();
    expect(await find('app', 10, world.anonymous)).toEqual({
      projects: [{ name: 'Open apps', path: 'open' }],
      categories: [{ name: 'Open apps/Apps docs', path: 'open/docs' }],
      components: [
        { name: 'Open apps/Apps docs/An APP', path: 'open/docs/zeta' },
        { name: 'Open apps/Second', path: 'open/app-two' },
      ],
      languages: [],
    });
  });

  it('hidden objects are found by those who see them', async () => {
    const { find } = await start();
    expect((await find('app')).projects).toHaveLength(2);
    expect((await find('app')).components.map((c) => c.path)).toContain('closed/app');
    expect((await find('app')).components.map((c) => c.path)).toContain('open/hidden-app');
  });

  it('the first names of each kind are returned up to the limit', async () => {
    const { find } = await start();
    expect((await find('app', 1)).projects).toEqual([{ name: 'Closed apps', path: 'closed' }]);
    expect((await find('app', 1)).components).toEqual([{ name: 'Open apps/Apps docs/An APP', path: 'open/docs/zeta' }]);
  });

  it('languages are found by code, unused ones only by editors of languages', async () => {
    const { world, find } = await start();
    expect((await find('de')).languages).toEqual([{ name: 'Language de', path: 'de' }]);
    expect((await find('de', 10, world.anonymous)).languages).toEqual([]);
    expect((await find('en', 10, world.anonymous)).languages).toHaveLength(1);
  });
});
