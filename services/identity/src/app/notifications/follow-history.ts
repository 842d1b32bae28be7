import { historyActions } from '../../domain/notifiable-change';
import type { ProgressStore } from '../../domain/ports';
import { notify, type NotifyDeps } from './notify';

/** Work on this is done by one process at a time. */
const WORK = 'history';
const CLAIM_MS = 5 * 60_000;
/** The history's newest part is left for the next time: writes of the same moment may still be on their way into it. */
const SETTLE_MS = 5_000;
/** How much is read at once. */
const WINDOW_MS = 10 * 60_000;
/** Of a window with more happenings than this only the newest are told of, one by one. */
const HAPPENINGS_MAX = 10_000;

/** Actions by which people show that they work on a project. */
const contributions = new Set([2, 3, 4, 5, 7, 36]);

/**
 * Reads what is new in the history and tells those who want to know. A window that was cut short is done again under the same name, so nobody
 * is told twice.
 * @returns whether it has come up to the present
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
      const changes = await context.history(historyActions, from, to, HAPPENINGS_MAX);
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

/** People watch the projects that they work on. */
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
