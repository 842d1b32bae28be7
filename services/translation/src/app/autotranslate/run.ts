import type { Principal } from '@parlance/access';
import { effectiveMaxLength } from '@parlance/checks';
import { logger } from '@parlance/telemetry';
import { Action } from '../../domain/change';
import { sameTexts, State, type Unit } from '../../domain/unit';
import { planTextEdit } from '../edit/text-edit';
import { authorOf } from '../edit/update-unit';
import { addSuggestions } from '../upload/upload-suggestions';
import { writeUnits } from '../edit/write-units';
import type { AutotranslateParts } from './parts';
import { proposeByEngines, proposeFromOthers, type Proposal } from './proposals';
import type { AutotranslatePlan } from './request';

/** Strings that are translated between two reports of the progress. */
const BATCH = 100;

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
 * Translates the strings that a plan is about. Strings that others change meanwhile are left to them; what was done stays done when
 * the rest fails.
 * @param signal ends the work after the batch that is being written
 */
export async function runAutotranslate(
  parts: AutotranslateParts,
  principal: Principal,
  plan: AutotranslatePlan,
  task: string,
  signal: AbortSignal,
): Promise<AutotranslateRun> {
  const units = (await parts.units.all({ $and: [{ translation: plan.translation.id }, plan.filter] }))
    .filter((unit) => isOpen(unit, plan))
    .sort((a, b) => a.position - b.position);
  const run = new Run(parts, principal, plan, task, signal);
  return { outcome: () => run.outcome(), finished: run.work(units) };
}

/** Whether a plan may touch a unit. */
function isOpen(unit: Unit, plan: AutotranslatePlan): boolean {
  if (unit.state === State.readonly || unit.isSource) return false;
  if (plan.mode === 'suggest' || plan.onlySuggest) return unit.suggestions === 0;
  return unit.state !== State.approved || plan.mayReview;
}

class Run {
  private updated = 0;
  private ended = 'goes on';
  private problems: readonly string[] = [];

  constructor(
    private readonly parts: AutotranslateParts,
    private readonly principal: Principal,
    private readonly plan: AutotranslatePlan,
    private readonly task: string,
    private readonly signal: AbortSignal,
  ) {}

  outcome(): AutotranslateOutcome {
    return { updated: this.updated, details: sentence(this.updated, this.problems, this.ended) };
  }

  async work(units: readonly Unit[]): Promise<AutotranslateOutcome> {
    const { parts, principal, plan, signal } = this;
    try {
      const proposer =
        plan.source === 'others'
          ? await proposeFromOthers(parts, principal, plan, units)
          : await proposeByEngines(parts, principal, plan, signal);
      this.problems = proposer.problems;
      for (let at = 0; at < units.length && !signal.aborted; at += BATCH) {
        const batch = units.slice(at, at + BATCH);
        await this.apply(batch, await proposer.propose(batch));
        await this.report(Math.floor((100 * Math.min(at + BATCH, units.length)) / units.length), false);
      }
      this.ended = signal.aborted ? 'was interrupted' : 'completed';
    } catch (error) {
      logger.error({ err: error, task: this.task }, 'automatic translation failed');
      this.ended = 'failed';
    }
    await this.report(100, true);
    return this.outcome();
  }

  private async report(progress: number, completed: boolean): Promise<void> {
    const { translation, component } = this.plan;
    const { details } = this.outcome();
    await this.parts.tasks
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

  private async apply(units: readonly Unit[], proposals: ReadonlyMap<number, Proposal>): Promise<void> {
    const edits: { unit: Unit; proposal: Proposal }[] = [];
    const wishes: { unit: Unit; target: string[] }[] = [];
    for (const unit of units) {
      const proposal = proposals.get(unit.id);
      if (!proposal || !this.changes(unit, proposal)) continue;
      if (!(await this.becomesSuggestion(unit, proposal))) edits.push({ unit, proposal });
      else if (unit.suggestions === 0 && !sameTexts(unit.target, proposal.target))
        wishes.push({ unit, target: proposal.target });
    }
    await this.suggest(wishes);
    await this.write(edits);
  }

  private changes(unit: Unit, { target }: Proposal): boolean {
    return !sameTexts(unit.target, target) || (this.plan.mode !== 'suggest' && unit.state !== this.plan.state);
  }

  private async becomesSuggestion(unit: Unit, { target }: Proposal): Promise<boolean> {
    if (this.plan.mode === 'suggest' || this.plan.onlySuggest) return true;
    const judge = this.parts.judge(this.plan.component, this.plan.translation.language);
    const flags = judge.flags(unit.flags, await this.parts.sourceFlags(unit));
    const longest = effectiveMaxLength(flags, unit.source[0] ?? '', false);
    return target.some((text) => [...text].length > longest);
  }

  private async suggest(wishes: readonly { unit: Unit; target: string[] }[]): Promise<void> {
    const { parts, principal, plan } = this;
    const by = { author: authorOf(principal), principal, now: parts.now(), translation: plan.translation };
    await addSuggestions(parts, by, wishes);
    this.updated += wishes.length;
  }

  private async write(edits: readonly { unit: Unit; proposal: Proposal }[]): Promise<void> {
    const { parts, plan } = this;
    const { component, translation } = plan;
    const author = authorOf(this.principal);
    const now = parts.now();
    const judge = parts.judge(component, translation.language);
    const planned = await Promise.all(
      edits.map(async ({ unit, proposal }) => ({
        unit,
        ...planTextEdit({
          unit,
          target: proposal.target,
          state: plan.state,
          author,
          component,
          judge,
          sourceExtraFlags: await parts.sourceFlags(unit),
          now,
          action: Action.autoTranslated,
          details: { auto: { source: plan.source, origin: proposal.origin, quality: proposal.quality } },
        }),
      })),
    );
    // Who wrote a string in the meantime meant it.
    const by = { author, time: now, contributes: !this.principal.isBot };
    const { done } = await writeUnits(parts, translation.id, planned, by);
    this.updated += done.length;
  }
}
