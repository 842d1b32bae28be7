import { ChangeAction } from '@parlance/contracts';
import { historyActions } from '../../domain/notifications/notifiable-change';
import type { ProgressStore } from '../../domain/ports';
import { notify, type NotifyDeps } from './notify';

/** Name of the lease: one process at a time reads the history. */
const WORK = 'history';
const CLAIM_MS = 5 * 60_000;
/** Age at which the history counts as complete, in milliseconds: concurrent writes may arrive out of order. */
const SETTLE_MS = 5_000;
/** Length of the window that is read at once, in milliseconds. */
const WINDOW_MS = 10 * 60_000;
/** Changes per window; of a longer one only the newest are processed. */
const CHANGES_MAX = 10_000;

/** Actions that make a user a contributor of a project. */
const contributions = new Set<number>([
  ChangeAction.targetChanged,
  ChangeAction.commentAdded,
  ChangeAction.suggestionAdded,
  ChangeAction.firstTarget,
  ChangeAction.suggestionAccepted,
  ChangeAction.approved,
]);

/**
 * Reads new history entries and notifies subscribers. An interrupted window is repeated under the same idempotency key, so no one
 * is notified twice.
 * @returns whether it has caught up
 */
export async function followHistory(notifier: NotifyDeps, progress: ProgressStore): Promise<boolean> {
  const { deps, context } = notifier;
  const now = deps.now();
  const settled = now - SETTLE_MS;
  const claimed = await progress.claim(WORK, settled, now, now + CLAIM_MS);
  if (!claimed) return true;
  const { reached: from, planned } = claimed;
  try {
    const to = planned > from ? planned : Math.min(from + WINDOW_MS, settled);
    if (to > from) {
      await progress.plan(WORK, to);
      const changes = await context.history(historyActions, from, to, CHANGES_MAX);
      await watchContributions(notifier, changes);
      await notify(notifier, changes, `history:${from}`);
    }
    await progress.release(WORK, Math.max(from, to));
    return to >= settled;
  } catch (error) {
    await progress.release(WORK, from);
    throw error;
  }
}

/** Users watch the projects that they contribute to. */
async function watchContributions(
  { deps }: NotifyDeps,
  changes: readonly { action: number; userId: number; projectId: number }[],
): Promise<void> {
  const worked = new Map<number, Set<number>>();
  for (const h of changes) {
    if (h.userId === 0 || !contributions.has(h.action)) continue;
    worked.set(h.userId, (worked.get(h.userId) ?? new Set()).add(h.projectId));
  }
  for (const user of await deps.users.many([...worked.keys()])) {
    const added = [...worked.get(user.id)!].filter((id) => !user.watched.includes(id));
    if (added.length === 0 || user.isBot || user.deleted) continue;
    await deps.users.update(user.id, (u) => ({
      next: { ...u, watched: [...new Set([...u.watched, ...added])].sort((a, b) => a - b) },
      announce: { audit: [] },
    }));
  }
}
