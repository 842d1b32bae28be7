import { randomUUID } from 'node:crypto';
import type { Component } from './component';
import { isBlank, sameForms, sameTexts, State, type Author, type PendingEdit, type Unit } from './unit';

/** A string that was deleted here and is still in the repository's file. */
export interface Removal {
  id: string;
  component: number;
  translation: number;
  /** Key of the unit that is gone. */
  key: string;
  author: Author;
  /** Milliseconds since the epoch. */
  time: number;
  /**
   * A source string that the file has which new translations begin with. That file stays as it is; the string is not read from it any
   * more, as long as no translation has it.
   */
  ofBase?: true;
  /** Not stored: the string was added again since, so that it stays in the file. */
  addedAgain?: boolean;
}

const REMOVAL_OF = 'unit ';

/** What the removal of a unit is called: removing it twice leaves one. */
export function removalIdOf(unit: number): string {
  return REMOVAL_OF + unit;
}

/** Whose removal it is. */
export function unitOfRemoval({ id }: Pick<Removal, 'id'>): number {
  return Number(id.slice(REMOVAL_OF.length));
}

/** What commits are made of: the edits of one author in one translation, one round. */
export interface PendingGroup {
  translation: number;
  author: Author;
  /** The nth edit of the same string by another author than the one before. */
  round: number;
  edits: { unit: Unit; edit: PendingEdit }[];
  removals: Removal[];
  /** Oldest edit, milliseconds since the epoch. */
  oldest: number;
}

/** Edits that one of the same author remembers to have taken the place of. */
const REMEMBERED = 3;

/**
 * A unit's edits after one more: an author's later edit takes the place of the one before, another author's follows it, so that
 * each author's last text gets into a commit of theirs.
 */
export function withEdit(edits: readonly PendingEdit[], edit: PendingEdit): PendingEdit[] {
  const last = edits.at(-1);
  if (!last || !sameAuthor(last.author, edit.author)) return [...edits, edit];
  const { id, target, state } = last;
  const replaced = [...(last.replaced ?? []), { id, target, state }].slice(-REMEMBERED);
  return [...edits.slice(0, -1), { ...edit, replaced, ...(last.adds ? { adds: true } : {}) }];
}

/** The author of what follows from a file and not from anybody's edit. */
export const nobody: Author = { userId: 0, username: '', fullName: '', email: '' };

/**
 * What takes another state of a text into its file: the state follows from something else than an edit of the text.
 * @param inFile what the file has, where no edit waits yet
 */
export function withState(
  { edits, stored }: Pick<Unit, 'edits' | 'stored'>,
  inFile: NonNullable<Unit['stored']>,
  to: { target: string[]; state: number; author: Author; time: number },
): Required<Pick<Unit, 'edits' | 'stored'>> {
  return { edits: withEdit(edits, { id: randomUUID(), ...to }), stored: stored ?? inFile };
}

/**
 * What takes the state of a text that nobody edited into its file, if the format keeps states: nothing where the file has it, or
 * cannot hold it because there is no text or the state is a rule of Parlance's own.
 * @param inFile what the file has, where no edit waits yet
 */
export function stateForFile(
  unit: Pick<Unit, 'edits' | 'stored'>,
  inFile: NonNullable<Unit['stored']>,
  to: { target: string[]; state: number; author: Author; time: number },
): Partial<Pick<Unit, 'edits' | 'stored'>> {
  const holds = !isBlank(to.target) && (to.state === State.fuzzy || to.state === State.translated);
  return holds && to.state !== inFile.state ? withState(unit, inFile, to) : {};
}

/** Whether what waits has the very text that the file had: only its state is another one. */
export function isStateOnly({ stored, target }: Pick<Unit, 'stored' | 'target'>): boolean {
  return stored !== undefined && sameTexts(stored.target, target);
}

function sameAuthor(a: Author, b: Author): boolean {
  return a.userId === b.userId && a.email === b.email && a.fullName === b.fullName;
}

/** Edits with the name that one of their authors has now. */
export function renamed(edits: readonly PendingEdit[], person: Author): PendingEdit[] {
  return edits.map((edit) => (edit.author.userId === person.userId ? { ...edit, author: person } : edit));
}

/** Whether an author has that name in all of their edits. */
export function isRenamed(edits: readonly Pick<PendingEdit, 'author'>[], person: Author): boolean {
  return edits.every(({ author }) => author.userId !== person.userId || sameAuthor(author, person));
}

/** Whether the project lets an edit into a commit. */
export type CommitRule = (unit: Pick<Unit, 'isSource'>, edit: Pick<PendingEdit, 'state' | 'adds'>) => boolean;

/** The project's `commit_policy`. Texts that nobody reviews need no approval, nor do strings that are added without one. */
export function commitRule({
  commitPolicy,
  sourceReview,
}: Pick<Component, 'commitPolicy' | 'sourceReview'>): CommitRule {
  return ({ isSource }, { state, adds }) => {
    if (commitPolicy === 0 || (adds && state === State.empty)) return true;
    if (commitPolicy >= State.approved && (!isSource || sourceReview)) return state >= State.approved;
    return state !== State.fuzzy;
  };
}

/** Units with those of their edits that may be committed; units without any are left out. */
export function committable(units: readonly Unit[], rule: CommitRule): Unit[] {
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

/** Whether a commit holds one of a unit's edits, or one that another took the place of meanwhile. */
export function isIn(committed: ReadonlySet<string>, unit: Pick<Unit, 'edits'>): boolean {
  return unit.edits.some((edit) => committed.has(edit.id) || edit.replaced?.some(({ id }) => committed.has(id)));
}

/**
 * Edits that are left after a commit, and the text that the file holds then. Those before a committed one are done with: the file
 * has a later text. The edit of who went on writing while the commit was made stays, and knows that the file has what it replaced:
 * otherwise that text would look like somebody else's when the file is read.
 */
export function afterCommit(
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

/** Whether a string was added here and no commit holds it yet: files that lack it say nothing about it. */
export function isToBeAdded(unit: Pick<Unit, 'edits'>): boolean {
  return unit.edits.some((edit) => edit.adds);
}

/** Whether the repository's text moved away from what it was when the first pending edit was made. */
export function upstreamMoved(unit: Unit, fileTarget: readonly string[]): boolean {
  return unit.stored !== undefined && !sameForms(unit.stored.target, fileTarget) && !sameForms(unit.target, fileTarget);
}
