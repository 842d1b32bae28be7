import { servicePrincipal } from '@parlance/access';
import type { IncomingEvent, Payload } from '@parlance/events';
import type { Caller, Identity } from '../app/identity';
import { forgetUser } from '../app/delete-user';
import { componentDeleted, ensureProjectTeams, projectDeleted, projectUpdated } from '../app/project-teams';

/** Events of other rooms that change who may do what; every handler can be repeated. */
export const structurePayloads = [
  'projectCreated',
  'projectUpdated',
  'projectDeleted',
  'componentDeleted',
  'userDeleted',
] as const;
type Handled = IncomingEvent<(typeof structurePayloads)[number]>;

function stateOf(project: Payload<'projectCreated'> | Payload<'projectUpdated'>) {
  return {
    projectId: project.projectId,
    slug: project.slug,
    accessControl: project.accessControl,
    review: project.translationReview || project.sourceReview,
  };
}

export function structureChanged(on: Identity): (events: Handled[]) => Promise<void> {
  const handlers: { [N in Handled['payloadName']]: (payload: Payload<N>, caller: Caller) => Promise<unknown> } = {
    projectCreated: (p, caller) => ensureProjectTeams(on, caller, stateOf(p), p.userId),
    projectUpdated: (p, caller) => projectUpdated(on, caller, stateOf(p)),
    projectDeleted: (p, caller) => projectDeleted(on, caller, p.projectId),
    componentDeleted: (p) => componentDeleted(on, p.componentId),
    userDeleted: (p) => forgetUser(on, p.userId),
  };
  return async (events) => {
    for (const event of events) {
      const caller: Caller = { principal: servicePrincipal(event.source), clientAddress: '', requestId: event.id };
      await (handlers[event.payloadName] as (payload: object, caller: Caller) => Promise<unknown>)(
        event.payload,
        caller,
      );
    }
  };
}
