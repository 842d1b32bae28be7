import { ChangeAction } from '@parlance/contracts';
import { newEvent, type OutgoingEvent } from '@parlance/events';
import type { Component } from '../domain/component';

export const SERVICE = 'vcs-worker';

export const Action = ChangeAction;

/** An event that adds an entry to a component's history. */
export function changeEvent(
  component: Component,
  action: number,
  entry: {
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
      translationId: entry.translation ?? 0,
      userId: entry.user ?? 0,
      authorId: entry.author ?? entry.user ?? 0,
      target: entry.target ?? '',
      old: entry.old ?? '',
      detailsJson: entry.details ? JSON.stringify(entry.details) : '',
    },
    component.settings.id,
  );
}

/** Alerts of the public API. */
export type Alert = 'MergeFailure' | 'PushFailure' | 'ParseError';

/** Events for a new alert on components. */
export function alertEvents(components: readonly Component[], alert: Alert): OutgoingEvent[] {
  return components.map((component) => changeEvent(component, Action.alertRaised, { details: { alert } }));
}

/** Requests locks after a failure, for the components with `auto_lock_error`. */
export function lockEvents(components: readonly Component[], reason: string): OutgoingEvent[] {
  return components
    .filter(({ settings }) => settings.autoLockError && !settings.locked)
    .map(({ settings }) =>
      newEvent(SERVICE, 'componentLockRequested', { componentId: settings.id, locked: true, reason }, settings.id),
    );
}

/** Whether a failure locked the component; users' locks have no reason. */
export const lockedByFailure = ({ settings }: Component): boolean => settings.locked && settings.lockReason !== '';

/** Releases locks set by a failure. Users' locks stay. */
export function unlockEvents(components: readonly Component[]): OutgoingEvent[] {
  return components
    .filter(lockedByFailure)
    .map(({ settings }) =>
      newEvent(SERVICE, 'componentLockRequested', { componentId: settings.id, locked: false, reason: '' }, settings.id),
    );
}
