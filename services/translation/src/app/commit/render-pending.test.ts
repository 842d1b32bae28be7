import type { Component, Language } from '../../domain/component';
import { idHash, type Author, type Unit } from '../../domain/unit';
import { renderEdits, renderRemovals } from './render-pending';

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

function render(texts: readonly string[]) {
  const edits = texts.map((text) => ({
    unit: { id: 7, key, context: '', source: ['Hello'], target: [text], note: '', location: '', flags: '' } as Unit,
    edit: { id: 'added', author, target: [text], state: 20, time: 2, adds: true },
  }));
  const removal = { id: 'removed', component: 1, translation: 1, key, author, time: 1 };
  const { bytes, editIds } = renderEdits(component, language, file, edits, [removal]);
  return { text: bytes.toString(), editIds };
}

it.each(['Ahoj', 'Nazdar'])('keeps a string that was removed and added again, as %s', (text) => {
  const rendered = render([text]);
  expect(rendered.text).toBe(file.toString().replace('Ahoj', text));
  expect(rendered.editIds.sort()).toEqual(['added', 'removed']);
});

it('takes a string out that was removed', () => {
  expect(render([]).text).not.toContain('Hello');
});

it('commits what the file can hold when two strings exclude each other', () => {
  const nested = { ...component, fileFormat: 'json-nested', template: 'en.json' };
  const edits = ['menu.open', 'menu', 'bye'].map((name, id) => ({
    unit: { id, key: idHash(true, name, []), context: name, source: [name], note: '', location: '', flags: '' } as Unit,
    edit: { id: name, author, target: [`text of ${name}`], state: 20, time: 2, adds: true },
  }));
  const rendered = renderEdits(nested, language, Buffer.from('{}'), edits);
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

  it('loses the strings that were removed, but takes no texts', () => {
    const group = { edits: [{ unit, edit }], removals: [removal('open'), removal('gone')] };
    const rendered = renderRemovals(monolingual, language, drafts, group);
    expect(rendered.bytes.toString()).toBe('{\n  "bye": "by",\n  "new": "nw"\n}\n');
  });

  it('keeps a string that was removed and added again', () => {
    const group = { edits: [{ unit, edit: { ...edit, adds: true } }], removals: [removal('bye')] };
    expect(renderRemovals(monolingual, language, drafts, group).changed).toBe(false);
    const byOthers = { edits: [], removals: [{ ...removal('open'), addedAgain: true }] };
    expect(renderRemovals(monolingual, language, drafts, byOthers).changed).toBe(false);
    expect(renderRemovals(monolingual, language, drafts, null).changed).toBe(false);
  });
});

it('names edits that the file cannot hold, and writes the others', () => {
  const ini = { ...component, fileFormat: 'ini', template: 'en.ini' } as unknown as Component;
  const edits = ['one', 'two'].map((context) => ({
    unit: {
      id: context.length,
      key: idHash(true, `[s]${context}`, []),
      context: `[s]${context}`,
      source: ['x'],
    } as Unit,
    edit: { id: context, author, target: [context === 'one' ? 'a\nb' : 'c'], state: 20, time: 2 },
  }));
  const rendered = renderEdits(ini, language, Buffer.from('[s]\none=x\ntwo=x\n'), edits);
  expect(rendered.bytes.toString()).toBe('[s]\none=x\ntwo=c\n');
  expect(rendered.editIds).toEqual(['two']);
  expect(rendered.skipped).toEqual([{ unit: 3, edit: 'one', reason: expect.stringContaining('several lines') }]);
});
