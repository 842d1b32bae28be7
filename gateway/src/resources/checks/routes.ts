import { CHECKS, findCheck, type CheckDefinition } from '@parlance/checks';
import type { z } from 'zod';
import { notFound } from '../../responses/errors';
import type { Links } from '../../responses/links';
import { list } from '../../responses/lists';
import { pageOf } from '../../responses/paging';
import { pageSchema } from '../../responses/schema';
import { ok, type Endpoint } from '../../routing/endpoint';
import { pages } from '../shared';
import { checkSchema } from './schema';

const presentCheck = (check: CheckDefinition, links: Links): z.infer<typeof checkSchema> => ({
  id: check.id,
  name: check.name,
  description: check.description,
  applies: check.applies,
  severity: check.severity,
  flag: check.flag ?? null,
  ignore_flag: check.ignoreFlag,
  url: links.check(check.id),
});

/** The documentation of the quality checks. */
export const checkEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/checks/',
    response: pageSchema(checkSchema),
    access: 'anyone',
    doc: 'Lists the quality checks: what each reports, and the flags that enable and disable it.',
    handle: (call) => list(call, pages, pageOf(CHECKS), (some) => some.map((check) => presentCheck(check, call.links))),
  },
  {
    method: 'GET',
    path: '/api/checks/:check/',
    response: checkSchema,
    access: 'anyone',
    doc: 'Describes a quality check.',
    async handle(call) {
      const check = findCheck(call.params['check']!);
      if (!check) throw notFound();
      return ok(presentCheck(check, call.links));
    },
  },
];
