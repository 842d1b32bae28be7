import { canSee, type Caller } from '@parlance/access';
import { ChangeAction } from '@parlance/contracts';
import {
  mentionsIn,
  notificationsOf,
  dueAt,
  wantedFrequency,
  type Concern,
  type NotifiableChange,
} from '../../domain/notifications/notifiable-change';
import { LINES_MAX, type MailPart } from '../../domain/notifications/mail';
import type { ComponentInfo, ProjectInfo, NotificationContext } from '../../domain/ports';
import {
  frequencies,
  notifications,
  type NotificationName,
  type NotificationRule,
} from '../../domain/notifications/subscription';
import { fold, type User } from '../../domain/user';
import type { Deps } from '../deps';
import { resolveCallers } from '../authentication/resolve-caller';

/** Dependencies of the notification use cases. */
export interface NotifyDeps {
  deps: Pick<Deps, 'users' | 'groups' | 'roles' | 'componentLists' | 'mails' | 'now'>;
  context: NotificationContext;
  /** Address of the site, without a trailing slash. */
  siteUrl: string;
}

/**
 * Adds changes to the mails of subscribers who may see them; the author of a change gets no mail.
 * The number of queries depends neither on the number of subscribers nor of changes.
 * @param source idempotency key of the batch
 */
export async function notify(
  notifier: NotifyDeps,
  changes: readonly NotifiableChange[],
  source: string,
): Promise<void> {
  const { deps, context } = notifier;
  const names = [...new Set(changes.flatMap((h) => notificationsOf(h.action)))];
  if (names.length === 0) return;
  const projectIds = [...new Set(changes.map((h) => h.projectId))];
  const componentIds = [...new Set(changes.map((h) => h.componentId).filter((id) => id !== 0))];
  const places = await context.describe(projectIds, componentIds);
  await mailReports(notifier, changes, places, source);
  const groupIds = [
    ...new Set((await Promise.all(projectIds.map((project) => deps.groups.listReferencing({ project })))).flat()),
  ];
  const readers = await deps.users.subscribers({ notifications: names, projectIds, groupIds, nowMs: deps.now() });
  if (readers.length === 0) return;
  const callers = await resolveCallers(deps, readers, { allTeams: true });
  const authorNames = await fullNamesOf(deps, changes);
  const lastAuthors = await lastAuthorsOf(context, changes);
  const mails = new Map<string, MailPart>();
  for (const change of changes) {
    const project = places.projects.get(change.projectId);
    const component = places.components.get(change.componentId);
    if (!project || (change.componentId !== 0 && !component)) continue;
    const mentioned = change.action === ChangeAction.commentAdded ? mentionsIn(change.target) : undefined;
    for (const user of readers) {
      if (user.id === change.userId || !sees(callers.get(user.id)!, change, project, component)) continue;
      const concern = concernOf(user, callers.get(user.id)!, change.projectId);
      for (const name of notificationsOf(change.action)) {
        const { only }: NotificationRule = notifications[name];
        if (only === 'mentioned' && !mentioned?.has(fold(user.username))) continue;
        if (only === 'last-author' && lastAuthors.get(change.unitId) !== user.id) continue;
        const frequency = wantedFrequency(user.subscriptions, name, change, concern);
        if (frequency === frequencies.off) continue;
        const line = mailLine(notifier, change, project, component, authorNames.get(change.userId), name);
        addTo(mails, { deps, user: { id: user.id }, name, frequency, source, change, line });
      }
    }
  }
  await deps.mails.add(source, [...mails.values()]);
}

/** Sends reports of source string problems to the address in `report_source_bugs`. */
async function mailReports(
  notifier: NotifyDeps,
  changes: readonly NotifiableChange[],
  { projects, components }: Awaited<ReturnType<NotificationContext['describe']>>,
  source: string,
): Promise<void> {
  const { deps } = notifier;
  const reports = changes.filter((h) => h.report && components.get(h.componentId)?.reportSourceBugs);
  if (reports.length === 0) return;
  const authorNames = await fullNamesOf(deps, reports);
  const mails = new Map<string, MailPart>();
  for (const change of reports) {
    const project = projects.get(change.projectId);
    const component = components.get(change.componentId)!;
    if (!project) continue;
    const name = 'NewCommentNotificaton';
    const line = mailLine(notifier, change, project, component, authorNames.get(change.userId), name);
    const user = { id: 0, to: component.reportSourceBugs };
    addTo(mails, { deps, user, name, frequency: frequencies.instant, source, change, line });
  }
  await deps.mails.add(source, [...mails.values()]);
}

