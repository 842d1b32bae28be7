import { randomUUID } from 'node:crypto';
import { changeOfTranslation, recordChanges } from '../../src/app/history';
import { removeOldComments, removeOldSuggestions } from '../../src/app/remove-old-remarks';
import { count, deltaBetween, emptyCounters, groups } from '../../src/domain/counters';
import type { Announcer, OutboxItem, UnitPatch } from '../../src/domain/ports';
import type { Translation } from '../../src/domain/translation';
import type { Unit } from '../../src/domain/unit';
import { sampleTranslation, sampleUnit } from '../support/samples';
import { makeIds } from '../../src/store/ids';
import { useDatabase } from '../support/store';

const database = useDatabase();

/** The stores of a process and the translations that it published. */
function makeProcess() {
  const announced: Translation[] = [];
  const announcer: Announcer = {
    async updated(translation) {
      announced.push(translation);
    },
    async deleted() {
      throw new Error('unexpected deletion');
    },
  };
  return { ...database.stores(announcer), announcer, announced };
}
type Process = ReturnType<typeof makeProcess>;

async function makeTranslation(units: number): Promise<{ translation: number; stores: Process }> {
  const stores = makeProcess();
  const id = await stores.ids.next('translation');
  const counters = emptyCounters();
  const translation = sampleTranslation(id, { counters });
  const list = (await stores.ids.range('unit', units)).map((unit) => sampleUnit(translation, unit));
  for (const unit of list) count(counters, unit, 1);
  await stores.units.insert(list);
  await stores.translations.insert(translation);
  return { translation: id, stores };
}

/** Writes a target like a use case, but without its effects. */
async function write(stores: Process, unit: Unit, text: string): Promise<OutboxItem> {
  const patch: UnitPatch = { target: [text], state: 20 };
  const change = {
    id: await stores.ids.next('change'),
    action: 5,
    time: Date.now(),
    project: 1,
    component: 1,
    translation: unit.translation,
    unit: unit.id,
    language: 'cs',
    user: 1,
    author: 1,
    target: text,
    old: '',
    details: {},
  };
  const item: OutboxItem = {
    id: randomUUID(),
    time: Date.now(),
    translation: unit.translation,
    delta: deltaBetween(unit, { ...unit, ...patch }, 1),
    changes: [change],
  };
  expect(await stores.units.write({ unit: unit.id, version: unit.version, patch, outbox: item })).toBe(true);
  return item;
}

async function expectCountersToBeRight(stores: Process, translation: number): Promise<void> {
  const kept = (await stores.translations.get(translation))!.counters;
  const counted = await stores.units.recount(translation);
  for (const group of groups) expect({ group, ...kept[group] }).toEqual({ group, ...counted[group] });
  expect(kept.checks).toBe(counted.checks);
}

