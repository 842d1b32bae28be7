import { field, readRequest, type translation as proto } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';
import { z } from 'zod';
import { idParam, readValues, required } from '../../../bodies/input';
import { timestamp } from '../../../responses/links';
import { list } from '../../../responses/lists';
import { pageSchema } from '../../../responses/schema';
import type { Call } from '../../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../../routing/endpoint';
import { pages } from '../../shared';
import { presentChangedUnit } from '../../translations/present';
import { forms, stateOf } from '../routes';
import { changedUnitSchema } from '../schema';
import { decidedSchema, suggestionSchema, votesSchema } from './schema';
import { textDiff } from './text-diff';

const newFields = z.object({
  target: field.list('Texts, one a plural form; a single text may come without a list.'),
});
const acceptFields = z.object({
  target: field.list('The texts with changes of the caller; absent: as suggested.').optional(),
  state: field
    .integerChoice('State of the string afterwards, as for a change of the string.', [0, 10, 20, 30])
    .optional(),
});
const rejectFields = z.object({
  reason: field.text('Why, for the history.', { maxLength: 1000 }).default(''),
});
const decisionFields = z.object({
  action: field.choice('What happens to the suggestions.', ['accept', 'reject']),
  suggestions: field.integers('Ids of suggestions of the translation, at most 100.', { filled: true, maxItems: 100 }),
  reason: field.text('Why they are rejected, for the history.', { maxLength: 1000 }).default(''),
});
const voteFields = z.object({
  vote: field.boolean('true: votes for the suggestion; false: takes the vote back.'),
});

async function presentSuggestions(
  call: Call,
  suggestions: readonly proto.Suggestion__Output[],
): Promise<z.infer<typeof suggestionSchema>[]> {
  const users = await call.directory.usersById(suggestions.map((s) => s.userId));
  return suggestions.map((s) => {
    const user = users.get(s.userId);
    const unit = call.links.unit(s.unitId);
    return {
      id: s.id,
      unit,
      target: s.target,
      user: user ? call.links.user(user.username) : null,
      timestamp: timestamp(s.timeMs),
      votes: s.votes,
      voted: s.voted,
      diff: s.target.map((text, form) => textDiff(s.current[form] ?? '', text)),
      url: `${unit}suggestions/${s.id}/`,
    };
  });
}

const listOf = (call: Call, of: { unitId: number } | { translationId: number }) =>
  list(
    call,
    pages,
    async (page) => {
      const answer = await call.clients.translation.listSuggestions({ page, ...of }, call.options);
      call.contents.show(`component:${answer.componentId}`);
      return { items: answer.suggestions, total: answer.total };
    },
    (items) => presentSuggestions(call, items),
  );

/** Ids of the path. */
const idsOf = (call: Call) => ({ unitId: idParam(call, 'unit'), suggestionId: idParam(call, 'suggestion') });

/** Target and state of a body; the problems are added to the call's. */
async function readText(call: Call, needed: boolean): Promise<{ target?: string[]; state?: number }> {
  const { values } = await call.body();
  const problems: FieldProblem[] = [];
  const { target: texts, state: number } = values;
  const target = texts === undefined ? undefined : forms(texts, 'target', problems);
  if (needed && texts === undefined) problems.push(required('target'));
  const state = needed || number === undefined ? undefined : stateOf(number, problems);
  call.problems.push(...problems);
  return { ...(target ? { target } : {}), ...(state === undefined ? {} : { state }) };
}

const path = '/api/units/:unit/suggestions/';
const one = `${path}:suggestion/`;

