import type { Component } from '../domain/component';
import type { Unit } from '../domain/unit';
import type { Parts } from './parts';
import { judgedAnew } from './rejudge';
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
    const patch = judgedAnew(judge, unit, source.extraFlags);
    if (Object.keys(patch).length === 0) return;
    if (await writeUnit(parts, { unit, patch, changes: [] }, { author: null, time: parts.now() })) return;
  }
}
