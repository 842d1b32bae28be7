import type { Component, Language } from '../../domain/component';
import { idHash, type Author, type Unit } from '../../domain/unit';
import { FileWorkerPool } from '../files/file-worker-pool';
import { makeBaseReader, renderEdits, renderRemovals } from './render-pending';

const files = new FileWorkerPool({ threads: 1, memoryMb: 256 });

const language: Language = {
  id: 1,
  code: 'cs',
  name: 'Czech',
  direction: 'ltr',
  pluralNumber: 3,
  pluralFormula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2',
};
const component = {
  id: 1,
  fileFormat: 'po',
  fileFormatParams: {},
  template: '',
  sourceLanguage: { ...language, code: 'en' },
} as unknown as Component;
const author: Author = { userId: 1, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };
const file = Buffer.from('msgid ""\nmsgstr "Language: cs\\n"\n\nmsgid "Hello"\nmsgstr "Ahoj"\n');
const key = idHash(false, '', ['Hello']);

async function render(texts: readonly string[]) {
  const edits = texts.map((text) => ({
    unit: { id: 7, key, context: '', source: ['Hello'], target: [text], note: '', location: '', flags: '' } as Unit,
    edit: { id: 'added', author, target: [text], state: 20, time: 2, adds: true },
  }));
  const removal = { id: 'removed', component: 1, translation: 1, key, author, time: 1 };
  const { bytes, editIds } = await renderEdits(files, component, language, file, edits, [removal]);
  return { text: bytes.toString(), editIds };
}

it.each(['Ahoj', 'Nazdar'])('A string that was removed and added again as %s stays in the file', async (text) => {
  const rendered = await render([text]);
  expect(rendered.text).toBe(file.toString().replace('Ahoj', text));
  expect(rendered.editIds.sort()).toEqual(['added', 'removed']);
});

it('The approved state is written in formats that support it', async () => {
  const text = '<trans-unit id="k"><source>Hello</source><target>Ahoj</target></trans-unit>';
  const whole = (unit: string) =>
    `<xliff version="1.2"><file original="f" source-language="en" target-language="cs" datatype="po"><body>${unit}</body></file></xliff>`;
  const approval = {
    unit: {
      id: 7,
      key: idHash(false, 'k', ['Hello']),
      context: 'k',
      source: ['Hello'],
      note: '',
      location: '',
      flags: '',
    } as Unit,
    edit: { id: 'approved', author, target: ['Ahoj'], state: 30, time: 2, adds: false },
  };
  const inXliff = { ...component, fileFormat: 'plainxliff' };
  const { bytes } = await renderEdits(files, inXliff, language, Buffer.from(whole(text)), [approval]);
  expect(bytes.toString()).toBe(whole(text.replace('id="k"', 'id="k" approved="yes"')));
});

it('A removed string is removed from the file', async () => {
  expect((await render([])).text).not.toContain('Hello');
});

it('Of two strings that exclude each other, one is written and the other is reported', async () => {
  const nested = { ...component, fileFormat: 'json-nested', template: 'en.json' };
  const edits = ['menu.open', 'menu', 'bye'].map((name, id) => ({
    unit: { id, key: idHash(true, name, []), context: name, source: [name], note: '', location: '', flags: '' } as Unit,
    edit: { id: name, author, target: [`text of ${name}`], state: 20, time: 2, adds: true },
  }));
  const rendered = await renderEdits(files, nested, language, Buffer.from('{}'), edits);
  expect(rendered.editIds).toEqual(['menu.open', 'bye']);
  expect(rendered.skipped).toMatchObject([{ unit: 1, edit: 'menu' }]);
  expect(JSON.parse(rendered.bytes.toString())).toEqual({ menu: { open: 'text of menu.open' }, bye: 'text of bye' });
});

