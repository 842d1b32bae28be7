import { ContextChecks } from '../../src/app/checks/context-checks';
import { ContextCheckRunner } from '../../src/app/checks/context-check-runner';
import type { App } from '../../src/compose-app';
import type { Component } from '../../src/domain/component';
import { updateUnit } from '../../src/app/edit/update-unit';
import { makeProcess, silent, storeStrings } from '../support/process';
import { textKey } from '../../src/domain/unit';
import { person } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const ana = person(1, 'ana');

it('The check "translated" fails when the history of a string contains another text than the one that needs editing', async () => {
  const { component, translation, list: units } = await storeStrings(database, 2);
  const deps = makeProcess(database, component, {
    projectTranslations: { of: async () => [{ translation: translation.id, component: component.id, strings: 1 }] },
  });
  const checks = new ContextChecks(deps);
  const [first, second] = units.map((unit) => unit.id) as [number, number];
  const edit = (unit: number, text: string, state: number) =>
    updateUnit(deps, ana, { id: unit, target: [text], state, expectedVersion: 0 }, '');
  const failing = async () => {
    await checks.run(units.map(({ id: unit }) => ({ unit, touched: { texts: [], failing: false } })));
    const now = await deps.units.many([first, second]);
    return [first, second].map((of) => now.find((unit) => unit.id === of)!.checks.includes('translated'));
  };
  await edit(first, 'B', 20);
  await edit(second, 'B', 10);
  expect(await failing()).toEqual([false, false]);
  await edit(first, 'B2', 10);
  expect(await failing()).toEqual([true, false]);
  // Checks are idempotent.
  expect(await failing()).toEqual([true, false]);
  await edit(first, 'B2', 20);
  await edit(second, '', 0);
  expect(await failing()).toEqual([false, false]);
  await edit(second, 'C', 20);
  await edit(second, '', 0);
  expect(await failing()).toEqual([false, true]);
});

it('Twins are not queried when the only other component is a glossary or does not share strings', async () => {
  const { component, translation, list } = await storeStrings(database, 1);
  const shared = { ...component, propagation: true };
  const other = { ...shared, id: component.id + 1_000_000 };
  const looks: string[] = [];
  const { units } = database.stores(silent);
  const edit = async (beside: Component, text: string) => {
    looks.length = 0;
    const deps = makeProcess(database, shared, {
      projectTranslations: {
        of: async () => [
          { translation: translation.id, component: component.id, strings: 1 },
          { translation: translation.id + 1_000_000, component: other.id, strings: 1 },
        ],
      },
      catalog: { component: async (id) => (id === component.id ? shared : beside), forget: () => undefined },
    });
    const watched: App = Object.assign(Object.create(deps) as App, {
      units: Object.assign(Object.create(units) as App['units'], {
        twins: async (...asked: Parameters<App['units']['twins']>) => {
          looks.push(text);
          return units.twins(...asked);
        },
      }),
    });
    await updateUnit(watched, ana, { id: list[0]!.id, target: [text], state: 20, expectedVersion: 0 }, '');
    await new ContextChecks(watched).run([{ unit: list[0]!.id, touched: { texts: [[text]], failing: false } }]);
    return looks.length;
  };
  expect(await edit({ ...other, propagation: false, isGlossary: true }, 'A')).toBe(0);
  expect(await edit(other, 'B')).toBe(2);
});

it('The check of a whole translation finds reused texts, and reads the flags of their sources', async () => {
  const { component, translation, list } = await storeStrings(database, 3);
  const deps = makeProcess(database, component, {
    projectTranslations: { of: async () => [{ translation: translation.id, component: component.id, strings: 3 }] },
  });
  const ids = list.map((unit) => unit.id);
  for (const [i, text] of ['Same', 'Same', 'Other'].entries())
    await updateUnit(deps, ana, { id: ids[i]!, target: [text], state: 20, expectedVersion: 0 }, '');
  const keys: number[] = [];
  await deps.units.eachTextKey([translation.id], (key) => keys.push(key));
  expect(keys.sort()).toEqual([textKey(['Other']), textKey(['Same']), textKey(['Same'])].sort());
  const failing = async () => {
    await new ContextCheckRunner(deps).checkTranslation((await deps.translations.get(translation.id))!);
    const now = await deps.units.many(ids);
    return ids.filter((id) => now.find((unit) => unit.id === id)!.checks.includes('reused'));
  };
  expect(await failing()).toEqual(ids.slice(0, 2));
  const source = list[0]!.sourceUnit;
  await database.models.units.collection.updateOne(
    { _id: source as never },
    { $set: { extraFlags: 'ignore-reused' } },
    { upsert: true },
  );
  expect(await deps.units.extraFlagsOf([source, ids[1]!])).toEqual(new Map([[source, 'ignore-reused']]));
  // The strings of the sample have one source unit.
  expect(await failing()).toEqual([]);
});
