import { changeOf } from '../../src/app/history';
import { insertStrings } from '../../src/app/edit/insert-strings';
import { streamUnits } from '../../src/app/search/list-units';
import type { App } from '../../src/compose-app';
import { SearchBudget } from '../../src/app/search/search-budget';
import { UnitSearch } from '../../src/app/search/unit-search';
import { insertUnits } from '../../src/app/edit/write-units';
import { groups } from '../../src/domain/counters';
import type { EntityLookup } from '../../src/domain/ports';
import type { Unit } from '../../src/domain/unit';
import { MongoUnitLookups } from '../../src/store/lookup-store';
import { MongoUnitStore } from '../../src/store/units/unit-store';
import { makeProcess, silent } from '../support/process';
import { sampleComponent, sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const author = { userId: 1, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };

/** Adds two strings to a Czech translation, and runs an action directly after they are stored. */
async function insert(meanwhile: (inserted: Unit) => Promise<unknown>) {
  const stores = database.stores(silent);
  const [sourceId, id] = await stores.ids.range('translation', 2);
  const component = sampleComponent(id!);
  await stores.translations.insert(
    sampleTranslation(sourceId!, { component: id!, language: component.sourceLanguage, isSource: true }),
  );
  const translation = sampleTranslation(id!);
  await stores.translations.insert(translation);
  class Interrupted extends MongoUnitStore {
    override async addMany(insertions: Parameters<MongoUnitStore['addMany']>[0]) {
      const refused = await super.addMany(insertions);
      await meanwhile(insertions[0]!.unit);
      return refused;
    }
  }
  const deps = makeProcess(database, component, {
    units: new Interrupted(database.models.units, database.models.searchOpen),
  });
  const strings = ['One', 'Two'].map((text) => ({ context: '', source: [text], target: ['Text'], state: 20 }));
  const insertion = insertStrings(deps, component, translation, strings, author);
  return { id: id!, deps, insertion };
}

async function expectToBeCounted({ id, deps }: Pick<Awaited<ReturnType<typeof insert>>, 'id' | 'deps'>) {
  const { counters } = (await deps.translations.get(id))!;
  const counted = await deps.units.recount(id);
  for (const group of groups) expect({ group, ...counters[group] }).toEqual({ group, ...counted[group] });
  expect(counters.translated.s).toBe(2);
  const history = (await deps.changes.page({ translation: id }, 1, 10)).items;
  expect(history.map((c) => [c.action, c.target, c.user])).toEqual([
    [31, 'Text', 1],
    [31, 'Text', 1],
  ]);
}

describe('strings that are added', () => {
  it('Added strings are counted once despite a concurrent recount', async () => {
    const other = database.stores(silent);
    const { insertion, ...made } = await insert(({ translation }) => other.effects.recountTranslation(translation, []));
    expect((await insertion).map((unit) => unit.source)).toEqual([['One'], ['Two']]);
    await made.deps.effects.stop();
    await expectToBeCounted(made);
  });

  it('Recovery counts and records strings after a crash directly after their insertion', async () => {
    const { insertion, ...made } = await insert(async ({ isSource }) => {
      if (!isSource) throw new Error('crash');
    });
    await expect(insertion).rejects.toThrow('crash');
    await database.stores(silent).effects.recover(-1000);
    await expectToBeCounted(made);
  });
});

describe('many strings', () => {
  it('Many strings are inserted in batches, and streaming them by id ignores concurrent removals', async () => {
    const stores = database.stores(silent);
    const [id] = await stores.ids.range('translation', 1);
    const translation = sampleTranslation(id!);
    await stores.translations.insert(translation);
    const portions: number[] = [];
    class Watched extends MongoUnitStore {
      override addMany(insertions: Parameters<MongoUnitStore['addMany']>[0]) {
        portions.push(insertions.length);
        return super.addMany(insertions);
      }
    }
    const units = new Watched(database.models.units, database.models.searchOpen);
    const ids = await stores.ids.range('unit', 1_300);
    const planned = ids.map((unitId) => {
      const unit = sampleUnit(translation, unitId, { translation: id!, sourceUnit: unitId });
      return { unit, change: changeOf(unit, { userId: 1 }, 1_000, 31, '', '', {}) };
    });
    const by = { author: null, time: 1_000 };
    const inserted = await insertUnits({ ...stores, units } as unknown as App, id!, planned, by);
    expect(inserted.map((unit) => unit.id)).toEqual(ids);
    expect(portions).toEqual([1_000, 300]);
    expect((await stores.translations.get(id!))!.counters.all.s).toBe(1_300);

    const search = new UnitSearch({
      lookups: new MongoUnitLookups(database.models),
      entities: {} as EntityLookup,
      translations: stores.translations,
    });
    const read: number[] = [];
    const searchBudget = new SearchBudget({ total: 1, perCaller: 1, lingerMs: 0 });
    const caller = { key: 'user:1', signal: new AbortController().signal };
    for await (const some of streamUnits({ ...stores, search, searchBudget }, id!, '', '', caller)) {
      if (read.length === 0) await stores.units.removeMany(ids.slice(0, 100));
      read.push(...some.map((unit) => unit.id));
    }
    expect(read).toEqual(ids);
  });
});
