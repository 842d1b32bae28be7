import { engines } from '@parlance/testing';
import { type Collection, MongoClient } from 'mongodb';
import { compileQuery, parseQuery, toMongo, type UnitView } from '../src';
import { UNIT_FIELD_MAP } from './field-map';

/** A unit document with the fields that the map names. */
interface UnitDocument {
  _id: number;
  source: string[];
  target: string[];
  context: string;
  note: string;
  location: string;
  explanation: string;
  flags: string;
  extra_flags: string;
  state: number;
  pending: boolean;
  position: number;
  priority: number;
  labels: string[];
  checks: string[];
  dismissed_checks: string[];
  has_suggestion: boolean;
  has_comment: boolean;
  added: Date;
  last_changed: Date;
}

const TEXTS = [
  'Hello World',
  'hello',
  'a.b*c',
  'A(B)',
  'line one\nline two',
  'ends\n',
  'Příliš ŽLUŤOUČKÝ',
  'ПРИВЕТ мир',
  '100% {x} [y] $z^',
  'back\\slash',
  '日本語',
  '',
];
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

const documents = Array.from({ length: 240 }, (_, index): UnitDocument => ({
  _id: index + 1,
  source: index % 3 === 0 ? [pick(TEXTS, index), `${pick(TEXTS, index)}s`] : [pick(TEXTS, index)],
  target: [pick(TEXTS, index * 5 + 1)],
  context: pick(['', 'menu', 'Menu.File'], index),
  note: pick(['', 'A note'], index),
  location: pick(['src/a.c:1', ''], index),
  explanation: pick(['', '', 'why'], index),
  flags: pick(['', 'c-format'], index),
  extra_flags: pick(['', '', '', 'url'], index),
  state: pick([0, 10, 20, 30, 100], index),
  pending: index % 7 === 0,
  position: index,
  priority: pick([60, 100, 140], index),
  labels: pick([[], ['UI'], ['UI', 'Easy']], index),
  checks: pick([[], ['same'], [], ['end_stop', 'same']], index),
  dismissed_checks: pick([[], [], ['same']], index),
  has_suggestion: index % 5 === 0,
  has_comment: index % 6 === 0,
  added: new Date(Date.UTC(2026, 9, 1 + (index % 60), 12)),
  last_changed: new Date(Date.UTC(2026, 10, 1 + (index % 20), index % 24)),
}));

const view = (unit: UnitDocument): UnitView => ({
  ...unit,
  id: unit._id,
  extraFlags: unit.extra_flags,
  dismissedChecks: unit.dismissed_checks,
  added: unit.added.getTime(),
  lastChanged: unit.last_changed.getTime(),
  suggestions: unit.has_suggestion ? [{ text: 'x', author: 'a' }] : [],
  comments: unit.has_comment ? [{ text: 'x', author: 'a' }] : [],
});

const map = { ...UNIT_FIELD_MAP, label: 'labels' };
const NOW = Date.UTC(2026, 10, 21, 12);

let client: MongoClient;
let units: Collection<UnitDocument>;

beforeAll(async () => {
  const { mongoUri } = await engines();
  client = new MongoClient(mongoUri('search'));
  units = client.db().collection<UnitDocument>('units');
  await units.insertMany(documents);
});

afterAll(async () => {
  await client.db().dropDatabase();
  await client.close();
});

test.each([
  '',
  'hello',
  'HELLO world',
  'source:="hello world"',
  'source:=ends',
  'source:="ends\\n"',
  'source:=""',
  'source:"a.b*c" OR source:"a(b)" OR source:"[y]" OR source:"$z^" OR source:"back\\\\slash"',
  'target:žluťoučký',
  'target:привет',
  'target:日本',
  'source:r"^[A-Z]"',
  'source:r"lines?$"',
  'source:r"(?i)^hello"',
  'source:r"\\d+% \\{x\\}"',
  'target:r"^h.*o$"',
  'context:menu NOT context:=menu',
  'note:note AND location:src explanation:why',
  'state:<translated',
  'state:>=approved',
  'NOT is:translated',
  'is:fuzzy OR is:read-only',
  'is:pending',
  'pending:no',
  'id:1,5,9',
  'position:[10 to 20]',
  'priority:>100',
  'priority:<=60',
  'check:same',
  'NOT check:same dismissed_check:same',
  'label:UI NOT label:Easy',
  'labels_count:0',
  'labels_count:1',
  'labels_count:>1',
  'labels_count:<2',
  'labels_count:[1 to 2]',
  'has:plural has:note',
  'has:context OR has:explanation',
  'has:location',
  'has:flags',
  'has:check NOT has:dismissed-check',
  'has:label has:translation',
  'has:suggestion has:comment',
  'added:2026-10-05',
  'added:[2026-10-05 to 2026-10-09]',
  'added:>"2 weeks ago"',
  'last_changed:<2026-11-04',
  'last_changed:yesterday',
  'NOT (hello OR state:empty) (has:check OR label:UI)',
])('database and evaluator find the same units for %s', async (query) => {
  const tree = parseQuery(query, { now: NOW });
  const predicate = compileQuery(tree);
  const expected = documents.filter((unit) => predicate(view(unit))).map((unit) => unit._id);
  const found = await units.find(toMongo(tree, map)).sort({ _id: 1 }).toArray();
  expect(found.map((unit) => unit._id)).toEqual(expected);
});
