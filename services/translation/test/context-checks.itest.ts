import type { Principal } from '@parlance/access';
import { ContextChecks } from '../src/app/checks/context-checks';
import { Judge } from '../src/app/checks/quality';
import { updateUnit } from '../src/app/edit/update-unit';
import type { Parts } from '../src/app/parts';
import { RecentUnits } from '../src/app/recent-units';
import { Turns } from '../src/app/turns';
import type { Component, Language } from '../src/domain/component';
import { czech, sampleTranslation, sampleUnit } from './support/samples';
import { useDatabase } from './support/store';

const database = useDatabase();
const ana: Principal = {
  userId: 1,
  username: 'ana',
  fullName: 'Ana',
  email: 'ana@example.com',
  isSuperuser: true,
  isBot: false,
  anonymous: false,
  grants: [],
};

it('a string had a translation, where its history has another text than the one that needs editing', async () => {
  const announcer = { updated: async () => undefined, deleted: async () => undefined };
  const stores = database.stores(announcer);
  const [id] = await stores.ids.range('translation', 1);
  const translation = sampleTranslation(id!);
  const component = {
    id: id!,
    project: 1,
    template: '',
    sourceLanguage: { ...czech, code: 'en' },
    checkFlags: '',
    enforcedChecks: [] as string[],
    agreement: '',
  } as unknown as Component;
  await stores.translations.insert(translation);
  const units = (await stores.ids.range('unit', 2)).map((unit) => sampleUnit(translation, unit));
  await stores.units.insert(units);
  const parts = {
    ...stores,
    announcer,
    recentUnits: new RecentUnits(),
    unitTurns: new Turns(),
    catalog: { component: async () => component },
    facts: (of: number) => stores.translations.get(of),
    judge: (of: Component, into: Language) => new Judge(of, into),
    sourceFlags: async () => '',
    neighbours: async () => [{ translation: translation.id, component: component.id }],
    now: () => Date.now(),
  } as unknown as Parts;
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
