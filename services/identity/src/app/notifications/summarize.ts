import { dueAt, wantedFrequency } from '../../domain/notifications/notifiable-change';
import type { MailPart } from '../../domain/notifications/mail';
import type { ProgressStore } from '../../domain/ports';
import {
  notificationNames,
  notifications,
  type Frequency,
  type NotificationRule,
} from '../../domain/notifications/subscription';
import type { User } from '../../domain/user';
import { concernOf, type NotifyDeps } from './notify';
import { resolveCallers } from '../authentication/resolve-caller';

const WORK = 'summaries';
const CLAIM_MS = 30 * 60_000;
const BATCH = 200;
const DAY_MS = 24 * 3600_000;

const summaries = notificationNames.flatMap((name) => {
  const { summary }: NotificationRule = notifications[name];
  return summary ? [{ name, summary }] : [];
});

/**
 * Sends summaries of open work in watched projects after midnight (UTC): daily, on Mondays or on the
 * first of the month.
 */
export async function sendSummaries(notifier: NotifyDeps, progress: ProgressStore): Promise<void> {
  const { deps } = notifier;
  const now = deps.now();
  const today = now - (now % DAY_MS);
  const claimed = await progress.claim(WORK, today, now, now + CLAIM_MS);
  if (!claimed) return;
  try {
    if (claimed.reached < today) await summarizeDay(notifier, today);
    await progress.release(WORK, today);
  } catch (error) {
    await progress.release(WORK, claimed.reached);
    throw error;
  }
}

async function summarizeDay(notifier: NotifyDeps, dayMs: number): Promise<void> {
  const names = summaries.map((s) => s.name);
  const due = ([2, 3, 4] as const).filter((frequency) => dueAt(frequency, dayMs - 1) === dayMs);
  for (let after = 0; ;) {
    const readers = await notifier.deps.users.digestReaders(names, after, BATCH, notifier.deps.now());
    await summarizeFor(notifier, readers, due, dayMs);
    if (readers.length < BATCH) return;
    after = readers.at(-1)!.id;
  }
}

async function summarizeFor(
  notifier: NotifyDeps,
  readers: readonly User[],
  due: readonly Frequency[],
  dayMs: number,
): Promise<void> {
  const { deps, context, siteUrl } = notifier;
  const callers = await resolveCallers(deps, readers, { allTeams: true });
  for (const user of readers) {
    const caller = callers.get(user.id)!;
    const listed = caller.grants.flatMap((g) => (Array.isArray(g.projects) ? g.projects : []));
    const named = user.subscriptions.map((s) => s.projectId).filter((id) => id !== 0);
    const projects = [...new Set([...user.watched, ...listed, ...named])].slice(0, 500);
    const work = await context.openWork(caller, projects);
    const places = await context.describe([...work.keys()], []);
    const parts: MailPart[] = summaries.flatMap(({ name, summary }) => {
      const byFrequency = new Map<Frequency, string[]>();
      for (const [projectId, open] of work) {
        const place = places.projects.get(projectId);
        const frequency = wantedFrequency(
          user.subscriptions,
          name,
          { projectId, componentId: 0 },
          concernOf(user, caller, projectId),
        );
        if (!place || open[summary] === 0 || !due.includes(frequency)) continue;
        const line = `${place.name}: ${open[summary]} – ${siteUrl}/projects/${place.slug}/`;
        byFrequency.set(frequency, [...(byFrequency.get(frequency) ?? []), line]);
      }
      return [...byFrequency].map(([frequency, lines]) => ({
        key: [user.id, name, frequency, dayMs].join(':'),
        userId: user.id,
        notification: name,
        frequency,
        dueMs: dayMs,
        createdMs: deps.now(),
        lines: lines.slice(0, 100),
        count: lines.length,
      }));
    });
    await deps.mails.add(`summary:${dayMs}`, parts);
  }
}
