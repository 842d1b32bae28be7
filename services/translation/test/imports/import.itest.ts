import { decodeEvent, encodeEvent, newEvent } from '@parlance/events';
import { setTimeout as pause } from 'node:timers/promises';
import { markCommitted } from '../../src/app/commit/commit-pending';
import { ContextChecks } from '../../src/app/checks/context-checks';
import { ImportSession } from '../../src/app/import/import-session';
import { insertStrings } from '../../src/app/edit/insert-strings';
import { planTextEdit } from '../../src/app/edit/text-edit';
import { applySourceTexts } from '../../src/app/effects/apply-source-texts';
import { structureChanged } from '../../src/consumers/structure';
import { contentHash } from '../../src/domain/unit';
import { importOptions, importWorld, poFile } from '../support/import-world';
import { useDatabase } from '../support/store';
import type { App } from '../../src/compose-app';

const database = useDatabase();

const world = (id: number) => importWorld(database, id);
const file = poFile;
const options = importOptions;

// Must be the first test: it checks all components of the database.
describe('a string that is translated into much fewer languages than the others', () => {
  const DAY = 24 * 3600_000;
  const strange = (text: string) => `\nmsgid "Strange"\nmsgstr "${text}"\n`;

  let checks: ContextChecks;
  afterEach(() => checks.stop());

  it('The check long_untranslated fails after 90 days until the string is translated', async () => {
    const { deps, component, clock } = world(9);
    checks = new ContextChecks(deps, 500);
    const read = async (initial: boolean, texts: Record<string, string>) => {
      const session = await ImportSession.begin(deps, component, { ...options, initial });
      for (const [code, text] of Object.entries(texts)) await session.file(file(code, strange(text)));
      await session.end();
    };
    const become = async (strange: string[]) => {
      for (;;) {
        const sources = await sourcesOf(deps, component.id);
        const marked = await deps.translations.listToRecheck();
        const due = await deps.translations.listTimedChecksDue(clock.now - DAY, 10);
        const now = Object.fromEntries(sources.map((unit) => [unit.source[0], unit.checks]));
        if (marked.length + due.length === 0 && now['Strange']?.join() === strange.join()) return now;
        await pause(100);
      }
    };
    await read(true, { cs: '', de: '' });
    checks.start();
    expect(await become([])).toEqual({ Hello: [], Strange: [] });
    // Without an import: the result depends on time only.
    clock.now += 91 * DAY;
    expect(await become(['long_untranslated'])).toEqual({ Hello: [], Strange: ['long_untranslated'] });
    await read(false, { cs: 'divné', de: 'seltsam' });
    checks.scheduleRecheck();
    expect(await become([])).toEqual({ Hello: [], Strange: [] });
  });
});

describe('an import', () => {
  it('An import creates a translation for each file and a source translation', async () => {
    const { deps, component, stored, announced } = world(1);
    const session = await ImportSession.begin(deps, component, options);
    for (const code of ['cs', 'de']) expect((await session.file(file(code))).error).toBeUndefined();
    expect(await session.end()).toMatchObject({ translations: 2, problems: [] });
    expect(await stored()).toEqual([3, 3]);
    expect(announced).toEqual({ updated: 3, deleted: 0 });
  });

  it('An import of a component that is deleted concurrently leaves no data', async () => {
    const one = world(2);
    const session = await ImportSession.begin(one.deps, one.component, options);
    await session.file(file('cs'));
    await one.delete();
    await session.file(file('de'));
    await expect(session.end()).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    expect(await one.stored()).toEqual([0, 0]);
    expect(one.announced.deleted).toBe(one.announced.updated);
  });
});