describe('an intermediate file', () => {
  const drafts = Buffer.from('{\n  "open": "opn",\n  "bye": "by",\n  "new": "nw"\n}\n');
  const monolingual = { ...component, fileFormat: 'json', template: 'en.json', intermediate: 'dev.json' };
  const removal = (name: string) => ({
    id: name,
    component: 1,
    translation: 1,
    key: idHash(true, name, []),
    author,
    time: 1,
  });
  const edit = { id: 'edit', author, target: ['Bye'], state: 20, time: 2 };
  const unit = { id: 7, key: idHash(true, 'bye', []), context: 'bye', source: ['by'], target: ['Bye'] } as Unit;

  it('An intermediate file loses removed strings and ignores edited texts', async () => {
    const group = { edits: [{ unit, edit }], removals: [removal('open'), removal('gone')] };
    const rendered = await renderRemovals(files, monolingual, language, drafts, group);
    expect(rendered.bytes.toString()).toBe('{\n  "bye": "by",\n  "new": "nw"\n}\n');
  });

  it('An intermediate file keeps a string that was removed and added again', async () => {
    const group = { edits: [{ unit, edit: { ...edit, adds: true } }], removals: [removal('bye')] };
    expect((await renderRemovals(files, monolingual, language, drafts, group)).changed).toBe(false);
    const byOthers = { edits: [], removals: [{ ...removal('open'), addedAgain: true }] };
    expect((await renderRemovals(files, monolingual, language, drafts, byOthers)).changed).toBe(false);
    expect((await renderRemovals(files, monolingual, language, drafts, null)).changed).toBe(false);
  });
});

const webextension = { ...component, fileFormat: 'webextension', template: '_locales/en/messages.json' } as Component;
const english = Buffer.from(
  '{"hi": {"message": "Hi $NAME$", "description": "why", "placeholders": {"name": {"content": "$1"}}}, "bye": {"message": "Bye"}}',
);

it('Added strings copy the metadata of the base file, which is read only for added strings', async () => {
  const edit = (context: string) => ({
    unit: { id: 7, key: idHash(true, context, []), context, source: ['Hi'], target: ['Ahoj $NAME$'] } as Unit,
    edit: { id: context, author, target: ['Ahoj $NAME$'], state: 20, time: 2 },
  });
  let reads = 0;
  const base = async () => (reads++, english);
  const file = Buffer.from('{"bye": {"message": "Na"}}');
  const set = await renderEdits(files, webextension, language, file, [edit('bye')], [], base);
  expect([set.bytes.toString(), reads]).toEqual(['{"bye": {"message": "Ahoj $NAME$"}}', 0]);
  const added = await renderEdits(files, webextension, language, file, [edit('hi')], [], base);
  expect(JSON.parse(added.bytes.toString())).toEqual({
    bye: { message: 'Na' },
    hi: { message: 'Ahoj $NAME$', description: 'why', placeholders: { name: { content: '$1' } } },
  });
  expect(reads).toBe(1);
});

it('The base of a file is the template or else new_base, but never the file itself', async () => {
  const repository = { readFile: async (_: number, path: string) => ({ bytes: Buffer.from(path), revision: '' }) };
  const read = async (of: Component, filename: string) =>
    (await makeBaseReader(repository, of, { filename })())?.toString() ?? null;
  expect(await read(webextension, '_locales/cs/messages.json')).toBe('_locales/en/messages.json');
  expect(await read(webextension, '_locales/en/messages.json')).toBeNull();
  expect(await read({ ...component, newBase: 'all.pot' } as Component, 'cs.po')).toBe('all.pot');
  expect(await read({ ...component, newBase: '' } as Component, 'cs.po')).toBeNull();
});

it('Edits that the file format cannot express are reported, and the others are written', async () => {
  const lines = { ...component, fileFormat: 'mi18n-lang', template: 'en.lang' } as unknown as Component;
  const edits = ['one', 'two'].map((context) => ({
    unit: {
      id: context.length,
      key: idHash(true, context, []),
      context,
      source: ['x'],
    } as Unit,
    edit: { id: context, author, target: [context === 'one' ? 'a\nb' : 'c'], state: 20, time: 2 },
  }));
  const rendered = await renderEdits(files, lines, language, Buffer.from('one = x\ntwo = x\n'), edits);
  expect(rendered.bytes.toString()).toBe('one = x\ntwo = c\n');
  expect(rendered.editIds).toEqual(['two']);
  expect(rendered.skipped).toEqual([{ unit: 3, edit: 'one', reason: expect.stringContaining('several lines') }]);
});
