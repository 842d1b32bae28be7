import type { Caller } from '@parlance/access';
import { effectiveMaxLength, type Flags } from '@parlance/checks';
import { logger } from '@parlance/telemetry';
import { Action } from '../../domain/change';
import { textFault } from '../../domain/text-rules';
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

/** Strings that are translated between two reports of the progress. */
const BATCH = 100;
/** Engines may take long for one batch: who follows the task hears at least so often that it goes on, in milliseconds. */
const BEAT_MS = 30_000;
/** Rounds of deciding again after strings were written at the same moment. */
const MAX_ROUNDS = 20;

export interface AutotranslateOutcome {
  updated: number;
  details: string;
}

/** A running translation. */
export interface AutotranslateRun {
  /** What was done so far. */
  outcome(): AutotranslateOutcome;
  finished: Promise<AutotranslateOutcome>;
}

function sentence(updated: number, problems: readonly string[], ended = 'completed'): string {
  const count =
    updated === 0
      ? 'no strings were updated'
      : updated === 1
        ? '1 string was updated'
        : `${updated} strings were updated`;
  return [`Automatic translation ${ended}, ${count}.`, ...problems].join(' ');
}

/**
 * Translates the strings that a plan is about. Strings that others edit meanwhile are left to them, all that are left once the
 * component is locked; what was done stays done when the rest fails.
 * @param signal ends the work after the batch that is being written
 */
export async function runAutotranslate(
  deps: RunDeps,
  caller: Caller,
  plan: AutotranslatePlan,
  task: string,
  signal: AbortSignal,
): Promise<AutotranslateRun> {
  const units = (await deps.units.all(allOf(inTranslation(plan.translation.id), plan.query)))
    .filter((unit) => isOpen(unit, plan))
    .sort((a, b) => a.position - b.position);
  const run = new Run(deps, caller, plan, task, signal);
  return { outcome: () => run.outcome(), finished: run.work(units) };
}

/** Whether a plan may touch a unit. */
function isOpen(unit: Unit, plan: AutotranslatePlan): boolean {
  if (unit.state === State.readonly || unit.isSource) return false;
  if (plan.mode === 'suggest' || plan.onlySuggest) return unit.suggestions === 0;
  return unit.state !== State.approved || plan.mayReview;
}

/** Whether nobody decided about a string since a text was proposed for it, and it is still the one that the text is for. */
function isUntouched(before: Unit, now: Unit): boolean {
  return now.state === before.state && sameTexts(now.target, before.target) && sameTexts(now.source, before.source);
}

/** A text for a unit that keeps the rules for texts. */
interface Decided {
  unit: Unit;
  proposal: Proposal;
  sourceExtraFlags: string;
  /** Whether a person decides about it. */
  asSuggestion: boolean;
}

class Run {
  private updated = 0;
  /** Percent. */
  private progress = 0;
  /** Strings for which texts were proposed that no string may have. */
  private readonly unfit = new Set<number>();
  private ended = 'goes on';
  private problems: readonly string[] = [];

  constructor(
    private readonly deps: RunDeps,
    private readonly caller: Caller,
    private readonly plan: AutotranslatePlan,
    private readonly task: string,
    private readonly signal: AbortSignal,
  ) {}

  outcome(): AutotranslateOutcome {
    const { size } = this.unfit;
    const texts = size === 1 ? '1 proposed text was' : `${size} proposed texts were`;
    const unfit = size === 0 ? [] : [`${texts} left out: no string may have such a text.`];
    return { updated: this.updated, details: sentence(this.updated, [...this.problems, ...unfit], this.ended) };
  }

  async work(units: readonly Unit[]): Promise<AutotranslateOutcome> {
    const { deps, caller, plan, signal } = this;
    let beat = Promise.resolve();
    const timer = setInterval(() => {
      beat = this.report(this.progress, false);
    }, BEAT_MS);
    try {
      const proposer =
        plan.source === 'others'
          ? await proposeFromOthers(deps, caller, plan, units)
          : await proposeByEngines(deps, caller, plan, signal);
      this.problems = proposer.problems;
      this.ended = await this.batches(units, proposer);
    } catch (error) {
      logger.error({ err: error, task: this.task }, 'automatic translation failed');
      this.ended = 'failed';
    }
    clearInterval(timer);
    await beat;
    await this.report(100, true);
    return this.outcome();
  }

