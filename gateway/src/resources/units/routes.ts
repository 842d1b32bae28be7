import { readRequest, toMessage, textProblem, type translation as proto } from '@parlance/contracts';
import { ServiceError, type FieldProblem } from '@parlance/errors';
import { componentTarget, requireVisible } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { idParam, readValues } from '../../bodies/input';
import { list } from '../../responses/lists';
import { unitPages } from '../../responses/paging';
import { timestamp } from '../../responses/links';
import { keptUnit } from './pages';
import { presentChangedUnit, presentUnit } from '../translations/present';
import { commentFields, searchFields, unitFields } from '../shared-fields';
import { loadHidden, labelsOf, presentUnits } from '../shared';
import { pageSchema } from '../../responses/schema';
import { changedUnitSchema, commentSchema, unitSchema } from './schema';
import { z } from 'zod';

const nullProblem = (attr: string): FieldProblem => ({ attr, code: 'null', detail: 'This field must not be null.' });

/** Texts of a unit: a list, or one text. */
export function forms(value: unknown, attr: string, problems: FieldProblem[]): string[] | undefined {
  if (typeof value === 'string') return forms([value], attr, problems);
  if (!Array.isArray(value)) {
    problems.push(
      value === null ? nullProblem(attr) : { attr, code: 'not_a_list', detail: 'A list of texts is required.' },
    );
    return undefined;
  }
  const known = problems.length;
  value.forEach((item, i) => {
    // Some clients send numeric texts as numbers.
    const problem =
      typeof item === 'string' || typeof item === 'number'
        ? textProblem(String(item), `${attr}.${i}`)
        : item === null
          ? nullProblem(`${attr}.${i}`)
          : { attr: `${attr}.${i}`, code: 'invalid', detail: 'A text is required.' };
    if (problem) problems.push(problem);
  });
  return problems.length > known ? undefined : value.map(String);
}

export function stateOf(value: unknown, problems: FieldProblem[]): number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (/^\d{1,3}$/.test(text)) return Number(text);
  problems.push(
    value === null
      ? nullProblem('state')
      : { attr: 'state', code: 'invalid_choice', detail: '"state" must be 0, 10, 20 or 30.' },
  );
  return undefined;
}

/** A unit visible to the caller. @throws NOT_FOUND */
async function unitOf(call: Call): Promise<proto.Unit__Output> {
  const { unit } = await call.clients.translation.getUnit({ id: idParam(call, 'unit') }, call.options);
  const view = unit && (await call.directory.componentsById([unit.componentId])).get(unit.componentId);
  if (!unit || !view) throw notFound();
  requireVisible(call, componentTarget(view));
  call.contents.show(`component:${unit.componentId}`);
  return unit;
}

/** Writable fields that only source strings have; texts, state and labels have readers here, with other codes and form rules. */
const sourceOnlyFields = unitFields.pick({ explanation: true, extra_flags: true });

function labelIds(value: unknown, form: boolean, problems: FieldProblem[]): number[] | undefined {
  if (value === undefined) return undefined;
  if (value === null) {
    problems.push(nullProblem('labels'));
    return undefined;
  }
  // In a form, a single item looks like a text.
  if (!form && (typeof value === 'string' || typeof value === 'number')) {
    problems.push({ attr: 'labels', code: 'not_a_list', detail: 'A list of label ids is required.' });
    return undefined;
  }
  const list = Array.isArray(value) ? value : [value];
  const ids = list.map((item) => (/^\d{1,15}$/.test(String(item)) ? Number(item) : NaN));
  if (ids.some(Number.isNaN)) {
    problems.push({ attr: 'labels', code: 'invalid', detail: 'A list of label ids is required.' });
    return undefined;
  }
  return [...new Set(ids)];
}

const change =
  (replace: boolean) =>
  async (call: Call): Promise<Reply> => {
    const { values, form } = await call.body();
    // Reported with the update: a service rejects every call with problems, and the label lookup below is such a call.
    const problems: FieldProblem[] = [];
    const target = values['target'] === undefined ? undefined : forms(values['target'], 'target', problems);
    const state = values['state'] === undefined ? undefined : stateOf(values['state'], problems);
    const texts = readRequest(sourceOnlyFields, values, 'update');
    problems.push(...texts.problems);
    const labels = labelIds(values['labels'], form, problems);
    if (replace) {
      for (const name of ['state', 'target'])
        if (values[name] === undefined)
          problems.push({ attr: name, code: 'required', detail: 'This field is required.' });
    }
    const labelled = labels && labels.length > 0 ? await unitOf(call) : undefined;
    // The translation service rejects labels on other strings.
    if (labels && labelled?.isSource) {
      const { labels: known } = await call.clients.catalog.batchGetLabels({ ids: labels }, call.options);
      const missing = labels.filter((id) => !known.some((l) => l.id === id && l.projectId === labelled.projectId));
      if (missing.length > 0)
        problems.push({
          attr: 'labels',
          code: 'invalid',
          detail: `The project has no label ${missing.join(', ')}.`,
        });
    }
    call.problems.push(...problems);
    const { unit: saved } = await call.clients.translation.updateUnit(
      {
        id: idParam(call, 'unit'),
        ...(target === undefined ? {} : { target, hasTarget: true }),
        ...(state === undefined ? {} : { state }),
        ...toMessage(sourceOnlyFields, texts.values),
        ...(labels === undefined ? {} : { labelIds: labels, hasLabels: true }),
      },
      call.options,
    );
    return ok(presentChangedUnit(saved!));
  };

