import { failsInSeveralLanguages, isInconsistent, isLongUntranslated, isReused, wasTranslated } from '@parlance/checks';
import { TimeSlice } from '@parlance/workload';
import { contentActions, type Change } from '../../domain/change';
import type { Component } from '../../domain/component';
import type { Group } from '../../domain/counters';
import { groupBy } from '../../domain/group-by';
import type {
  CheckMarks,
  Clock,
  ExtraFlagsReader,
  HistoryReader,
  SharedStrings,
  SourceSummaries,
  Touched,
  TranslationQueries,
  TranslationReader,
  UnitQueries,
  UnitReader,
  UnitWriter,
} from '../../domain/ports';
import type { ProjectTerm } from '../../domain/project-term';
import type { TextCounts } from '../../domain/text-counts';
import type { Translation } from '../../domain/translation';
import { inTranslation } from '../../domain/unit-query';
import { isBlank, sameTexts, State, textKey, type Unit } from '../../domain/unit';
import { currentSettings } from './current-settings';
import { disregardsGlossary } from './glossary';
import { historyText } from '../history';
import type { TranslationInfo } from '../caches/interfaces';
import { areSharing, componentsOf, type SharingDeps } from '../effects/sharing';
import type { TouchedUnit } from './background-checks';
import type { RerunChecksDeps } from './rerun-checks';
import { countTexts } from './repeated-texts';
import { storedFlags } from './stored-sources';
import type { TermChecksDeps } from './term-checks';
import { writeUnits, type UnitUpdate } from '../edit/write-units';
import { unitBatches } from '../unit-batches';

export interface ContextChecksDeps extends RerunChecksDeps, TermChecksDeps, SharingDeps, Clock {
  units: UnitReader & UnitWriter & UnitQueries & ExtraFlagsReader & SharedStrings & SourceSummaries;
  translations: TranslationReader & CheckMarks & Pick<TranslationQueries, 'inProject'>;
  changes: Pick<HistoryReader, 'newestOf'>;
  translationInfo: TranslationInfo;
}

/** Attempts for strings that were edited concurrently. */
const MAX_ROUNDS = 5;
/** History entries per string that are searched for an earlier translation. */
const HISTORY_PER_UNIT = 50;
const content = [...contentActions];

type Components = ReadonlyMap<number, Component>;

/** Related strings that the checks of one language compare. */
interface RelatedStrings {
  /** By source and context, across components; null: no components share strings. */
  twins: ReadonlyMap<string, readonly Unit[]> | null;
  /** By text; absent texts were not queried. */
  sameText: ReadonlyMap<number, readonly Unit[]>;
}

/** Runs the checks that compare several strings, on edited strings, whole translations or the source strings of a component. */
export class ContextCheckRunner {
  constructor(private readonly deps: ContextChecksDeps) {}

