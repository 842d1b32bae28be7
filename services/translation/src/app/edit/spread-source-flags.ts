import { logger } from '@parlance/telemetry';
import type { Component } from '../../domain/component';
import { isReady } from '../../domain/source-text';
import type { Unit } from '../../domain/unit';
import type { Deps } from '../deps';
import { judgedAnew } from '../checks/rejudge';
import { writeUnit } from './write-units';

/**
 * Lets changed flags of a source string take effect on its translations: read-only state, checks, priority. The checks that look at
 * several strings follow in the background, as do those of other strings when it is a term of a glossary.
 */
export async function spreadSourceFlags(deps: Deps, component: Component, source: Unit): Promise<void> {
  deps.forgetSourceFlags(source.component);
  const targets = (await deps.units.ofSourceUnit(source)).filter((u) => !u.isSource);
  for (const unit of targets) await spreadTo(deps, component, source, unit);
  if (component.isGlossary) await deps.termsChanged(component.project, null);
  const touched = targets.map(({ id, target }) => ({ unit: id, touched: { texts: [target], failing: false } }));
  deps.contextChecks.run(touched).catch((error: unknown) => {
    logger.warn({ err: error }, 'translations could not be checked with the changed flags of their source string');
  });
}

async function spreadTo(deps: Deps, component: Component, source: Unit, first: Unit): Promise<void> {
  const translation = await deps.facts(first.translation);
  if (!translation) return;
  const judge = deps.judge(component, translation.language);
  for (let unit: Unit | null = first; unit; unit = await deps.units.get(first.id)) {
    const patch = judgedAnew(judge, unit, source.extraFlags, isReady(component, source));
    if (Object.keys(patch).length === 0) return;
    if (await writeUnit(deps, { unit, patch, changes: [] }, { author: null, time: deps.now() })) return;
  }
}
