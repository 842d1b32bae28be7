import { failsInSeveralLanguages, isInconsistent, isLongUntranslated, isReused, wasTranslated } from '@parlance/checks';
import { logger } from '@parlance/telemetry';
import { TimeSlice } from '@parlance/workload';
import { contentActions, type Change } from '../../domain/change';
import type { Component } from '../../domain/component';
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
import type { Translation } from '../../domain/translation';
import { isBlank, sameTexts, State, textKey, type Unit } from '../../domain/unit';
import { disregardsGlossary } from './glossary';
import { historyText } from '../history';
import type { TranslationInfo } from '../caches/interfaces';
import { areSharing, type SharingDeps } from '../propagation';
import type { BackgroundChecks, TouchedUnit } from './background-checks';
import { rerunChecks, type RerunChecksDeps } from './rerun-checks';
import { checkTermsAnew, type TermChecksDeps } from './term-checks';
import { whenQuiet } from '../when-idle';
import { writeUnits, type UnitUpdate } from '../edit/write-units';

export interface ContextChecksDeps extends RerunChecksDeps, TermChecksDeps, SharingDeps, Clock {
  units: UnitReader & UnitWriter & UnitQueries & ExtraFlagsReader & SharedStrings & SourceSummaries;
  translations: TranslationReader & Pick<TranslationQueries, 'inProject'> & CheckMarks;
  changes: Pick<HistoryReader, 'newestOf'>;
  translationInfo: TranslationInfo;
}

/** Rounds of deciding again after strings were edited at the same moment. */
const MAX_ROUNDS = 5;
/** History entries a string that are looked through for an earlier translation. */
const HISTORY = 50;
const content = [...contentActions];
/** What time passing does to the strings of a component is looked at this often, in milliseconds. */
const TIMED_CHECKS_MS = 24 * 3600_000;
/** How often is asked whether that is due anywhere, in milliseconds. */
const LOOK_MS = 3600_000;
/** Components that are asked for together. */
const DUE = 100;

/** What deciding about strings of one language needs. */
interface Surroundings {
  /** By source and context, in other components too; null: no component shares texts with another. */
  twins: ReadonlyMap<string, readonly Unit[]> | null;
  /** By text; those that are not in it were not looked up. */
  sameText: ReadonlyMap<number, readonly Unit[]>;
}

/**
 * Keeps the checks right that look at several strings: `inconsistent`, `reused`, `translated`, `multiple_failures`,
 * `long_untranslated`, `check_glossary`. After edits it looks at the strings that share a source or a text with the edited ones
 * (edits of a second together, found through indexes); after imports at whole translations; once a day at the source strings of
 * each component, because strings grow old. What is to be done lies in the store until it is done (outbox items, marks and times
 * on translations), so a crash only delays it.
 */
export class ContextChecks implements BackgroundChecks {
  private rechecking: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param every milliseconds between looks whether strings grew old */
  constructor(
    private readonly deps: ContextChecksDeps,
    private readonly every = LOOK_MS,
  ) {}

  /** Begins with what was left to do, and looks from time to time. */
  start(): void {
    this.timer = setInterval(() => this.recheckSoon(), this.every);
    this.timer.unref();
    this.recheckSoon();
  }

