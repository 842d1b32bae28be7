import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { listComments } from './list-comments';

/** String 7 with comments on it (1), on its source string (2) and on a mistake of that (3), and string 8 with comment 4. */
async function start(settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello');
  world.string(1, 8, 'Bye');
  await world.comment(1, 7, 'Why?');
  await world.comment(2, 507, 'Is it a greeting?');
  await world.comment(3, 507, 'A typo.');
  await world.comments.insert({ ...(await world.comments.get(3))!, report: true });
  await world.comment(4, 8, 'Other');
  const list = (unit: number, page = 1, size = 10, caller = world.user(4, [])) =>
    listComments(world.deps, caller, unit, { page, size }, '');
  const shown = async (unit: number, page = 1, size = 10) =>
    (await list(unit, page, size)).items.map(({ id, scope }) => `${id} ${scope}`);
  return { world, list, shown };
}

describe('listComments', () => {
  it('a translation has its own comments and those on its source string', async () => {
    expect(await (await start()).shown(7)).toEqual(['1 translation', '2 global', '3 report']);
  });

  it('a source string has its own comments only, once each', async () => {
    const { list, shown } = await start();
    expect(await shown(507)).toEqual(['2 global', '3 report']);
    expect((await list(507)).total).toBe(2);
  });

  it('comments are listed in pages, by id', async () => {
    const { list, shown } = await start();
    expect(await shown(7, 2, 2)).toEqual(['3 report']);
    expect((await list(7, 2, 2)).total).toBe(3);
  });

  it('a unit that does not exist, or that the caller does not see, is not found', async () => {
    expect(await reasonOf((await start()).list(99))).toBe('NOT_FOUND');
    const { world, list } = await start({ restricted: true });
    expect(await reasonOf(list(7))).toBe('NOT_FOUND');
    expect(await reasonOf(list(7, 1, 10, world.user(5, [], { isSuperuser: true })))).toBe('OK');
  });
});
