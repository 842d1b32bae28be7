import { randomUUID } from 'node:crypto';
import type { Component } from './component';
import { isBlank, sameForms, sameTexts, State, type Author, type PendingEdit, type Unit } from './unit';

/** A string that was deleted here and is still in the repository's file. */
export interface Removal {
  id: string;
  component: number;
  translation: number;
  /** Key of the removed unit. */
  key: string;
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  /**
   * A source string of `new_base`. The file keeps the string, but imports skip it while no translation has it.
   */
  ofBase?: true;
  /** Not stored: the string was added again and stays in the file. */
  addedAgain?: boolean;
}

const REMOVAL_OF = 'unit ';

/** Id of a unit's removal; removing a unit twice is idempotent. */
export function removalIdOf(unit: number): string {
  return REMOVAL_OF + unit;
}

/** The removed unit. */
export function unitOfRemoval({ id }: Pick<Removal, 'id'>): number {
  return Number(id.slice(REMOVAL_OF.length));
}

/** Edits of one commit: one author, one translation, one round. */
export interface PendingGroup {
  translation: number;
  author: Author;
  /** How many times the author of the same string changed before; from 0. */
  round: number;
  edits: { unit: Unit; edit: PendingEdit }[];
  removals: Removal[];
  /** Oldest edit, milliseconds since the epoch. */
  oldest: number;
}

/** Replaced edits that a pending edit of the same author remembers. */
const REMEMBERED = 10;

/**
 * Adds an edit: it replaces a directly preceding edit of the same author, so that each author's last text gets a commit of its own.
 */
export function withEdit(edits: readonly PendingEdit[], edit: PendingEdit): PendingEdit[] {
  const last = edits.at(-1);
  if (!last || !sameAuthor(last.author, edit.author)) return [...edits, edit];
  const { id, target, state } = last;
  const replaced = [...(last.replaced ?? []), { id, target, state }].slice(-REMEMBERED);
  return [...edits.slice(0, -1), { ...edit, replaced, ...(last.adds ? { adds: true } : {}) }];
}

/** Author of changes that follow from a file. */
export const NO_AUTHOR: Author = { userId: 0, username: '', fullName: '', email: '' };

/**
 * Pending edit that writes another state to the file, without an edit of the text.
 * @param inFile text and state of the file, unless an edit is pending already
 */
export function withStateEdit(
  { edits, stored }: Pick<Unit, 'edits' | 'stored'>,
  inFile: NonNullable<Unit['stored']>,
  to: { target: string[]; state: number; author: Author; time: number },
): Required<Pick<Unit, 'edits' | 'stored'>> {
  return { edits: withEdit(edits, { id: randomUUID(), ...to }), stored: stored ?? inFile };
}

/**
 * Pending edit for a state that changed without an edit of the text, for formats with states. Empty when the file has the state, or
 * cannot store it because there is no text or the state exists in Parlance only.
 * @param inFile text and state of the file, unless an edit is pending already
 */
export function planStateEdit(
  unit: Pick<Unit, 'edits' | 'stored'>,
  inFile: NonNullable<Unit['stored']>,
  to: { target: string[]; state: number; author: Author; time: number },
): Partial<Pick<Unit, 'edits' | 'stored'>> {
  const holds = !isBlank(to.target) && (to.state === State.fuzzy || to.state === State.translated);
  return holds && to.state !== inFile.state ? withStateEdit(unit, inFile, to) : {};
}

/** Whether the pending edit changes the state only. */
export function isStateOnly({ stored, target }: Pick<Unit, 'stored' | 'target'>): boolean {
  return stored !== undefined && sameTexts(stored.target, target);
}

function sameAuthor(a: Author, b: Author): boolean {
  return a.userId === b.userId && a.email === b.email && a.fullName === b.fullName;
}

/** Replaces the name of an author. */
export function renameAuthor(edits: readonly PendingEdit[], person: Author): PendingEdit[] {
  return edits.map((edit) => (edit.author.userId === person.userId ? { ...edit, author: person } : edit));
}

/** Whether all edits of an author have the current name. */
export function hasCurrentName(edits: readonly Pick<PendingEdit, 'author'>[], person: Author): boolean {
  return edits.every(({ author }) => author.userId !== person.userId || sameAuthor(author, person));
}

