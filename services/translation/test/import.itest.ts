import { ImportSession } from '../src/app/import-session';
import type { Parts } from '../src/app/parts';
import { Judge } from '../src/app/quality';
import { removeComponent } from '../src/app/remove-component';
import { spreadSourceTexts } from '../src/app/spread-source-texts';
import type { Component, Language } from '../src/domain/component';
import type { Announcer } from '../src/domain/ports';
import { contentHash } from '../src/domain/unit';
import { useDatabase } from './support/store';

const database = useDatabase();

const language = (code: string): Language => ({
  id: 1,
  code,
  name: code,
  direction: 'ltr',
  pluralNumber: 2,
  pluralFormula: 'n != 1',
});
const file = (code: string) => ({
  path: `${code}.po`,
  language: language(code),
  fileLanguageCode: code,
  revision: '1',
  kind: 'translation' as const,
  bytes: Buffer.from(`msgid ""\nmsgstr "Language: ${code}\\n"\n\nmsgid "Hello"\nmsgstr "${code}"\n`),
});

function world(id: number) {
  let component: Component | null = {
    id,
    project: 1,
    projectSlug: 'p',
    path: 'app',
    name: 'App',
    fileFormat: 'po',
    fileFormatParams: {},
    template: '',
    newBase: '',
    sourceLanguage: language('en'),
    checkFlags: '',
    enforcedChecks: [] as string[],
    isGlossary: false,
  } as Component;
  const announced = { updated: 0, deleted: 0 };
  const announcer: Announcer = {
    async updated() {
      announced.updated++;
    },
    async deleted() {
      announced.deleted++;
    },
  };
  const stores = database.stores(announcer);
  const { units, translations } = stores;
  const parts = {
    ...stores,
    announcer,
    catalog: { component: async () => component, forget: () => undefined },
    judge: (of: Component, into: Language) => new Judge(of, into),
    forgetNeighbours: () => undefined,
    contextChecks: { recheckSoon: () => undefined },
    facts: (translation: number) => translations.get(translation),
    now: () => Date.now(),
  } as unknown as Parts;
  return {
    parts,
    announced,
    component: component as Component,
    async delete() {
      component = null;
      await removeComponent(parts, id);
    },
    stored: async () => [(await translations.ofComponent(id)).length, (await units.all({ component: id })).length],
  };
}

const options = { author: null, complete: true, initial: true, upload: false };

describe('an import', () => {
  it('leaves a translation for each file and one for the sources', async () => {
    const { parts, component, stored, announced } = world(1);
    const session = await ImportSession.begin(parts, component, options);
    for (const code of ['cs', 'de']) expect((await session.file(file(code))).error).toBeUndefined();
    expect(await session.end()).toMatchObject({ translations: 2, problems: [] });
    expect(await stored()).toEqual([3, 3]);
    expect(announced).toEqual({ updated: 3, deleted: 0 });
  });

  it('leaves nothing of a component that was deleted meanwhile', async () => {
    const one = world(2);
    const session = await ImportSession.begin(one.parts, one.component, options);
    await session.file(file('cs'));
    await one.delete();
    await session.file(file('de'));
    await expect(session.end()).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    expect(await one.stored()).toEqual([0, 0]);
    expect(one.announced.deleted).toBe(one.announced.updated);
  });
});

describe('two edits of a source text at the same moment', () => {
  it.each(['first', 'second'])(
    'leave the later text on its translations when the %s one is followed up last',
    async (last) => {
      const { parts, component } = world(last === 'first' ? 3 : 4);
      const session = await ImportSession.begin(parts, component, options);
      await session.file(file('cs'));
      await session.end();
      const before = (await parts.units.all({ component: component.id, isSource: true }))[0]!;
      const edit = async (unit: typeof before, text: string) => {
        const patch = { source: [text], target: [text], contentHash: contentHash(unit.context, [text]) };
        expect(await parts.units.write({ unit: unit.id, version: unit.version, patch })).toBe(true);
        return { ...unit, ...patch, version: unit.version + 1 };
      };
      const between = await edit(before, 'Hello there');
      await edit(between, 'Good day');
      const author = { userId: 1, username: 'a', fullName: 'A', email: 'a@example.com' };
      for (const edited of last === 'first' ? [between, before] : [before, between])
        await spreadSourceTexts(parts, component, [edited], author);
      const [translated] = await parts.units.all({ component: component.id, isSource: { $exists: false } });
      expect(translated).toMatchObject({ source: ['Good day'], target: ['cs'], state: 10, previousSource: ['Hello'] });
    },
  );
});
