import { gettextFile } from '../../../test/support/memory/uploads';
import { czech, sampleComponent } from '../../../test/support/samples';
import type { Component } from '../../domain/component';
import { idHash } from '../../domain/unit';
import { applyEdits, type EditedFile, type FileEdit } from './apply-edits';

/** An edit of a string of a bilingual file. */
function edit(id: string, source: string, target: string, state = 20, more: Partial<FileEdit['unit']> = {}): FileEdit {
  const key = idHash(false, more.context ?? '', [source]);
  const unit = { id: id.length, key, context: '', source: [source], note: '', location: '', flags: '', ...more };
  return { unit, edit: { id, target: [target], state } };
}

/** An edit of a string of a monolingual file, whose key is its context. */
const keyed = (context: string, target: string): FileEdit =>
  edit(context, context, target, 20, { context, key: idHash(true, context, []) });

const removal = (id: string, source: string) => ({ id, key: idHash(false, '', [source]) });

function apply(file: Partial<EditedFile>, settings: Partial<Component> = {}) {
  const component = sampleComponent(1, settings);
  const bytes = gettextFile({ Hello: 'Ahoj', Bye: 'Sbohem' });
  const applied = applyEdits({ component, language: czech, bytes, edits: [], removals: [], base: null, ...file });
  if (applied === 'needs-base') throw new Error('The base file is needed.');
  return { ...applied, text: applied.bytes.toString() };
}

describe('applyEdits', () => {
  it('an edit changes the bytes of its string only', () => {
    const { text, editIds, changed } = apply({ edits: [edit('e1', 'Hello', 'Nazdar')] });
    expect(text).toBe(gettextFile({ Hello: 'Nazdar', Bye: 'Sbohem' }).toString());
    expect([editIds, changed]).toEqual([['e1'], true]);
  });

  it('an edit that the file contains already is done without a change', () => {
    const { editIds, changed, skipped } = apply({ edits: [edit('e1', 'Hello', 'Ahoj')] });
    expect([editIds, changed, skipped]).toEqual([['e1'], false, []]);
  });

  it('the state is written, unless the format cannot tell approved from translated', () => {
    expect(apply({ edits: [edit('e1', 'Hello', 'Ahoj', 10)] }).text).toContain('#, fuzzy\nmsgid "Hello"');
    expect(apply({ edits: [edit('e1', 'Hello', 'Ahoj', 30)] }).changed).toBe(false);
    const bytes = gettextFile({ Hello: '~Ahoj' });
    expect(apply({ bytes, edits: [edit('e1', 'Hello', 'Ahoj', 30)] }).text).not.toContain('fuzzy');
  });
});

it('an approval is written to a format that can tell approved from translated', () => {
  const unit = '<trans-unit id="k"><source>Hello</source><target>Ahoj</target></trans-unit>';
  const bytes = Buffer.from(
    `<xliff version="1.2"><file original="f" source-language="en" datatype="po"><body>${unit}</body></file></xliff>`,
  );
  const edits = [edit('e1', 'Hello', 'Ahoj', 30, { context: 'k' })];
  expect(apply({ bytes, edits }, { fileFormat: 'plainxliff' }).text).toContain('<trans-unit id="k" approved="yes">');
});

describe('strings that are missing from the file', () => {
  it('strings that are missing from the file are added with their comments, flags and context', () => {
    const more = { context: 'menu', note: 'A verb.', location: 'app.c:5', flags: 'c-format, max-length:9' };
    const { text } = apply({ edits: [edit('e1', 'Open %s', 'Otevřít %s', 20, more)] });
    expect(text).toContain('#. A verb.\n#: app.c:5\n#, c-format, max-length:9\nmsgctxt "menu"\nmsgid "Open %s"');
  });

  it('strings that are missing from the file need the base file, which is read for them only', () => {
    const component = sampleComponent(1);
    const bytes = gettextFile({ Hello: 'Ahoj' });
    const file = { component, language: czech, bytes, removals: [], base: undefined };
    expect(applyEdits({ ...file, edits: [edit('e1', 'Thanks', 'Díky')] })).toBe('needs-base');
    expect(applyEdits({ ...file, edits: [edit('e1', 'Hello', 'Nazdar')] })).toMatchObject({ editIds: ['e1'] });
  });

  it('strings that are missing from the file are not added blank to a monolingual file', () => {
    const json = { fileFormat: 'json', template: 'en.json' };
    const file = { bytes: Buffer.from('{}'), edits: [keyed('open', ''), keyed('close', 'Zavřít')] };
    const { text, editIds } = apply(file, json);
    expect(JSON.parse(text)).toEqual({ close: 'Zavřít' });
    expect(editIds).toEqual(['open', 'close']);
  });
});

describe('removals', () => {
  it('a removed string leaves the file, and a removal of a missing one is done', () => {
    const { text, editIds } = apply({ removals: [removal('r1', 'Hello'), removal('r2', 'Missing')] });
    expect(text).toBe(gettextFile({ Bye: 'Sbohem' }).toString());
    expect(editIds).toEqual(['r1', 'r2']);
  });

  it('a string that was added again, or is edited in the same commit, stays', () => {
    const again = apply({ removals: [{ ...removal('r1', 'Hello'), addedAgain: true }] });
    expect([again.changed, again.editIds]).toEqual([false, ['r1']]);
    const edited = apply({ removals: [removal('r1', 'Hello')], edits: [edit('e1', 'Hello', 'Nazdar')] });
    expect(edited.text).toContain('Nazdar');
    expect(edited.editIds).toEqual(['e1', 'r1']);
  });
});

describe('edits that the format cannot express', () => {
  const nested = { fileFormat: 'json-nested', template: 'en.json' };

  it('edits that the format cannot express are skipped with a reason, and all others are written', () => {
    const keys = ['a', 'menu.open', 'menu', 'b', 'a.b', 'c'];
    const edits = keys.map((key) => keyed(key, `text of ${key}`));
    const { text, editIds, skipped } = apply({ bytes: Buffer.from('{}'), edits }, nested);
    expect(editIds).toEqual(['a', 'menu.open', 'b', 'c']);
    expect(skipped).toMatchObject([
      { edit: 'menu', unit: 4, reason: expect.stringContaining('menu') },
      { edit: 'a.b', unit: 3, reason: expect.stringContaining('a') },
    ]);
    const menu = { open: 'text of menu.open' };
    expect(JSON.parse(text)).toEqual({ a: 'text of a', menu, b: 'text of b', c: 'text of c' });
  });

  it('edits that the format cannot express do not keep removals from being applied', () => {
    const bytes = Buffer.from('{"menu": {"open": "Otevřít"}, "old": "Starý"}');
    const removals = [{ id: 'r1', key: idHash(true, 'old', []) }];
    const { text, editIds, skipped } = apply({ bytes, edits: [keyed('menu', 'Nabídka')], removals }, nested);
    expect(JSON.parse(text)).toEqual({ menu: { open: 'Otevřít' } });
    expect([editIds, skipped.map((one) => one.edit)]).toEqual([['r1'], ['menu']]);
  });
});