describe('effects of writes', () => {
  it('Concurrent writes are each counted once', async () => {
    const { translation, stores } = await makeTranslation(60);
    const units = await stores.units.ofTranslation(translation);
    await Promise.all(
      units.map(async (unit) => {
        const item = await write(stores, unit, 'Text');
        const by = { author: 'Ana', authorId: 1, user: 1 };
        await stores.effects.settle(unit.id, item, { time: item.changes[0]!.time, by });
      }),
    );
    await stores.effects.stop();
    const kept = (await stores.translations.get(translation))!.counters;
    expect(kept.translated).toEqual({ s: 60, w: 120, c: 540 });
    expect(kept.contentChanges).toBe(60);
    expect(kept.lastAuthor).toBe('Ana');
    // The last write completed the translation, and therefore the component.
    const completed = await stores.changes.page({ component: translation, actions: [1, 75] }, 1, 10);
    expect(completed.items.map(({ action }) => action).sort()).toEqual([1, 75]);
    const [newest] = (await stores.changes.page({ translation }, 1, 1)).items;
    expect(kept.lastChange).toBe(newest!.time);
    await expectCountersToBeRight(stores, translation);
    expect(await stores.units.listUnprocessed(Date.now() + 1000, 100)).toEqual([]);
    expect(stores.announced.at(-1)!.counters.translated.s).toBe(60);
  });

  it('Counting overlaps with publishing earlier writes, and events are published in write order', async () => {
    const { translation, stores } = await makeTranslation(3);
    const [first, second] = await stores.units.ofTranslation(translation);
    const announced: number[] = [];
    let goOn = (): void => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    let twice = (): void => undefined;
    const announcedTwice = new Promise<void>((resolve) => (twice = resolve));
    const { effects } = database.stores({
      ...stores.announcer,
      updated: async ({ counters }) => {
        announced.push(counters.translated.s);
        if (announced.length === 2) twice();
        await mayGoOn;
      },
    });
    const settled: string[] = [];
    const settle = async (name: string, unit: Unit) => {
      const answered = await effects.settle(unit.id, await write(stores, unit, name), null);
      settled.push(`${name} ${answered!.counters.translated.s}`);
    };
    const both = [settle('first', first!), settle('second', second!)];
    await announcedTwice;
    expect((await stores.translations.get(translation))!.counters.translated.s).toBe(2);
    expect([announced, settled]).toEqual([[1, 2], []]);
    goOn();
    await Promise.all(both);
    expect(settled).toEqual(['first 1', 'second 2']);
    await effects.stop();
    await expectCountersToBeRight(stores, translation);
  });

  it('Another process completes the effects after a crash directly after the write', async () => {
    const { translation, stores } = await makeTranslation(3);
    const [unit] = await stores.units.ofTranslation(translation);
    const item = await write(stores, unit!, 'Lost?');
    // The process crashes here; another one runs recovery.
    const survivor = makeProcess();
    expect(await survivor.effects.recover(-1000)).toBe(1);
    await expectCountersToBeRight(survivor, translation);
    expect((await survivor.translations.get(translation))!.counters.translated.s).toBe(1);
    expect(await survivor.changes.get(item.changes[0]!.id)).toMatchObject({ target: 'Lost?' });
    expect(survivor.announced.map((t) => t.id)).toContain(translation);
    expect(await survivor.effects.recover(-1000)).toBe(0);
  });

  it('Recovery skips effects in progress', async () => {
    const { translation, stores } = await makeTranslation(3);
    const [unit] = await stores.units.ofTranslation(translation);
    const item = await write(stores, unit!, 'Text');
    const settled = stores.effects.settle(unit!.id, item, null);
    expect(await stores.effects.recover(-1000)).toBe(0);
    await settled;
    expect(await stores.effects.recover(-1000)).toBe(0);
    await expectCountersToBeRight(stores, translation);
    await stores.effects.stop();
    expect(await stores.units.listUnprocessed(Date.now() + 1000, 100)).toEqual([]);
  });

  it('Recovery does not count a write again after a crash directly after counting', async () => {
    const { translation, stores } = await makeTranslation(3);
    const [unit] = await stores.units.ofTranslation(translation);
    const item = await write(stores, unit!, 'Once');
    await stores.translations.applyDelta(translation, [item], null);
    const survivor = makeProcess();
    await survivor.effects.recover(-1000);
    await expectCountersToBeRight(survivor, translation);
    // The process was slow instead of crashed, and repeats its step.
    await stores.translations.applyDelta(translation, [item], null);
    await expectCountersToBeRight(survivor, translation);
  });

  it('Counters are exact after a recount with concurrent writes', async () => {
    const { translation, stores } = await makeTranslation(40);
    const units = await stores.units.ofTranslation(translation);
    await Promise.all([
      ...units.map(async (unit) => {
        const item = await write(stores, unit, 'Text');
        await stores.effects.settle(unit.id, item, null);
      }),
      stores.effects.recountTranslation(translation, []),
    ]);
    await stores.effects.stop();
    await expectCountersToBeRight(stores, translation);
  });

  it('Counters are exact after a recount by another process directly after many writes', async () => {
    const { translation, stores } = await makeTranslation(400);
    const units = await stores.units.ofTranslation(translation);
    const touched = { texts: [['Text']], failing: false };
    const many = units.slice(0, 300);
    const writes = many.map((unit) => {
      const patch: UnitPatch = { target: ['Text'], state: 20 };
      const delta = deltaBetween(unit, { ...unit, ...patch }, 1);
      const outbox: OutboxItem = { id: randomUUID(), time: Date.now(), translation, delta, changes: [], touched };
      return { unit: unit.id, version: unit.version, patch, outbox };
    });
    expect(await stores.units.writeMany(writes)).toEqual([]);
    await stores.effects.settleMany(
      translation,
      writes.map((w) => ({ unit: w.unit, item: w.outbox })),
      null,
    );
    const other = makeProcess();
    await other.effects.recountTranslation(translation, []);
    await expectCountersToBeRight(stores, translation);
    // The same for single edits.
    await Promise.all(
      units.slice(300).map(async (unit) => {
        const item = await write(stores, unit, 'Text');
        await stores.effects.settle(unit.id, { ...item, touched }, null);
      }),
    );
    await other.effects.recountTranslation(translation, []);
    await expectCountersToBeRight(stores, translation);
    await stores.effects.stop();
  });

  it('A write on an outdated version is rejected', async () => {
    const { translation, stores } = await makeTranslation(1);
    const [unit] = await stores.units.ofTranslation(translation);
    await write(stores, unit!, 'First');
    expect(await stores.units.write({ unit: unit!.id, version: unit!.version, patch: { target: ['Second'] } })).toBe(
      false,
    );
    expect((await stores.units.get(unit!.id))!.target).toEqual(['First']);
  });
});

