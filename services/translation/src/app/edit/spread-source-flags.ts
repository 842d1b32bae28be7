import { logger } from '@parlance/telemetry';
import type { Component } from '../../domain/component';
import { isReady } from '../../domain/source-text';
import type { Unit } from '../../domain/unit';
import type { Parts } from '../parts';
import { judgedAnew } from '../checks/rejudge';
import { writeUnit } from './write-units';

/**
 * Lets changed flags of a source string take effect on its translations: read-only state, checks, priority. The checks that look at
 * several strings follow in the background, as do those of other strings when it is a term of a glossary.
 */
export async function spreadSourceFlags(parts: Parts, component: Component, source: Unit): Promise<void> {
  parts.forgetSourceFlags(source.component);
  const targets = (await parts.units.ofSourceUnit(source)).filter((u) => !u.isSource);
  for (const unit of targets) await spreadTo(parts, component, source, unit);
  if (component.isGlossary) await parts.termsChanged(component.project, null);
  const touched = targets.map(({ id, target }) => ({ unit: id, touched: { texts: [target], failing: false } }));
  parts.contextChecks.run(touched).catch((error: unknown) => {
    logger.warn({ err: error }, 'translations could not be checked with the changed flags of their source string');
  });
}

async function spreadTo(parts: Parts, component: Component, source: Unit, first: Unit): Promise<void> {
  const translation = await parts.facts(first.translation);
  if (!translation) return;
  const judge = parts.judge(component, translation.language);
  for (let unit: Unit | null = first; unit; unit = await parts.units.get(first.id)) {
    const patch = judgedAnew(judge, unit, source.extraFlags, isReady(component, source));
    if (Object.keys(patch).length === 0) return;
    if (await writeUnit(parts, { unit, patch, changes: [] }, { author: null, time: parts.now() })) return;
  }
}
