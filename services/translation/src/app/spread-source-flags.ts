import type { Component } from '../domain/component';
import type { UnitPatch } from '../domain/ports';
import { sameTexts, State, type Unit } from '../domain/unit';
import type { Parts } from './parts';
import { writeUnit } from './write-units';

/** Lets changed flags of a source string take effect on its translations: read-only state, checks, priority. */
export async function spreadSourceFlags(parts: Parts, component: Component, source: Unit): Promise<void> {
  parts.forgetSourceFlags(source.component);
  const targets = (await parts.units.ofSourceUnit(source)).filter((u) => !u.isSource);
  for (const unit of targets) await spreadTo(parts, component, source, unit);
}

async function spreadTo(parts: Parts, component: Component, source: Unit, first: Unit): Promise<void> {
  const translation = await parts.facts(first.translation);
  if (!translation) return;
  const judge = parts.judge(component, translation.language);
  for (let unit: Unit | null = first; unit; unit = await parts.units.get(first.id)) {
    const patch: UnitPatch = {};
    const readonly = judge.isReadonly(unit.flags, source.extraFlags);
    let { state } = unit;
    if (readonly && state !== State.readonly) {
      patch.formerState = state;
      patch.state = state = State.readonly;
    } else if (!readonly && state === State.readonly && unit.formerState !== undefined) {
      patch.state = state = unit.formerState;
      patch.formerState = undefined;
    }
    const checks = judge.checks({ ...unit, state, sourceExtraFlags: source.extraFlags });
    if (!sameTexts(checks, unit.checks)) patch.checks = checks;
    const priority = judge.priority(unit.flags, source.extraFlags);
    if (priority !== unit.priority) patch.priority = priority;
    if (Object.keys(patch).length === 0) return;
    if (await writeUnit(parts, { unit, patch, changes: [] }, { author: null, time: parts.now() })) return;
  }
}