describe('writes of many units', () => {
  it.each([[[true, true]], [[false, false]], [[true, false]]])(
    'A bulk write returns exactly the units with a concurrent write (with outbox items: %j)',
    async (announced) => {
      const { translation, stores } = await makeTranslation(3);
      const [first, second, third] = await stores.units.ofTranslation(translation);
      // The versions advance by one, as the bulk write would do, and for the last unit by two.
      await write(stores, first!, 'Mine');
      await write(stores, third!, 'Mine');
      await write(stores, { ...third!, version: third!.version + 1 }, 'Mine again');
      const item = (): OutboxItem => ({
        id: randomUUID(),
        time: 1,
        translation,
        delta: { groups: {}, checks: 0, contentChanges: 0 },
        changes: [],
      });
      const late = await stores.units.writeMany(
        [first!, second!, third!].map((unit, i) => ({
          unit: unit.id,
          version: unit.version,
          patch: { target: ['Late'] },
          ...(announced[i] ? { outbox: item() } : {}),
        })),
      );
      expect([...late].sort()).toEqual([first!.id, third!.id].sort());
      const targets = (await stores.units.many([first!.id, second!.id, third!.id])).map((u) => [u.id, u.target[0]]);
      expect(new Map(targets as [number, string][])).toEqual(
        new Map([
          [first!.id, 'Mine'],
          [second!.id, 'Late'],
          [third!.id, 'Mine again'],
        ]),
      );
    },
  );

  it('Concurrent single writes share a statement, and each returns its own result', async () => {
    const { translation, stores } = await makeTranslation(30);
    const units = await stores.units.ofTranslation(translation);
    const writes = units.flatMap((unit, i) => [
      { unit: unit.id, version: unit.version, patch: { target: ['First'] } },
      { unit: unit.id, version: unit.version, patch: { target: ['Second'] } },
      // The store rejects documents above 16 MB.
      ...(i === 7 ? [{ unit: unit.id, version: unit.version + 1, patch: { note: 'x'.repeat(17 * 1024 * 1024) } }] : []),
    ]);
    const written = await Promise.allSettled(writes.map((write) => stores.units.write(write)));
    expect(written.filter((result) => result.status === 'rejected')).toHaveLength(1);
    const targets = new Map((await stores.units.ofTranslation(translation)).map((unit) => [unit.id, unit.target]));
    writes.forEach(({ unit, patch }, i) => {
      const result = written[i]!;
      if (result.status === 'fulfilled' && 'target' in patch)
        expect({ unit, written: result.value }).toEqual({ unit, written: patch.target![0] === targets.get(unit)![0] });
    });
  });

  it('Concurrent bulk writes of the same units return only the writes that lost', async () => {
    const { translation, stores } = await makeTranslation(40);
    const units = await stores.units.ofTranslation(translation);
    const writers = ['a', 'b', 'c', 'd'];
    const late = await Promise.all(
      writers.map((text) =>
        stores.units.writeMany(
          units.map((unit) => ({ unit: unit.id, version: unit.version, patch: { target: [text] } })),
        ),
      ),
    );
    for (const unit of await stores.units.ofTranslation(translation))
      expect(writers.filter((_, i) => !late[i]!.includes(unit.id))).toEqual(unit.target);
  });
});

describe('ids', () => {
  it('Ids are unique across concurrent processes', async () => {
    const sources = Array.from({ length: 4 }, () => makeIds(database.models));
    const all = await Promise.all(
      sources.flatMap((s) =>
        Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? s.range('change', 7) : s.next('change').then((n) => [n]))),
      ),
    );
    const flat = all.flat();
    expect(new Set(flat).size).toBe(flat.length);
  });
});

it('A suggestion counts one vote per user, and its author is removed with the user', async () => {
  const { stores } = await makeTranslation(0);
  const { suggestions } = stores;
  const id = await stores.ids.next('suggestion');
  const unit = 900_000 + id;
  const author = { userId: 77, username: 'a', fullName: 'A', email: 'a@example.com' };
  const place = { unit, translation: 1, component: 1, project: 1, user: 77, time: 1 };
  await suggestions.insertMany([{ ...place, id, target: ['Text'], votes: [77], author }]);
  expect(await suggestions.vote(id, 77)).toBeNull();
  const votes = await Promise.all([5, 5, 6].map((user) => suggestions.vote(id, user)));
  expect(votes.filter((v) => v === null)).toHaveLength(1);
  await suggestions.forgetAuthor(77);
  const [kept] = await suggestions.ofUnits([unit]);
  expect([kept!.author, [...kept!.votes!].sort()]).toEqual([undefined, [5, 6, 77]]);
  expect(await suggestions.vote(id + 1_000_000, 5)).toBeNull();
});

