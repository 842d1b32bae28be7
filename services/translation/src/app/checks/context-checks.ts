import { logger } from '@parlance/telemetry';
import { groupBy } from '../../domain/group-by';
import type { CatalogInvalidation, MarkedTranslation } from '../../domain/ports';
import { BackgroundPace } from '../when-idle';
import type { BackgroundChecks, TouchedUnit } from './background-checks';
import { ContextCheckRunner, type ContextChecksDeps } from './context-check-runner';
import { rerunChecks } from './rerun-checks';
import { recheckTerms } from './term-checks';

/** Interval of the time-dependent checks of a component, in milliseconds. */
const TIMED_CHECKS_MS = 24 * 3600_000;
/** Interval of the search for due time-dependent checks, in milliseconds. */
const DUE_INTERVAL_MS = 3600_000;
/** Due components in one query. */
const DUE_BATCH = 100;

/**
 * Runs the checks that compare several strings: `inconsistent`, `reused`, `translated`, `multiple_failures`, `long_untranslated`,
 * `check_glossary`. After edits, they run on strings with the same source or target as the edited strings. After imports, they run on whole
 * translations. Once a day, they run on the source strings of each component, because `long_untranslated` depends on time. Requests are
 * durable (outbox items, marks and times on translations), so a crash only delays them.
 */
export class ContextChecks implements BackgroundChecks {
  private rechecking: Promise<void> | undefined;
  private passRequested = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly runner: ContextCheckRunner;
  private readonly pace = new BackgroundPace();

  /** @param intervalMs interval of the search for due time-dependent checks, in milliseconds */
  constructor(
    private readonly deps: ContextChecksDeps & { catalog: Pick<CatalogInvalidation, 'forget'> },
    private readonly intervalMs = DUE_INTERVAL_MS,
  ) {
    this.runner = new ContextCheckRunner(deps);
  }

  /** Processes pending requests now and periodically. */
  start(): void {
    this.timer = setInterval(() => this.scheduleRecheck(), this.intervalMs);
    this.timer.unref();
    this.scheduleRecheck();
  }

  /** Checks edited strings and the strings that share a source or target with them. */
  run(edited: readonly TouchedUnit[]): Promise<void> {
    return this.runner.run(edited);
  }

  /** Starts the checks of marked translations in the background; a call during a pass requests another pass. */
  scheduleRecheck(): void {
    if (this.rechecking) {
      this.passRequested = true;
      return;
    }
    this.rechecking = this.runPass()
      .catch((error: unknown) => {
        // The marks persist: the next pass retries.
        logger.warn({ err: error }, 'background checks: pass failed, the next pass retries');
      })
      .finally(() => {
        this.rechecking = undefined;
        if (this.passRequested && !this.stopped) {
          this.passRequested = false;
          this.scheduleRecheck();
        }
      });
  }

  /** Stops between two translations. Resolves when the pass has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.rechecking;
  }

  private async runPass(): Promise<void> {
    const { deps } = this;
    await this.rerunMarked();
    const marked = await deps.translations.listToRecheck();
    this.forgetSettings(marked);
    for (const [component, some] of groupBy(marked, ({ translation }) => translation.component)) {
      for (const { translation } of some) {
        if (this.passRequested) await this.rerunMarked();
        if (this.stopped) return;
        if (translation.isSource) continue;
        await this.pace.next();
        await this.runner.checkTranslation(translation);
      }
      const now = deps.now();
      await deps.translations.claimTimedChecks(component, now, now);
      await this.runner.checkSources(component);
      if ((await deps.catalog.component(component, ''))?.isGlossary)
        for (const { translation } of some)
          await deps.glossary.termsChanged(translation.project, translation.language.code);
      await deps.translations.clearRecheck(some);
    }
    const termsChanged = await deps.translations.listTermsChanged();
    this.forgetSettings(termsChanged);
    for (const { translation, mark } of termsChanged) {
      if (this.passRequested) await this.rerunMarked();
      if (this.stopped) return;
      await this.pace.next();
      await this.runner.updateMultipleFailures(await deps.units.many(await recheckTerms(deps, translation)));
      await deps.translations.clearTermsChanged(translation.id, mark);
    }
    await this.runTimedChecks();
  }

  /** Reruns checks after changes of settings, whose author waits for the result: they take precedence over the other marks. */
  private async rerunMarked(): Promise<void> {
    const { deps } = this;
    const marked = await deps.translations.listToRerun();
    this.forgetSettings(marked);
    for (const { translation, mark } of marked) {
      if (this.stopped) return;
      await this.pace.next();
      await rerunChecks(deps, translation);
      await deps.translations.clearRerun(translation.id, mark);
    }
  }

  /** Drops cached settings that may be older than the marks: another replica may have handled the event of their change. */
  private forgetSettings(marked: readonly MarkedTranslation[]): void {
    for (const component of new Set(marked.map(({ translation }) => translation.component)))
      this.deps.catalog.forget(component);
  }

  /** Runs due time-dependent checks; returns early when another pass is requested. */
  private async runTimedChecks(): Promise<void> {
    const { deps } = this;
    const { translations } = deps;
    const since = deps.now() - TIMED_CHECKS_MS;
    for (;;) {
      const due = await translations.listTimedChecksDue(since, DUE_BATCH);
      if (due.length === 0) return;
      for (const component of due) {
        await this.pace.next();
        if (this.stopped) return;
        if (await translations.claimTimedChecks(component, since, deps.now()))
          await this.runner.checkSources(component);
        if (this.passRequested) return;
      }
    }
  }
}
