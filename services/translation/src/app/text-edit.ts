import { randomUUID } from 'node:crypto';
import { Action, contentActions, type Change } from '../domain/change';
import type { Component } from '../domain/component';
import { deltaBetween } from '../domain/counters';
import { actionOfEdit } from '../domain/edit';
import { withEdit } from '../domain/pending';
import type { OutboxItem, UnitPatch } from '../domain/ports';
import { contentHash, isBlank, State, type Author, type Unit } from '../domain/unit';
import { PLURAL_SEPARATOR } from './conflicts';
import type { Parts } from './parts';
import { measure, type Judge } from './quality';

/** A history entry that has no id yet. */
export type NewChange = Omit<Change, 'id'>;

/** A new text and state for a unit, decided and allowed. */
export interface TextEdit {
  unit: Unit;
  target: string[];
  state: number;
  author: Author;
  component: Component;
  judge: Judge;
  sourceExtraFlags: string;
  now: number;
  /** Action of the history entry; default: what kind of edit it is. */
  action?: number;
  details?: Record<string, unknown>;
}

/** The history entry of something that happened to a unit. */
export function changeOf(
  unit: Unit,
  author: Author,
  time: number,
  action: number,
  target: string,
  old: string,
  details: Record<string, unknown>,
): NewChange {
  return {
    action,
    time,
    project: unit.project,
    component: unit.component,
    translation: unit.translation,
    unit: unit.id,
    language: unit.language,
    user: author.userId,
    author: author.userId,
    target,
    old,
    details,
  };
}

/**
 * What saving a text writes: text, state (needs editing when an enforced check fails), checks, the edit that waits for its commit,
 * and the history.
 */
export function planTextEdit(edit: TextEdit): { patch: UnitPatch; changes: NewChange[] } {
  const { unit, target, author, component, now } = edit;
  let { state } = edit;
  const checks = edit.judge.checks({
    source: unit.isSource ? target : unit.source,
    target,
    state,
    isSource: unit.isSource,
    flags: unit.flags,
    sourceExtraFlags: edit.sourceExtraFlags,
    dismissedChecks: unit.dismissedChecks,
    checks: unit.checks,
  });
  const [text, old] = [target.join(PLURAL_SEPARATOR), unit.target.join(PLURAL_SEPARATOR)];
  const changes: NewChange[] = [];
  const enforced = checks.filter((id) => component.enforcedChecks.includes(id));
  if (state >= State.translated && enforced.length > 0) {
    state = State.fuzzy;
    changes.push(changeOf(unit, author, now, Action.enforcedCheck, text, old, { checks: enforced }));
  }
  const details = {
    ...edit.details,
    state,
    old_state: unit.state,
    source: unit.source.join(PLURAL_SEPARATOR),
    context: unit.context,
  };
  changes.unshift(changeOf(unit, author, now, edit.action ?? actionOfEdit(unit.state, state), text, old, details));
  const patch: UnitPatch = {
    target,
    state,
    checks,
    previousSource: state >= State.translated ? [] : unit.previousSource,
    edits: withEdit(unit.edits, { id: randomUUID(), author, target, state, time: now }),
    stored: unit.stored ?? { target: unit.target, state: unit.state },
    updated: now,
    ...(unit.isSource
      ? {
          source: target,
          contentHash: contentHash(unit.context, target),
          ...measure(target, component.sourceLanguage.code),
        }
      : {}),
  };
  return { patch, changes };
}

/** Gives history entries their ids. */
export async function numberChanges(parts: Pick<Parts, 'ids'>, changes: readonly NewChange[]): Promise<Change[]> {
  if (changes.length === 0) return [];
  const ids = await parts.ids.range('change', changes.length);
  return changes.map((change, i) => ({ ...change, id: ids[i]! }));
}

/** What the write means for the checks of other strings. */
function touchedBy(unit: Unit, patch: UnitPatch): Pick<OutboxItem, 'touched'> {
  if (unit.isSource || (patch.target === undefined && patch.state === undefined)) return {};
  const texts = [unit.target, patch.target ?? unit.target].filter((text) => !isBlank(text));
  const failing = unit.checks.length > 0 !== (patch.checks ?? unit.checks).length > 0;
  return { touched: { texts, failing } };
}

/** The announcement that goes into the unit's document with the write. */
export function outboxItem(unit: Unit, patch: UnitPatch, changes: Change[], time: number): OutboxItem {
  return {
    id: randomUUID(),
    time,
    translation: unit.translation,
    ...touchedBy(unit, patch),
    delta: deltaBetween(unit, { ...unit, ...patch }, changes.filter((c) => contentActions.has(c.action)).length),
    changes,
  };
}