it('Removing old suggestions and comments updates the counters and is idempotent', async () => {
  const { translation, stores } = await makeTranslation(2);
  const [unit, other] = await stores.units.ofTranslation(translation);
  const remarks = { ...stores, now: () => Date.now() };
  const place = { translation, component: translation, project: 1, user: 1 };
  const [a, b] = [unit!.id, other!.id];
  const [one, two, three, four] = await stores.ids.range('suggestion', 4);
  await remarks.suggestions.insertMany([
    { ...place, id: one!, unit: a, target: ['Old'], time: 1_000 },
    { ...place, id: two!, unit: a, target: ['New'], time: 9_000 },
    { ...place, id: three!, unit: b, target: ['Other'], time: 1_000 },
    { ...place, id: four!, unit: a, target: ['Popular'], time: 1_000, votes: [1, 2] },
  ]);
  await remarks.comments.insert({ ...place, id: await stores.ids.next('comment'), unit: a, text: 'Why?', time: 1_000 });
  for (const { id, version } of [unit!, other!])
    await stores.units.write({
      unit: id,
      version,
      patch: { suggestions: id === a ? 3 : 1, comments: id === a ? 1 : 0 },
    });
  await stores.effects.recountTranslation(translation, []);

  expect(await removeOldSuggestions(remarks, translation, 5_000, 1)).toBe(2);
  expect(await removeOldSuggestions(remarks, translation, 5_000, 1)).toBe(0);
  expect(await removeOldComments(remarks, translation, 5_000)).toBe(1);
  const left = new Map((await stores.units.many([a, b])).map((u) => [u.id, [u.suggestions, u.comments]]));
  expect([left.get(a), left.get(b)]).toEqual([
    [2, 0],
    [0, 0],
  ]);
  expect((await remarks.suggestions.ofUnits([a, b])).map((s) => s.target)).toEqual([['New'], ['Popular']]);
  const history = (await stores.changes.page({ translation }, 1, 10)).items.map((c) => [c.action, c.target]);
  expect(history.sort()).toEqual([
    [29, 'Old'],
    [29, 'Other'],
    [64, 'Why?'],
  ]);
  await expectCountersToBeRight(stores, translation);
});

describe('history entries outside of unit writes', () => {
  it('A history entry advances the last change of its translation, but never sets it back', async () => {
    const { translation, stores } = await makeTranslation(2);
    const entry = (time: number, once?: string) => ({
      ...changeOfTranslation(sampleTranslation(translation), { userId: 1 }, 1, time, 17, {}),
      ...(once ? { once } : {}),
    });
    await recordChanges(stores, [entry(5_000), entry(3_000)]);
    expect(stores.announced.map(({ counters, version }) => [counters.lastChange, version])).toEqual([[5_000, 2]]);
    await recordChanges(stores, [entry(4_000, 'twice'), entry(4_000, 'twice')]);
    expect((await stores.translations.get(translation))!.counters.lastChange).toBe(5_000);
    expect((await stores.changes.page({ translation }, 1, 10)).total).toBe(3);
    await stores.effects.recountTranslation(translation, []);
    expect((await stores.translations.get(translation))!.counters.lastChange).toBe(5_000);
  });

  it('A history entry with an author names the last author; one without keeps the author', async () => {
    const { translation, stores } = await makeTranslation(2);
    const entry = (time: number) => changeOfTranslation(sampleTranslation(translation), { userId: 7 }, 7, time, 78, {});
    const ana = { author: 'Ana', authorId: 7, user: 7 };
    const last = async () => {
      const { lastAuthor, lastAuthorId } = (await stores.translations.get(translation))!.counters;
      return [lastAuthor, lastAuthorId];
    };
    await recordChanges(stores, [entry(5_000)]);
    expect(await last()).toEqual(['', 0]);
    await recordChanges(stores, [entry(6_000)], ana);
    expect(await last()).toEqual(['Ana', 7]);
    await recordChanges(stores, [entry(7_000)]);
    expect(await last()).toEqual(['Ana', 7]);
    await recordChanges(stores, [entry(4_000)], { author: 'Earlier', authorId: 8, user: 8 });
    expect(await last()).toEqual(['Ana', 7]);
  });

  it('A new contributor of a translation is recorded once across processes', async () => {
    const { translation, stores } = await makeTranslation(2);
    const entry = (user: number, time: number) => ({
      ...changeOfTranslation(sampleTranslation(translation), { userId: user }, user, time, 2, {}),
    });
    await recordChanges(stores, [entry(7, 1_000)]);
    for (const { newContributors } of [stores, makeProcess()]) {
      for (const user of [7, 8, 8, 0]) newContributors.record([entry(user, 2_000)]);
      await newContributors.stop();
    }
    const { items } = await stores.changes.page({ translation, actions: [45] }, 1, 10);
    expect(items.map(({ user, time }) => [user, time])).toEqual([[8, 1_999]]);
  });
});
