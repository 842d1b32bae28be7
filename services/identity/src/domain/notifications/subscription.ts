import { ChangeAction, contentActions } from '@parlance/contracts';
import { checkChoice, type Problems } from '../problems';

/** A user's choice of notifications, scope and frequency. */
export interface Subscription {
  id: number;
  notification: NotificationName;
  scope: Scope;
  frequency: Frequency;
  /** 0: none. */
  projectId: number;
  componentId: number;
}

/** When a notification is sent. */
export interface NotificationRule {
  /** Change actions of the public API that trigger it. */
  readonly actions: readonly number[];
  /** Only for users concerned by the change: mentioned in a comment, or last author of the string. */
  readonly only?: 'mentioned' | 'last-author';
  /** Has no trigger: a digest summarizes open work. */
  readonly summary?: 'suggestions' | 'todo';
  /** Title of the mail. */
  readonly title: string;
}

/** The notifications, by the names that clients send; the spelling, "Notificaton", is the peer's: clients depend on it. */
export const notifications = {
  RepositoryNotification: {
    actions: [
      ChangeAction.committed,
      ChangeAction.pushed,
      ChangeAction.repositoryReset,
      ChangeAction.merged,
      ChangeAction.rebased,
    ],
    title: 'Repository operation',
  },
  LockNotification: {
    actions: [ChangeAction.componentLocked, ChangeAction.componentUnlocked],
    title: 'Component locked or unlocked',
  },
  LicenseNotification: {
    actions: [ChangeAction.licenseChanged, ChangeAction.agreementChanged],
    title: 'License or agreement changed',
  },
  ParseErrorNotification: { actions: [ChangeAction.parseError], title: 'File could not be read' },
  NewStringNotificaton: {
    actions: [
      ChangeAction.sourceChanged,
      ChangeAction.stringAdded,
      ChangeAction.markedForEdit,
      ChangeAction.addedFromRepository,
      ChangeAction.addedByUpload,
    ],
    title: 'New string to translate',
  },
  NewContributorNotificaton: { actions: [ChangeAction.newContributor], title: 'New contributor' },
  NewSuggestionNotificaton: { actions: [ChangeAction.suggestionAdded], title: 'New suggestion' },
  LanguageTranslatedNotificaton: { actions: [ChangeAction.translationCompleted], title: 'Language is translated' },
  ComponentTranslatedNotificaton: { actions: [ChangeAction.componentCompleted], title: 'Component is translated' },
  NewCommentNotificaton: { actions: [ChangeAction.commentAdded], title: 'New comment' },
  MentionCommentNotificaton: {
    actions: [ChangeAction.commentAdded],
    only: 'mentioned',
    title: 'You were mentioned in a comment',
  },
  LastAuthorCommentNotificaton: {
    actions: [ChangeAction.commentAdded],
    only: 'last-author',
    title: 'Comment on your translation',
  },
  TranslatedStringNotificaton: {
    actions: [ChangeAction.targetChanged, ChangeAction.firstTarget, ChangeAction.suggestionAccepted],
    title: 'String translated',
  },
  ApprovedStringNotificaton: { actions: [ChangeAction.approved], title: 'String approved' },
  ChangedStringNotificaton: {
    actions: [...contentActions],
    title: 'String changed',
  },
  NewTranslationNotificaton: {
    actions: [ChangeAction.languageAdded, ChangeAction.languageRequested],
    title: 'Language added or asked for',
  },
  NewComponentNotificaton: { actions: [ChangeAction.componentCreated], title: 'New component' },
  NewAnnouncementNotificaton: { actions: [ChangeAction.announcementPosted], title: 'New announcement' },
  NewAlertNotificaton: { actions: [ChangeAction.alertRaised], title: 'New alert' },
  MergeFailureNotification: {
    actions: [ChangeAction.mergeFailed, ChangeAction.rebaseFailed, ChangeAction.pushFailed],
    title: 'Repository operation failed',
  },
  PendingSuggestionsNotification: { actions: [], summary: 'suggestions', title: 'Suggestions to look at' },
  ToDoStringsNotification: { actions: [], summary: 'todo', title: 'Unfinished strings' },
} as const satisfies Record<string, NotificationRule>;

export type NotificationName = keyof typeof notifications;
export const notificationNames = Object.keys(notifications) as NotificationName[];

function isNotification(name: string): name is NotificationName {
  return Object.hasOwn(notifications, name);
}

/** Scopes of a subscription. */
export const scopes = { everything: 0, watched: 10, administered: 20, project: 30, component: 40 } as const;
export type Scope = (typeof scopes)[keyof typeof scopes];

/** Frequencies of mails. */
export const frequencies = { off: 0, instant: 1, daily: 2, weekly: 3, monthly: 4 } as const;
export type Frequency = (typeof frequencies)[keyof typeof frequencies];

/** Maximum subscriptions of a user. */
export const SUBSCRIPTIONS_MAX = 1000;

const at = (scope: Scope, frequency: Frequency, ...names: NotificationName[]) =>
  names.map((notification) => ({ notification, scope, frequency }));

/** Subscriptions of new users. */
export const defaultSubscriptions = [
  ...at(0, 1, 'MentionCommentNotificaton'),
  ...at(10, 1, 'LastAuthorCommentNotificaton', 'MentionCommentNotificaton', 'NewAnnouncementNotificaton'),
  ...at(10, 3, 'NewStringNotificaton'),
  ...at(
    20,
    1,
    'MergeFailureNotification',
    'ParseErrorNotification',
    'NewTranslationNotificaton',
    'NewAlertNotificaton',
    'NewAnnouncementNotificaton',
  ),
];

export function checkSubscription(
  problems: Problems,
  given: { notification: string | undefined; scope: number | undefined; frequency: number | undefined },
): void {
  if (given.notification === undefined) problems.add('notification', 'required', 'This field is required.');
  else if (!isNotification(given.notification)) {
    problems.add('notification', 'invalid_choice', 'There is no notification of this name.');
  }
  checkChoice(problems, 'scope', given.scope, Object.values(scopes));
  checkChoice(problems, 'frequency', given.frequency, Object.values(frequencies));
}

/** Whether two subscriptions have the same subject; a user has at most one of each. */
export function sameSubject(a: Omit<Subscription, 'id' | 'frequency'>, b: Omit<Subscription, 'id' | 'frequency'>) {
  return (
    a.notification === b.notification &&
    a.scope === b.scope &&
    a.projectId === b.projectId &&
    a.componentId === b.componentId
  );
}
