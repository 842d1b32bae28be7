import { LOST_RACE } from '@parlance/store-kit';
import { inPortions } from '@parlance/workload';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import type { Clock, OutboxItem, Propagation, SharedStrings, UnitReader, UnitWriter } from '../../domain/ports';
import { sameTexts, State, type Author, type Unit } from '../../domain/unit';
import type { UnitEvaluators, SourceFlags, TranslationInfo } from '../caches/interfaces';
import { areSharing, componentsOf, type SharingDeps } from './sharing';
import { updateStored } from '../edit/contention';
import { planTextEdit } from '../edit/text-edit';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';

export interface PropagateDeps extends WriteUnitsDeps, SharingDeps, Clock {
  units: UnitReader & UnitWriter & SharedStrings;
  evaluators: UnitEvaluators;
  sourceFlags: SourceFlags;
  translationInfo: TranslationInfo;
}

/** Strings of other components that one edit is copied to at a time. */
const CONCURRENCY = 40;

/** Author of an edit, with the author's rights on other strings. */
export interface Editor {
  author: Author;
  mayEdit(unit: Unit, component: Component): Promise<boolean>;
  mayReview(unit: Unit, component: Component): boolean;
}

/** A propagation with the strings that it reaches. */
export interface PlannedPropagation {
  /** Stored with the write: recovery completes the propagation after a crash. */
  intent: Propagation;
  twins: readonly { unit: Unit; component: Component }[];
}

/**
 * Selects the targets of an edit's propagation: strings with the same source and context in other components of the project. Both
 * components must have propagation on, and the author must be allowed to edit.
 * @param edited the unit after the edit
 * @returns null when it propagates to no string
 */
export async function planPropagation(
  deps: PropagateDeps,
  editor: Editor,
  edited: Unit,
  component: Component,
  generation: string,
): Promise<PlannedPropagation | null> {
  if (!component.propagation || edited.isSource) return null;
  const isPartner = (other: Component | null): other is Component =>
    other !== null && isPropagationTarget(component, other);
  if (!(await areSharing(deps, edited, 1, generation, isPartner))) return null;
  const found = (await deps.units.twins(edited.project, edited.language, [edited.contentHash])).filter(
    (unit) => unit.component !== component.id && !unit.isSource,
  );
  const others = await componentsOf(deps, found, generation);
  const twins: { unit: Unit; component: Component }[] = [];
  const components = new Map<number, { id: number; mayReview: boolean }>();
  for (const unit of found) {
    const other = others.get(unit.component) ?? null;
    if (!isPartner(other) || !(await editor.mayEdit(unit, other))) continue;
    twins.push({ unit, component: other });
    components.set(other.id, { id: other.id, mayReview: editor.mayReview(unit, other) });
  }
  if (twins.length === 0) return null;
  const { target, state } = edited;
  return { intent: { target, state, author: editor.author, components: [...components.values()] }, twins };
}

function isPropagationTarget(component: Component, other: Component): boolean {
  return (
    other.id !== component.id &&
    other.propagation &&
    !other.locked &&
    other.isGlossary === component.isGlossary &&
    other.sourceLanguage.code === component.sourceLanguage.code
  );
}

/** Copies the edit to the strings that the plan found. */
export async function completePropagation(deps: PropagateDeps, { intent, twins }: PlannedPropagation): Promise<void> {
  await copyToAll(twins, ({ unit, component }) => copyEdit(deps, intent, unit, component));
}

/** Copies several at a time, whose writes share statements. Rejects after all of them have ended. */
async function copyToAll<T>(targets: readonly T[], copy: (target: T) => Promise<void>): Promise<void> {
  const outcomes = await inPortions(targets, CONCURRENCY, (some) => Promise.allSettled(some.map(copy)));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
}

/**
 * Completes a propagation that a crash interrupted. Idempotent. Strings that were written after the edit keep their text, and an
 * edit that was replaced since is left to the propagation of the later one.
 */
export async function recoverPropagation(
  deps: PropagateDeps,
  id: number,
  { propagation, time }: Pick<OutboxItem, 'propagation' | 'time'>,
): Promise<void> {
  const edited = propagation && (await deps.units.get(id));
  if (!edited || edited.state !== propagation.state || !sameTexts(edited.target, propagation.target)) return;
  const allowed = new Set(propagation.components.map((component) => component.id));
  const twins = await deps.units.twins(edited.project, edited.language, [edited.contentHash]);
  const older = twins.filter((unit) => allowed.has(unit.component) && !unit.isSource && unit.updated <= time);
  await copyToAll(older, async (unit) => {
    const component = await deps.catalog.component(unit.component, '');
    if (component && !component.locked && component.propagation) await copyEdit(deps, propagation, unit, component);
  });
}

/** Read-only strings and strings with another number of forms keep their text; approved ones unless the edit approves. */
function acceptsPropagation(unit: Unit, { target, state, components }: Propagation): boolean {
  if (unit.state === State.readonly || unit.target.length !== target.length) return false;
  if (sameTexts(unit.target, target) && unit.state === state) return false;
  if (unit.state !== State.approved) return true;
  return state === State.approved && components.some(({ id, mayReview }) => id === unit.component && mayReview);
}

async function copyEdit(deps: PropagateDeps, intent: Propagation, first: Unit, component: Component): Promise<void> {
  const translation = await deps.translationInfo.get(first.translation);
  if (!translation) return;
  const evaluator = deps.evaluators.for(component, translation.language);
  const { author, target, state } = intent;
  const attempt = async (unit: Unit) => {
    if (!acceptsPropagation(unit, intent)) return;
    const now = deps.now();
    const sourceExtraFlags = await deps.sourceFlags.of(unit);
    const action = Action.propagated;
    const update = planTextEdit({ unit, target, state, author, component, evaluator, sourceExtraFlags, now, action });
    if (!(await writeUnit(deps, update, { author, time: now }))) return LOST_RACE;
  };
  await updateStored(deps, first.id, attempt, first);
}
