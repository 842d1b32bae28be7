import { can, type Caller } from '@parlance/access';
import { Action } from '../../domain/change';
import { accessTarget, type Component } from '../../domain/component';
import type { Clock, Suggestion, SuggestionStore, UnitReader, UnitWriter } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { sameTexts, State } from '../../domain/unit';
import { planTextEdit } from './text-edit';
import { formsOf } from './load-unit';
import { writeUnit, type WriteUnitsDeps } from './write-units';
import { authorOf } from '../author';
import type { Judges, SourceFlags } from '../caches/interfaces';

export interface VoteDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter;
  suggestions: SuggestionStore;
  judges: Judges;
  sourceFlags: SourceFlags;
}

/** Where suggestions are voted on, and who does. */
export interface Ballot {
  caller: Caller;
  component: Component;
  translation: Translation;
}

/** Whether suggestions are voted on there, and the caller's vote counts. */
export function mayVote({ caller, component, translation }: Ballot): boolean {
  return (
    component.suggestionVoting && can(caller, 'suggestion.vote', accessTarget(component, translation.language.code))
  );
}

/**
 * Counts the vote of somebody who suggests what is suggested already. With as many votes as the component's `suggestion_autoaccept`
 * asks for, the text becomes the translation.
 * @returns false when nothing changes: the caller may not vote, or suggested or voted for it before
 */
export async function voteFor(deps: VoteDeps, ballot: Ballot, suggestion: Suggestion): Promise<boolean> {
  const { userId } = ballot.caller;
  if (!mayVote(ballot) || suggestion.user === userId || suggestion.votes?.includes(userId)) return false;
  const voted = await deps.suggestions.vote(suggestion.id, userId);
  if (!voted) return false;
  const needed = ballot.component.suggestionAutoaccept;
  if (needed > 0 && voted.votes!.length >= needed) await accept(deps, ballot, voted);
  return true;
}

/** Makes a suggestion the translation of its unit, in the name of who suggested it. Repeatable. */
async function accept(deps: VoteDeps, { caller, component, translation }: Ballot, suggestion: Suggestion) {
  const judge = deps.judges.for(component, translation.language);
  const author = suggestion.author ?? authorOf(caller);
  for (let unit = await deps.units.get(suggestion.unit); unit; unit = await deps.units.get(suggestion.unit)) {
    const { target } = suggestion;
    if (unit.state === State.readonly || target.length !== formsOf(unit, translation)) return;
    if (sameTexts(unit.target, target) && unit.state >= State.translated) break;
    const now = deps.now();
    const { patch, changes } = planTextEdit({
      unit,
      target,
      state: State.translated,
      author,
      component,
      judge,
      sourceExtraFlags: await deps.sourceFlags.of(unit),
      now,
      action: Action.suggestionAccepted,
      details: { votes: suggestion.votes!.length },
    });
    const by = { author, time: now };
    const entries = changes.map((change) => ({ ...change, user: caller.userId }));
    if (await writeUnit(deps, { unit, patch, changes: entries }, by)) break;
  }
  await deps.suggestions.remove([suggestion.id]);
  for (let unit = await deps.units.get(suggestion.unit); unit; unit = await deps.units.get(suggestion.unit)) {
    const patch = { suggestions: await deps.suggestions.countNewer(unit.id, 0) };
    if (patch.suggestions === unit.suggestions) return;
    if (await writeUnit(deps, { unit, patch, changes: [] }, { author: null, time: deps.now() })) return;
  }
}
