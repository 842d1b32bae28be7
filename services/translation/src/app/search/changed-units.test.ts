import { StringsWorld } from '../../../test/support/memory/world';
import type { UnitVersion } from '../../domain/ports';
import { inTranslation } from '../../domain/unit-query';
import { RecentUnits } from '../caches/recent-units';
import { readChangedUnits } from './changed-units';

/** A Czech translation with four units, 7 to 10, of version 1. */
function start() {
  const world = new StringsWorld();
  world.component(1);
  for (const id of [7, 8, 9, 10]) world.string(1, id, `Text ${id}`);
  const recentUnits = new RecentUnits();
  /** What was read: a page, versions, or units by id. */
  const reads: string[] = [];
  const { units } = world;
  const deps = {
    units: {
      page: async (...page: Parameters<typeof units.page>) => {
        reads.push('page');
        return units.page(...page);
      },
      pageVersions: async (...page: Parameters<typeof units.pageVersions>) => {
        reads.push('versions');
        return units.pageVersions(...page);
      },
      many: async (ids: readonly number[]) => {
        if (ids.length > 0) reads.push(`units ${ids.join(' ')}`);
        return units.many(ids);
      },
    },
    recentUnits,
  };
  const request = { query: inTranslation(11), page: 1, size: 100, options: {} };
  const read = async (known: readonly UnitVersion[]) => {
    reads.length = 0;
    const { ids, items, total } = await readChangedUnits(deps, request, known);
    return { ids, items: items.map(({ id, target }) => [id, target[0]]), total, reads: [...reads] };
  };
  const versions = async () => (await units.pageVersions(request.query, 1, 100)).items;
  const edit = async (id: number, target: string) => {
    const unit = (await units.get(id))!;
    const edited = { ...unit, target: [target], version: unit.version + 1 };
    units.put(edited);
    return edited;
  };
  return { world, deps, recentUnits, read, versions, edit };
}

const ids = [7, 8, 9, 10];

describe('readChangedUnits', () => {
  it('a caller without units gets the page', async () => {
    const { read } = start();
    expect(await read([])).toEqual({ ids, items: ids.map((id) => [id, '']), total: 4, reads: ['page'] });
  });

  it('only versions are read when nothing changed', async () => {
    const { read, versions } = start();
    expect(await read(await versions())).toEqual({ ids, items: [], total: 4, reads: ['versions'] });
  });

  it('changed units are read by id', async () => {
    const { read, versions, edit } = start();
    const known = await versions();
    await edit(8, 'osm');
    expect(await read(known)).toEqual({ ids, items: [[8, 'osm']], total: 4, reads: ['versions', 'units 8'] });
  });

  it('a unit that this process has in the same version is not read', async () => {
    const { recentUnits, read, versions, edit } = start();
    const known = await versions();
    recentUnits.record([await edit(8, 'osm')]);
    expect(await read(known)).toMatchObject({ items: [[8, 'osm']], reads: ['versions'] });
    await edit(8, 'osmička');
    expect(await read(known)).toMatchObject({ items: [[8, 'osmička']], reads: ['versions', 'units 8'] });
  });

  it('a unit that moved is a changed unit', async () => {
    const { world, read, versions } = start();
    const known = await versions();
    await world.units.setPositions([{ unit: 9, position: 99 }]);
    expect(await read(known)).toMatchObject({ items: [[9, '']], reads: ['versions', 'units 9'] });
  });

  it('the page is read when most units changed', async () => {
    const { read, versions, edit } = start();
    const known = await versions();
    for (const id of [7, 8, 9]) await edit(id, 'nový');
    expect(await read(known)).toMatchObject({ ids, reads: ['versions', 'page'] });
  });

  it('the page is read when a changed unit is deleted meanwhile', async () => {
    const { world, deps, read, versions, edit } = start();
    const known = await versions();
    await edit(8, 'osm');
    const { many } = deps.units;
    deps.units.many = async (some) => {
      await world.units.removeMany([8]);
      return many(some);
    };
    expect(await read(known)).toMatchObject({ ids: [7, 9, 10], items: [], total: 3 });
  });
});
