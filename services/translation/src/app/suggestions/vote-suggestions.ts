import { can, type Caller } from '@parlance/access';
import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import { accessTarget, type Component } from '../../domain/component';
import type { Clock, Suggestion, SuggestionStore, UnitReader, UnitWriter } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { sameTexts, State } from '../../domain/unit';
import { countSuggestions } from './load-suggestion';
import { planTextEdit } from '../edit/text-edit';
import { updateSerially, type SerialUpdateDeps } from '../edit/contention';
import { formsOf } from '../edit/load-unit';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';
import { authorOf } from '../author';
import type { UnitEvaluators, SourceFlags } from '../caches/interfaces';

export interface VoteDeps extends WriteUnitsDeps, Clock {
  unitMutex: SerialUpdateDeps['unitMutex'];
  units: UnitReader & UnitWriter;
  suggestions: SuggestionStore;
  evaluators: UnitEvaluators;
  sourceFlags: SourceFlags;
}

/** A caller's vote in a translation. */
export interface VoteContext {
  caller: Caller;
  component: Component;
  translation: Translation;
}

/** Whether voting is on and the caller may vote. */
export function mayVote({ caller, component, translation }: VoteContext): boolean {
  return (
    component.suggestionVoting && can(caller, 'suggestion.vote', accessTarget(component, translation.language.code))
  );
}

/**
 * Counts the vote of a caller who suggests an existing suggestion again. With `suggestion_autoaccept` votes it becomes the translation.
 * @returns false when nothing changes: the caller may not vote, or suggested or voted for it before
 */
export async function voteFor(deps: VoteDeps, ballot: VoteContext, suggestion: Suggestion): Promise<boolean> {
  const { userId } = ballot.caller;
  if (!mayVote(ballot) || suggestion.user === userId || suggestion.votes?.includes(userId)) return false;
  const voted = await deps.suggestions.vote(suggestion.id, userId);
  if (!voted) return false;
  const needed = ballot.component.suggestionAutoaccept;
  if (needed > 0 && voted.votes!.length >= needed) await accept(deps, ballot, voted);
  return true;
}

/** Makes a suggestion the translation of its unit, in the name of its author. Idempotent. */
async function accept(deps: VoteDeps, { caller, component, translation }: VoteContext, suggestion: Suggestion) {
  const evaluator = deps.evaluators.for(component, translation.language);
  const author = suggestion.author ?? authorOf(caller);
  const rejected = await updateSerially(deps, suggestion.unit, async (unit) => {
    const { target } = suggestion;
    if (unit.state === State.readonly || target.length !== formsOf(unit, translation)) return true;
    if (sameTexts(unit.target, target) && unit.state >= State.translated) return false;
    const now = deps.now();
    const { patch, changes } = planTextEdit({
      unit,
      target,
      state: State.translated,
      author,
      component,
      evaluator,
      sourceExtraFlags: await deps.sourceFlags.of(unit),
      now,
      action: Action.suggestionAccepted,
      details: { votes: suggestion.votes!.length },
    });
    const by = { author, time: now };
    const entries = changes.map((change) => ({ ...change, user: caller.userId }));
    return (await writeUnit(deps, { unit, patch, changes: entries }, by)) ? false : LOST_RACE;
  });
  if (rejected) return;
  await deps.suggestions.remove([suggestion]);
  await countSuggestions(deps, suggestion.unit);
}
