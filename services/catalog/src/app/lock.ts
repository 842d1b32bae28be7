import type { Component } from '../domain/objects';
import { action, change, componentUpdated } from './announce';
import { findComponent } from './find';
import type { Actor, Parts, Place } from './parts';
import { retried } from './save';
import { demand, targetOf } from './visibility';
import type { OutgoingEvent } from '@parlance/events';

interface Written {
  place: Place;
  events: OutgoingEvent[];
}

/** Why a component is locked, when no person did it. */
export interface AutomaticLock {
  reason: string;
}

async function lockOne(
  parts: Parts,
  actor: Actor,
  id: number,
  locked: boolean,
  automatic?: AutomaticLock,
): Promise<Written | null> {
  return retried<Written | null>(async () => {
    const before = await parts.components.get(id);
    if (!before || before.locked === locked) return null;
    // What a person locked stays locked until a person unlocks it.
    if (automatic && !locked && before.lockReason === '') return null;
    if (automatic && locked && !before.settings.autoLockError) return null;
    const after: Component = {
      ...before,
      version: before.version + 1,
      locked,
      lockReason: locked ? (automatic?.reason ?? '') : '',
    };
    const events = [
      componentUpdated(actor, after, ['locked']),
      change(actor, {
        action: locked ? action.componentLocked : action.componentUnlocked,
        component: after,
        target: automatic?.reason ?? '',
        details: { auto: automatic !== undefined },
      }),
    ];
    return (await parts.components.replace(after, events)) ? { place: { collection: 'nodes', id }, events } : undefined;
  });
}

/** Locks or unlocks components, each in its own write. */
export async function lockAll(
  parts: Parts,
  actor: Actor,
  ids: readonly number[],
  locked: boolean,
  automatic?: AutomaticLock,
): Promise<void> {
  const written: Written[] = [];
  for (const id of ids) {
    const one = await lockOne(parts, actor, id, locked, automatic);
    if (one) written.push(one);
  }
  if (written.length > 0) await parts.announcer.written(...written);
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function setLock(parts: Parts, actor: Actor, componentId: number, locked: boolean): Promise<void> {
  const { component, project } = await findComponent(parts, actor, { id: componentId });
  demand(actor, 'component.lock', targetOf(project, component));
  await lockAll(parts, actor, [componentId], locked);
}
