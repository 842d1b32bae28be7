import { ChangeAction } from '@parlance/contracts';
import type { Component } from '../../domain/objects';
import { change, componentUpdated } from '../events';
import { findComponent } from '../find-objects';
import type { RequestContext, Deps, OutboxLocation } from '../deps';
import { LOST_RACE, updateObject } from '../save-object';
import { requirePermission, targetOf } from '../visibility';
import type { OutgoingEvent } from '@parlance/events';

interface WriteNote {
  location: OutboxLocation;
  events: OutgoingEvent[];
}

/** Reason of a lock that was not set by a user. */
export interface AutomaticLock {
  reason: string;
}

async function lockOne(
  deps: Pick<Deps, 'components'>,
  context: RequestContext,
  id: number,
  locked: boolean,
  automatic?: AutomaticLock,
): Promise<WriteNote | null> {
  return updateObject<WriteNote | null>(async () => {
    const before = await deps.components.get(id);
    if (!before || before.locked === locked) return null;
    // Only a user can release a user's lock.
    if (automatic && !locked && before.lockReason === '') return null;
    if (automatic && locked && !before.settings.autoLockError) return null;
    const after: Component = {
      ...before,
      version: before.version + 1,
      locked,
      lockReason: locked ? (automatic?.reason ?? '') : '',
    };
    const events = [
      componentUpdated(context, after, ['locked']),
      change(context, {
        action: locked ? ChangeAction.componentLocked : ChangeAction.componentUnlocked,
        component: after,
        target: automatic?.reason ?? '',
        details: { auto: automatic !== undefined },
      }),
    ];
    return (await deps.components.replace(after, events))
      ? { location: { collection: 'nodes', id }, events }
      : LOST_RACE;
  });
}

/** Locks or unlocks components, each in its own write. */
export async function lockAll(
  deps: Pick<Deps, 'components' | 'announcer'>,
  context: RequestContext,
  ids: readonly number[],
  locked: boolean,
  automatic?: AutomaticLock,
): Promise<void> {
  const written: WriteNote[] = [];
  for (const id of ids) {
    const one = await lockOne(deps, context, id, locked, automatic);
    if (one) written.push(one);
  }
  if (written.length > 0) await deps.announcer.written(...written);
}

type SetLockDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'announcer' | 'snapshot'>;

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function setLock(
  deps: SetLockDeps,
  context: RequestContext,
  componentId: number,
  locked: boolean,
): Promise<void> {
  const { component, project } = await findComponent(deps, context, { id: componentId });
  requirePermission(context, 'component.lock', targetOf(project, component));
  await lockAll(deps, context, [componentId], locked);
}
