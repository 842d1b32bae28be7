import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { sameTexts, State, type Author, type Unit } from '../../domain/unit';
import type { Deps } from '../deps';
import { areSharing } from '../sharing';
import { planTextEdit } from './text-edit';
import { writeUnit } from './write-units';

/** Who made the edit, and what else they may edit. */
export interface Editor {
  author: Author;
  mayEdit(unit: Unit, component: Component): Promise<boolean>;
  mayReview(unit: Unit, component: Component): boolean;
}

/**
 * Brings an edit to the strings with the same source and context in the other components of the project, where both components
 * take part. Left alone are read-only strings, approved ones unless the edit approves too, and what the caller may not edit.
 */
export async function propagate(
  deps: Deps,
  editor: Editor,
  saved: Unit,
  component: Component,
  generation: string,
): Promise<void> {
  if (!component.propagation || saved.isSource) return;
  const partner = (other: Component | null): other is Component => other !== null && takesPart(component, other);
  if (!(await areSharing(deps, saved, 1, generation, partner))) return;
  const twins = await deps.units.twins(saved.project, saved.language, [saved.contentHash]);
  for (const twin of twins) {
    if (twin.component === component.id || twin.isSource) continue;
    const other = await deps.catalog.component(twin.component, generation);
    if (partner(other) && (await editor.mayEdit(twin, other))) await bring(deps, editor, saved, twin, other);
  }
}

function takesPart(component: Component, other: Component): boolean {
  return (
    other.id !== component.id &&
    other.propagation &&
    !other.locked &&
    other.isGlossary === component.isGlossary &&
    other.sourceLanguage.code === component.sourceLanguage.code
  );
}

async function bring(deps: Deps, editor: Editor, saved: Unit, first: Unit, component: Component) {
  const translation = await deps.facts(first.translation);
  if (!translation) return;
  const judge = deps.judge(component, translation.language);
  const { author } = editor;
  for (let unit: Unit | null = first; unit; unit = await deps.units.get(first.id)) {
    if (unit.state === State.readonly || unit.target.length !== saved.target.length) return;
    if (sameTexts(unit.target, saved.target) && unit.state === saved.state) return;
    if (unit.state === State.approved && (saved.state !== State.approved || !editor.mayReview(unit, component))) return;
    const now = deps.now();
    const plan = planTextEdit({
      unit,
      target: saved.target,
      state: saved.state,
      author,
      component,
      judge,
      sourceExtraFlags: await deps.sourceFlags(unit),
      now,
      action: Action.propagated,
    });
    if (await writeUnit(deps, { unit, ...plan }, { author, time: now })) return;
  }
}
