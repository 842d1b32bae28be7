import { followSource, isReady, shownSource } from './source-text';
import { State } from './unit';

const unit = (state: number, fields: object = {}) => ({
  source: ['Open'],
  target: ['Otevřít'],
  previousSource: [],
  state,
  ...fields,
});

describe('a source string', () => {
  it('is ready for translation at once without an intermediate file', () => {
    for (const state of [State.empty, State.fuzzy, State.translated, State.readonly])
      expect(isReady({ intermediate: '' }, { target: [''], state })).toBe(true);
  });
  it('has to be in good words with one', () => {
    const ready = (state: number, text: string) => isReady({ intermediate: 'dev.json' }, { target: [text], state });
    expect(ready(State.empty, '')).toBe(false);
    expect(ready(State.fuzzy, 'Open')).toBe(false);
    expect(ready(State.translated, 'Open')).toBe(true);
    expect(ready(State.approved, 'Open')).toBe(true);
  });
  it('shows the developers’ words as long as there are no others', () => {
    expect(shownSource({ source: ['opn'], target: [''] })).toEqual(['opn']);
    expect(shownSource({ source: ['opn'], target: ['Open'] })).toEqual(['Open']);
  });
});

describe('a translation follows its source', () => {
  const held = (formerState: number) => unit(State.readonly, { formerState });

  it('and stays as it is while nothing changes', () => {
    expect(followSource(unit(State.translated), ['Open'], false)).toEqual({});
    expect(followSource(unit(State.readonly), ['Open'], false)).toEqual({});
    expect(followSource(unit(State.readonly), ['Close'], true)).toEqual({});
  });
  it('needs editing when the source is another one, and is good again when it comes back', () => {
    const moved = followSource(unit(State.translated), ['Close'], false);
    expect(moved).toEqual({ state: State.fuzzy, previousSource: ['Open'] });
    const back = { source: ['Close'], previousSource: ['Open'] };
    expect(followSource(unit(State.fuzzy, back), ['Open'], false)).toEqual({
      state: State.translated,
      previousSource: [],
    });
  });
  it('waits read-only, and remembers what it will be then', () => {
    expect(followSource(unit(State.translated), ['Open'], true)).toEqual({
      state: State.readonly,
      formerState: State.translated,
    });
    expect(followSource(held(State.translated), ['Open'], true)).toEqual({
      state: State.readonly,
      formerState: State.translated,
    });
    expect(followSource(held(State.translated), ['Open'], false)).toEqual({
      state: State.translated,
      formerState: undefined,
    });
  });
  it('needs editing after the wait when the source changed meanwhile', () => {
    expect(followSource(held(State.translated), ['Close'], true)).toEqual({
      state: State.readonly,
      formerState: State.fuzzy,
      previousSource: ['Open'],
    });
    expect(followSource(held(State.translated), ['Close'], false)).toEqual({
      state: State.fuzzy,
      formerState: undefined,
      previousSource: ['Open'],
    });
  });
});
