import { sampleComponent, sampleTranslation, sampleUnit } from '../../../test/support/samples';
import { Action } from '../../domain/change';
import { State, type PendingEdit, type Unit } from '../../domain/unit';
import { Judge } from '../checks/quality';
import { compareUnit, type CompareContext } from './compare-unit';
import type { FileEntry, SourceFacts } from './file-entry';

const component = sampleComponent(1);
const translation = sampleTranslation(1);
const context: CompareContext = {
  component,
  judge: new Judge(component, translation.language),
  statesInFile: true,
  author: null,
  upload: false,
  now: 1_000,
};
const translated = (fields: Partial<Unit> = {}) =>
  sampleUnit(translation, 7, {
    source: ['Hello'],
    target: ['Ahoj'],
    state: State.translated,
    sourceUnit: 1,
    ...fields,
  });
const facts: SourceFacts = {
  id: 1,
  context: '',
  source: ['Hello'],
  words: 2,
  chars: 9,
  extraFlags: '',
  explanation: '',
  ready: true,
};

function compare(unit: Unit, entry: Partial<FileEntry>, settings: Partial<CompareContext> = {}) {
  const { key, source, target, state, note, location, flags, previousSource } = unit;
  const same = { key, context: unit.context, source, target, state, note, location, flags, previousSource };
  const { contentHash, words, chars } = unit;
  const known = { ...unit, contentHash, words, chars };
  const { patch, change, conflict } = compareUnit({ ...context, ...settings }, known, { ...same, ...entry }, facts);
  return { patch, action: change?.action, conflict };
}

const pending = (target: string): Partial<Unit> => {
  const author = { userId: 1, username: 'ana', fullName: 'Ana', email: '' };
  const edit: PendingEdit = { id: 'e', author, target: [target], state: State.translated, time: 1 };
  return { target: [target], edits: [edit], stored: { target: ['Ahoj'], state: State.translated } };
};

describe('compareUnit', () => {
  it('changes nothing when the file has what is stored', () => {
    expect(compare(translated(), {})).toEqual({ patch: {}, action: undefined, conflict: undefined });
  });

  it.each([
    [false, Action.updatedFromRepository],
    [true, Action.updatedByUpload],
  ])('takes another text of the file (uploaded: %s)', (upload, action) => {
    const compared = compare(translated(), { target: ['Nazdar'] }, { upload });
    expect(compared).toMatchObject({ patch: { target: ['Nazdar'] }, action });
  });

  it('keeps a pending edit when the file still has the text before it', () => {
    const compared = compare(translated(pending('Nazdar')), { target: ['Ahoj'] });
    expect(compared).toEqual({ patch: {}, action: undefined, conflict: undefined });
  });

  it('drops a pending edit that the file contains', () => {
    const { patch } = compare(translated(pending('Nazdar')), { target: ['Nazdar'] });
    expect(patch).toEqual({ edits: [], stored: undefined });
  });

  it('reports a conflict when both sides changed the text, and keeps the local text', () => {
    const { patch, conflict } = compare(translated(pending('Nazdar')), { target: ['Dobrý den'] });
    expect(conflict).toMatchObject({ local: ['Nazdar'], upstream: ['Dobrý den'] });
    expect(patch).toEqual({ suggestions: 1, stored: { target: ['Dobrý den'], state: State.translated } });
  });

  it('marks a translation for editing when its source changes', () => {
    const { patch, action } = compare(translated(), { source: ['Hi'] });
    expect(patch).toMatchObject({ source: ['Hi'], state: State.fuzzy, previousSource: ['Hello'] });
    expect(action).toBe(Action.sourceChanged);
  });

  it('keeps the state of a text that arrives together with its source', () => {
    const { patch } = compare(translated(), { source: ['Hi'], target: ['Čau'] });
    expect(patch.state).toBeUndefined();
  });

  it('ignores states that the format cannot store', () => {
    const unit = translated({ state: State.fuzzy });
    expect(compare(unit, { state: State.translated }, { statesInFile: false }).patch).toEqual({});
    expect(compare(unit, { state: State.translated }).patch).toMatchObject({ state: State.translated });
  });
});
