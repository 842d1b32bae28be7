import { sampleComponent, language } from '../../../test/support/samples';
import { idHash, type Unit } from '../../domain/unit';
import { applyEdits, type AppliedEdits, type FileEdit } from './apply-edits';

const header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n';
const entry = (source: string, target: string) => `\nmsgid "${source}"\nmsgstr "${target}"\n`;
const bytes = Buffer.from(header + entry('Hello', 'Ahoj') + entry('World', ''));

const po = sampleComponent(1, { fileFormat: 'po' });
const json = sampleComponent(1, { fileFormat: 'json', template: 'en.json' });

let edits = 0;
function editOf(source: string, target: string, state = 20, monolingual = false, fields: Partial<Unit> = {}): FileEdit {
  const context = monolingual ? source : '';
  const unit = { id: ++edits, context, source: [source], note: '', location: '', flags: '', ...fields };
  return {
    unit: { ...unit, key: idHash(monolingual, context, [source]) },
    edit: { id: `edit ${source}`, target: [target], state },
  };
}

function apply(given: Partial<Parameters<typeof applyEdits>[0]>): AppliedEdits {
  const result = applyEdits({
    component: po,
    language: language('cs'),
    bytes,
    edits: [],
    removals: [],
    base: undefined,
    ...given,
  });
  if (result === 'needs-base') throw new Error('the base is needed');
  return result;
}

describe('applyEdits', () => {
  it('changes the bytes of the edited string alone', () => {
    const result = apply({ edits: [editOf('World', 'Světe')] });
    expect(result.bytes.toString()).toBe(header + entry('Hello', 'Ahoj') + entry('World', 'Světe'));
    expect(result).toMatchObject({ editIds: ['edit World'], skipped: [], changed: true });
  });

  it('an edit that the file already contains is applied without a change', () => {
    const result = apply({ edits: [editOf('Hello', 'Ahoj')] });
    expect(result).toMatchObject({ bytes, editIds: ['edit Hello'], changed: false });
  });

  it('a text that needs editing is marked in the file', () => {
    expect(apply({ edits: [editOf('Hello', 'Ahoj', 10)] }).bytes.toString()).toContain('#, fuzzy\nmsgid "Hello"');
  });

  it('approval changes no file of a format that cannot express it', () => {
    expect(apply({ edits: [editOf('Hello', 'Ahoj', 30)] }).changed).toBe(false);
  });

  it('asks for the base before it adds a string, and copies the string from there', () => {
    const added = { component: po, language: language('cs'), bytes, removals: [], edits: [editOf('New', 'Nový')] };
    expect(applyEdits({ ...added, base: undefined })).toBe('needs-base');
    const base = Buffer.from(`${header}\n#. From the developers\nmsgid "New"\nmsgstr ""\n`);
    const result = apply({ ...added, base });
    expect(result.bytes.toString()).toContain('#. From the developers\nmsgid "New"\nmsgstr "Nový"');
    expect(apply({ ...added, base: null }).bytes.toString()).toContain(entry('New', 'Nový'));
  });

  it('adds no blank string to a monolingual file', () => {
    const file = { component: json, bytes: Buffer.from('{\n  "a": "A"\n}\n'), base: null };
    expect(apply({ ...file, edits: [editOf('b', '', 0, true)] })).toMatchObject({ changed: false });
    expect(apply({ ...file, edits: [editOf('b', 'B', 20, true)] }).bytes.toString()).toContain('"b": "B"');
  });

  it('an edit that the format cannot express is skipped with the reason and blocks no other', () => {
    const file = { component: json, bytes: Buffer.from('{\n  "a": {\n    "b": "B"\n  }\n}\n'), base: null };
    const impossible = { ...editOf('a', 'text', 20, true), edit: { id: 'impossible', target: ['x', 'y'], state: 20 } };
    const result = apply({ ...file, edits: [editOf('c', 'C', 20, true), impossible, editOf('d', 'D', 20, true)] });
    expect(result.editIds).toEqual(['edit c', 'edit d']);
    expect(result.skipped).toEqual([{ unit: impossible.unit.id, edit: 'impossible', reason: expect.any(String) }]);
    expect(JSON.parse(result.bytes.toString())).toMatchObject({ a: { b: 'B' }, c: 'C', d: 'D' });
  });

  it('removes strings, except those that were added again or are edited', () => {
    const removal = (source: string, addedAgain?: true) => ({
      id: `removal ${source}`,
      key: idHash(false, '', [source]),
      ...(addedAgain ? { addedAgain } : {}),
    });
    const removed = apply({ removals: [removal('Hello'), removal('Unknown')] });
    expect(removed.bytes.toString()).toBe(header + entry('World', ''));
    expect(removed.editIds).toEqual(['removal Hello', 'removal Unknown']);
    expect(apply({ removals: [removal('Hello', true)] }).changed).toBe(false);
    const edited = apply({ removals: [removal('Hello')], edits: [editOf('Hello', 'Nazdar')] });
    expect(edited.bytes.toString()).toContain(entry('Hello', 'Nazdar'));
  });
});
