import { ChangeAction } from '@parlance/contracts';
import { trimEndOf } from '@parlance/patterns';
import {
  notificationNames,
  notifications,
  type Frequency,
  type NotificationName,
  type Subscription,
} from './subscription';

/** A change that may cause notifications. */
export interface NotifiableChange {
  /** Change action of the public API. */
  action: number;
  timeMs: number;
  projectId: number;
  /** 0: of the project. */
  componentId: number;
  unitId: number;
  /** Empty: of no language. */
  languageCode: string;
  /** The author; 0: no user. */
  userId: number;
  /** Text or detail that the history shows. */
  target: string;
  /** A comment that reports a problem in a source string. */
  report?: boolean;
}

const byAction = new Map<number, NotificationName[]>();
for (const name of notificationNames) {
  for (const action of notifications[name].actions) byAction.set(action, [...(byAction.get(action) ?? []), name]);
}

/** Notifications that a change action may trigger. */
export function notificationsOf(action: number): readonly NotificationName[] {
  return byAction.get(action) ?? [];
}

/** Actions that arrive as the event ChangeMade; all others are read from the history. */
const announced = new Set<number>([
  ChangeAction.componentLocked,
  ChangeAction.componentUnlocked,
  ChangeAction.committed,
  ChangeAction.pushed,
  ChangeAction.repositoryReset,
  ChangeAction.merged,
  ChangeAction.rebased,
  ChangeAction.mergeFailed,
  ChangeAction.rebaseFailed,
  ChangeAction.parseError,
  ChangeAction.pushFailed,
  ChangeAction.announcementPosted,
  ChangeAction.alertRaised,
  ChangeAction.languageAdded,
  ChangeAction.languageRequested,
  ChangeAction.componentCreated,
  ChangeAction.licenseChanged,
  ChangeAction.agreementChanged,
]);

export function isAnnounced(action: number): boolean {
  return announced.has(action);
}

/** Actions that notifications need from the history. */
export const historyActions: readonly number[] = [...byAction.keys()].filter((action) => !announced.has(action));

/** A user's relation to the project of a change. */
export interface Concern {
  /** Works on the project or is in a team that lists it. */
  watches: boolean;
  /** Is in a team that may edit the project and lists it. */
  administers: boolean;
}

/**
 * How often a user wants mail about a change. The narrowest matching subscription decides, so one for a component can switch off
 * a wider one. 0: never.
 */
export function wantedFrequency(
  subscriptions: readonly Subscription[],
  notification: NotificationName,
  change: Pick<NotifiableChange, 'projectId' | 'componentId'>,
  concern: Concern,
): Frequency {
  let narrowest: Subscription | undefined;
  for (const s of subscriptions) {
    if (s.notification !== notification || !reaches(s, change, concern)) continue;
    if (!narrowest || s.scope > narrowest.scope) narrowest = s;
  }
  return narrowest?.frequency ?? 0;
}

function reaches(
  s: Subscription,
  change: Pick<NotifiableChange, 'projectId' | 'componentId'>,
  concern: Concern,
): boolean {
  switch (s.scope) {
    case 0:
      return true;
    case 10:
      return concern.watches;
    case 20:
      return concern.administers;
    case 30:
      return s.projectId !== 0 && s.projectId === change.projectId;
    case 40:
      return s.componentId !== 0 && s.componentId === change.componentId;
  }
}

const mention = /(?:^|[^\p{L}\p{N}_@+.-])@([\p{L}\p{N}_@+.-]{1,150})/gu;

/** Folded user names that a text mentions, with and without a final dot or dash: it may end a sentence. */
export function mentionsIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, name] of text.slice(0, 10_000).matchAll(mention)) {
    const folded = name!.normalize('NFKC').toLowerCase();
    names.add(folded);
    names.add(trimEndOf(folded, '.-'));
  }
  return names;
}

/** Due time of a mail in milliseconds since the epoch: immediately, or the next midnight, Monday or first of a month in UTC. */
export function dueAt(frequency: Frequency, timeMs: number): number {
  const day = new Date(timeMs);
  day.setUTCHours(0, 0, 0, 0);
  switch (frequency) {
    case 2:
      day.setUTCDate(day.getUTCDate() + 1);
      return day.getTime();
    case 3:
      day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7 || 7));
      return day.getTime();
    case 4:
      day.setUTCMonth(day.getUTCMonth() + 1, 1);
      return day.getTime();
    default:
      return timeMs;
  }
}
