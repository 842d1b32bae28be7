import { ContextChecks } from '../src/app/checks/context-checks';
import { updateUnit } from '../src/app/edit/update-unit';
import { makeProcess, storeStrings } from './support/process';
import { person } from './support/samples';
import { useDatabase } from './support/store';

const database = useDatabase();
const ana = person(1, 'ana');

it('a string had a translation, where its history has another text than the one that needs editing', async () => {
  const { component, translation, list: units } = await storeStrings(database, 2);
  const parts = makeProcess(database, component, {
    neighbours: async () => [{ translation: translation.id, component: component.id, strings: 1 }],
  });
  const checks = new ContextChecks(() => parts);
  const [first, second] = units.map((unit) => unit.id) as [number, number];
  const edit = (unit: number, text: string, state: number) =>
    updateUnit(parts, ana, { id: unit, target: [text], state, expectedVersion: 0 }, '');
  const failing = async () => {
    await checks.run(units.map(({ id: unit }) => ({ unit, touched: { texts: [], failing: false } })));
    const now = await parts.units.many([first, second]);
    return [first, second].map((of) => now.find((unit) => unit.id === of)!.checks.includes('translated'));
  };
  await edit(first, 'B', 20);
  await edit(second, 'B', 10);
  expect(await failing()).toEqual([false, false]);
  await edit(first, 'B2', 10);
  expect(await failing()).toEqual([true, false]);
  // Looking again changes nothing.
  expect(await failing()).toEqual([true, false]);
  await edit(first, 'B2', 20);
  await edit(second, '', 0);
  expect(await failing()).toEqual([false, false]);
  await edit(second, 'C', 20);
  await edit(second, '', 0);
  expect(await failing()).toEqual([false, true]);
});
