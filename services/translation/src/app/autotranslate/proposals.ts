import { sourceOfForm } from '../../domain/memory/entry';
import { EngineError } from '../../domain/machinery/engine';
import { accessTarget } from '../../domain/component';
import { canSee, type Caller } from '@parlance/access';
import { State, type Unit } from '../../domain/unit';
import { allOf, inTranslation, type UnitQuery } from '../../domain/unit-query';
import { MEMORY_ENGINES } from '@parlance/contracts';
import { openEngines, type OpenEngine } from '../machinery/settings';
import { translateTexts } from '../machinery/translate';
import { lookUp } from '../memory/look-up';
import { formsOf } from '../edit/load-unit';
import type { ProposeDeps } from './deps';
import type { AutotranslatePlan } from './request';

export interface Proposal {
  target: string[];
  /** Engine, or project/component. */
  origin: string;
  /** Percent. */
  quality: number;
}

export interface Proposer {
  /** Proposals by unit, for a batch of units. */
  propose(units: readonly Unit[]): Promise<Map<number, Proposal>>;
  /** Failures so far, as sentences for users. */
  readonly problems: readonly string[];
}

const isTranslated: UnitQuery = { kind: 'states', states: [State.translated, State.approved] };

const keyOf = (source: readonly string[]): string => JSON.stringify(source.map((text) => text.toLowerCase()));

/** Proposes translations of the same source, ignoring case, from other components. Prefers equal case, then the newest. */
export async function proposeFromOthers(
  deps: ProposeDeps,
  caller: Caller,
  plan: AutotranslatePlan,
  targets: readonly Unit[],
): Promise<Proposer> {
  const keys = new Set(targets.map((unit) => keyOf(unit.source)));
  const found = new Map<string, { unit: Unit; origin: string }[]>();
  const language = plan.translation.language.code;
  const others = await deps.translations.page(
    plan.from ? { components: [plan.from.id], language } : { projects: [plan.component.project], language },
    1,
    10_000,
  );
  for (const other of others.items) {
    if (other.component === plan.component.id || other.isSource) continue;
    const component = await deps.catalog.component(other.component, '');
    if (!component || component.sourceLanguage.code !== plan.component.sourceLanguage.code) continue;
    if (!canSee(caller, accessTarget(component))) continue;
    const origin = `${component.projectSlug}/${component.path}`;
    for (const unit of await deps.units.all(allOf(inTranslation(other.id), isTranslated))) {
      const key = keyOf(unit.source);
      if (!keys.has(key)) continue;
      const known = found.get(key);
      if (known) known.push({ unit, origin });
      else found.set(key, [{ unit, origin }]);
    }
  }
  return {
    problems: [],
    async propose(units) {
      const proposals = new Map<number, Proposal>();
      for (const unit of units) {
        const forms = formsOf(unit, plan.translation);
        const same = (found.get(keyOf(unit.source)) ?? []).filter((other) => other.unit.target.length === forms);
        const exact = (other: Unit) => Number(other.source.join('\0') === unit.source.join('\0'));
        same.sort((a, b) => exact(b.unit) - exact(a.unit) || b.unit.updated - a.unit.updated);
        if (same[0]) proposals.set(unit.id, { target: same[0].unit.target, origin: same[0].origin, quality: 100 });
      }
      return proposals;
    },
  };
}

/** Queries the memory and the engines in order of their quality. The proposal with the highest quality wins. */
export async function proposeByEngines(
  deps: ProposeDeps,
  caller: Caller,
  plan: AutotranslatePlan,
  signal: AbortSignal,
): Promise<Proposer> {
  const { threshold } = plan;
  const opened = await openEngines(deps.machinery, plan.component.project, plan.engines, signal);
  let engines = opened
    .filter(({ definition }) => definition.quality >= threshold)
    .sort((a, b) => b.definition.quality - a.definition.quality);
  const usesMemory = plan.engines.some((id) => MEMORY_ENGINES.includes(id));
  const problems: string[] = [];
  const texts = (unit: Unit) => sourceOfForm(plan.translation.language, unit.source);
  return {
    problems,
    async propose(units) {
      const proposals = new Map<number, Proposal>();
      if (usesMemory) await proposeFromMemory(deps, caller, plan, units, texts, proposals);
      for (const open of engines) {
        const remaining = units.filter((unit) => (proposals.get(unit.id)?.quality ?? 0) < open.definition.quality);
        try {
          await proposeFromEngine(open, plan, remaining, texts, proposals);
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          // A failed engine is not queried for the following batches.
          problems.push(`${open.definition.name}: ${error.message}`);
          engines = engines.filter((other) => other !== open);
        }
      }
      return proposals;
    },
  };
}

async function proposeFromMemory(
  deps: ProposeDeps,
  caller: Caller,
  plan: AutotranslatePlan,
  units: readonly Unit[],
  texts: (unit: Unit) => string[],
  proposals: Map<number, Proposal>,
): Promise<void> {
  const { component, translation, threshold } = plan;
  const project = await deps.memory.projects.get(component.project);
  const sources = [...new Set(units.flatMap(texts))];
  const found = await lookUp(deps.memory, sources, {
    languages: { source: component.sourceLanguage.code, target: translation.language.code },
    threshold,
    limit: 3,
    visible: { project: component.project, user: caller.userId, shared: project?.useShared === true },
  });
  const best = new Map(sources.map((text, i) => [text, found[i]![0]]));
  for (const unit of units) {
    const matches = texts(unit).map((text) => best.get(text));
    // The memory stores only two forms of a plural.
    if (matches.length > 2 || matches.some((match) => !match)) continue;
    proposals.set(unit.id, {
      target: matches.map((match) => match!.entry.target),
      origin: 'weblate-translation-memory',
      quality: Math.min(...matches.map((match) => match!.similarity)),
    });
  }
}

async function proposeFromEngine(
  { definition, engine }: OpenEngine,
  plan: AutotranslatePlan,
  units: readonly Unit[],
  texts: (unit: Unit) => string[],
  proposals: Map<number, Proposal>,
): Promise<void> {
  const sources = [...new Set(units.flatMap(texts))];
  if (sources.length === 0) return;
  const translations = await translateTexts(definition, engine, sources, {
    source: plan.component.sourceLanguage.code,
    target: plan.translation.language.code,
  });
  const byText = new Map(sources.map((text, i) => [text, translations[i]]));
  for (const unit of units) {
    const target = texts(unit).map((text) => byText.get(text) ?? '');
    if (target.every((text) => text !== ''))
      proposals.set(unit.id, { target, origin: definition.id, quality: definition.quality });
  }
}
