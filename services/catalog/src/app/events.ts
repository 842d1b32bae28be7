import type { ChangeAction } from '@parlance/contracts';
import { newEvent, type OutgoingEvent } from '@parlance/events';
import type { Addon, Component, Project } from '../domain/objects';
import type { RequestContext } from './deps';

export const SOURCE = 'catalog';

export interface ChangeNote {
  action: ChangeAction;
  projectId?: number;
  component?: Component;
  target?: string;
  old?: string;
  details?: Readonly<Record<string, unknown>>;
}

/** Event for an entry of the history. */
export function change(context: RequestContext, note: ChangeNote): OutgoingEvent {
  const projectId = note.component?.projectId ?? note.projectId ?? 0;
  return newEvent(
    SOURCE,
    'changeMade',
    {
      action: note.action,
      projectId,
      componentId: note.component?.id ?? 0,
      userId: context.caller.userId,
      authorId: context.caller.userId,
      target: note.target ?? '',
      old: note.old ?? '',
      detailsJson: JSON.stringify(note.details ?? {}),
    },
    note.component?.id ?? `p${projectId}`,
  );
}

export function projectCreated(
  context: RequestContext,
  { id, settings }: Pick<Project, 'id' | 'settings'>,
): OutgoingEvent {
  const { slug, accessControl, translationReview, sourceReview } = settings;
  return newEvent(
    SOURCE,
    'projectCreated',
    { projectId: id, slug, userId: context.caller.userId, accessControl, translationReview, sourceReview },
    id,
  );
}

export function projectUpdated({ id, settings }: Project, changed: readonly string[]): OutgoingEvent {
  const { slug, accessControl, translationReview, sourceReview } = settings;
  return newEvent(
    SOURCE,
    'projectUpdated',
    { projectId: id, slug, accessControl, translationReview, sourceReview, changed: [...changed] },
    id,
  );
}

export function projectDeleted({ id, settings }: Project): OutgoingEvent {
  return newEvent(SOURCE, 'projectDeleted', { projectId: id, slug: settings.slug }, id);
}

export function componentCreated(context: RequestContext, c: Component): OutgoingEvent {
  return newEvent(
    SOURCE,
    'componentCreated',
    { componentId: c.id, projectId: c.projectId, taskId: c.taskId, userId: context.caller.userId },
    c.id,
  );
}

/** @param changed names of settings as in the public API */
export function componentUpdated(
  context: RequestContext,
  c: Component,
  changed: readonly string[],
  taskId = '',
): OutgoingEvent {
  return newEvent(
    SOURCE,
    'componentUpdated',
    { componentId: c.id, projectId: c.projectId, changed: [...changed], taskId, userId: context.caller.userId },
    c.id,
  );
}

export function componentDeleted(c: { id: number; projectId: number; isGlossary: boolean }): OutgoingEvent {
  const { id, projectId, isGlossary } = c;
  return newEvent(SOURCE, 'componentDeleted', { componentId: id, projectId, isGlossary }, id);
}

export function addonChanged(
  context: RequestContext,
  { id, name, componentId, projectId }: Addon,
  removed: boolean,
): OutgoingEvent {
  return newEvent(
    SOURCE,
    'addonChanged',
    { addonId: id, name, componentId, projectId, removed, userId: context.caller.userId },
    componentId || `p${projectId}`,
  );
}
