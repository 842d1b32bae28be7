import type { UnitFieldMap } from '../src';

/** Documents that keep most of what a query can ask for. */
export const UNIT_FIELD_MAP: UnitFieldMap = {
  id: '_id',
  source: 'source',
  target: 'target',
  context: 'context',
  note: 'note',
  location: 'location',
  explanation: 'explanation',
  flags: 'flags',
  extra_flags: 'extra_flags',
  state: 'state',
  pending: 'pending',
  position: 'position',
  priority: 'priority',
  labels: 'labels',
  labels_count: 'labels',
  check: 'checks',
  dismissed_check: 'dismissed_checks',
  added: 'added',
  last_changed: 'last_changed',
  'has:suggestion': 'has_suggestion',
  'has:comment': 'has_comment',
};
