import type { translation as proto } from '@parlance/contracts';
import { collectProblems, type FieldProblem } from '@parlance/errors';
import { pageOf, requireId, type CallContext, type Implementation } from '@parlance/grpc-kit';
import { acceptSuggestion, type AcceptSuggestionDeps } from '../../app/suggestions/accept-suggestion';
import { addSuggestion, type AddSuggestionDeps } from '../../app/suggestions/add-suggestion';
import { decideSuggestions } from '../../app/suggestions/decide-suggestions';
import { listSuggestions, type ListSuggestionsDeps } from '../../app/suggestions/list-suggestions';
import { rejectSuggestion, type RejectSuggestionDeps } from '../../app/suggestions/reject-suggestion';
import { voteSuggestion, type VoteSuggestionDeps } from '../../app/suggestions/vote';
import type { Suggestion } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import { requireEditedTexts } from '../validation';

type DecisionMethod = 'acceptSuggestion' | 'rejectSuggestion' | 'decideSuggestions' | 'voteSuggestion';
export type SuggestionMethod = 'listSuggestions' | 'createSuggestion' | DecisionMethod;

export interface SuggestionHandlerDeps
  extends ListSuggestionsDeps, AddSuggestionDeps, AcceptSuggestionDeps, RejectSuggestionDeps, VoteSuggestionDeps {
  units: AcceptSuggestionDeps['units'];
  suggestions: VoteSuggestionDeps['suggestions'];
}

function suggestionToProto(s: Suggestion, unit: Pick<Unit, 'target'>, { caller }: CallContext): proto.Suggestion {
  return {
    id: s.id,
    unitId: s.unit,
    target: s.target,
    userId: s.user,
    timeMs: s.time,
    votes: s.votes?.length ?? 0,
    voted: s.votes?.includes(caller.userId) ?? false,
    current: unit.target,
  };
}

const idsOf = (request: { unitId: number; suggestionId: number }) => ({
  unit: requireId(request.unitId, 'unit_id'),
  suggestion: requireId(request.suggestionId, 'suggestion_id'),
});

/** Handlers that accept, reject or rate suggestions. */
function decisionHandlers(deps: SuggestionHandlerDeps): Pick<Implementation<'translation'>, DecisionMethod> {
  return {
    async acceptSuggestion(request, context) {
      const problems: FieldProblem[] = [...context.problems];
      const target = request.hasTarget
        ? await collectProblems(problems, () => requireEditedTexts(request.target, 'target'))
        : undefined;
      const ids = idsOf(request);
      const acceptance = {
        ...ids,
        ...(target ? { target } : {}),
        ...(request.state === undefined ? {} : { state: request.state }),
        problems,
      };
      await acceptSuggestion(deps, context.caller, acceptance, context.catalogGeneration);
      return { unitId: ids.unit };
    },
    async rejectSuggestion(request, { caller, problems, catalogGeneration }) {
      const rejection = { ...idsOf(request), reason: request.reason, problems };
      await rejectSuggestion(deps, caller, rejection, catalogGeneration);
      return {};
    },
    async decideSuggestions(request, { caller, problems, catalogGeneration }) {
      const decision = {
        translation: requireId(request.translationId, 'translation_id'),
        accepts: request.decision === 'SUGGESTION_DECISION_ACCEPT',
        suggestions: request.suggestionIds,
        reason: request.reason,
        problems,
      };
      const decided = await decideSuggestions(deps, caller, decision, catalogGeneration);
      return {
        suggestions: decided.map(({ suggestion, unit, problem }) => ({
          suggestionId: suggestion,
          unitId: unit,
          problem,
        })),
      };
    },
    async voteSuggestion(request, { caller, problems, catalogGeneration }) {
      const vote = { ...idsOf(request), withdraw: request.withdraw, problems };
      const { count, voted, accepted } = await voteSuggestion(deps, caller, vote, catalogGeneration);
      return { votes: count, voted, accepted };
    },
  };
}

export function makeSuggestionHandlers(
  deps: SuggestionHandlerDeps,
): Pick<Implementation<'translation'>, SuggestionMethod> {
  return {
    ...decisionHandlers(deps),
    async listSuggestions(request, context) {
      const of = request.unitId
        ? { unit: request.unitId }
        : { translation: requireId(request.translationId, 'translation_id') };
      const found = await listSuggestions(deps, context.caller, of, pageOf(request.page), context.catalogGeneration);
      return {
        suggestions: found.items.map(({ suggestion, unit }) => suggestionToProto(suggestion, unit, context)),
        total: found.total,
        componentId: found.component,
      };
    },
    async createSuggestion(request, context) {
      const problems: FieldProblem[] = [...context.problems];
      const target = await collectProblems(problems, () => requireEditedTexts(request.target, 'target'));
      const unit = requireId(request.unitId, 'unit_id');
      const addition = { unit, target: target ?? request.target, problems };
      const added = await addSuggestion(deps, context.caller, addition, context.catalogGeneration);
      return { suggestion: suggestionToProto(added.suggestion, { target: added.current }, context) };
    },
  };
}
