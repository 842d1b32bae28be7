import { UNIT_FIELD_MAP } from '../test/field-map';
import { parseQuery } from './parse';
import { joinTerms, NOTHING, toMongo, type MongoFilter, UnmappedTermError } from './to-mongo';

const filter = (query: string): MongoFilter => toMongo(parseQuery(query), UNIT_FIELD_MAP);
const like = (value: string): object => ({ $regex: value, $options: 'i' });

test.each<[string, MongoFilter]>([
  ['', {}],
  ['source:a.b', { source: like('a\\.b') }],
  ['target:="A (b)"', { target: { $in: ['A (b)'] } }],
  ['target:r"^a+$"', { target: { $regex: '^a+$' } }],
  ['x', { $or: [{ source: like('x') }, { target: like('x') }, { context: like('x') }] }],
  ['note:a NOT note:b', { $and: [{ note: like('a') }, { $nor: [{ note: like('b') }] }] }],
  ['note:a OR note:b', { $or: [{ note: like('a') }, { note: like('b') }] }],
  ['state:<translated', { state: { $lt: 20 } }],
  ['state:approved', { state: { $eq: 30 } }],
  ['is:pending', { pending: true }],
  ['pending:no', { pending: { $ne: true } }],
  ['id:5', { _id: 5 }],
  ['id:5,6', { _id: { $in: [5, 6] } }],
  ['priority:>100', { priority: { $gte: 101 } }],
  ['position:[2 to 4]', { position: { $gte: 2, $lte: 4 } }],
  ['check:same', { checks: 'same' }],
  ['dismissed_check:same', { dismissed_checks: 'same' }],
  ['added:2026-11-21', { added: { $gte: new Date(Date.UTC(2026, 10, 21)), $lt: new Date(Date.UTC(2026, 10, 22)) } }],
  ['last_changed:<2026', { last_changed: { $lt: new Date(Date.UTC(2027, 0)) } }],
  ['has:plural', { 'source.1': { $exists: true } }],
  ['has:translation', { state: { $gte: 20 } }],
  ['has:note', { note: { $exists: true, $nin: ['', null] } }],
  ['has:check', { 'checks.0': { $exists: true } }],
  ['has:label', { 'labels.0': { $exists: true } }],
  ['has:suggestion', { has_suggestion: true }],
  [
    'has:flags',
    { $or: [{ flags: { $exists: true, $nin: ['', null] } }, { extra_flags: { $exists: true, $nin: ['', null] } }] },
  ],
  ['labels_count:2', { $and: [{ 'labels.1': { $exists: true } }, { 'labels.2': { $exists: false } }] }],
  ['labels_count:0', { $and: [{}, { 'labels.0': { $exists: false } }] }],
  ['labels_count:>1', { 'labels.1': { $exists: true } }],
  ['labels_count:<0', { $and: [{}, NOTHING] }],
])('toMongo translates %s', (query, expected) => expect(filter(query)).toEqual(expected));

const JOINED =
  'suggestion:x comment:x resolved_comment:x suggestion_author:x comment_author:x changed_by:x changed:2026 change_time:2026 ' +
  'source_changed:2026 source_state:approved change_action:x language:cs project:p label:l screenshot:s component:c path:p/c ' +
  'has:resolved-comment has:variant has:screenshot has:glossary';

test('terms on other data are listed and resolved by the caller, and fail without a resolver', () => {
  const query = parseQuery(`${JOINED} source:x state:20`, { changeAction: () => 1 });
  const terms = joinTerms(query, UNIT_FIELD_MAP);
  expect(
    terms.map((term) =>
      'field' in term ? term.field : 'fields' in term ? term.fields[0] : 'what' in term ? term.what : term.type,
    ),
  ).toEqual(JOINED.split(' ').map((term) => (term.startsWith('has:') ? term.slice(4) : term.split(':')[0])));
  expect(() => toMongo(query, UNIT_FIELD_MAP)).toThrow(UnmappedTermError);
  const resolved = toMongo(query, UNIT_FIELD_MAP, { resolve: (term) => ({ joined: terms.indexOf(term) }) });
  expect(resolved['$and']).toEqual([
    ...terms.map((_, index) => ({ joined: index })),
    { source: like('x') },
    { state: { $eq: 20 } },
  ]);
});

test('a field map with more fields needs fewer joins', () => {
  const map = {
    ...UNIT_FIELD_MAP,
    language: 'languageCode',
    component: ['componentSlug', 'componentName'],
    source_state: 'sourceState',
  };
  expect(toMongo(parseQuery('language:cs component:web source_state:>=20'), map)).toEqual({
    $and: [
      { languageCode: 'cs' },
      { $or: [{ componentSlug: like('web') }, { componentName: like('web') }] },
      { sourceState: { $gte: 20 } },
    ],
  });
});

test('a query cannot inject database operators', () => {
  for (const query of ['check:$where', 'source:{"$gt":""}', 'label:$ne', '"$where"']) {
    const text = JSON.stringify(toMongo(parseQuery(query), { ...UNIT_FIELD_MAP, label: 'labels' }));
    expect(text).not.toMatch(/"\$(?:where|gt|ne)":/);
  }
});