  /** Decides about the edited strings and those that share something with them. */
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
      if (round === 0) await this.termsAmong(units);
      for (const group of groupBy(units, (u) => `${u.project} ${u.language}`).values()) {
        const texts = group.flatMap((u) => [...(byUnit.get(u.id)?.texts ?? []), u.target]).filter((t) => !isBlank(t));
        late.push(...(await this.language(group, texts, failing)));
      }
      todo = late;
    }
    await this.sourcesOf(await deps.units.many([...failing]));
  }

  /** Strings of glossaries are terms that others are checked with. */
  private async termsAmong(edited: readonly Unit[]): Promise<void> {
    const { deps } = this;
    for (const group of groupBy(edited, (u) => `${u.component} ${u.language}`).values()) {
      const { component, project, language } = group[0]!;
      if ((await deps.catalog.component(component, ''))?.isGlossary)
        await deps.glossary.termsChanged(project, language);
    }
  }

  /** @returns edited strings of whose surroundings one was edited meanwhile */
  private async language(edited: readonly Unit[], texts: string[][], failing: Set<number>): Promise<number[]> {
    const { deps } = this;
    const { project, language } = edited[0]!;
    const [twins, sameText] = await Promise.all([
      this.twins(project, language, edited),
      deps.units.withTexts(project, language, texts),
    ]);
    const around: Surroundings = {
      twins: twins && groupBy(twins, (u) => u.contentHash),
      sameText: new Map<number, readonly Unit[]>([
        ...texts.map((text): [number, readonly Unit[]] => [textKey(text), []]),
        ...groupBy(sameText, (u) => textKey(u.target)),
      ]),
    };
    const candidates = new Map([...(twins ?? []), ...sameText, ...edited].map((u) => [u.id, u]));
    const late = await this.decideAll([...candidates.values()], around, new Set(edited.map((u) => u.id)), failing);
    return late.length > 0 ? edited.map((u) => u.id) : [];
  }

  /** Strings with the sources and contexts of these, in all components; null: no component shares texts with another. */
  private async twins(project: number, language: string, units: readonly Unit[]): Promise<Unit[] | null> {
    const { deps } = this;
    if (!(await areSharing(deps, { project, language }, 2, ''))) return null;
    return deps.units.twins(project, language, [...new Set(units.map((u) => u.contentHash))]);
  }

  /** @returns units that were edited meanwhile */
  private async decideAll(
    candidates: readonly Unit[],
    around: Surroundings,
    withHistory: ReadonlySet<number>,
    failing: Set<number>,
  ): Promise<number[]> {
    const { deps } = this;
    const late: number[] = [];
    for (const [translationId, units] of groupBy(candidates, (u) => u.translation)) {
      const translation = await deps.translationInfo.get(translationId);
      const component = translation && (await deps.catalog.component(translation.component, ''));
      if (!translation || !component) continue;
      const writes: UnitUpdate[] = [];
      const histories = await this.histories(units.filter((unit) => withHistory.has(unit.id)));
      const slice = new TimeSlice();
      for (const unit of units) {
        if (slice.isOver()) await slice.next();
        if (unit.isSource) continue;
        const checks = await this.decide(unit, translation, component, around, histories.get(unit.id));
        if (sameTexts(checks, unit.checks)) continue;
        if (checks.length > 0 !== unit.checks.length > 0) failing.add(unit.id);
        writes.push({ unit, patch: { checks }, changes: [] });
      }
      late.push(...(await this.write(translationId, writes)));
    }
    return late;
  }

  /** @returns units that were edited meanwhile */
  private async write(translation: number, planned: readonly UnitUpdate[]): Promise<number[]> {
    const { deps } = this;
    const { late } = await writeUnits(deps, translation, planned, { author: null, time: deps.now() });
    return late.map(({ unit }) => unit.id);
  }

  /** What was done to the texts of strings that are no translations now, the newest first. */
  private async histories(units: readonly Unit[]): Promise<ReadonlyMap<number, readonly Change[]>> {
    const ids = units.filter((unit) => !unit.isSource && unit.state < State.translated).map((unit) => unit.id);
    if (ids.length === 0) return new Map();
    const changes = await this.deps.changes.newestOf(ids, content, HISTORY * ids.length);
    return new Map([...ids.map((id): [number, readonly Change[]] => [id, []]), ...groupBy(changes, (c) => c.unit)]);
  }

  private async decide(
    unit: Unit,
    translation: Translation,
    component: Component,
    around: Surroundings,
    history: readonly Change[] | undefined,
  ): Promise<string[]> {
    const { deps } = this;
    const failing = new Set(unit.checks);
    const set = (id: string, fails: boolean) => (fails ? failing.add(id) : failing.delete(id));
    const twins = around.twins ? around.twins.get(unit.contentHash) : [];
    if (twins) set('inconsistent', await this.inconsistent(unit, component, twins));
    const checked = unit.state > State.empty && unit.state !== State.readonly;
    const sameText = checked ? around.sameText.get(textKey(unit.target)) : [];
    if (sameText) {
      const others = sameText.filter((u) => u.id !== unit.id && u.state > State.empty && !u.isSource);
      set('reused', isReused(unit, others, translation.language.pluralNumber));
    }
    if (unit.state >= State.translated) failing.delete('translated');
    else if (history) set('translated', wasTranslated({ state: unit.state, text: historyText(unit.target) }, history));
    const judge = deps.judges.for(component, translation.language);
    const flags = judge.flags(unit.flags, await deps.sourceFlags.of(unit));
    if (flags.has('check-glossary'))
      set(
        'check_glossary',
        checked && disregardsGlossary(unit, await deps.glossary.terms(unit.project, unit.language)),
      );
    if (unit.state === State.readonly) return [];
    return judge.inOrder([...failing], flags, unit.dismissedChecks);
  }

  private async inconsistent(unit: Unit, component: Component, twins: readonly Unit[]): Promise<boolean> {
    if (!component.propagation || unit.state === State.readonly) return false;
    const others: Unit[] = [];
    for (const twin of twins) {
      if (twin.component === component.id || twin.isSource || twin.state === State.readonly) continue;
      const other = await this.deps.catalog.component(twin.component, '');
      if (other?.propagation && other.sourceLanguage.code === component.sourceLanguage.code) others.push(twin);
    }
    return isInconsistent(unit, others);
  }

  /** `multiple_failures` of the source strings of units that began or ceased to fail. */
  private async sourcesOf(units: readonly Unit[]): Promise<void> {
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

  /** @param outcome says of each source string which of its checks fail and which do not */
  private async writeSources(sources: readonly Unit[], outcome: (source: Unit) => Record<string, boolean>) {
    const { deps } = this;
    for (const [translationId, units] of groupBy(sources, (u) => u.translation)) {
      const translation = await deps.translationInfo.get(translationId);
      const component = translation && (await deps.catalog.component(translation.component, ''));
      if (!translation || !component) continue;
      const judge = deps.judges.for(component, translation.language);
      let todo: readonly Unit[] = units;
      for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) {
        const writes: UnitUpdate[] = [];
        const slice = new TimeSlice();
        for (const unit of todo) {
          if (slice.isOver()) await slice.next();
          const failing = new Set(unit.checks);
          for (const [id, fails] of Object.entries(outcome(unit))) {
            if (fails) failing.add(id);
            else failing.delete(id);
          }
          const flags = judge.flags(unit.flags, unit.extraFlags);
          const checks = judge.inOrder([...failing], flags, unit.dismissedChecks);
          if (!sameTexts(checks, unit.checks)) writes.push({ unit, patch: { checks }, changes: [] });
        }
        todo = await deps.units.many(await this.write(translationId, writes));
      }
    }
  }

  /** Looks, soon and in the background, at the translations that are marked for it. */
  recheckSoon(): void {
    if (this.rechecking) {
      this.again = true;
      return;
    }
    this.rechecking = this.recheck()
      .catch((error: unknown) => {
        // The marks are still there: the next import or start tries again.
        logger.warn({ err: error }, 'strings could not be checked anew');
      })
      .finally(() => {
        this.rechecking = undefined;
        if (this.again && !this.stopped) {
          this.again = false;
          this.recheckSoon();
        }
      });
  }

  /** Resolves when what is running has come to an end. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.rechecking;
  }

  private async recheck(): Promise<void> {
    const { deps } = this;
    for (const { translation, mark } of await deps.translations.toRejudge()) {
      if (this.stopped) return;
      await whenQuiet();
      await rerunChecks(deps, translation);
      await deps.translations.judged(translation.id, mark);
    }
    const marked = await deps.translations.toRecheck();
    const components = new Map<number, Translation[]>();
    for (const translation of marked)
      components.set(translation.component, [...(components.get(translation.component) ?? []), translation]);
    for (const [component, translations] of components) {
      for (const translation of translations) {
        if (this.stopped) return;
        if (translation.isSource) continue;
        await whenQuiet();
        await this.translation(translation);
      }
      const now = deps.now();
      await deps.translations.claimTimedChecks(component, now, now);
      await this.component(component);
      if ((await deps.catalog.component(component, ''))?.isGlossary)
        for (const { project, language } of translations) await deps.glossary.termsChanged(project, language.code);
      await deps.translations.markRecheck(
        translations.map((t) => t.id),
        false,
      );
    }
    for (const { translation, mark } of await deps.translations.toCheckTerms()) {
      if (this.stopped) return;
      await this.sourcesOf(await deps.units.many(await checkTermsAnew(deps, translation)));
      await deps.translations.termsChecked(translation.id, mark);
    }
    await this.timedChecks();
  }

  /** Decides about the source strings of components that were not looked at for a day; gives way to what is asked for meanwhile. */
  private async timedChecks(): Promise<void> {
    const { deps } = this;
    const { translations } = deps;
    const since = deps.now() - TIMED_CHECKS_MS;
    for (;;) {
      const due = await translations.timedChecksDue(since, DUE);
      if (due.length === 0) return;
      for (const component of due) {
        await whenQuiet();
        if (this.stopped) return;
        if (await translations.claimTimedChecks(component, since, deps.now())) await this.component(component);
        if (this.again) return;
      }
    }
  }

  private async translation(translation: Translation): Promise<void> {
    const { deps } = this;
    const { project, language } = translation;
    let late: readonly number[] | null = null;
    for (let round = 0; (late === null || late.length > 0) && round < MAX_ROUNDS; round++) {
      const units: Unit[] =
        late === null ? await deps.units.ofTranslation(translation.id) : await deps.units.many(late);
      const twins = await this.twins(project, language.code, units);
      const texts = units.map((u) => u.target).filter((t) => !isBlank(t));
      const inProject = await deps.translations.inProject(project, language.code);
      const alone = inProject.every((n) => n.translation === translation.id || n.strings === 0);
      const sameText: Unit[] =
        alone && late === null ? units : await deps.units.withTexts(project, language.code, texts);
      const around: Surroundings = {
        twins: twins && groupBy(twins, (u) => u.contentHash),
        sameText: groupBy(sameText, (u) => textKey(u.target)),
      };
      // Strings of other components that share a source with these may have become consistent or ceased to be.
      const others = (twins ?? []).filter((u) => u.translation !== translation.id);
      late = await this.decideAll([...units, ...others], around, new Set(), new Set());
    }
  }

  /** Checks of a component's source strings that depend on their translations. */
  private async component(id: number): Promise<void> {
    const { deps } = this;
    const all = await deps.translations.ofComponent(id);
    const source = all.find((t) => t.isSource);
    const targets = all.filter((t) => !t.isSource);
    if (!source || targets.length === 0) return;
    const summaries = await deps.units.summaries(targets.map((t) => t.id));
    const bySource = new Map(summaries.map((s) => [s.sourceUnit, s]));
    const total = summaries.reduce((sum, s) => sum + s.translations, 0);
    const share = total === 0 ? 0 : summaries.reduce((sum, s) => sum + s.translated, 0) / total;
    const now = deps.now();
    const sources = await deps.units.ofTranslation(source.id);
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
