import { language, sampleComponent, sampleTranslation, sampleUnit } from '../../../test/support/samples';
import { UnitEvaluator } from '../checks/unit-evaluator';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { contentHash, type Unit } from '../../domain/unit';
import { planTextEdit, type TextEdit } from './text-edit';

const author = (userId: number) => ({ userId, username: `user-${userId}`, fullName: '', email: '' });

/** Plans an edit of "Hello." by user 3. */
function plan(edit: Partial<TextEdit>, fields: Partial<Unit> = {}, settings: Partial<Component> = {}) {
  const component = sampleComponent(1, settings);
  const isSource = fields.isSource === true;
  const translation = sampleTranslation(11, isSource ? { language: language('en'), isSource } : {});
  return planTextEdit({
    unit: sampleUnit(translation, 7, { source: ['Hello.'], updated: 10, ...fields }),
    target: ['Ahoj.'],
    state: 20,
    author: author(3),
    component,
    evaluator: new UnitEvaluator(component, translation.language),
    sourceExtraFlags: '',
    now: 100,
    ...edit,
  });
}

describe('planTextEdit', () => {
  it('an edit sets the text and state, and becomes a pending edit with a history entry', () => {
    const { patch, changes } = plan({});
    expect(patch).toMatchObject({ target: ['Ahoj.'], state: 20, checks: [], updated: 100 });
    expect(patch.edits).toMatchObject([{ author: { userId: 3 }, target: ['Ahoj.'], state: 20, time: 100 }]);
    const details = { state: 20, old_state: 0, source: 'Hello.', context: '' };
    expect(changes).toMatchObject([{ action: Action.firstTarget, target: 'Ahoj.', old: '', user: 3, details }]);
  });

  it('failing checks are those of the new text, with the flags of the source string', () => {
    expect(plan({ target: ['Ahoj'] }).patch.checks).toEqual(['end_stop']);
    expect(plan({ target: ['Ahoj'], sourceExtraFlags: 'ignore-end-stop' }).patch.checks).toEqual([]);
    expect(plan({ target: ['Ahoj'] }, { dismissedChecks: ['end_stop'] }).patch.checks).toEqual([]);
  });

  it('a text that fails an enforced check needs editing, and the history says which check', () => {
    const { patch, changes } = plan({ target: ['Ahoj'], state: 30 }, {}, { enforcedChecks: ['end_stop', 'end_colon'] });
    expect(patch).toMatchObject({ state: 10, edits: [{ state: 10 }] });
    expect(changes.map(({ action }) => action)).toEqual([Action.markedForEdit, Action.enforcedCheck]);
    expect(changes[1]!.details).toMatchObject({ state: 10, checks: ['end_stop'] });
  });

  it('a text that needs editing anyway is not held back by an enforced check', () => {
    const { patch, changes } = plan({ target: ['Ahoj'], state: 10 }, {}, { enforcedChecks: ['end_stop'] });
    expect(patch.state).toBe(10);
    expect(changes).toHaveLength(1);
  });

  it('the previous source stays until the string is translated', () => {
    const changed = { previousSource: ['Hi.'], state: 10, target: ['Nazdar.'] };
    expect(plan({ state: 10 }, changed).patch.previousSource).toEqual(['Hi.']);
    expect(plan({ state: 20 }, changed).patch.previousSource).toEqual([]);
  });

  it('the text of the file is remembered from the first edit until a commit', () => {
    const first = plan({}, { target: ['Nazdar.'], state: 20 });
    expect(first.patch.stored).toEqual({ target: ['Nazdar.'], state: 20 });
    const stored = { target: ['V souboru.'], state: 10 };
    expect(plan({}, { target: ['Nazdar.'], state: 20, stored }).patch.stored).toEqual(stored);
  });

  it('an edit replaces the last pending edit of the same author, but not that of another author', () => {
    const edits = [{ id: 'e1', author: author(3), target: ['Nazdar.'], state: 20, time: 50 }];
    expect(plan({}, { edits }).patch.edits).toMatchObject([{ target: ['Ahoj.'], replaced: [{ id: 'e1' }] }]);
    expect(plan({ author: author(4) }, { edits }).patch.edits).toMatchObject([{ id: 'e1' }, { target: ['Ahoj.'] }]);
  });

  it('the time of an edit is later than the last write, although this clock is behind', () => {
    const { patch, changes } = plan({ now: 5 });
    expect(patch.updated).toBe(11);
    expect(changes[0]!.time).toBe(11);
  });

  it('an edit with an action of its own keeps it, with its details', () => {
    const { changes } = plan({ action: Action.suggestionAccepted, details: { votes: 2 } });
    expect(changes).toMatchObject([{ action: Action.suggestionAccepted, details: { votes: 2, state: 20 } }]);
  });

  it('a new text of a source string is the source, with its length and hash', () => {
    const { patch, changes } = plan({ target: ['Hello world.'] }, { isSource: true, context: 'menu' });
    expect(patch).toMatchObject({
      source: ['Hello world.'],
      contentHash: contentHash('menu', ['Hello world.']),
      words: 2,
      chars: 12,
    });
    expect(changes[0]!.details).toMatchObject({ source: 'Hello world.' });
    expect(plan({}).patch).not.toHaveProperty('source');
  });

  it('where an intermediate file has the drafts of the developers, they stay the source', () => {
    const draft = { isSource: true, source: ['Draft.'] };
    const { patch, changes } = plan({ target: ['Hello.'] }, draft, { intermediate: 'draft.po' });
    expect(patch).not.toHaveProperty('source');
    expect(patch).toMatchObject({ target: ['Hello.'], contentHash: contentHash('', ['Hello.']) });
    expect(changes[0]!.details).toMatchObject({ source: 'Draft.' });
    const cleared = plan({ target: [''], state: 0 }, draft, { intermediate: 'draft.po' });
    expect(cleared.patch.contentHash).toBe(contentHash('', ['Draft.']));
  });
});