export const suggestionEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path,
    shows: 'unit',
    response: pageSchema(suggestionSchema),
    access: 'anyone',
    doc: 'Lists the suggestions for a string.',
    handle: (call) => listOf(call, { unitId: idParam(call, 'unit') }),
  },
  {
    method: 'GET',
    path: '/api/translations/:project/:component/:language/suggestions/',
    shows: 'component',
    response: pageSchema(suggestionSchema),
    access: 'anyone',
    doc: 'Lists the suggestions for all strings of a translation.',
    handle: (call) => listOf(call, { translationId: call.translationKey.id }),
  },
  {
    method: 'POST',
    path: '/api/translations/:project/:component/:language/suggestions/',
    response: decidedSchema,
    access: {
      cases: [
        {
          does: 'accept, in a translation',
          on: 'translation',
          body: { action: 'accept', suggestions: [1] },
          all: ['suggestion.accept', 'unit.edit'],
        },
        {
          does: 'accept, in a glossary',
          on: 'glossary',
          body: { action: 'accept', suggestions: [1] },
          all: ['suggestion.accept', 'glossary.edit'],
        },
        {
          does: 'reject',
          on: 'translation',
          body: { action: 'reject', suggestions: [1] },
          all: ['suggestion.delete'],
        },
      ],
    },
    doc: 'Accepts or rejects suggestions of a translation; one that cannot be decided does not stop the others.',
    body: { fields: decisionFields },
    async handle(call) {
      const { values, problems } = await readValues(call, decisionFields, 'create');
      call.problems.push(...problems);
      const { action, suggestions: ids = [], reason = '' } = values;
      const { suggestions } = await call.clients.translation.decideSuggestions(
        {
          translationId: call.translationKey.id,
          decision: action === 'accept' ? 'SUGGESTION_DECISION_ACCEPT' : 'SUGGESTION_DECISION_REJECT',
          suggestionIds: ids,
          reason,
        },
        call.options,
      );
      return ok({
        results: suggestions.map(({ suggestionId, unitId, problem }) => ({
          suggestion: suggestionId,
          unit: call.links.unit(unitId),
          done: problem === '',
          problem,
        })),
      });
    },
  },
  {
    method: 'POST',
    path,
    success: [201],
    response: suggestionSchema,
    access: { cases: [{ does: 'for a string', on: 'translation', body: { target: ['…'] }, all: ['suggestion.add'] }] },
    doc: 'Suggests a text for a string.',
    body: { fields: newFields },
    async handle(call) {
      const { target = [] } = await readText(call, true);
      const request = { unitId: idParam(call, 'unit'), target };
      const { suggestion } = await call.clients.translation.createSuggestion(request, call.options);
      const [presented] = await presentSuggestions(call, [suggestion!]);
      return created(presented);
    },
  },
  {
    method: 'POST',
    path: `${one}accept/`,
    response: changedUnitSchema,
    access: {
      cases: [
        { does: 'in a translation', on: 'translation', all: ['suggestion.accept', 'unit.edit'] },
        { does: 'in a glossary', on: 'glossary', all: ['suggestion.accept', 'glossary.edit'] },
      ],
    },
    doc: 'Makes a suggestion the translation, with or without changes; the rules are those of a change of the string.',
    body: { fields: acceptFields },
    async handle(call) {
      const { target, state } = await readText(call, false);
      const { unitId } = await call.clients.translation.acceptSuggestion(
        { ...idsOf(call), ...(target ? { target, hasTarget: true } : {}), ...(state === undefined ? {} : { state }) },
        call.options,
      );
      const { unit } = await call.clients.translation.getUnit({ id: unitId }, call.options);
      return ok(presentChangedUnit(unit!));
    },
  },
  {
    method: 'POST',
    path: `${one}reject/`,
    access: {
      cases: [{ does: 'any', on: 'translation', all: ['suggestion.delete'], author: 'suggestion.add' }],
    },
    doc: 'Removes a suggestion; its text and the reason stay in the history.',
    body: { fields: rejectFields },
    async handle(call) {
      const { values, problems } = await readValues(call, rejectFields, 'create');
      call.problems.push(...problems);
      const { reason = '' } = values;
      await call.clients.translation.rejectSuggestion({ ...idsOf(call), reason }, call.options);
      return noContent;
    },
  },
  {
    method: 'POST',
    path: `${one}vote/`,
    response: votesSchema,
    access: { cases: [{ does: 'for another’s suggestion', on: 'translation', all: ['suggestion.vote'] }] },
    doc: 'Votes for a suggestion where the component has suggestion_voting, or takes the vote back.',
    body: { fields: voteFields },
    async handle(call) {
      const { values } = await call.body();
      const read = readRequest(voteFields, values, 'create');
      call.problems.push(...read.problems);
      const withdraw = read.values.vote === false;
      const votes = await call.clients.translation.voteSuggestion({ ...idsOf(call), withdraw }, call.options);
      return ok({ votes: votes.votes, voted: votes.voted, accepted: votes.accepted });
    },
  },
];
