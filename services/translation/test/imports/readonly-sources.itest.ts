import { rerunChecks } from '../../src/app/checks/rerun-checks';
import { insertStrings } from '../../src/app/edit/insert-strings';
import { updateUnit, type UnitEditRequest } from '../../src/app/edit/update-unit';
import { ImportSession } from '../../src/app/import/import-session';
import { importOptions } from '../support/import-world';
import { makeProcess } from '../support/process';
import { czech, person, sampleComponent } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const ana = person(1, 'ana');

let components = 0;

/** A component of JSON files: English is the base file, Czech its translation. */
async function makeWorld(texts: Record<string, string>, checkFlags = '') {
  const id = ++components;
  const settings = { project: id, fileFormat: 'json', template: 'en.json', checkFlags };
  const component = sampleComponent(id, settings);
  const deps = makeProcess(database, component, {
    sourceFlags: {
      of: async ({ sourceUnit }) => (await units.extraFlags((await sourceOf()).id)).get(sourceUnit) ?? '',
    },
  });
  const { units, translations } = deps;
  const sourceOf = async () => (await translations.ofComponent(component.id)).find((t) => t.isSource)!;
  const read = async (base: Record<string, string>, initial = false) => {
    const options = { ...importOptions, initial };
    const session = await ImportSession.begin(deps, component, options);
    for (const [into, kind, entries] of [
      [component.sourceLanguage, 'template', base],
      [czech, 'translation', { hello: 'Ahoj' }],
    ] as const) {
      const bytes = Buffer.from(JSON.stringify(entries));
      const path = `${into.code}.json`;
      const file = { path, language: into, fileLanguageCode: into.code, revision: '1', kind, bytes };
      expect((await session.file(file)).error).toBeUndefined();
    }
    await session.end();
  };
  await read(texts, true);
  const unit = async (context: string, code = 'en') =>
    (await units.all({ kind: 'components', ids: [component.id] })).find(
      (u) => u.context === context && u.language === code,
    )!;
  return {
    deps,
    component,
    read,
    unit,
    sourceOf,
    async patch(context: string, changes: Partial<UnitEditRequest>) {
      const { id: of } = await unit(context);
      return updateUnit(deps, ana, { id: of, expectedVersion: 0, ...changes }, '');
    },
    async rejudge() {
      for (const translation of await translations.ofComponent(component.id)) await rerunChecks(deps, translation);
    },
    async expectCounted(readonly: number) {
      const { id: of, counters } = (await translations.get((await sourceOf()).id))!;
      const counted = await units.recount(of);
      expect({ now: counters.readonly.s, counted: counted.readonly.s }).toEqual({ now: readonly, counted: readonly });
    },
  };
}

const denied = { reason: 'PERMISSION_DENIED' };

describe('a source string of a monolingual component with the flag read-only', () => {
  it('A source string is read-only while it has the flag, and returns to its former state afterwards', async () => {
    const { patch, unit, read, expectCounted } = await makeWorld({ hello: 'Hello', bye: 'Bye' });
    await patch('hello', { state: 10 });
    await patch('hello', { extraFlags: 'read-only' });
    expect(await unit('hello')).toMatchObject({ state: 100, target: ['Hello'] });
    expect(await unit('hello', 'cs')).toMatchObject({ state: 100, target: ['Ahoj'] });
    expect(await unit('bye')).toMatchObject({ state: 20 });
    await expectCounted(1);
    const text = { target: ['Hello there'], state: 20 };
    await expect(patch('hello', text)).rejects.toMatchObject(denied);
    // The string cannot be edited before the flag is removed.
    await expect(patch('hello', { ...text, extraFlags: '' })).rejects.toMatchObject(denied);
    expect(await patch('hello', { explanation: 'Of greeters' })).toMatchObject({ state: 100 });
    await read({ hello: 'Hello', bye: 'Bye' });
    expect(await unit('hello')).toMatchObject({ state: 100, target: ['Hello'] });
    expect(await patch('hello', { extraFlags: '' })).toMatchObject({ state: 10, target: ['Hello'] });
    expect(await unit('hello', 'cs')).toMatchObject({ state: 20 });
    await expectCounted(0);
    expect(await patch('hello', text)).toMatchObject(text);
  });

  it('A read-only source string takes the text of its file', async () => {
    const { patch, unit, read, expectCounted } = await makeWorld({ hello: 'Hello' });
    await patch('hello', { extraFlags: 'read-only' });
    await read({ hello: 'Good day' });
    expect(await unit('hello')).toMatchObject({ state: 100, source: ['Good day'], target: ['Good day'] });
    await expectCounted(1);
    expect(await patch('hello', { extraFlags: '' })).toMatchObject({ state: 20, target: ['Good day'] });
  });

  it('The flag of a component or project makes existing, imported and added source strings read-only', async () => {
    const { deps, component, patch, unit, read, rejudge, sourceOf, expectCounted } = await makeWorld({
      hello: 'Hello',
    });
    component.checkFlags = 'read-only';
    await rejudge();
    expect(await unit('hello')).toMatchObject({ state: 100 });
    await expectCounted(1);
    await expect(patch('hello', { target: ['Hi'], state: 20 })).rejects.toMatchObject(denied);
    await read({ hello: 'Hello', more: 'More' });
    expect(await unit('more')).toMatchObject({ state: 100 });
    const added = { context: 'mine', source: ['Mine'], target: ['Mine'], state: 20 };
    await insertStrings(deps, component, await sourceOf(), [added], ana);
    expect(await unit('mine')).toMatchObject({ state: 100, edits: [{ target: ['Mine'], state: 20 }] });
    expect(await unit('mine', 'cs')).toMatchObject({ state: 100 });
    await expectCounted(3);
    component.checkFlags = '';
    await rejudge();
    for (const context of ['hello', 'more', 'mine']) expect(await unit(context)).toMatchObject({ state: 20 });
    expect(await unit('mine', 'cs')).toMatchObject({ state: 0 });
    await expectCounted(0);
  });

  it('A source string with the flag is read-only from its first import', async () => {
    const { unit, expectCounted } = await makeWorld({ hello: 'Hello' }, 'read-only');
    expect(await unit('hello')).toMatchObject({ state: 100 });
    await expectCounted(1);
  });
});

test('Extra flags keep the order, quotes and aliases in which they were written.', async () => {
  const { patch, unit } = await makeWorld({ hello: 'Hello' });
  const written = 'python-format,c-format, placeholders:"$NAME$", markdown-text';
  expect(await patch('hello', { extraFlags: ` ${written} ` })).toMatchObject({ extraFlags: written });
  expect(await unit('hello')).toMatchObject({ extraFlags: written });
  await expect(patch('hello', { extraFlags: 'c-format, nothing' })).rejects.toMatchObject({ reason: 'INVALID' });
  expect(await unit('hello')).toMatchObject({ extraFlags: written });
});