function sees(
  caller: Caller,
  h: NotifiableChange,
  project: ProjectInfo,
  component: ComponentInfo | undefined,
): boolean {
  return canSee(caller, {
    projectId: h.projectId,
    accessControl: project.accessControl,
    ...(component ? { componentId: h.componentId, restricted: component.restricted } : {}),
  });
}

/** A team makes its members watch the projects that it lists by name; "all projects" does not. */
export function concernOf(user: User, caller: Caller, projectId: number): Concern {
  const listing = caller.grants.filter((g) => Array.isArray(g.projects) && g.projects.includes(projectId));
  return {
    watches: user.watched.includes(projectId) || listing.length > 0,
    administers: listing.some((g) => g.permissions.includes('project.edit')),
  };
}

async function fullNamesOf(
  deps: Pick<Deps, 'users'>,
  changes: readonly NotifiableChange[],
): Promise<Map<number, string>> {
  const ids = [...new Set(changes.map((h) => h.userId).filter((id) => id !== 0))];
  return new Map((await deps.users.many(ids)).map((u) => [u.id, u.fullName]));
}

/** Comments whose last author is looked up per batch. */
const LAST_AUTHORS_MAX = 50;

async function lastAuthorsOf(
  context: NotificationContext,
  changes: readonly NotifiableChange[],
): Promise<Map<number, number>> {
  const comments = changes
    .filter((h) => h.action === ChangeAction.commentAdded && h.unitId !== 0)
    .slice(0, LAST_AUTHORS_MAX);
  const found = comments.map(async (h) => [h.unitId, await context.lastAuthor(h.unitId, h.timeMs)] as const);
  return new Map(await Promise.all(found));
}

function mailLine(
  { siteUrl }: NotifyDeps,
  h: NotifiableChange,
  project: ProjectInfo,
  component: ComponentInfo | undefined,
  authorName: string | undefined,
  name: NotificationName,
): string {
  const path = [project.slug, ...(component ? [component.path] : []), ...(h.languageCode ? [h.languageCode] : [])].join(
    '/',
  );
  const where = [
    project.name,
    ...(component ? [component.name] : []),
    ...(h.languageCode ? [h.languageCode] : []),
  ].join(' / ');
  const text = h.target.replace(/\s+/g, ' ').trim();
  const excerpt = [...text].length > 120 ? `${[...text].slice(0, 119).join('')}…` : text;
  return [
    `${new Date(h.timeMs).toISOString().slice(0, 16).replace('T', ' ')} ${where}: ${notifications[name].title}`,
    ...(authorName ? [` by ${authorName}`] : []),
    ...(excerpt ? [`: ${excerpt}`] : []),
    ` – ${siteUrl}/projects/${path}/`,
  ].join('');
}

function addTo(
  mails: Map<string, MailPart>,
  add: {
    deps: Pick<Deps, 'now'>;
    /** A user, or an address without an account (id 0). */
    user: { id: number; to?: string };
    name: NotificationName;
    frequency: MailPart['frequency'];
    source: string;
    change: NotifiableChange;
    line: string;
  },
): void {
  const { user, name, frequency, source } = add;
  const dueMs = dueAt(frequency, add.change.timeMs);
  // Instant mails contain one batch; digests grow until they are due.
  const key = [user.to ?? user.id, name, frequency, frequency === frequencies.instant ? source : dueMs].join(':');
  const mail = mails.get(key);
  if (!mail) {
    const createdMs = add.deps.now();
    mails.set(key, {
      key,
      userId: user.id,
      ...(user.to === undefined ? {} : { to: user.to }),
      notification: name,
      frequency,
      dueMs,
      createdMs,
      lines: [add.line],
      count: 1,
    });
    return;
  }
  mail.count++;
  if (mail.lines.length < LINES_MAX) mail.lines.push(add.line);
}
