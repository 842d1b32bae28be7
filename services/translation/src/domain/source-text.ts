import type { Component } from './component';
import { isBlank, sameTexts, State, type Unit } from './unit';

/**
 * Whether the translations of a source string may be worked on. With an intermediate file the developers' text is only the draft of a
 * source string: it has to be put into good words in the source language first.
 */
export function isReady(
  component: Pick<Component, 'intermediate'>,
  source: Pick<Unit, 'target' | 'state' | 'formerState'>,
): boolean {
  const state = source.formerState ?? source.state;
  return component.intermediate === '' || (state >= State.translated && !isBlank(source.target));
}

/** The text that translations have as their source: that of the base file, and the developers' as long as there is none. */
export function shownSource(source: Pick<Unit, 'source' | 'target'>): string[] {
  return isBlank(source.target) ? source.source : source.target;
}

type Sourced = Pick<Unit, 'target' | 'state' | 'source' | 'previousSource'>;

/** State and previous source of a text once its source is another one. */
export function stateAfterSource(
  unit: Sourced,
  source: readonly string[],
): Partial<Pick<Unit, 'state' | 'previousSource'>> {
  if (isBlank(unit.target) || unit.state === State.readonly) return {};
  if (unit.state >= State.translated) return { state: State.fuzzy, previousSource: unit.source };
  return sameTexts(unit.previousSource, source) ? { state: State.translated, previousSource: [] } : {};
}

/**
 * What a source string makes of a translation's state: a text that was good for another source needs editing, and as long as it is
 * read-only for a reason that may pass, the state that it will have then is kept beside.
 */
export function followSource(
  unit: Sourced & Pick<Unit, 'formerState'>,
  source: readonly string[],
  readonly: boolean,
): Partial<Pick<Unit, 'state' | 'previousSource' | 'formerState'>> {
  const held = unit.state === State.readonly && unit.formerState !== undefined;
  const before = held ? unit.formerState! : unit.state;
  const moved = sameTexts(unit.source, source) ? {} : stateAfterSource({ ...unit, state: before }, source);
  const state = moved.state ?? before;
  if (before === State.readonly) return {};
  if (readonly) return { ...moved, state: State.readonly, formerState: state };
  return held ? { ...moved, state, formerState: undefined } : moved;
}
