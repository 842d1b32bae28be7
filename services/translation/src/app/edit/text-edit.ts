import { randomUUID } from 'node:crypto';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { actionOfEdit } from '../../domain/edit';
import { withEdit } from '../../domain/pending';
import type { UnitPatch } from '../../domain/ports';
import { effectiveSource } from '../../domain/source-text';
import { contentHash, State, timeAfter, type Author, type Unit } from '../../domain/unit';
import { changeOf, historyText, type ChangeDraft } from '../history';
import { measure, type UnitEvaluator } from '../checks/unit-evaluator';
import type { UnitUpdate } from './write-units';

/** A new text and state for a unit, decided and allowed. */
export interface TextEdit {
  unit: Unit;
  target: string[];
  state: number;
  author: Author;
  component: Component;
  evaluator: UnitEvaluator;
  sourceExtraFlags: string;
  now: number;
  /** Action of the history entry; default: derived from the edit. */
  action?: number;
  details?: Record<string, unknown>;
}

/**
 * Plans the update for a new text: text, state (needs editing when an enforced check fails), checks, pending edit, history.
 */
export function planTextEdit(edit: TextEdit): UnitUpdate {
  const { unit, target, author, component, now } = edit;
  let { state } = edit;
  const checks = edit.evaluator.checks({
    source: unit.isSource ? target : unit.source,
    target,
    state,
    isSource: unit.isSource,
    flags: unit.flags,
    sourceExtraFlags: edit.sourceExtraFlags,
    dismissedChecks: unit.dismissedChecks,
    checks: unit.checks,
  });
  const [text, old] = [historyText(target), historyText(unit.target)];
  const enforced = checks.filter((id) => component.enforcedChecks.includes(id));
  const isHeldBack = state >= State.translated && enforced.length > 0;
  if (isHeldBack) state = State.fuzzy;
  // With an intermediate file, the source stays the developers' text.
  const drafted = component.intermediate !== '';
  const details = {
    state,
    old_state: unit.state,
    source: historyText(unit.isSource && !drafted ? target : unit.source),
    context: unit.context,
  };
  const action = edit.action ?? actionOfEdit(unit.state, state);
  const changes: ChangeDraft[] = [changeOf(unit, author, now, action, text, old, { ...edit.details, ...details })];
  if (isHeldBack)
    changes.push(changeOf(unit, author, now, Action.enforcedCheck, text, old, { ...details, checks: enforced }));
  const shown = drafted ? effectiveSource({ source: unit.source, target }) : target;
  const patch: UnitPatch = {
    target,
    state,
    checks,
    previousSource: state >= State.translated ? [] : unit.previousSource,
    edits: withEdit(unit.edits, { id: randomUUID(), author, target, state, time: now }),
    stored: unit.stored ?? { target: unit.target, state: unit.state },
    updated: timeAfter(unit, now),
    ...(unit.isSource
      ? {
          ...(drafted ? {} : { source: target }),
          contentHash: contentHash(unit.context, shown),
          ...measure(shown, component.sourceLanguage.code),
        }
      : {}),
  };
  return { unit, patch, changes };
}
