import { UnitCache } from '../src/app/caches/unit-cache';
import { writeUnit } from '../src/app/edit/write-units';
import { changeOfTranslation, recordChanges } from '../src/app/history';
import { Action } from '../src/domain/change';
import type { Announcer } from '../src/domain/ports';
import type { Unit } from '../src/domain/unit';
import { silent } from './support/process';
import { sampleTranslation, sampleUnit } from './support/samples';
import { useDatabase } from './support/store';

const database = useDatabase();
const UNITS = 20;

const byId = (units: readonly Unit[]) => [...units].sort((a, b) => a.id - b.id);

/** A process with its cache, on a translation with units from `id * 1000 + 1` on. */
async function process(id: number) {
  const other = database.stores(silent);
  const announcer: Announcer = { ...silent, updated: async (t, units) => cache.wrote(t, units) };
  const own = database.stores(announcer);
  const reads = { full: 0, versions: 0 };
  const cache = new UnitCache({
    ofTranslation: (translation) => (reads.full++, own.units.ofTranslation(translation)),
    many: (ids) => own.units.many(ids),
    versions: (translation) => (reads.versions++, own.units.versions(translation)),
  });
  const translation = sampleTranslation(id);
  const unit = (n: number) => sampleUnit(translation, id * 1000 + n);
  await own.translations.insert(translation);
  await own.units.insert(Array.from({ length: UNITS }, (_, i) => unit(i + 1)));
  const read = async () => byId(await cache.ofTranslation((await own.translations.get(id))!));
  return {
    id,
    own,
    other,
    reads,
    unit,
    read,
    /** Asks the cache, and compares with what is stored. */
    async same() {
      expect(await read()).toEqual(byId(await own.units.ofTranslation(id)));
    },
    async edit(by: typeof own, n: number, text: string): Promise<void> {
      for (;;) {
        const planned = {
          unit: (await by.units.get(id * 1000 + n))!,
          patch: { target: [text], state: 20 },
          changes: [],
        };
        if (await writeUnit(by, planned, { author: null, time: Date.now() })) return;
      }
    },
    /** Something that is about the translation alone. */
    async record() {
      const event = changeOfTranslation(translation, { userId: 1 }, 1, Date.now(), Action.fileUploaded, {});
      await recordChanges({ ...own, announcer }, [event]);
    },
    /** Something that this process is told nothing of. */
    async elsewhere(write: (units: typeof own.units) => Promise<unknown>) {
      await write(other.units);
      const { version, counters } = (await other.translations.get(id))!;
      expect(await other.translations.replaceCounters(id, version, counters, [])).not.toBeNull();
    },
  };
}

it('answers what a full read would, whatever was written elsewhere', async () => {
  const { id, unit, same, elsewhere, reads } = await process(1);
  const at = (n: number) => id * 1000 + n;
  await same();
  await elsewhere((units) => units.write({ unit: at(3), version: 1, patch: { target: ['tři'], state: 20 } }));
  await same();
  await elsewhere((units) => units.removeMany([at(5)]));
  await same();
  await elsewhere((units) => units.insert([unit(21)]));
  await same();
  await elsewhere((units) => units.shift(id, at(18), at(21), 7));
  await same();
  expect(reads.full).toBe(1);
  await elsewhere((units) => units.shift(id, at(1), at(21), 1));
  await same();
  expect(reads.full).toBe(2);
});

it('reads only what this process wrote since', async () => {
  const { same, edit, own, reads } = await process(2);
  await same();
  for (const n of [3, 4, 3]) {
    await edit(own, n, `Text ${n}`);
    await same();
  }
  await same();
  expect(reads).toEqual({ full: 1, versions: 0 });
});

it('keeps what it read when the history of the translation grows', async () => {
  const { same, edit, record, own, reads } = await process(5);
  await same();
  await record();
  await edit(own, 3, 'Text');
  await record();
  await same();
  expect(reads).toEqual({ full: 1, versions: 0 });
});

it('looks at every unit after somebody else wrote, also where this process wrote before and after', async () => {
  const { same, edit, own, other, reads } = await process(3);
  await same();
  await edit(own, 3, 'mine');
  await edit(other, 4, 'yours');
  await edit(own, 5, 'mine again');
  await same();
  expect(reads).toEqual({ full: 1, versions: 1 });
});

it('holds every edit that was answered, while others go on', async () => {
  const { id, read, same, edit, own, other } = await process(4);
  await same();
  let going = true;
  const editor = async (by: typeof own, n: number) => {
    for (let round = 0; round < 15; round++) {
      const text = `Text ${round} of ${n}`;
      await edit(by, n, text);
      expect((await read()).find((unit) => unit.id === id * 1000 + n)!.target).toEqual([text]);
    }
  };
  const reader = async () => {
    while (going) await read();
  };
  const editing = Promise.all([editor(own, 1), editor(own, 2), editor(other, 3), editor(own, 4)]);
  await Promise.all([editing.finally(() => (going = false)), reader()]);
  await same();
});