/** Whether the project's policy allows committing an edit. */
export type CommitRule = (unit: Pick<Unit, 'isSource'>, edit: Pick<PendingEdit, 'state' | 'adds'>) => boolean;

/** The project's `commit_policy`. Texts without review need no approval, nor do strings that are added without a text. */
export function makeCommitRule({
  commitPolicy,
  sourceReview,
}: Pick<Component, 'commitPolicy' | 'sourceReview'>): CommitRule {
  return ({ isSource }, { state, adds }) => {
    if (commitPolicy === 0 || (adds && state === State.empty)) return true;
    if (commitPolicy >= State.approved && (!isSource || sourceReview)) return state >= State.approved;
    return state !== State.fuzzy;
  };
}

/** Units with their committable edits; units without one are omitted. */
export function selectCommittable(units: readonly Unit[], rule: CommitRule): Unit[] {
  return units.flatMap((unit) => {
    const edits = unit.edits.filter((edit) => rule(unit, edit));
    return edits.length === 0 ? [] : [edits.length === unit.edits.length ? unit : { ...unit, edits }];
  });
}

/** Orders pending edits into commits: by round, then by the time of the oldest edit. */
export function groupPending(units: readonly Unit[], removals: readonly Removal[] = []): PendingGroup[] {
  const groups = new Map<string, PendingGroup>();
  const groupOf = (translation: number, round: number, author: Author, time: number): PendingGroup => {
    const key = JSON.stringify([translation, round, author.userId, author.fullName, author.email]);
    const group = groups.get(key) ?? { translation, author, round, edits: [], removals: [], oldest: time };
    group.oldest = Math.min(group.oldest, time);
    groups.set(key, group);
    return group;
  };
  for (const unit of units) {
    unit.edits.forEach((edit, round) => {
      groupOf(unit.translation, round, edit.author, edit.time).edits.push({ unit, edit });
    });
  }
  for (const removal of removals) groupOf(removal.translation, 0, removal.author, removal.time).removals.push(removal);
  return [...groups.values()].sort((a, b) => a.round - b.round || a.oldest - b.oldest || a.translation - b.translation);
}

/** Whether a commit contains one of a unit's edits, or an edit that one of them replaced. */
export function isCommitted(committed: ReadonlySet<string>, unit: Pick<Unit, 'edits'>): boolean {
  return unit.edits.some((edit) => committed.has(edit.id) || edit.replaced?.some(({ id }) => committed.has(id)));
}

/**
 * Pending edits after a commit, and the text of the file. Edits before a committed one are obsolete. An edit made during the commit stays,
 * and `stored` becomes the committed text. Otherwise the next import would treat that text as an upstream change.
 */
export function withoutCommitted(
  unit: Pick<Unit, 'edits' | 'stored'>,
  committed: ReadonlySet<string>,
): { edits: PendingEdit[]; stored: Unit['stored'] } {
  for (let at = unit.edits.length - 1; at >= 0; at--) {
    const { replaced, adds: _added, ...edit } = unit.edits[at]!;
    const later = unit.edits.slice(at + 1);
    if (committed.has(edit.id))
      return { edits: later, stored: later.length > 0 ? { target: edit.target, state: edit.state } : undefined };
    const former = replaced?.findLast(({ id }) => committed.has(id));
    if (former) return { edits: [edit, ...later], stored: { target: former.target, state: former.state } };
  }
  return { edits: unit.edits, stored: unit.stored };
}

/** Whether a string was added here and no commit contains it: its absence in the file is not a removal. */
export function isUncommittedAddition(unit: Pick<Unit, 'edits'>): boolean {
  return unit.edits.some((edit) => edit.adds);
}

/**
 * Id of the newest pending or replaced edit with the text of a file. Its commit was saved, but a fault prevented that it was recorded
 * here: the text is no upstream change.
 */
export function findSavedEdit({ edits }: Pick<Unit, 'edits'>, fileTarget: readonly string[]): string | undefined {
  return edits
    .flatMap((edit) => [...(edit.replaced ?? []), edit])
    .findLast(({ target }) => sameForms(target, fileTarget))?.id;
}

/** Whether the repository's text changed since the first pending edit. */
export function hasUpstreamChange(unit: Unit, fileTarget: readonly string[]): boolean {
  return unit.stored !== undefined && !sameForms(unit.stored.target, fileTarget) && !sameForms(unit.target, fileTarget);
}
