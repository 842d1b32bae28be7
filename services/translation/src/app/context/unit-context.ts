import { canSee, type Caller } from '@parlance/access';
import { codePointOffset, highlight, TermFinder, type Extent, type Highlight } from '@parlance/checks';
import { TimeSlice } from '@parlance/workload';
import { accessTarget } from '../../domain/component';
import type { SharedStrings, UnitPositions, UnitReader } from '../../domain/ports';
import type { ProjectTerm } from '../../domain/project-term';
import type { Unit } from '../../domain/unit';
import type { Glossary, ProjectTranslations, SourceFlags, UnitEvaluators } from '../caches/interfaces';
import type { LoadedUnit, LoadUnitDeps } from '../edit/load-unit';

export interface UnitContextDeps extends LoadUnitDeps {
  units: Pick<UnitReader, 'get'> & Pick<SharedStrings, 'twins'> & Pick<UnitPositions, 'listAround'>;
  glossary: Pick<Glossary, 'terms'>;
  projectTranslations: ProjectTranslations;
  evaluators: UnitEvaluators;
  sourceFlags: SourceFlags;
}

/** A glossary term in the source of a unit. */
export interface FoundTerm {
  term: ProjectTerm;
  /** Other terms of the same glossary that mean the same. */
  variants: ProjectTerm[];
  spans: (Extent & { form: number; startCodePoint: number; endCodePoint: number })[];
}

/** A highlight with its offsets in code points, beside those in UTF-16 code units. */
export interface LocatedHighlight extends Highlight {
  startCodePoint: number;
  endCodePoint: number;
}

export interface UnitContext {
  unit: Unit;
  /** Units before and after it in the file, in file order. */
  before: Unit[];
  after: Unit[];
  /** Units with the same source and context in other components of the project. */
  sameSource: Unit[];
  terms: FoundTerm[];
  /** The first `MOST_HIGHLIGHTS` ones. */
  highlights: LocatedHighlight[];
}

/** Neighbours on each side. */
const NEIGHBOURS = 5;
/** Units with the same source, and terms. */
const MOST = 50;
const MOST_HIGHLIGHTS = 1000;

/** Context of a unit, as far as the caller may see it. The unit must be visible to the caller. */
export async function unitContext(
  deps: UnitContextDeps,
  caller: Caller,
  { unit, translation, component }: LoadedUnit,
  generation: string,
): Promise<UnitContext> {
  const sees = async (other: number): Promise<boolean> => {
    const found = await deps.catalog.component(other, generation);
    return found !== null && canSee(caller, accessTarget(found));
  };
  const [{ before, after }, twins, terms] = await Promise.all([
    deps.units.listAround(unit, NEIGHBOURS),
    twinsOf(deps, unit),
    unit.isSource ? [] : deps.glossary.terms(unit.project, unit.language),
  ]);
  const sameSource: Unit[] = [];
  for (const twin of twins) {
    if (sameSource.length === MOST) break;
    if (await sees(twin.component)) sameSource.push(twin);
  }
  const found: FoundTerm[] = [];
  const slice = new TimeSlice();
  const finders = unit.source.map((text) => new TermFinder(text, component.sourceLanguage.code));
  for (const term of terms) {
    if (found.length === MOST) break;
    if (slice.isOver()) await slice.next();
    const spans = unit.source.flatMap((text, form) =>
      finders[form]!.find(term.source).map(({ start, end }) => ({
        form,
        start,
        end,
        ...inCodePoints(text, start, end),
      })),
    );
    if (spans.length > 0 && term.unit !== unit.id && (await sees(term.component)))
      found.push({ term, variants: variantsOf(term, terms), spans });
  }
  const evaluator = deps.evaluators.for(component, translation.language);
  const flags = evaluator.flags(unit.flags, unit.isSource ? unit.extraFlags : await deps.sourceFlags.of(unit));
  // The texts of a source string are the same on both sides.
  const target = unit.isSource ? [] : unit.target;
  const highlights = highlight({ source: unit.source, target, flags })
    .slice(0, MOST_HIGHLIGHTS)
    .map((one) => ({ ...one, ...inCodePoints(unit[one.side][one.form]!, one.start, one.end) }));
  return { unit, before, after, sameSource, terms: found, highlights };
}

/** Units with the same source and context in other components; no statement if no other component has the language. */
async function twinsOf(
  { units, projectTranslations }: Pick<UnitContextDeps, 'units' | 'projectTranslations'>,
  unit: Unit,
): Promise<Unit[]> {
  const others = (await projectTranslations.of(unit.project, unit.language)).some(
    ({ component }) => component !== unit.component,
  );
  if (!others) return [];
  const twins = await units.twins(unit.project, unit.language, [unit.contentHash]);
  return twins.filter(({ component }) => component !== unit.component);
}

/** A term, the terms that are variants of it, the one that it is a variant of, and the other variants of that one. */
function variantsOf(term: ProjectTerm, terms: readonly ProjectTerm[]): ProjectTerm[] {
  const group = ({ variantOf, source }: ProjectTerm): string => variantOf ?? source;
  return terms
    .filter((other) => other.component === term.component && other.unit !== term.unit && group(other) === group(term))
    .slice(0, MOST);
}

const inCodePoints = (text: string, start: number, end: number) => ({
  startCodePoint: codePointOffset(text, start),
  endCodePoint: codePointOffset(text, end),
});
