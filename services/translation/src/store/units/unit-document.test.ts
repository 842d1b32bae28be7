import type { Unit } from '../../domain/unit';
import type { UnitDocument } from '../schemas/unit';
import { REMOVAL, toDocument, unitsOf, updateOf } from './unit-document';

const author = { userId: 1, username: 'ann', fullName: 'Ann', email: 'ann@example.com' };

/** No field is empty, so each is stored. */
const unit: Required<Unit> = {
  id: 1,
  translation: 2,
  component: 3,
  project: 4,
  language: 'cs',
  isSource: true,
  key: '5',
  contentHash: '6',
  position: 7,
  source: ['source'],
  target: ['target'],
  previousSource: ['before'],
  context: 'context',
  note: 'note',
  location: 'location',
  flags: 'c-format',
  state: 20,
  formerState: 10,
  checks: ['same'],
  dismissedChecks: ['end_stop'],
  words: 8,
  chars: 9,
  priority: 10,
  explanation: 'explanation',
  extraFlags: 'read-only',
  labels: [11],
  suggestions: 12,
  comments: 13,
  sourceUnit: 14,
  edits: [{ id: '15', author, target: ['edit'], state: 20, time: 16 }],
  stored: { target: ['stored'], state: 10 },
  created: 17,
  updated: 18,
  version: 19,
};

/** Fields that the document of a removed unit keeps. */
const KEPT = ['_id', 'translation', 'key', 'position', 'words', 'chars', 'priority', 'created', 'updated', 'version'];

it('a document has every field of a unit', () => {
  expect(unitsOf([toDocument(unit) as UnitDocument])).toEqual([unit]);
});

it('an update sets every field of a unit that is not empty, and empties the others', () => {
  const { id, ...patch } = unit;
  const stored: Record<string, unknown> = { ...toDocument(unit), _id: id };
  const { $set } = updateOf(patch, undefined, 'mark') as { $set: Record<string, unknown> };
  for (const [name, value] of Object.entries(stored)) if (name !== '_id') expect($set[name]).toEqual(value);
});

it('the removal of a unit drops every field that its document does not need', () => {
  const dropped = Object.keys(REMOVAL.$unset);
  const fields = Object.keys({ ...toDocument(unit), text: 1, added: true, curated: true });
  expect([...dropped, ...KEPT].toSorted()).toEqual(fields.toSorted());
});
