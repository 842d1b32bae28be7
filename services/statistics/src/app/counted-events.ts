/** Events that change counters. */
export const countedEvents = [
  'translationUpdated',
  'translationDeleted',
  'componentCreated',
  'componentDeleted',
  'projectCreated',
  'projectDeleted',
] as const;

export type CountedEvent = (typeof countedEvents)[number];
