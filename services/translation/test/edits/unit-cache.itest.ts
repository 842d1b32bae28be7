import { PendingUnitCache } from '../../src/app/caches/pending-unit-cache';
import { RecentUnits } from '../../src/app/caches/recent-units';
import { UnitCache } from '../../src/app/caches/unit-cache';
import { writeUnit } from '../../src/app/edit/write-units';
import { changeOfTranslation, recordChanges } from '../../src/app/history';
import { readChangedUnits } from '../../src/app/search/changed-units';
import { Action } from '../../src/domain/change';
import type { Announcer } from '../../src/domain/ports';
import type { PendingEdit, Unit } from '../../src/domain/unit';
import { inTranslation } from '../../src/domain/unit-query';
import { silent } from '../support/process';
import { sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const UNITS = 20;

const byId = (units: readonly Unit[]) => [...units].sort((a, b) => a.id - b.id);

/** A process with its cache, and a translation whose unit ids start at `id * 1000 + 1`. */
async function process(id: number) {
  const other = database.stores(silent);
  const announcer: Announcer = { ...silent, updated: async (t, units) => cache.recordWrite(t, units) };
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
    /** Compares the cache with the store. */
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
    /** Records a history entry of the translation only. */
    async record() {
      const event = changeOfTranslation(translation, { userId: 1 }, 1, Date.now(), Action.fileUploaded, {});
      await recordChanges({ ...own, announcer }, [event]);
    },
    /** A write of another process. */
    async elsewhere(write: (units: typeof own.units) => Promise<unknown>) {
      await write(other.units);
      const { version, counters } = (await other.translations.get(id))!;
      expect(await other.translations.replaceCounters(id, version, counters, [])).not.toBeNull();
    },
  };
}

it('The cache equals a full read after any write of another process', async () => {
  const { id, unit, same, elsewhere, reads } = await process(1);
  const at = (n: number) => id * 1000 + n;
  await same();
  await elsewhere((units) => units.write({ unit: at(3), version: 1, patch: { target: ['tři'], state: 20 } }));
  await same();
  await elsewhere((units) => units.removeMany([at(5)]));
  await same();
  await elsewhere((units) => units.insert([unit(21)]));
  await same();
  await elsewhere((units) => units.shiftPositions(id, at(18), at(21), 7));
  await same();
  expect(reads.full).toBe(1);
  await elsewhere((units) => units.shiftPositions(id, at(1), at(21), 1));
  await same();
  expect(reads.full).toBe(2);
});

it('The cache reads only the units that this process wrote since', async () => {
  const { same, edit, own, reads } = await process(2);
  await same();
  for (const n of [3, 4, 3]) {
    await edit(own, n, `Text ${n}`);
    await same();
  }
  await same();
  expect(reads).toEqual({ full: 1, versions: 0 });
});

it('The cache stays valid after history entries of the translation', async () => {
  const { same, edit, record, own, reads } = await process(5);
  await same();
  await record();
  await edit(own, 3, 'Text');
  await record();
  await same();
  expect(reads).toEqual({ full: 1, versions: 0 });
});

it('The cache compares the versions of all units after a write of another process, also between own writes', async () => {
  const { same, edit, own, other, reads } = await process(3);
  await same();
  await edit(own, 3, 'mine');
  await edit(other, 4, 'yours');
  await edit(own, 5, 'mine again');
  await same();
  expect(reads).toEqual({ full: 1, versions: 1 });
});

it('The cache contains every acknowledged edit under concurrent edits', async () => {
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

it('A page that a caller completes with the changed units equals a full read after any write of another process', async () => {
  const { id, own, unit, edit, elsewhere } = await process(7);
  const at = (n: number) => id * 1000 + n;
  const recentUnits = new RecentUnits();
  const request = { query: inTranslation(id), page: 2, size: 8, options: {} };
  const read = (known: readonly Unit[]) => readChangedUnits({ units: own.units, recentUnits }, request, known);
  let known = (await read([])).items;
  const same = async (changed: readonly number[]) => {
    const { ids, items, total } = await read(known);
    expect(byId(items).map((item) => item.id - at(0))).toEqual(changed);
    const units = new Map([...known, ...items].map((item) => [item.id, item]));
    known = ids.map((key) => units.get(key)!);
    expect({ items: known, total }).toEqual(await own.units.page(request.query, request.page, request.size));
  };
  await same([]);
  await elsewhere((units) => units.write({ unit: at(10), version: 1, patch: { target: ['deset'], state: 20 } }));
  await same([10]);
  await edit(own, 11, 'jedenáct');
  recentUnits.record([(await own.units.get(at(11)))!]);
  await same([11]);
  await elsewhere((units) => units.write({ unit: at(11), version: 2, patch: { target: ['11'], state: 20 } }));
  await same([11]);
  await elsewhere((units) => units.removeMany([at(5)]));
  await same([17]);
  await elsewhere((units) => units.shiftPositions(id, at(15), at(16), 7));
  await same([15, 16]);
  await elsewhere((units) => units.insert([unit(21), unit(22)]));
  await same([]);
});

it('The cache of pending units equals a full read after any write of another process', async () => {
  const { id, own, other, unit } = await process(6);
  const translation = sampleTranslation(id);
  const cache = new PendingUnitCache(own.units);
  const author = { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };
  const editOf = (text: string): PendingEdit => ({ id: text, target: [text], state: 20, author, time: 1 });
  const versions = new Map<number, number>();
  const write = async (n: number, edits: PendingEdit[]) => {
    const version = versions.get(n) ?? 1;
    expect(await other.units.write({ unit: unit(n).id, version, patch: { edits } })).toBe(true);
    versions.set(n, version + 1);
    expect(await cache.ofTranslation(translation)).toEqual(await own.units.pendingOfTranslation(translation));
  };
  for (const n of [1, 2, 3, 4, 5]) await write(n, [editOf(`Text ${n}`)]);
  await write(2, [editOf('Text 2'), editOf('later')]);
  await write(4, []);
  await write(4, [editOf('again')]);
  expect((await cache.ofTranslation(translation)).map((u) => u.edits.at(-1)!.id)).toEqual([
    'Text 1',
    'later',
    'Text 3',
    'again',
    'Text 5',
  ]);
});
