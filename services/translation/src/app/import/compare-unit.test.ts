import { sampleComponent, sampleTranslation, sampleUnit } from '../../../test/support/samples';
import { Action } from '../../domain/change';
import { withEdit } from '../../domain/pending';
import { State, type PendingEdit, type Unit } from '../../domain/unit';
import { UnitEvaluator } from '../checks/unit-evaluator';
import { compareUnit, type CompareContext } from './compare-unit';
import type { FileEntry, SourceInfo } from './file-entry';

const component = sampleComponent(1);
const translation = sampleTranslation(1);
const context: CompareContext = {
  component,
  evaluator: new UnitEvaluator(component, translation.language),
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
const sourceInfo: SourceInfo = {
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
  const { patch, change, conflict } = compareUnit(
    { ...context, ...settings },
    known,
    { ...same, ...entry },
    sourceInfo,
  );
  return { patch, action: change?.action, conflict };
}

const pending = (target: string): Partial<Unit> => {
  const author = { userId: 1, username: 'ana', fullName: 'Ana', email: '' };
  const edit: PendingEdit = { id: 'e', author, target: [target], state: State.translated, time: 1 };
  return { target: [target], edits: [edit], stored: { target: ['Ahoj'], state: State.translated } };
};

describe('compareUnit', () => {
  it('A unit that equals its entry in the file does not change', () => {
    expect(compare(translated(), {})).toEqual({ patch: {}, action: undefined, conflict: undefined });
  });

  it.each([
    [false, Action.updatedFromRepository],
    [true, Action.updatedByUpload],
  ])('A changed text of the file replaces the stored text (uploaded: %s)', (upload, action) => {
    const compared = compare(translated(), { target: ['Nazdar'] }, { upload });
    expect(compared).toMatchObject({ patch: { target: ['Nazdar'] }, action });
  });

  it('A pending edit stays while the file contains the text before the edit', () => {
    const compared = compare(translated(pending('Nazdar')), { target: ['Ahoj'] });
    expect(compared).toEqual({ patch: {}, action: undefined, conflict: undefined });
  });

  it('A pending edit that the file already contains is dropped', () => {
    const { patch } = compare(translated(pending('Nazdar')), { target: ['Nazdar'] });
    expect(patch).toEqual({ edits: [], stored: undefined });
  });

  it('Different changes of a text on both sides are a conflict that keeps the local text', () => {
    const { patch, conflict } = compare(translated(pending('Nazdar')), { target: ['Dobrý den'] });
    expect(conflict).toMatchObject({ local: ['Nazdar'], upstream: ['Dobrý den'] });
    expect(patch).toEqual({ suggestions: 1, stored: { target: ['Dobrý den'], state: State.translated } });
  });

  it('A text that a saved commit of an earlier edit wrote is no conflict, and later edits stay pending', () => {
    const author = { userId: 1, username: 'ana', fullName: 'Ana', email: '' };
    const edit = (id: string, text: string): PendingEdit => ({ id, author, target: [text], state: 20, time: 1 });
    const edits = withEdit(withEdit([edit('a', 'Nazdar')], edit('b', 'Čau')), edit('c', 'Zdravím'));
    const unit = translated({ ...pending('Zdravím'), edits });
    const { patch, conflict, action } = compare(unit, { target: ['Čau'] });
    expect([conflict, action]).toEqual([undefined, undefined]);
    expect(patch).toEqual({ edits: [edit('c', 'Zdravím')], stored: { target: ['Čau'], state: State.translated } });
    const others = [edit('a', 'Nazdar'), { ...edit('b', 'Zdravím'), author: { ...author, userId: 2 } }];
    expect(compare(translated({ ...pending('Zdravím'), edits: others }), { target: ['Nazdar'] }).patch).toEqual({
      edits: others.slice(1),
      stored: { target: ['Nazdar'], state: State.translated },
    });
  });

  it('A translation needs editing when its source changes', () => {
    const { patch, action } = compare(translated(), { source: ['Hi'] });
    expect(patch).toMatchObject({ source: ['Hi'], state: State.fuzzy, previousSource: ['Hello'] });
    expect(action).toBe(Action.sourceChanged);
  });

  it('A text that changes together with its source keeps its state', () => {
    const { patch } = compare(translated(), { source: ['Hi'], target: ['Čau'] });
    expect(patch.state).toBeUndefined();
  });

  it('States that the file format cannot store are ignored', () => {
    const unit = translated({ state: State.fuzzy });
    expect(compare(unit, { state: State.translated }, { statesInFile: false }).patch).toEqual({});
    expect(compare(unit, { state: State.translated }).patch).toMatchObject({ state: State.translated });
  });
});
