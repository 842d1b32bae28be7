import { TimeSlice } from '@parlance/workload';
import type { Translation } from '../../domain/translation';
import { sameTexts, State, type Unit } from '../../domain/unit';
import { allOf, anyOf, inTranslation, type UnitQuery } from '../../domain/unit-query';
import { currentSettings, type CurrentSettingsDeps } from './current-settings';
import { disregardsGlossary } from './glossary';
import { storedFlags } from './stored-sources';
import type { UnitEvaluator } from './unit-evaluator';
import { unitBatches } from '../unit-batches';
import { writeUnits, type UnitUpdate, type WriteUnitsDeps } from '../edit/write-units';
import type {
  Clock,
  ExtraFlagsReader,
  TranslationReader,
  UnitQueries,
  UnitReader,
  UnitWriter,
} from '../../domain/ports';
import type { Glossary, UnitEvaluators } from '../caches/interfaces';

export interface TermChecksDeps extends WriteUnitsDeps, CurrentSettingsDeps, Clock {
  units: UnitReader & UnitWriter & UnitQueries & ExtraFlagsReader;
  translations: Pick<TranslationReader, 'ofComponent'>;
  evaluators: UnitEvaluators;
  glossary: Glossary;
}

const FLAG = 'check-glossary';
/** Attempts for strings that were written concurrently. */
const MAX_ROUNDS = 5;

/**
 * Reruns `check_glossary` for the strings of a translation that have its flag, after terms of the project changed.
 * @returns strings that started or stopped failing checks
 */
export async function recheckTerms(deps: TermChecksDeps, translation: Translation): Promise<number[]> {
  const first = await currentEvaluator(deps, translation);
  if (!first) return [];
  const query = await candidatesOf(deps, translation, first.flags('', '').has(FLAG));
  const changed: number[] = [];
  for await (const batch of unitBatches(deps, query)) {
    let todo = batch;
    for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) {
      const planned = await planTermChecks(deps, translation, todo);
      const { done, late } = await writeUnits(deps, translation.id, planned, { author: null, time: deps.now() });
      for (const { unit, patch } of done) if (patch.checks.length > 0 !== unit.checks.length > 0) changed.push(unit.id);
      todo = await deps.units.many(late.map(({ unit }) => unit.id));
    }
  }
  return changed;
}

/** Null: the component does not exist. */
async function currentEvaluator(deps: TermChecksDeps, translation: Translation): Promise<UnitEvaluator | null> {
  const component = await currentSettings(deps, translation.component);
  return component && deps.evaluators.for(component, translation.language);
}

async function planTermChecks(deps: TermChecksDeps, translation: Translation, units: readonly Unit[]) {
  // After the units: an edit since then has a newer version, so that a plan with older terms or settings is not written over it.
  const [terms, sourceFlags, evaluator] = await Promise.all([
    deps.glossary.storedTerms(translation.project, translation.language.code),
    storedFlags(deps, units),
    currentEvaluator(deps, translation),
  ]);
  const planned: (UnitUpdate & { patch: { checks: string[] } })[] = [];
  if (!evaluator) return planned;
  const slice = new TimeSlice();
  for (const unit of units) {
    if (slice.isOver()) await slice.next();
    const flags = evaluator.flags(unit.flags, sourceFlags.get(unit.sourceUnit) ?? '');
    if (!flags.has(FLAG) || unit.state === State.readonly) continue;
    const others = unit.checks.filter((id) => id !== 'check_glossary');
    const fails = unit.state > State.empty && disregardsGlossary(evaluator.input(unit, flags), terms);
    const checks = evaluator.orderFailing(fails ? [...others, 'check_glossary'] : others, flags, unit.dismissedChecks);
    if (!sameTexts(checks, unit.checks)) planned.push({ unit, patch: { checks }, changes: [] });
  }
  return planned;
}

/** Candidates for the flag. @param all the component has the flag */
async function candidatesOf(deps: TermChecksDeps, translation: Translation, all: boolean): Promise<UnitQuery> {
  if (all) return inTranslation(translation.id);
  const source = (await deps.translations.ofComponent(translation.component)).find((t) => t.isSource);
  const given = source ? await deps.units.extraFlags(source.id) : new Map<number, string>();
  const sources = [...given].filter(([, flags]) => flags.includes(FLAG)).map(([unit]) => unit);
  const flagged: UnitQuery[] = [{ kind: 'flags', pattern: FLAG }];
  if (sources.length > 0) flagged.push({ kind: 'sourceUnits', ids: sources });
  return allOf(inTranslation(translation.id), anyOf(...flagged));
}
