import { logger } from '@parlance/telemetry';
import type { Component } from '../../domain/component';
import { isReady } from '../../domain/source-text';
import type { Unit } from '../../domain/unit';
import { applyFlags } from '../checks/rerun-checks';
import { writeUnit, type WriteUnitsDeps } from './write-units';
import type { Clock, UnitReader, UnitWriter } from '../../domain/ports';
import type { Glossary, Judges, SourceFlags, TranslationInfo } from '../caches/interfaces';
import type { BackgroundChecks } from '../checks/background-checks';

export interface SpreadSourceFlagsDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter;
  judges: Judges;
  sourceFlags: SourceFlags;
  translationInfo: TranslationInfo;
  glossary: Glossary;
  contextChecks: BackgroundChecks;
}

/**
 * Lets changed flags of a source string take effect on its translations: read-only state, checks, priority. The checks that look at
 * several strings follow in the background, as do those of other strings when it is a term of a glossary.
 */
export async function spreadSourceFlags(
  deps: SpreadSourceFlagsDeps,
  component: Component,
  source: Unit,
): Promise<void> {
  deps.sourceFlags.forget(source.component);
  const targets = (await deps.units.ofSourceUnit(source)).filter((u) => !u.isSource);
  for (const unit of targets) await spreadTo(deps, component, source, unit);
  if (component.isGlossary) await deps.glossary.termsChanged(component.project, null);
  const touched = targets.map(({ id, target }) => ({ unit: id, touched: { texts: [target], failing: false } }));
  deps.contextChecks.run(touched).catch((error: unknown) => {
    logger.warn({ err: error }, 'translations could not be checked with the changed flags of their source string');
  });
}

async function spreadTo(deps: SpreadSourceFlagsDeps, component: Component, source: Unit, first: Unit): Promise<void> {
  const translation = await deps.translationInfo.get(first.translation);
  if (!translation) return;
  const judge = deps.judges.for(component, translation.language);
  for (let unit: Unit | null = first; unit; unit = await deps.units.get(first.id)) {
    const patch = applyFlags(judge, unit, source.extraFlags, isReady(component, source));
    if (Object.keys(patch).length === 0) return;
    if (await writeUnit(deps, { unit, patch, changes: [] }, { author: null, time: deps.now() })) return;
  }
}
