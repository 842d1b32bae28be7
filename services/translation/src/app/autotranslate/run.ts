import type { Caller } from '@parlance/access';
import { effectiveMaxLength, type Flags } from '@parlance/checks';
import { logger } from '@parlance/telemetry';
import { Action } from '../../domain/change';
import { findTextProblem } from '../../domain/text-rules';
import { isBlank, sameTexts, State, type Unit } from '../../domain/unit';
import { allOf, inTranslation } from '../../domain/unit-query';
import { planTextEdit } from '../edit/text-edit';
import { authorOf } from '../author';
import { correctTexts } from '../edit/correct-texts';
import { addSuggestions } from '../upload/upload-suggestions';
import { writeUnits } from '../edit/write-units';
import type { RunDeps } from './deps';
import { proposeByEngines, proposeFromOthers, type Proposal, type Proposer } from './proposals';
import type { AutotranslatePlan } from './request';

/** Strings between two progress reports. */
const BATCH = 100;
/** Heartbeat of the task during slow requests to engines, in milliseconds. */
const HEARTBEAT_MS = 30_000;
/** Attempts for strings that were written concurrently. */
const MAX_ROUNDS = 20;

export interface AutotranslateOutcome {
  updated: number;
  details: string;
}

export interface AutotranslateRun {
  /** Result so far. */
  outcome(): AutotranslateOutcome;
  finished: Promise<AutotranslateOutcome>;
}

/** Task and lifetime of a run. */
export interface RunContext {
  task: string;
  /** Stops the run after the current batch. */
  signal: AbortSignal;
  /** Lets another run of the translation begin; called before the task is reported as completed. */
  release(): Promise<void>;
}

function summary(updated: number, problems: readonly string[], ended = 'completed'): string {
  const count =
    updated === 0
      ? 'no strings were updated'
      : updated === 1
        ? '1 string was updated'
        : `${updated} strings were updated`;
  return [`Automatic translation ${ended}, ${count}.`, ...problems].join(' ');
}

/**
 * Translates the strings of a plan in batches. Concurrently edited strings are skipped. The run stops when the component is locked. A
 * failure keeps the finished batches.
 */
export async function runAutotranslate(
  deps: RunDeps,
  caller: Caller,
  plan: AutotranslatePlan,
  context: RunContext,
): Promise<AutotranslateRun> {
  const units = (await deps.units.all(allOf(inTranslation(plan.translation.id), plan.query)))
    .filter((unit) => mayChange(unit, plan))
    .sort((a, b) => a.position - b.position);
  const run = new Run(deps, caller, plan, context);
  return { outcome: () => run.outcome(), finished: run.work(units) };
}

/** Whether a plan may change a unit. */
function mayChange(unit: Unit, plan: AutotranslatePlan): boolean {
  if (unit.state === State.readonly || unit.isSource) return false;
  if (plan.mode === 'suggest' || plan.onlySuggest) return unit.suggestions === 0;
  return unit.state !== State.approved || plan.mayReview;
}

/** Whether source, target and state are unchanged since the proposal. */
function isUnchanged(before: Unit, now: Unit): boolean {
  return now.state === before.state && sameTexts(now.target, before.target) && sameTexts(now.source, before.source);
}

/** A validated proposal. */
interface ValidProposal {
  unit: Unit;
  proposal: Proposal;
  sourceExtraFlags: string;
  /** Becomes a suggestion instead of the target. */
  asSuggestion: boolean;
}

class Run {
  private updated = 0;
  /** Percent. */
  private progress = 0;
  /** Units with an invalid proposal. */
  private readonly invalid = new Set<number>();
  private ended = 'continues';
  private problems: readonly string[] = [];

  constructor(
    private readonly deps: RunDeps,
    private readonly caller: Caller,
    private readonly plan: AutotranslatePlan,
    private readonly context: RunContext,
  ) {}

  outcome(): AutotranslateOutcome {
    const { size } = this.invalid;
    const texts = size === 1 ? '1 proposed text was' : `${size} proposed texts were`;
    const invalid = size === 0 ? [] : [`${texts} invalid and skipped.`];
    return { updated: this.updated, details: summary(this.updated, [...this.problems, ...invalid], this.ended) };
  }

  async work(units: readonly Unit[]): Promise<AutotranslateOutcome> {
    const { deps, caller, plan, context } = this;
    let heartbeat = Promise.resolve();
    const timer = setInterval(() => {
      heartbeat = this.report(this.progress, false);
    }, HEARTBEAT_MS);
    try {
      const proposer =
        plan.source === 'others'
          ? await proposeFromOthers(deps, caller, plan, units)
          : await proposeByEngines(deps, caller, plan, context.signal);
      this.problems = proposer.problems;
      this.ended = await this.batches(units, proposer);
    } catch (error) {
      logger.error({ err: error, task: context.task }, 'automatic translation: run failed');
      this.ended = 'failed';
    }
    clearInterval(timer);
    await heartbeat;
    await context.release();
    await this.report(100, true);
    return this.outcome();
  }

