import { ImportSession } from '../../src/app/import/import-session';
import type { Language } from '../../src/domain/component';
import { importOptions, importWorld } from '../support/import-world';
import { language } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();

const ANDROID = {
  fileFormat: 'aresource',
  template: 'res/values/strings.xml',
  newBase: 'res/values/strings.xml',
} as const;
const spanish: Language = { ...language('es'), pluralNumber: 2, pluralFormula: 'n != 1' };

const android = (items: Record<string, string>) =>
  Buffer.from(
    `<resources>\n  <plurals name="days">\n${Object.entries(items)
      .map(([quantity, text]) => `    <item quantity="${quantity}">${text}</item>\n`)
      .join('')}  </plurals>\n</resources>\n`,
  );

const base = {
  path: ANDROID.template,
  language: language('en'),
  fileLanguageCode: 'en',
  revision: '1',
  kind: 'template' as const,
  bytes: android({ one: '%d day', other: '%d days' }),
};
const translation = (items: Record<string, string>, revision = '1') => ({
  path: 'res/values-es/strings.xml',
  language: spanish,
  fileLanguageCode: 'es',
  revision,
  kind: 'translation' as const,
  bytes: android(items),
});

async function importFiles(
  { deps, component }: ReturnType<typeof importWorld>,
  items: Record<string, string>,
  revision?: string,
) {
  const session = await ImportSession.begin(deps, component, importOptions);
  for (const file of [base, translation(items, revision)]) expect((await session.file(file)).error).toBeUndefined();
  await session.end();
  const found = (await deps.translations.ofComponent(component.id)).find(({ isSource }) => !isSource)!;
  const [unit] = await deps.units.ofTranslation(found.id);
  return { translation: found, target: unit!.target };
}

describe('plural forms of an Android translation into Spanish', () => {
  it('A new translation has the form for whole millions, the CLDR category "many"', async () => {
    const world = importWorld(database, 700, ANDROID);
    const { translation, target } = await importFiles(world, { one: '%d día', many: '%d de días', other: '%d días' });
    expect(translation.language.pluralNumber).toBe(3);
    expect(target).toEqual(['%d día', '%d de días', '%d días']);
  });

  it('An existing translation with two forms keeps two forms', async () => {
    const world = importWorld(database, 701, ANDROID);
    const { translation } = await importFiles(world, { one: '%d día', other: '%d días' });
    await world.deps.translations.update(translation.id, {
      language: { ...translation.language, pluralNumber: 2, pluralFormula: 'n != 1' },
    });
    const again = await importFiles(world, { one: '%d día', other: '%d días!' }, '2');
    expect(again.translation.language.pluralNumber).toBe(2);
    expect(again.target).toEqual(['%d día', '%d días!']);
  });
});