  /** Checks edited strings and the strings that share a source or target with them. */
  async run(edited: readonly TouchedUnit[]): Promise<void> {
    if (edited.length === 0) return;
    const { deps } = this;
    const byUnit = new Map<number, Touched>();
    for (const { unit, touched } of edited) {
      const known = byUnit.get(unit);
      byUnit.set(unit, {
        texts: [...(known?.texts ?? []), ...touched.texts],
        failing: touched.failing || known?.failing === true,
      });
    }
    const failing = new Set([...byUnit].filter(([, t]) => t.failing).map(([id]) => id));
    let todo: readonly number[] = [...byUnit.keys()];
    for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) {
      const late: number[] = [];
      const units = await deps.units.many(todo);
      if (round === 0) await this.reportEditedTerms(units);
      for (const group of groupBy(units, (u) => `${u.project} ${u.language}`).values()) {
        const texts = group.flatMap((u) => [...(byUnit.get(u.id)?.texts ?? []), u.target]).filter((t) => !isBlank(t));
        late.push(...(await this.checkLanguage(group, texts, failing)));
      }
      todo = late;
    }
    await this.updateMultipleFailures(await deps.units.many([...failing]));
  }

  /** Reports edited glossary terms, which the checks of other strings depend on. */
  private async reportEditedTerms(edited: readonly Unit[]): Promise<void> {
    const { deps } = this;
    for (const group of groupBy(edited, (u) => `${u.component} ${u.language}`).values()) {
      const { component, project, language } = group[0]!;
      if ((await deps.catalog.component(component, ''))?.isGlossary)
        await deps.glossary.termsChanged(project, language);
    }
  }

  /** Checks edited strings of one language. @returns the edited strings, if a related string was written concurrently */
  private async checkLanguage(edited: readonly Unit[], texts: string[][], failing: Set<number>): Promise<number[]> {
    const { project, language } = edited[0]!;
    const { twins, sameText, related } = await this.loadRelated(project, language, edited, texts);
    const candidates = new Map([...(twins ?? []), ...sameText, ...edited].map((u) => [u.id, u]));
    const late = await this.checkUnits([...candidates.values()], related, new Set(edited.map((u) => u.id)), failing);
    return late.length > 0 ? edited.map((u) => u.id) : [];
  }

  /** The strings that the checks of some units of a language compare these with. @param texts targets to look for */
  private async loadRelated(project: number, language: string, units: readonly Unit[], texts: readonly string[][]) {
    const [twins, sameText] = await Promise.all([
      this.loadTwins(project, language, units),
      this.deps.units.withTexts(project, language, texts),
    ]);
    const related: RelatedStrings = {
      twins: twins && groupBy(twins, (u) => u.contentHash),
      sameText: new Map<number, readonly Unit[]>([
        ...texts.map((text): [number, readonly Unit[]] => [textKey(text), []]),
        ...groupBy(sameText, (u) => textKey(u.target)),
      ]),
    };
    return { twins, sameText, related };
  }

  /** Strings with the same sources and contexts, across components; null: no components share strings. */
  private async loadTwins(project: number, language: string, units: readonly Unit[]): Promise<Unit[] | null> {
    const { deps } = this;
    if (!(await areSharing(deps, { project, language }, 2, ''))) return null;
    return deps.units.twins(project, language, [...new Set(units.map((u) => u.contentHash))]);
  }

  /** @returns units with a concurrent write */
  private async checkUnits(
    candidates: readonly Unit[],
    related: RelatedStrings,
    withHistory: ReadonlySet<number>,
    failing: Set<number>,
  ): Promise<number[]> {
    const { deps } = this;
    const late: number[] = [];
    // After the units, as in `recheckTerms`.
    const generation = await deps.catalogGeneration.current();
    const [histories, sourceFlags, components] = await Promise.all([
      this.loadHistories(candidates.filter((unit) => withHistory.has(unit.id))),
      storedFlags(deps, candidates),
      componentsOf(deps, candidates, generation),
    ]);
    for (const [translationId, units] of groupBy(candidates, (u) => u.translation)) {
      const translation = await deps.translationInfo.get(translationId);
      const component = translation && components.get(translation.component);
      if (!translation || !component) continue;
      const writes: UnitUpdate[] = [];
      const slice = new TimeSlice();
      // Read after the units, as in `recheckTerms`.
      let stored: Promise<readonly ProjectTerm[]> | undefined;
      const terms = () => (stored ??= deps.glossary.storedTerms(translation.project, translation.language.code));
      for (const unit of units) {
        if (slice.isOver()) await slice.next();
        if (unit.isSource) continue;
        const strings = {
          ...related,
          components,
          history: histories.get(unit.id),
          terms,
          sourceFlags: sourceFlags.get(unit.sourceUnit) ?? '',
        };
        const checks = await this.evaluateChecks(unit, translation, component, strings);
        if (sameTexts(checks, unit.checks)) continue;
        if (checks.length > 0 !== unit.checks.length > 0) failing.add(unit.id);
        writes.push({ unit, patch: { checks }, changes: [] });
      }
      late.push(...(await this.write(translationId, writes)));
    }
    return late;
  }

  /** @returns units with a concurrent write */
  private async write(translation: number, planned: readonly UnitUpdate[]): Promise<number[]> {
    const { deps } = this;
    const { late } = await writeUnits(deps, translation, planned, { author: null, time: deps.now() });
    return late.map(({ unit }) => unit.id);
  }

  /** Content changes of untranslated strings and strings that need editing, newest first. */
  private async loadHistories(units: readonly Unit[]): Promise<ReadonlyMap<number, readonly Change[]>> {
    const ids = units.filter((unit) => !unit.isSource && unit.state < State.translated).map((unit) => unit.id);
    if (ids.length === 0) return new Map();
    const changes = await this.deps.changes.newestOf(ids, content, HISTORY_PER_UNIT * ids.length);
    return new Map([...ids.map((id): [number, readonly Change[]] => [id, []]), ...groupBy(changes, (c) => c.unit)]);
  }

  private async evaluateChecks(
    unit: Unit,
    translation: Translation,
    component: Component,
    related: RelatedStrings & {
      components: Components;
      history: readonly Change[] | undefined;
      terms: () => Promise<readonly ProjectTerm[]>;
      sourceFlags: string;
    },
  ): Promise<string[]> {
    const { deps } = this;
    const failing = new Set(unit.checks);
    const set = (id: string, fails: boolean) => (fails ? failing.add(id) : failing.delete(id));
    const twins = related.twins ? related.twins.get(unit.contentHash) : [];
    if (twins) set('inconsistent', isInconsistentWith(unit, component, twins, related.components));
    const checked = unit.state > State.empty && unit.state !== State.readonly;
    const sameText = checked ? related.sameText.get(textKey(unit.target)) : [];
    if (sameText) {
      const others = sameText.filter((u) => u.id !== unit.id && u.state > State.empty && !u.isSource);
      set('reused', isReused(unit, others, translation.language.pluralNumber));
    }
    if (unit.state >= State.translated) failing.delete('translated');
    else if (related.history)
      set('translated', wasTranslated({ state: unit.state, text: historyText(unit.target) }, related.history));
    const evaluator = deps.evaluators.for(component, translation.language);
    const flags = evaluator.flags(unit.flags, related.sourceFlags);
    if (flags.has('check-glossary'))
      set('check_glossary', checked && disregardsGlossary(evaluator.input(unit, flags), await related.terms()));
    if (unit.state === State.readonly) return [];
    return evaluator.orderFailing([...failing], flags, unit.dismissedChecks);
  }

  /** Updates `multiple_failures` of the source strings of units that started or stopped failing checks. */
  async updateMultipleFailures(units: readonly Unit[]): Promise<void> {
    const { deps } = this;
    for (const group of groupBy(units, (u) => u.component).values()) {
      const hashes = [...new Set(group.map((u) => u.contentHash))];
      const [summaries, sources] = await Promise.all([
        deps.units.summariesOf(group[0]!.project, hashes),
        deps.units.many([...new Set(group.map((u) => u.sourceUnit))]),
      ]);
      const failing = new Map(summaries.map((s) => [s.sourceUnit, s.failing]));
      await this.writeSources(sources, ({ id }) => ({
        multiple_failures: failsInSeveralLanguages(failing.get(id) ?? 0),
      }));
    }
  }

  /** @param outcome results of checks by id, for each source string; other checks keep their result */
  private async writeSources(sources: readonly Unit[], outcome: (source: Unit) => Record<string, boolean>) {
    const { deps } = this;
    for (const [translationId, units] of groupBy(sources, (u) => u.translation)) {
      const translation = await deps.translationInfo.get(translationId);
      if (!translation) continue;
      let todo: readonly Unit[] = units;
      for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) {
        const component = await currentSettings(deps, translation.component);
        if (!component) break;
        const evaluator = deps.evaluators.for(component, translation.language);
        const writes: UnitUpdate[] = [];
        const slice = new TimeSlice();
        for (const unit of todo) {
          if (slice.isOver()) await slice.next();
          const failing = new Set(unit.checks);
          for (const [id, fails] of Object.entries(outcome(unit))) {
            if (fails) failing.add(id);
            else failing.delete(id);
          }
          const flags = evaluator.flags(unit.flags, unit.extraFlags);
          const checks = evaluator.orderFailing([...failing], flags, unit.dismissedChecks);
          if (!sameTexts(checks, unit.checks)) writes.push({ unit, patch: { checks }, changes: [] });
        }
        todo = await deps.units.many(await this.write(translationId, writes));
      }
    }
  }

  async checkTranslation(translation: Translation): Promise<void> {
    const counts = await countTexts(this.deps, translation);
    for await (const batch of unitBatches(this.deps, inTranslation(translation.id))) {
      let units = batch;
      for (let round = 0; units.length > 0 && round < MAX_ROUNDS; round++)
        units = await this.deps.units.many(await this.checkBatch(translation, units, counts));
    }
  }

  /** @param counts of the texts of the language; null: unknown @returns units with a concurrent write */
  private async checkBatch(
    { id, project, language }: Translation,
    units: readonly Unit[],
    counts: TextCounts | null,
  ): Promise<number[]> {
    // A text that was unique cannot fail, except by an edit since then, which the checks of that edit find.
    const mayFail = ({ target, checks }: Unit): boolean =>
      !counts || checks.includes('reused') || counts.mayRepeat(textKey(target));
    const texts = units.filter((u) => !isBlank(u.target) && mayFail(u)).map((u) => u.target);
    const { twins, related } = await this.loadRelated(project, language.code, units, texts);
    // The result of `inconsistent` may change for twins in other components, too.
    const others = (twins ?? []).filter((u) => u.translation !== id);
    return this.checkUnits([...units, ...others], related, new Set(), new Set());
  }

  /** Runs the checks of a component's source strings that depend on their translations. */
  async checkSources(id: number): Promise<void> {
    const { deps } = this;
    const all = await deps.translations.ofComponent(id);
    const source = all.find((t) => t.isSource);
    const targets = all.filter((t) => !t.isSource);
    if (!source || targets.length === 0) return;
    const total = sum(targets, 'all');
    const share = total === 0 ? 0 : sum(targets, 'translated') / total;
    const now = deps.now();
    for await (const sources of unitBatches(deps, inTranslation(source.id))) {
      const hashes = [...new Set(sources.map((unit) => unit.contentHash))];
      const summaries = await deps.units.summariesOf(source.project, hashes);
      const bySource = new Map(summaries.map((s) => [s.sourceUnit, s]));
      await this.writeSources(sources, (unit) => {
        const summary = bySource.get(unit.id);
        const translatedShare = summary ? summary.translated / summary.translations : 0;
        return {
          multiple_failures: failsInSeveralLanguages(summary?.failing ?? 0),
          long_untranslated: isLongUntranslated({ added: unit.created, translatedShare }, share, now),
        };
      });
    }
  }
}

/** @param components with those of the twins */
function isInconsistentWith(unit: Unit, component: Component, twins: readonly Unit[], components: Components): boolean {
  if (!component.propagation || unit.state === State.readonly) return false;
  const others = twins.filter((twin) => {
    if (twin.component === component.id || twin.isSource || twin.state === State.readonly) return false;
    const other = components.get(twin.component);
    return other?.propagation && other.sourceLanguage.code === component.sourceLanguage.code;
  });
  return isInconsistent(unit, others);
}

const sum = (translations: readonly Translation[], group: Group): number =>
  translations.reduce((total, { counters }) => total + counters[group].s, 0);
