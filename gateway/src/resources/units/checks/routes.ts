import { findCheck } from '@parlance/checks';
import { field, type translation as proto } from '@parlance/contracts';
import { z } from 'zod';
import { idParam, readValues } from '../../../bodies/input';
import type { Links } from '../../../responses/links';
import { list } from '../../../responses/lists';
import { pageOf } from '../../../responses/paging';
import { pageSchema } from '../../../responses/schema';
import type { Call, Reply } from '../../../routing/call';
import type { Endpoint } from '../../../routing/endpoint';
import { pages } from '../../shared';
import { type spanSchema, unitCheckSchema } from './schema';

const dismissalFields = z.object({
  check: field.line('Id of a check, such as end_stop.', { filled: true, maxLength: 100 }),
  scope: field
    .choice('string: this string; source: all translations of its source string.', ['string', 'source'])
    .default('string'),
  dismissed: field.boolean('false: the dismissal is undone.').default(true),
});

export const presentSpan = (span: proto.CheckSpan__Output): z.infer<typeof spanSchema> => ({
  side: span.isSource ? 'source' : 'target',
  form: span.form,
  start: span.start,
  end: span.end,
  start_code_point: span.startCodePoint,
  end_code_point: span.endCodePoint,
});

function presentUnitCheck(check: proto.UnitCheck__Output, links: Links): z.infer<typeof unitCheckSchema>[] {
  const definition = findCheck(check.id);
  if (!definition) return [];
  const { id, name, description, severity } = definition;
  return [
    {
      id,
      name,
      description,
      severity,
      doc_url: links.check(id),
      dismissed: check.dismissed !== '',
      scope: check.dismissed === 'string' || check.dismissed === 'source' ? check.dismissed : null,
      spans: check.spans.map(presentSpan),
      has_fix: check.fix.length > 0,
      fix: check.fix.length > 0 ? check.fix : null,
    },
  ];
}

const present = (call: Call, checks: readonly proto.UnitCheck__Output[]): Promise<Reply> =>
  list(call, pages, pageOf(checks), (some) => some.flatMap((check) => presentUnitCheck(check, call.links)));

export const unitCheckEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/units/:unit/checks/',
    shows: 'unit',
    response: pageSchema(unitCheckSchema),
    access: 'anyone',
    doc: 'Lists the failing and dismissed checks of a string, with the places where they fail.',
    async handle(call) {
      const request = { unitId: idParam(call, 'unit') };
      const { checks, componentId } = await call.clients.translation.listUnitChecks(request, call.options);
      call.contents.show(`component:${componentId}`);
      return present(call, checks);
    },
  },
  {
    method: 'POST',
    path: '/api/units/:unit/checks/',
    response: pageSchema(unitCheckSchema),
    access: {
      cases: [
        { does: 'for a string', on: 'translation', body: { check: 'end_stop' }, all: ['unit.check'] },
        {
          does: 'for all translations of its source, on the source language',
          on: 'translation',
          body: { check: 'end_stop', scope: 'source' },
          all: ['unit.check'],
        },
      ],
    },
    doc: 'Dismisses a failing check, or undoes that, and lists the checks as they are then.',
    body: { fields: dismissalFields },
    async handle(call) {
      const { values, problems } = await readValues(call, dismissalFields, 'create');
      call.problems.push(...problems);
      const { checks } = await call.clients.translation.dismissCheck(
        {
          unitId: idParam(call, 'unit'),
          check: values.check ?? '',
          scope: values.scope ?? 'string',
          undo: values.dismissed === false,
        },
        call.options,
      );
      return present(call, checks);
    },
  },
];
