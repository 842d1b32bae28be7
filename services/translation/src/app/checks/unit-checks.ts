import type { Caller } from '@parlance/access';
import { CHECKS, codePointOffset, locateCheck, parseFlags, safeFix, type CheckSpan } from '@parlance/checks';
import { ServiceError } from '@parlance/errors';
import type { UnitReader } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import type { Glossary, UnitEvaluators } from '../caches/interfaces';
import { loadVisibleUnit, type LoadedUnit, type LoadUnitDeps } from '../edit/load-unit';

export interface UnitChecksDeps extends LoadUnitDeps {
  units: Pick<UnitReader, 'get'>;
  evaluators: UnitEvaluators;
  glossary: Pick<Glossary, 'terms'>;
}

/** Scope of a dismissal: one string, or all translations of its source string. */
export type DismissalScope = 'string' | 'source';

/** A failing or dismissed check of a unit. */
export interface UnitCheck {
  id: string;
  /** Null: the check fails. */
  dismissed: DismissalScope | null;
  spans: LocatedSpan[];
  /** See `safeFix`. */
  fix: string[] | null;
}

/** A span with its offsets in code points, beside those in UTF-16 code units. */
export interface LocatedSpan extends CheckSpan {
  startCodePoint: number;
  endCodePoint: number;
}

/** A unit with its source unit; a source unit is its own. */
export interface LoadedPair extends LoadedUnit {
  source: Unit;
}

/** @throws NOT_FOUND, also where the caller may not see the component */
export async function loadPair(
  deps: LoadUnitDeps,
  caller: Caller,
  id: number,
  generation: string,
): Promise<LoadedPair> {
  const loaded = await loadVisibleUnit(deps, caller, id, generation);
  const { unit } = loaded;
  // Read from the store: cached extra flags may be older than a dismissal through another process.
  const source = unit.isSource ? unit : await deps.units.get(unit.sourceUnit);
  if (!source) throw new ServiceError('NOT_FOUND');
  return { ...loaded, source };
}

/** Failing and dismissed checks of a unit, in the order of the check table, and its component. @throws NOT_FOUND */
export async function listUnitChecks(
  deps: UnitChecksDeps,
  caller: Caller,
  id: number,
  generation: string,
): Promise<{ checks: UnitCheck[]; component: number }> {
  const pair = await loadPair(deps, caller, id, generation);
  return { checks: await checksOf(deps, pair), component: pair.component.id };
}

export async function checksOf(deps: UnitChecksDeps, pair: LoadedPair): Promise<UnitCheck[]> {
  const { unit, source, translation, component } = pair;
  const evaluator = deps.evaluators.for(component, translation.language);
  const input = evaluator.input(unit, evaluator.flags(unit.flags, source.extraFlags));
  const listed = CHECKS.flatMap(({ id }) => {
    const dismissed = dismissalOf(pair, id);
    return dismissed || unit.checks.includes(id) ? [{ id, dismissed }] : [];
  });
  const usesTerms = listed.some(({ id }) => id === 'check_glossary');
  const terms = usesTerms ? await deps.glossary.terms(unit.project, unit.language) : [];
  const text = { source: unit.source, target: unit.target };
  return listed.map(({ id, dismissed }) => ({
    id,
    dismissed,
    spans: locateCheck(id, input, terms).map((span) => withCodePoints(span, text[span.side][span.form]!)),
    fix: safeFix(id, input),
  }));
}

/** How a check is dismissed for a unit; null: it is not. */
export function dismissalOf({ unit, source }: Pick<LoadedPair, 'unit' | 'source'>, id: string): DismissalScope | null {
  if (unit.dismissedChecks.includes(id)) return 'string';
  const check = CHECKS.find((one) => one.id === id);
  const applies = check?.applies === (unit.isSource ? 'source' : 'target');
  return applies && parseFlags(source.extraFlags, { lenient: true }).has(check.ignoreFlag) ? 'source' : null;
}

const withCodePoints = (span: CheckSpan, text: string): LocatedSpan => ({
  ...span,
  startCodePoint: codePointOffset(text, span.start),
  endCodePoint: codePointOffset(text, span.end),
});
