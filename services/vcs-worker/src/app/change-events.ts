import { newEvent, type OutgoingEvent } from '@parlance/events';
import type { Component } from '../domain/component';

export const SERVICE = 'vcs-worker';

/** Action numbers of the public API that this service announces. */
export const Action = {
  committed: 17,
  pushed: 18,
  reset: 19,
  merged: 20,
  rebased: 21,
  mergeFailed: 22,
  rebaseFailed: 23,
  parseError: 24,
  pushFailed: 28,
  alertRaised: 47,
  languageAdded: 48,
  forcedSync: 83,
  forcedScan: 84,
} as const;

/** Something for a component's history. */
export function changeEvent(
  component: Component,
  action: number,
  facts: {
    translation?: number;
    user?: number;
    author?: number;
    target?: string;
    old?: string;
    details?: Record<string, unknown>;
  } = {},
): OutgoingEvent {
  return newEvent(
    SERVICE,
    'changeMade',
    {
      action,
      projectId: component.project.id,
      componentId: component.settings.id,
      translationId: facts.translation ?? 0,
      userId: facts.user ?? 0,
      authorId: facts.author ?? facts.user ?? 0,
      target: facts.target ?? '',
      old: facts.old ?? '',
      detailsJson: facts.details ? JSON.stringify(facts.details) : '',
    },
    component.settings.id,
  );
}

/** What people are warned of until it is resolved; the names are an interchange vocabulary. */
export type Alert = 'MergeFailure' | 'PushFailure' | 'ParseError';

/** Something that people should look at began to be wrong with components. */
export function alertEvents(components: readonly Component[], alert: Alert): OutgoingEvent[] {
  return components.map((component) => changeEvent(component, Action.alertRaised, { details: { alert } }));
}

/** Asks for locks after a failure, of the components that want that. */
export function lockEvents(components: readonly Component[], reason: string): OutgoingEvent[] {
  return components
    .filter(({ settings }) => settings.autoLockError && !settings.locked)
    .map(({ settings }) =>
      newEvent(SERVICE, 'componentLockRequested', { componentId: settings.id, locked: true, reason }, settings.id),
    );
}

/** Whether a failure locked a component; locks that people made have no reason. */
export const lockedByFailure = ({ settings }: Component): boolean => settings.locked && settings.lockReason !== '';

/** Takes back locks that a failure brought, once it is over. Locks that people made stay. */
export function unlockEvents(components: readonly Component[]): OutgoingEvent[] {
  return components
    .filter(lockedByFailure)
    .map(({ settings }) =>
      newEvent(SERVICE, 'componentLockRequested', { componentId: settings.id, locked: false, reason: '' }, settings.id),
    );
}
