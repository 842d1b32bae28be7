import type { OutboxItem, UnitPatch } from '../../domain/ports';
import { isBlank, textKey, type Unit } from '../../domain/unit';
import type { UnitDocument } from '../schemas/unit';

/** Priority of a unit without a priority flag. */
const DEFAULT_PRIORITY = 100;

type Stored = Omit<UnitDocument, 'outbox' | 'announcing' | 'fresh'>;

/** Omits empty fields. */
export function toDocument(unit: Unit): Stored {
  const d: Stored = {
    _id: unit.id,
    translation: unit.translation,
    component: unit.component,
    project: unit.project,
    language: unit.language,
    key: unit.key,
    contentHash: unit.contentHash,
    position: unit.position,
    source: unit.source,
    target: unit.target,
    state: unit.state,
    words: unit.words,
    chars: unit.chars,
    sourceUnit: unit.sourceUnit,
    created: unit.created,
    updated: unit.updated,
    version: unit.version,
  };
  if (unit.isSource) d.isSource = true;
  else if (!isBlank(unit.target)) d.text = textKey(unit.target);
  if (unit.previousSource.length > 0) d.previousSource = unit.previousSource;
  if (unit.context) d.context = unit.context;
  if (unit.note) d.note = unit.note;
  if (unit.location) d.location = unit.location;
  if (unit.flags) d.flags = unit.flags;
  if (unit.formerState !== undefined) d.formerState = unit.formerState;
  if (unit.checks.length > 0) d.checks = unit.checks;
  if (unit.dismissedChecks.length > 0) d.dismissedChecks = unit.dismissedChecks;
  if (unit.priority !== DEFAULT_PRIORITY) d.priority = unit.priority;
  if (unit.explanation) d.explanation = unit.explanation;
  if (unit.extraFlags) d.extraFlags = unit.extraFlags;
  if (unit.labels.length > 0) d.labels = unit.labels;
  if (unit.suggestions) d.suggestions = unit.suggestions;
  if (unit.comments) d.comments = unit.comments;
  if (unit.edits.length > 0) {
    d.edits = unit.edits;
    d.pending = true;
  }
  if (unit.stored) d.stored = unit.stored;
  return d;
}

function fromDocument(d: UnitDocument): Unit {
  return {
    id: d._id,
    translation: d.translation,
    component: d.component,
    project: d.project,
    language: d.language,
    isSource: d.isSource === true,
    key: d.key,
    contentHash: d.contentHash,
    position: d.position,
    source: d.source,
    target: d.target,
    previousSource: d.previousSource ?? [],
    context: d.context ?? '',
    note: d.note ?? '',
    location: d.location ?? '',
    flags: d.flags ?? '',
    state: d.state,
    ...(d.formerState === undefined ? {} : { formerState: d.formerState }),
    checks: d.checks ?? [],
    dismissedChecks: d.dismissedChecks ?? [],
    words: d.words,
    chars: d.chars,
    priority: d.priority ?? DEFAULT_PRIORITY,
    explanation: d.explanation ?? '',
    extraFlags: d.extraFlags ?? '',
    labels: d.labels ?? [],
    suggestions: d.suggestions ?? 0,
    comments: d.comments ?? 0,
    sourceUnit: d.sourceUnit,
    edits: d.edits ?? [],
    ...(d.stored ? { stored: d.stored } : {}),
    created: d.created,
    updated: d.updated,
    version: d.version,
  };
}

/** Maps documents; removed units are omitted. */
export function unitsOf(documents: readonly UnitDocument[]): Unit[] {
  return documents.filter((d) => d.translation > 0).map(fromDocument);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}

/** Fields that are stored even when empty. */
const always = new Set([
  'target',
  'source',
  'state',
  'position',
  'words',
  'chars',
  'updated',
  'sourceUnit',
  'formerState',
]);

/** Fields behind `curated`. */
const curatedFields = ['labels', 'explanation', 'extraFlags'] as const;

/** Mongo update of a write. @param mark id that a write without an outbox item leaves */
export function updateOf(patch: UnitPatch, outbox: OutboxItem | undefined, mark: string): object {
  const set: Record<string, unknown> = {};
  const unset: Record<string, ''> = {};
  for (const [name, value] of Object.entries<unknown>(patch)) {
    if (value === undefined || (!always.has(name) && isEmpty(value))) unset[name] = '';
    else set[name] = value;
  }
  if (patch.edits) {
    if (patch.edits.length > 0) set['pending'] = true;
    else unset['pending'] = '';
  }
  if (curatedFields.some((name) => !isEmpty(patch[name]))) set['curated'] = true;
  if (patch.target) {
    if (isBlank(patch.target)) unset['text'] = '';
    else set['text'] = textKey(patch.target);
  }
  if (patch.source || patch.target) set['fresh'] = true;
  if (outbox) set['announcing'] = true;
  else set['wrote'] = mark;
  return {
    ...(Object.keys(set).length > 0 ? { $set: set } : {}),
    ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
    $inc: { version: 1 },
    ...(outbox ? { $push: { outbox } } : {}),
  };
}

/**
 * Mongo update that removes a unit: the document leaves its translation and all indexes, and stays until its outbox is empty and
 * the string is deleted from the search index.
 */
export const REMOVAL = {
  $mul: { translation: -1 },
  $inc: { version: 1 },
  $set: { fresh: true },
  $unset: Object.fromEntries(
    [
      ...[
        'component',
        'project',
        'language',
        'isSource',
        'contentHash',
        'source',
        'target',
        'previousSource',
        'context',
      ],
      ...[
        'note',
        'location',
        'flags',
        'state',
        'formerState',
        'checks',
        'dismissedChecks',
        'explanation',
        'extraFlags',
      ],
      ...['labels', 'suggestions', 'comments', 'sourceUnit', 'pending', 'edits', 'stored', 'added', 'curated', 'text'],
    ].map((field) => [field, '']),
  ),
};

/** Removes a unit with an outbox item. */
export function removalOf(outbox: OutboxItem): object {
  return { ...REMOVAL, $set: { ...REMOVAL.$set, announcing: true }, $push: { outbox } };
}