describe('a string that was added and is not committed yet', () => {
  const author = { userId: 1, username: 'a', fullName: 'A', email: 'a@example.com' };

  it.each(['as it was added', 'edited since'])(
    'A string that is not committed yet survives an import without it (%s)',
    async (how) => {
      const { deps, component } = world(how === 'edited since' ? 5 : 6);
      const first = await ImportSession.begin(deps, component, options);
      await first.file(file('cs'));
      await first.end();
      const [translation] = (await deps.translations.ofComponent(component.id)).filter((t) => !t.isSource);
      const string = { context: '', source: ['Fresh'], target: ['Nový'], state: 20 };
      const [added] = await insertStrings(deps, component, translation!, [string], author);
      if (how === 'edited since') {
        const { patch } = planTextEdit({
          unit: added!,
          target: ['Novější'],
          state: 20,
          author,
          component,
          evaluator: deps.evaluators.for(component, translation!.language),
          sourceExtraFlags: '',
          now: deps.now(),
        });
        expect(await deps.units.write({ unit: added!.id, version: added!.version, patch })).toBe(true);
      }
      const again = await ImportSession.begin(deps, component, { ...options, initial: false });
      await again.file({ ...file('cs'), revision: '2' });
      await again.end();
      const units = await deps.units.all({ kind: 'components', ids: [component.id] });
      expect(units.map((u) => [u.isSource, u.source[0]]).sort()).toEqual([
        [false, 'Fresh'],
        [false, 'Hello'],
        [true, 'Fresh'],
        [true, 'Hello'],
      ]);
      // After its commit, an import removes it like any other string.
      await markCommitted(
        deps,
        translation!.id,
        units.flatMap((u) => u.edits.map((e) => e.id)),
        '3',
      );
      const last = await ImportSession.begin(deps, component, { ...options, initial: false });
      await last.file({ ...file('cs'), revision: '4' });
      await last.end();
      expect((await deps.units.all({ kind: 'components', ids: [component.id] })).map((u) => u.source[0])).toEqual([
        'Hello',
        'Hello',
      ]);
    },
  );
});

it('An import with a rejected file removes no translations', async () => {
  const { deps, component, stored } = world(7);
  const first = await ImportSession.begin(deps, component, options);
  for (const code of ['cs', 'de']) await first.file(file(code));
  await first.end();
  const again = await ImportSession.begin(deps, component, { ...options, initial: false });
  await again.file(file('cs'));
  expect(again.rejectFile(file('de'), 'too large').error).toMatchObject({ path: 'de.po', message: 'too large' });
  await again.end();
  expect(await stored()).toEqual([3, 3]);
});

describe('concurrent edits of a source text', () => {
  it.each(['first', 'second'])(
    'Translations have the later source text when the effects of the %s edit run last',
    async (last) => {
      const { deps, component } = world(last === 'first' ? 3 : 4);
      const session = await ImportSession.begin(deps, component, options);
      await session.file(file('cs'));
      await session.end();
      const before = (await sourcesOf(deps, component.id))[0]!;
      const edit = async (unit: typeof before, text: string) => {
        const patch = { source: [text], target: [text], contentHash: contentHash(unit.context, [text]) };
        expect(await deps.units.write({ unit: unit.id, version: unit.version, patch })).toBe(true);
        return { ...unit, ...patch, version: unit.version + 1 };
      };
      const between = await edit(before, 'Hello there');
      await edit(between, 'Good day');
      const author = { userId: 1, username: 'a', fullName: 'A', email: 'a@example.com' };
      for (const edited of last === 'first' ? [between, before] : [before, between])
        await applySourceTexts(deps, component, [edited], author);
      const [translated] = (await deps.units.all({ kind: 'components', ids: [component.id] })).filter(
        (u) => !u.isSource,
      );
      expect(translated).toMatchObject({ source: ['Good day'], target: ['cs'], state: 10, previousSource: ['Hello'] });
    },
  );
});

describe('a deleted or changed component', () => {
  const received = (payloadName: 'componentDeleted' | 'componentUpdated', payload: object) => ({
    ...decodeEvent(encodeEvent(newEvent('catalog', payloadName, payload, 1))),
    sequence: 1,
    attempt: 1,
  });
  const about = { componentId: 900, projectId: 1 };

  it.each([
    ['a glossary that is deleted', 'componentDeleted', { isGlossary: true }, true],
    ['a deleted component that is not a glossary', 'componentDeleted', { isGlossary: false }, false],
    ['a component that is no longer a glossary', 'componentUpdated', { changed: ['is_glossary'] }, true],
    ['another changed setting', 'componentUpdated', { changed: ['name'] }, false],
  ] as const)('Glossary checks are requested only if terms changed: %s', async (_, payloadName, more, marked) => {
    const { deps, component } = world(10);
    const session = await ImportSession.begin(deps, component, options);
    await session.file(file('cs'));
    await session.end();
    for (const { translation, mark } of await deps.translations.listTermsChanged())
      await deps.translations.clearTermsChanged(translation.id, mark);
    // The component is not in the caches of this process.
    await structureChanged(deps)([received(payloadName, { ...about, ...more })] as never);
    const found = (await deps.translations.listTermsChanged()).map(({ translation }) => translation.component);
    expect(found.includes(component.id)).toBe(marked);
  });
});

async function sourcesOf({ units }: Pick<App, 'units'>, component: number) {
  return (await units.all({ kind: 'components', ids: [component] })).filter((unit) => unit.isSource);
}
