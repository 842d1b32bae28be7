import { updateUnit } from '../../src/app/edit/update-unit';
import type { App } from '../../src/compose-app';
import type { Unit } from '../../src/domain/unit';
import { makeProcess, storeStrings } from '../support/process';
import { person, sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const ana = person(1, 'ana');

/** Two components of a project that share one string, and processes that work on them. */
async function makeWorld() {
  const { component, translation, list } = await storeStrings(database, 1);
  const stores = makeProcess(database, component);
  const edited = { ...component, propagation: true };
  const otherId = await stores.ids.next('translation');
  const other = { ...edited, id: otherId };
  const otherTranslation = sampleTranslation(otherId, { project: component.project });
  const { source, contentHash } = list[0]!;
  const twin = sampleUnit(otherTranslation, await stores.ids.next('unit'), { source, contentHash });
  await stores.translations.insert(otherTranslation);
  await stores.units.insert([twin]);
  const startProcess = (): App =>
    makeProcess(database, edited, {
      catalog: { component: async (id) => (id === other.id ? other : edited) },
      projectTranslations: {
        of: async () =>
          [translation, otherTranslation].map((t) => ({ translation: t.id, component: t.component, strings: 1 })),
      },
    });
  /** A process that crashes before it writes the twin. */
  const startCrashing = (): App => {
    const process = startProcess();
    const { units } = process;
    const write: App['units']['write'] = (given) =>
      given.unit === twin.id ? Promise.reject(new Error('crash')) : units.write(given);
    return { ...process, units: Object.assign(Object.create(units) as App['units'], { write }) };
  };
  const edit = (process: App, unit: Unit, text: string) =>
    updateUnit(process, ana, { id: unit.id, target: [text], expectedVersion: 0 }, '');
  const target = async () => (await stores.units.get(twin.id))!.target;
  return { startProcess, startCrashing, edit, target, unit: list[0]!, twin, contents: stores };
}

it('A saved edit is visible in the strings that share its source', async () => {
  const { startProcess, edit, target, unit } = await makeWorld();
  await edit(startProcess(), unit, 'Ahoj');
  expect(await target()).toEqual(['Ahoj']);
});

it('Recovery completes an interrupted propagation once', async () => {
  const { startProcess, startCrashing, edit, target, unit, twin, contents } = await makeWorld();
  await expect(edit(startCrashing(), unit, 'Ahoj')).rejects.toThrow('crash');
  expect(await target()).toEqual(['']);
  const process = startProcess();
  await process.effects.recover(-1000);
  expect(await target()).toEqual(['Ahoj']);
  await process.effects.recover(-1000);
  const history = await contents.changes.page({ unit: twin.id }, 1, 10);
  expect(history.items.map(({ target: text }) => text)).toEqual(['Ahoj']);
});

it('Recovery of a propagation keeps strings that were edited after the crash', async () => {
  const { startProcess, startCrashing, edit, target, unit, twin } = await makeWorld();
  await expect(edit(startCrashing(), unit, 'Ahoj')).rejects.toThrow('crash');
  const process = startProcess();
  const other = await process.units.get(twin.id);
  await process.units.write({
    unit: twin.id,
    version: other!.version,
    patch: { target: ['Nazdar'], state: 20, updated: Date.now() + 1 },
  });
  await process.effects.recover(-1000);
  expect(await target()).toEqual(['Nazdar']);
});
