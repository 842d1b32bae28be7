import { parseQuery, requiredTexts } from '@parlance/search';
import { allOf, inTranslation } from '../src/domain/unit-query';
import { INDEXED_FIELDS, TextIndex } from '../src/app/search/text-index';
import { writeUnit } from '../src/app/edit/write-units';
import { changeOfTranslation, recordChanges } from '../src/app/history';
import { Action } from '../src/domain/change';
import type { Announcer, UnitPatch } from '../src/domain/ports';
import { TextRequirement } from '../src/domain/text-signature';
import { silent } from './support/process';
import { sampleTranslation, sampleUnit } from './support/samples';
import { useDatabase } from './support/store';

const database = useDatabase();
const UNITS = 40;

/** A process with its index, and a translation whose strings start at `Text 1000`. */
async function process(id: number) {
  const other = database.stores(silent);
  const announcer: Announcer = { ...silent, updated: async (t, units) => index.recordWrite(t, units) };
  const own = database.stores(announcer);
  const index = new TextIndex(own.units, own.translations);
  const translation = sampleTranslation(id);
  await own.translations.insert(translation);
  await own.units.insert(Array.from({ length: UNITS }, (_, i) => sampleUnit(translation, id * 1000 + i)));

  async function scope() {
    const { version } = (await own.translations.get(id))!;
    return [{ id, version, units: UNITS }];
  }
  return {
    index,
    other,
    own,
    /** Records a history entry of the translation only. */
    async record() {
      const event = changeOfTranslation(translation, { userId: 1 }, 1, Date.now(), Action.fileUploaded, {});
      await recordChanges({ ...own, announcer }, [event]);
    },
    /** Results, and whether the index was used. */
    async search(q: string) {
      const query = parseQuery(q);
      const filter = allOf(inTranslation(id), { kind: 'search', query, resolved: new Map() });
      const requirement = TextRequirement.of(requiredTexts(query, INDEXED_FIELDS))!;
      const candidates = await index.candidates(requirement, await scope(), filter);
      const narrowed = candidates ? allOf({ kind: 'ids', ids: candidates }, filter) : filter;
      const found = await own.units.idsOf(narrowed);
      expect(found.sort()).toEqual((await own.units.idsOf(filter)).sort());
      return { found: found.map((unit) => unit - id * 1000), narrowed: candidates !== null };
    },
    async edit(by: typeof own, unit: number, patch: UnitPatch) {
      const planned = { unit: (await own.units.get(id * 1000 + unit))!, patch, changes: [] };
      expect(await writeUnit(by, planned, { author: null, time: Date.now() })).toBe(true);
    },
  };
}

it('A search scans all units until the translation is indexed', async () => {
  const { search, index } = await process(1);
  expect(await search('"text 1017"')).toEqual({ found: [17], narrowed: false });
  await index.index(1);
  expect(await search('"text 1017"')).toEqual({ found: [17], narrowed: true });
  expect(await search('nowhere')).toEqual({ found: [], narrowed: true });
});

it('The index finds texts that this process wrote since', async () => {
  const { search, edit, own, index } = await process(2);
  await index.index(2);
  await edit(own, 5, { target: ['Žluťoučký kůň'] });
  await Promise.all([6, 7, 8].map((unit) => edit(own, unit, { target: [`Kůň ${unit}`] })));
  expect(await search('kůň')).toEqual({ found: [5, 6, 7, 8], narrowed: true });
  expect(await search('"text 2017"')).toEqual({ found: [17], narrowed: true });
});

it('The index stays valid after history entries of the translation', async () => {
  const { search, edit, record, own, index } = await process(5);
  await index.index(5);
  await record();
  await edit(own, 5, { target: ['Kůň'] });
  expect(await search('kůň')).toEqual({ found: [5], narrowed: true });
});

it('A search scans all units after a write of another process', async () => {
  const { search, edit, other, own, index } = await process(3);
  await index.index(3);
  await edit(other, 5, { target: ['Kůň'] });
  expect(await search('kůň')).toEqual({ found: [5], narrowed: false });
  await index.index(3);
  await edit(other, 6, { target: ['Kůň'] });
  await edit(own, 7, { target: ['Kůň'] });
  expect(await search('kůň')).toEqual({ found: [5, 6, 7], narrowed: false });
  await index.index(3);
  expect(await search('kůň')).toEqual({ found: [5, 6, 7], narrowed: true });
});

it('A search scans all units after an insertion of strings', async () => {
  const { search, own, index } = await process(4);
  await index.index(4);
  await own.units.insert([sampleUnit(sampleTranslation(4), 4900, { target: ['Kůň'] })]);
  const after = await own.translations.applyDelta(
    4,
    [{ id: 'added', delta: { groups: {}, checks: 0, contentChanges: 0 } }],
    null,
  );
  index.recordWrite(after!, [4900]);
  expect(await search('kůň')).toEqual({ found: [900], narrowed: false });
});