  /** @returns the end of the sentence for users */
  private async batches(units: readonly Unit[], proposer: Proposer): Promise<string> {
    for (let at = 0; at < units.length && !this.context.signal.aborted; at += BATCH) {
      const batch = units.slice(at, at + BATCH);
      if (!(await this.apply(batch, await proposer.propose(batch)))) return 'stopped because the component was locked';
      this.progress = Math.floor((100 * Math.min(at + BATCH, units.length)) / units.length);
      await this.report(this.progress, false);
    }
    return this.context.signal.aborted ? 'was interrupted' : 'completed';
  }

  private async report(progress: number, completed: boolean): Promise<void> {
    const { translation, component } = this.plan;
    const { task } = this.context;
    const { details } = this.outcome();
    await this.deps.tasks
      .report(task, component.id, {
        progress: Math.min(progress, completed ? 100 : 99),
        log: completed ? [details] : [],
        result: completed
          ? { translation: translation.id, message: details }
          : { translation: translation.id, progress },
        completed,
      })
      // The run does not depend on its progress display.
      .catch((error: unknown) => logger.warn({ err: error, task }, 'automatic translation: reporting progress failed'));
  }

  /**
   * Applies proposals to the current state of the strings, which may have changed during slow requests to engines.
   * @returns false when the component is locked
   */
  private async apply(seen: readonly Unit[], proposals: ReadonlyMap<number, Proposal>): Promise<boolean> {
    let todo = seen.filter((unit) => proposals.has(unit.id));
    for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) {
      if (await this.isLocked()) return false;
      const now = new Map((await this.deps.units.many(todo.map(({ id }) => id))).map((unit) => [unit.id, unit]));
      const valid: ValidProposal[] = [];
      for (const before of todo) {
        const unit = now.get(before.id);
        if (!unit || !isUnchanged(before, unit) || !mayChange(unit, this.plan)) continue;
        const validated = await this.validate(unit, proposals.get(unit.id)!);
        if (validated) valid.push(validated);
      }
      const late = await this.save(valid);
      todo = todo.filter(({ id }) => late.has(id));
    }
    return true;
  }

  /** Reads the setting from the catalog, bypassing the cache. */
  private async isLocked(): Promise<boolean> {
    const { id, projectSlug, path } = this.plan.component;
    const named = await this.deps.componentNamed(projectSlug, path);
    // The component may have been moved or renamed.
    const now = named?.id === id ? named : await this.deps.catalog.component(id, '');
    return now?.locked !== false;
  }

  /** Corrects and validates a proposal, like an edit. @returns null when it is invalid or has no effect */
  private async validate(unit: Unit, proposal: Proposal): Promise<ValidProposal | null> {
    const sourceExtraFlags = await this.deps.sourceFlags.of(unit);
    // Control characters are valid here, because the correction removes them.
    const fault = findTextProblem(proposal.target, proposal.target);
    const { component, translation, mode, state } = this.plan;
    const flags = this.deps.evaluators.for(component, translation.language).flags(unit.flags, sourceExtraFlags);
    const target = fault ? [] : correctTexts(unit, proposal.target, flags);
    if (isBlank(target)) {
      this.invalid.add(unit.id);
      return null;
    }
    if (sameTexts(unit.target, target) && (mode === 'suggest' || unit.state === state)) return null;
    const asSuggestion = this.becomesSuggestion(unit, target, flags);
    return { unit, proposal: { ...proposal, target }, sourceExtraFlags, asSuggestion };
  }

  private becomesSuggestion(unit: Unit, target: readonly string[], flags: Flags): boolean {
    if (this.plan.mode === 'suggest' || this.plan.onlySuggest) return true;
    const longest = effectiveMaxLength(flags, unit.source[0] ?? '', false);
    return target.some((text) => [...text].length > longest);
  }

  /** @returns units with a concurrent write */
  private async save(valid: readonly ValidProposal[]): Promise<ReadonlySet<number>> {
    const suggestions = valid.filter(({ asSuggestion, unit }) => asSuggestion && unit.suggestions === 0);
    await this.suggest(suggestions.filter(({ unit, proposal }) => !sameTexts(unit.target, proposal.target)));
    return this.write(valid.filter(({ asSuggestion }) => !asSuggestion));
  }

  private async suggest(valid: readonly ValidProposal[]): Promise<void> {
    const { deps, caller, plan } = this;
    const by = { author: authorOf(caller), caller, now: deps.now(), translation: plan.translation };
    const suggestions = valid.map(({ unit, proposal }) => ({ unit, target: proposal.target }));
    await addSuggestions(deps, by, suggestions);
    this.updated += suggestions.length;
  }

  /** @returns units with a concurrent write */
  private async write(edits: readonly ValidProposal[]): Promise<ReadonlySet<number>> {
    const { deps, plan } = this;
    const { component, translation } = plan;
    const author = authorOf(this.caller);
    const now = deps.now();
    const evaluator = deps.evaluators.for(component, translation.language);
    const planned = edits.map(({ unit, proposal, sourceExtraFlags }) =>
      planTextEdit({
        unit,
        target: proposal.target,
        state: plan.state,
        author,
        component,
        evaluator,
        sourceExtraFlags,
        now,
        action: Action.autoTranslated,
        details: { auto: { source: plan.source, origin: proposal.origin, quality: proposal.quality } },
      }),
    );
    const by = { author, time: now, contributes: !this.caller.isBot };
    const { done, late } = await writeUnits(deps, translation.id, planned, by);
    this.updated += done.length;
    return new Set(late.map(({ unit }) => unit.id));
  }
}