/** The permission depends on the kind of string. */
const textCases = [
  { does: 'text of a translation', on: 'translation', body: { target: ['…'], state: 20 }, all: ['unit.edit'] },
  { does: 'text of a glossary', on: 'glossary', body: { target: ['…'], state: 20 }, all: ['glossary.edit'] },
  { does: 'text of a template', on: 'template', body: { target: ['…'], state: 20 }, all: ['unit.template'] },
] as const;

/** The permission depends on the changed fields. */
const changeAccess = {
  cases: [
    ...textCases,
    { does: 'explanation, flags and labels', on: 'source', body: { explanation: '…' }, all: ['source.edit'] },
  ],
} as const;

/** The same with the required text: bilingual source strings, whose text is fixed, cannot be replaced. */
const replaceAccess = {
  cases: [
    ...textCases,
    {
      does: 'text, explanation, flags and labels of a template',
      on: 'template',
      body: { target: ['…'], state: 20, explanation: '…' },
      all: ['source.edit', 'unit.template'],
    },
  ],
} as const;

export const unitEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/units/',
    shows: 'site',
    response: pageSchema(unitSchema),
    access: 'anyone',
    doc: 'Lists strings of all objects that the caller may see; q filters by a search query.',
    query: searchFields,
    async handle(call) {
      const exclusions = await loadHidden(call);
      const projects = call.caller.onlyProjects ?? [];
      return list(
        call,
        unitPages,
        async (page) => {
          const answer = await call.clients.translation.listUnits(
            { page, q: call.query.get('q') ?? '', projectIds: projects, ...exclusions },
            { ...call.options, timeoutMs: 60_000 },
          );
          if (!answer.stable) call.contents.discard();
          return { items: answer.units, total: answer.total };
        },
        (items) => presentUnits(call, items),
      );
    },
  },
  {
    method: 'GET',
    path: '/api/units/:unit/',
    shows: 'unit',
    response: unitSchema,
    access: 'anyone',
    doc: 'Shows a string.',
    async handle(call) {
      const kept = await keptUnit(call);
      if (kept) return kept;
      const unit = await unitOf(call);
      const view = (await call.directory.componentsById([unit.componentId])).get(unit.componentId)!;
      return ok(
        presentUnit(
          unit,
          { projectSlug: view.project.slug, componentPath: view.component.path },
          await labelsOf(call, [unit]),
          call.links,
        ),
      );
    },
  },
  {
    method: 'PATCH',
    path: '/api/units/:unit/',
    response: changedUnitSchema,
    access: changeAccess,
    doc: 'Changes text and state; on source strings also explanation, flags and labels. Texts of source strings require unit.template.',
    body: { fields: unitFields },
    handle: change(false),
  },
  {
    method: 'PUT',
    path: '/api/units/:unit/',
    response: changedUnitSchema,
    access: replaceAccess,
    doc: 'Changes text and state, both required; with explanation, flags or labels it requires source.edit and unit.template.',
    body: { fields: unitFields },
    handle: change(true),
  },
  {
    method: 'DELETE',
    path: '/api/units/:unit/',
    access: {
      cases: [
        { does: 'in a translation', on: 'translation', all: ['unit.delete'] },
        { does: 'in a glossary', on: 'glossary', all: ['glossary.delete'] },
      ],
    },
    doc: 'Removes a string.',
    async handle(call) {
      await call.clients.translation.deleteUnit({ id: (await unitOf(call)).id }, call.options);
      return noContent;
    },
  },
  {
    method: 'POST',
    path: '/api/units/:unit/comments/',
    success: [201],
    response: commentSchema,
    access: 'signed-in',
    doc: 'Adds a comment to a string; requires comment.add.',
    body: { fields: commentFields },
    async handle(call) {
      const { values, problems } = await readValues(call, commentFields, 'create');
      call.problems.push(...problems);
      const { comment: text = '', scope = '', user_email: userEmail, timestamp: time } = values;
      const made = await call.clients.translation.createComment(
        {
          unitId: idParam(call, 'unit'),
          scope,
          text,
          ...(userEmail === undefined ? {} : { userEmail }),
          ...(time === undefined ? {} : { timeMs: Date.parse(time) }),
        },
        call.options,
      );
      return created({
        comment: text,
        timestamp: timestamp(made.timeMs),
        id: made.id,
        user: call.links.user(made.username),
      });
    },
  },
  {
    method: 'GET',
    path: '/api/units/:unit/translations/',
    shows: 'unit',
    response: z.array(unitSchema),
    access: 'anyone',
    doc: 'Shows the translations of a source string.',
    async handle(call) {
      const unit = await unitOf(call);
      if (!unit.isSource) throw notASource();
      const { units } = await call.clients.translation.listUnits(
        { page: { page: 1, pageSize: 10_000 }, sourceUnitId: unit.id },
        call.options,
      );
      return ok(
        await presentUnits(
          call,
          units.filter((u) => !u.isSource),
        ),
      );
    },
  },
];

/** The request does not fit the object; changing a field would not help. */
function notASource(): ServiceError {
  const problem = { attr: null, code: 'not-a-source-unit', detail: 'The string is not a source string.' };
  return new ServiceError('FAILED_PRECONDITION', { problems: [problem] });
}
