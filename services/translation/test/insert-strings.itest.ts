import { insertStrings } from '../src/app/insert-strings';
import type { Parts } from '../src/app/parts';
import { Judge } from '../src/app/quality';
import { groups } from '../src/domain/counters';
import type { Component, Language } from '../src/domain/component';
import type { Unit } from '../src/domain/unit';
import { MongoUnitStore } from '../src/store/unit-store';
import { czech, sampleTranslation } from './support/samples';
import { useDatabase } from './support/store';

const database = useDatabase();
const announcer = { updated: async () => undefined, deleted: async () => undefined };
const author = { userId: 1, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };

/** Adds two strings to a Czech translation, and does something else as soon as they are in the store. */
async function insert(meanwhile: (inserted: Unit) => Promise<unknown>) {
  const stores = database.stores(announcer);
  const [sourceId, id] = await stores.ids.range('translation', 2);
  const component = { id: id!, project: 1, template: '', sourceLanguage: { ...czech, code: 'en' }, checkFlags: '' };
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
  const parts = {
    ...stores,
    units: new Interrupted(database.models.units),
    judge: (of: Component, into: Language) => new Judge(of, into),
    now: () => Date.now(),
  } as unknown as Parts;
  const strings = ['One', 'Two'].map((text) => ({ context: '', source: [text], target: ['Text'], state: 20 }));
  const insertion = insertStrings(parts, component as unknown as Component, translation, strings, author);
  return { id: id!, stores, insertion };
}

async function expectToBeCounted({ id, stores }: Pick<Awaited<ReturnType<typeof insert>>, 'id' | 'stores'>) {
  const { counters } = (await stores.translations.get(id))!;
  const counted = await stores.units.recount(id);
  for (const group of groups) expect({ group, ...counters[group] }).toEqual({ group, ...counted[group] });
  expect(counters.translated.s).toBe(2);
  const history = (await stores.changes.page({ translation: id }, 1, 10)).items;
  expect(history.map((c) => [c.action, c.target, c.user])).toEqual([
    [31, 'Text', 1],
    [31, 'Text', 1],
  ]);
}

describe('strings that are added', () => {
  it('are counted once when the translation is counted anew at the same moment', async () => {
    const other = database.stores(announcer);
    const { insertion, ...made } = await insert(({ translation }) => other.effects.recountTranslation(translation, []));
    expect((await insertion).map((unit) => unit.source)).toEqual([['One'], ['Two']]);
    await made.stores.effects.stop();
    await expectToBeCounted(made);
  });

  it('are counted and in the history after a crash right behind the insertion', async () => {
    const { insertion, ...made } = await insert(async ({ isSource }) => {
      if (!isSource) throw new Error('the process ends here');
    });
    await expect(insertion).rejects.toThrow('the process ends here');
    await database.stores(announcer).effects.recover(-1000);
    await expectToBeCounted(made);
  });
});
