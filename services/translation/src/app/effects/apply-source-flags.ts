import { LOST_RACE } from '@parlance/store-kit';
import { logger } from '@parlance/telemetry';
import type { Component } from '../../domain/component';
import { isReady } from '../../domain/source-text';
import type { Unit } from '../../domain/unit';
import { applyFlags } from '../checks/rerun-checks';
import { updateStored } from '../edit/contention';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';
import type { Clock, UnitReader, UnitWriter } from '../../domain/ports';
import type { CacheInvalidation, Glossary, UnitEvaluators, TranslationInfo } from '../caches/interfaces';
import type { BackgroundChecks } from '../checks/background-checks';

export interface ApplySourceFlagsDeps extends WriteUnitsDeps, Clock {
  units: UnitReader & UnitWriter;
  evaluators: UnitEvaluators;
  cacheGeneration: CacheInvalidation;
  translationInfo: TranslationInfo;
  glossary: Glossary;
  contextChecks: BackgroundChecks;
}

/**
 * Applies changed extra flags of a source string to its translations: read-only state, checks, priority. Checks that compare several
 * strings follow in the background, and those of other strings if it is a glossary term.
 */
export async function applySourceFlags(deps: ApplySourceFlagsDeps, component: Component, source: Unit): Promise<void> {
  await deps.cacheGeneration.changed();
  const targets = (await deps.units.ofSourceUnit(source)).filter((u) => !u.isSource);
  for (const unit of targets) await applyToTranslation(deps, component, source, unit);
  if (component.isGlossary) await deps.glossary.termsChanged(component.project, null);
  const touched = targets.map(({ id, target }) => ({ unit: id, touched: { texts: [target], failing: false } }));
  deps.contextChecks.run(touched).catch((error: unknown) => {
    logger.warn({ err: error }, 'background checks after changed source flags failed');
  });
}

async function applyToTranslation(
  deps: ApplySourceFlagsDeps,
  component: Component,
  source: Unit,
  first: Unit,
): Promise<void> {
  const translation = await deps.translationInfo.get(first.translation);
  if (!translation) return;
  const evaluator = deps.evaluators.for(component, translation.language);
  const attempt = async (unit: Unit) => {
    const patch = applyFlags(evaluator, unit, source.extraFlags, isReady(component, source));
    if (Object.keys(patch).length === 0) return;
    if (!(await writeUnit(deps, { unit, patch, changes: [] }, { author: null, time: deps.now() }))) return LOST_RACE;
  };
  await updateStored(deps, first.id, attempt, first);
}
