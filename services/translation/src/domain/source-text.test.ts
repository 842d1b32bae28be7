import { deriveState, isReady, effectiveSource } from './source-text';
import { State } from './unit';

const unit = (state: number, fields: object = {}) => ({
  source: ['Open'],
  target: ['Otevřít'],
  previousSource: [],
  state,
  ...fields,
});

describe('a source string', () => {
  it('Without an intermediate file, a source string is always ready for translation', () => {
    for (const state of [State.empty, State.fuzzy, State.translated, State.readonly])
      expect(isReady({ intermediate: '' }, { target: [''], state })).toBe(true);
  });
  it('With an intermediate file, a source string is ready when its text is translated or approved', () => {
    const ready = (state: number, text: string) => isReady({ intermediate: 'dev.json' }, { target: [text], state });
    expect(ready(State.empty, '')).toBe(false);
    expect(ready(State.fuzzy, 'Open')).toBe(false);
    expect(ready(State.translated, 'Open')).toBe(true);
    expect(ready(State.approved, 'Open')).toBe(true);
  });
  it('The source of translations is the developers’ text while the base file has none', () => {
    expect(effectiveSource({ source: ['opn'], target: [''] })).toEqual(['opn']);
    expect(effectiveSource({ source: ['opn'], target: ['Open'] })).toEqual(['Open']);
  });
});

describe('a translation follows its source', () => {
  const held = (formerState: number) => unit(State.readonly, { formerState });

  it('A translation does not change while its source is unchanged', () => {
    expect(deriveState(unit(State.translated), ['Open'], false)).toEqual({});
    expect(deriveState(unit(State.readonly), ['Open'], false)).toEqual({});
    expect(deriveState(unit(State.readonly), ['Close'], true)).toEqual({});
  });
  it('A translation needs editing when its source changes, and counts as translated again when the source reverts', () => {
    const moved = deriveState(unit(State.translated), ['Close'], false);
    expect(moved).toEqual({ state: State.fuzzy, previousSource: ['Open'] });
    const back = { source: ['Close'], previousSource: ['Open'] };
    expect(deriveState(unit(State.fuzzy, back), ['Open'], false)).toEqual({
      state: State.translated,
      previousSource: [],
    });
  });
  it('A read-only source makes a translation read-only, which keeps its former state', () => {
    expect(deriveState(unit(State.translated), ['Open'], true)).toEqual({
      state: State.readonly,
      formerState: State.translated,
    });
    expect(deriveState(held(State.translated), ['Open'], true)).toEqual({
      state: State.readonly,
      formerState: State.translated,
    });
    expect(deriveState(held(State.translated), ['Open'], false)).toEqual({
      state: State.translated,
      formerState: undefined,
    });
  });
  it('A read-only translation whose source changes needs editing afterwards', () => {
    expect(deriveState(held(State.translated), ['Close'], true)).toEqual({
      state: State.readonly,
      formerState: State.fuzzy,
      previousSource: ['Open'],
    });
    expect(deriveState(held(State.translated), ['Close'], false)).toEqual({
      state: State.fuzzy,
      formerState: undefined,
      previousSource: ['Open'],
    });
  });
});
