import type { Component } from './component';
import { isBlank, sameTexts, State, type Unit } from './unit';

/**
 * Whether a source string may be translated. With an intermediate file, the developers' text is a draft that has to be rewritten in the
 * source language first.
 */
export function isReady(
  component: Pick<Component, 'intermediate'>,
  source: Pick<Unit, 'target' | 'state' | 'formerState'>,
): boolean {
  const state = source.formerState ?? source.state;
  return component.intermediate === '' || (state >= State.translated && !isBlank(source.target));
}

/** Source of the translations: the text of the base file, or the developers' text while that is blank. */
export function effectiveSource(source: Pick<Unit, 'source' | 'target'>): string[] {
  return isBlank(source.target) ? source.source : source.target;
}

type TranslatedUnit = Pick<Unit, 'target' | 'state' | 'source' | 'previousSource'>;

/** State and previous source of a translation after its source changed. */
export function stateAfterSource(
  unit: TranslatedUnit,
  source: readonly string[],
): Partial<Pick<Unit, 'state' | 'previousSource'>> {
  if (isBlank(unit.target) || unit.state === State.readonly) return {};
  if (unit.state >= State.translated) return { state: State.fuzzy, previousSource: unit.source };
  return sameTexts(unit.previousSource, source) ? { state: State.translated, previousSource: [] } : {};
}

/**
 * State of a translation that follows from its source string: a translation of another source needs editing. While it is read-only
 * for a temporary reason, `formerState` keeps the state to return to.
 */
export function deriveState(
  unit: TranslatedUnit & Pick<Unit, 'formerState'>,
  source: readonly string[],
  readonly: boolean,
): Partial<Pick<Unit, 'state' | 'previousSource' | 'formerState'>> {
  const isTemporarilyReadonly = unit.state === State.readonly && unit.formerState !== undefined;
  const before = isTemporarilyReadonly ? unit.formerState! : unit.state;
  const moved = sameTexts(unit.source, source) ? {} : stateAfterSource({ ...unit, state: before }, source);
  const state = moved.state ?? before;
  if (before === State.readonly) return {};
  if (readonly) return { ...moved, state: State.readonly, formerState: state };
  return isTemporarilyReadonly ? { ...moved, state, formerState: undefined } : moved;
}
