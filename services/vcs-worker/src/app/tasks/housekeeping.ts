import { addonDefinitions } from '@parlance/contracts';
import { logger } from '@parlance/telemetry';
import { componentsUnder } from '../addons/run';
import type { Component } from '../../domain/component';
import type { Deps } from '../deps';
import { reportOverdue } from '../measures';
import { dropRepository } from './component-tasks';
import { withRepository } from '../repository/with-repository';

/** Time after which a prepared repository without a component is deleted, in milliseconds. */
const PREPARED_MS = 3_600_000;
/** Time after which an unreferenced bundle is deleted, in milliseconds, because a writer may be about to reference it. */
const LOOSE_MS = 3_600_000;
/** Components checked in one pass. */
const PASS = 10_000;
/** Number of loose objects from which a clone is packed. */
const MAX_LOOSE_OBJECTS = 5_000;
const HOUR_MS = 3_600_000;
/** Pause of automatic commits after one was set aside, in milliseconds. */
const SET_ASIDE_MS = 24 * HOUR_MS;
/** Time between two looks at the pending edits of a component none of which is due, in milliseconds. */
const LOOK_EVERY_MS = 300_000;
/** Commit checks between two sweeps. */
const SWEEP_EVERY = 15;

/** Periodic work: commits of old pending edits, add-ons, and garbage collection. */
export class Housekeeping {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private pass = 0;
  /** Day whose daily work was started, in UTC. */
  private doneDay = '';
  /** Result and time of the last look for overdue edits, in milliseconds. */
  private overdueMs = 0;
  private checkedAt: number;
  /** When this worker last looked at the pending edits of components that may have some, in milliseconds. */
  private lookedAt = new Map<number, number>();

  constructor(
    private readonly deps: Deps,
    private readonly now: () => number = Date.now,
  ) {
    this.checkedAt = now();
  }

  start(everyMs: number): void {
    const run = () => {
      this.running ??= this.runOnce()
        .catch((error: unknown) => {
          logger.warn({ err: error }, 'housekeeping: failed; retrying at the next interval');
          // Edits may have become due since the last look that succeeded.
          reportOverdue(Math.max(this.overdueMs, this.now() - this.checkedAt));
        })
        .finally(() => {
          this.running = undefined;
        });
    };
    this.timer = setInterval(run, everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async runOnce(): Promise<void> {
    if (await this.deps.paused()) {
      this.checkedAt = this.now();
      return;
    }
    await this.commitOverdue();
    await this.daily();
    if (this.pass++ % SWEEP_EVERY === 0) await this.sweep();
  }

  /**
   * Starts a commit for each component whose oldest pending edit is older than the component's setting. Records, at the latest five
   * minutes after other edits, since when the oldest pending edit waits: commits leave the time of edits that they contain.
   */
  async commitOverdue(): Promise<void> {
    const { deps } = this;
    const lookedAt = new Map<number, number>();
    const waiting = await deps.index.listEdited(PASS);
    const components = new Map(
      (await deps.catalog.components(waiting.map((entry) => entry.component))).map((component) => [
        component.settings.id,
        component,
      ]),
    );
    let overdueMs = 0;
    for (const entry of waiting) {
      const component = components.get(entry.component);
      if (!component) continue;
      const limit = this.now() - component.settings.commitPendingAge * HOUR_MS;
      const lastLook = this.lookedAt.get(entry.component) ?? 0;
      if (entry.since > limit && lastLook > this.now() - LOOK_EVERY_MS) {
        lookedAt.set(entry.component, lastLook);
        continue;
      }
      lookedAt.set(entry.component, this.now());
      const oldestMs = await this.recordOldestEdit(component, entry);
      if (oldestMs === null || oldestMs > limit) continue;
      overdueMs = Math.max(overdueMs, limit - oldestMs);
      await this.beginCommit(entry.component);
    }
    this.lookedAt = lookedAt;
    this.overdueMs = overdueMs;
    this.checkedAt = this.now();
    reportOverdue(overdueMs);
  }

  /** Looks since when the oldest pending edit of a component waits, and records it. @returns null if none can be committed */
  private async recordOldestEdit(
    component: Component,
    { since, touched }: { since: number; touched: number },
  ): Promise<number | null> {
    const { index, translations } = this.deps;
    const { id } = component.settings;
    const groups = await translations.pending(component);
    if (groups.length === 0) {
      // A change of the project's policy may release withheld edits, so the entry stays.
      if (!(await translations.anyPending([id]))) await index.recordOldestEdit(id, 0, touched);
      return null;
    }
    const oldestMs = Math.min(...groups.map((group) => group.oldestMs));
    if (oldestMs !== since) await index.recordOldestEdit(id, oldestMs, touched);
    return oldestMs;
  }

  private async beginCommit(component: number): Promise<void> {
    const { tasks, wake } = this.deps;
    // Edits that it does not take are still due at the next check.
    if (await tasks.isOpen('commit', component)) return;
    // A new task would crash the worker again. Users can still request the commit.
    if (await tasks.wasSetAside('commit', component, new Date(this.now() - SET_ASIDE_MS))) return;
    // Task ids are derived from the time, so that several workers create one task.
    await tasks.begin({
      id: `commit-${component}-${Math.floor(this.now() / 60_000)}`,
      kind: 'commit',
      component,
      user: 0,
      changed: [],
    });
    wake();
  }

  /** Starts the daily work of add-ons: once a day for each component across all workers. */
  async daily(): Promise<void> {
    const { deps } = this;
    const day = new Date(this.now()).toISOString().slice(0, 10);
    if (day === this.doneDay) return;
    const components = new Set<number>();
    for (const { name, events } of addonDefinitions) {
      if (!events.includes('daily')) continue;
      for (const addon of await deps.catalog.addonsNamed(name))
        for (const component of await componentsUnder(deps.index, addon)) components.add(component);
    }
    for (const component of components)
      await deps.tasks.begin({
        id: `addons-daily-${component}-${day}`,
        kind: 'addons',
        component,
        user: 0,
        changed: ['daily'],
      });
    if (components.size > 0) deps.wake();
    this.doneDay = day;
  }

  /** Deletes prepared repositories without a component, unreferenced bundles, and clones of deleted repositories. */
  async sweep(): Promise<void> {
    const { deps } = this;
    for (const repository of await deps.repositories.findUnclaimed(new Date(this.now() - PREPARED_MS), 100))
      await dropRepository(deps, repository);
    await deps.commits.sweep(new Date(this.now() - LOOSE_MS));
    for (const id of await deps.clones.list()) {
      const repository = await deps.repositories.get(id);
      if (!repository) await deps.clones.drop(id);
      else if (repository.owner !== null && (await deps.clones.looseObjects(id)) > MAX_LOOSE_OBJECTS) {
        await withRepository(deps, id, {}, ({ git, session }) => git.collectGarbage(session.signal));
      }
    }
  }
}