  /** @returns how it ended */
  private async batches(units: readonly Unit[], proposer: Proposer): Promise<string> {
    for (let at = 0; at < units.length && !this.signal.aborted; at += BATCH) {
      const batch = units.slice(at, at + BATCH);
      if (!(await this.apply(batch, await proposer.propose(batch)))) return 'ended when the component was locked';
      this.progress = Math.floor((100 * Math.min(at + BATCH, units.length)) / units.length);
      await this.report(this.progress, false);
    }
    return this.signal.aborted ? 'was interrupted' : 'completed';
  }

  private async report(progress: number, completed: boolean): Promise<void> {
    const { translation, component } = this.plan;
    const { details } = this.outcome();
    await this.deps.tasks
      .report(this.task, component.id, {
        progress: Math.min(progress, completed ? 100 : 99),
        log: completed ? [details] : [],
        result: completed
          ? { translation: translation.id, message: details }
          : { translation: translation.id, progress },
        completed,
      })
      // The work itself does not depend on who watches it.
      .catch((error: unknown) => logger.warn({ err: error, task: this.task }, 'progress could not be reported'));
  }

  /**
   * Brings proposals to strings as they are now: the proposer may have taken long.
   * @returns false when the component takes no edits any more
   */
  private async apply(seen: readonly Unit[], proposals: ReadonlyMap<number, Proposal>): Promise<boolean> {
    let todo = seen.filter((unit) => proposals.has(unit.id));
    for (let round = 0; todo.length > 0 && round < MAX_ROUNDS; round++) {
      if (await this.isLocked()) return false;
      const now = new Map((await this.deps.units.many(todo.map(({ id }) => id))).map((unit) => [unit.id, unit]));
      const decided: Decided[] = [];
      for (const before of todo) {
        const unit = now.get(before.id);
        if (!unit || !isUntouched(before, unit) || !isOpen(unit, this.plan)) continue;
        const fit = await this.decide(unit, proposals.get(unit.id)!);
        if (fit) decided.push(fit);
      }
      const late = await this.save(decided);
      todo = todo.filter(({ id }) => late.has(id));
    }
    return true;
  }

  /** The settings as they are now, not as the plan or a cache knows them. */
  private async isLocked(): Promise<boolean> {
    const { id, projectSlug, path } = this.plan.component;
    const named = await this.deps.componentNamed(projectSlug, path);
    // It has been moved when it is not found where it was.
    const now = named?.id === id ? named : await this.deps.catalog.component(id, '');
    return now?.locked !== false;
  }

  /** What becomes of a proposal: it is corrected as an edit is. Null: it changes nothing, or no string may have such a text. */
  private async decide(unit: Unit, proposal: Proposal): Promise<Decided | null> {
    const sourceExtraFlags = await this.deps.sourceFlags.of(unit);
    // Control characters are taken out, which makes them no reason to refuse the rest.
    const fault = textFault(proposal.target, proposal.target);
    const { component, translation, mode, state } = this.plan;
    const flags = this.deps.judges.for(component, translation.language).flags(unit.flags, sourceExtraFlags);
    const target = fault ? [] : correctTexts(unit, proposal.target, flags);
    if (isBlank(target)) {
      this.unfit.add(unit.id);
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

  /** @returns strings that somebody else wrote at that moment */
  private async save(decided: readonly Decided[]): Promise<ReadonlySet<number>> {
    const wishes = decided.filter(({ asSuggestion, unit }) => asSuggestion && unit.suggestions === 0);
    await this.suggest(wishes.filter(({ unit, proposal }) => !sameTexts(unit.target, proposal.target)));
    return this.write(decided.filter(({ asSuggestion }) => !asSuggestion));
  }

  private async suggest(decided: readonly Decided[]): Promise<void> {
    const { deps, caller, plan } = this;
    const by = { author: authorOf(caller), caller, now: deps.now(), translation: plan.translation };
    const wishes = decided.map(({ unit, proposal }) => ({ unit, target: proposal.target }));
    await addSuggestions(deps, by, wishes);
    this.updated += wishes.length;
  }

  /** @returns strings that somebody else wrote at that moment */
  private async write(edits: readonly Decided[]): Promise<ReadonlySet<number>> {
    const { deps, plan } = this;
    const { component, translation } = plan;
    const author = authorOf(this.caller);
    const now = deps.now();
    const judge = deps.judges.for(component, translation.language);
    const planned = edits.map(({ unit, proposal, sourceExtraFlags }) =>
      planTextEdit({
        unit,
        target: proposal.target,
        state: plan.state,
        author,
        component,
        judge,
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
