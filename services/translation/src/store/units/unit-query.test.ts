import { parseQuery, type Term } from '@parlance/search';
import { allOf, anyOf, everyUnit, inTranslation, noUnit, type UnitQuery } from '../../domain/unit-query';
import { remarkFilter, unitFilter } from './unit-query';

it.each<[string, UnitQuery, object]>([
  ['every unit', everyUnit, {}],
  ['no unit', noUnit, { _id: { $in: [] } }],
  ['one condition without an operator around it', allOf(inTranslation(5)), { translation: 5 }],
  ['conjunctions without empty members', allOf(inTranslation(5), everyUnit), { translation: 5 }],
  [
    'disjunctions',
    anyOf({ kind: 'ids', ids: [1, 2] }, { kind: 'language', code: 'cs' }),
    { $or: [{ _id: { $in: [1, 2] } }, { language: 'cs' }] },
  ],
  ['excluded components', { kind: 'components', ids: [3], exclude: true }, { component: { $nin: [3] } }],
  ['a priority that excludes the default', { kind: 'priority', min: 150 }, { priority: { $gte: 150 } }],
  [
    'a priority that includes the default, which documents omit',
    { kind: 'priority', values: [100] },
    { $or: [{ priority: { $in: [100] } }, { priority: { $exists: false } }] },
  ],
  ['an open time span', { kind: 'created', from: 7 }, { created: { $gte: 7 } }],
])('The Mongo filter is correct for %s', (_, query, filter) => {
  expect(unitFilter(query)).toEqual(filter);
});

it('A query for many words is split into several regular expressions', () => {
  const terms = Array.from({ length: 201 }, (_, i) => `t${i}`);
  const filter = unitFilter({ kind: 'sourceWords', project: 1, terms }) as { $or: object[] };
  expect(filter.$or).toHaveLength(2);
});

it('Resolved queries replace their terms', () => {
  const query = parseQuery('has:suggestion');
  const resolved = new Map<Term, UnitQuery>([[query as Term, { kind: 'has', what: 'suggestions' }]]);
  expect(unitFilter({ kind: 'search', query, resolved })).toEqual({ suggestions: { $gt: 0 } });
});

it('Comments without the field resolved count as unresolved', () => {
  expect(remarkFilter({ user: 3, resolved: false })).toEqual({ $and: [{ user: 3 }, { resolved: { $ne: true } }] });
});
