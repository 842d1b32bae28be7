import { serviceCaller } from '@parlance/access';
import type { IncomingEvent, Payload } from '@parlance/events';
import type { RequestContext, Deps } from '../app/deps';
import { removeUserTraces } from '../app/users/delete-user';
import { componentDeleted, ensureProjectTeams, projectDeleted, projectUpdated } from '../app/groups/project-teams';

/** Events of other services that affect permissions. Handlers are idempotent. */
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

type StructureConsumerDeps = Pick<
  Deps,
  'users' | 'groups' | 'projects' | 'audit' | 'mails' | 'webCredentials' | 'now' | 'noreplyDomain'
>;

export function structureConsumer(deps: StructureConsumerDeps): (events: Handled[]) => Promise<void> {
  const handlers: {
    [N in Handled['payloadName']]: (payload: Payload<N>, context: RequestContext) => Promise<unknown>;
  } = {
    projectCreated: (p, context) => ensureProjectTeams(deps, context, stateOf(p), p.userId),
    projectUpdated: (p, context) => projectUpdated(deps, context, stateOf(p)),
    projectDeleted: (p, context) => projectDeleted(deps, context, p.projectId),
    componentDeleted: (p) => componentDeleted(deps, p.componentId),
    userDeleted: (p) => removeUserTraces(deps, p.userId),
  };
  return async (events) => {
    for (const event of events) {
      const context: RequestContext = { caller: serviceCaller(event.source), clientAddress: '', requestId: event.id };
      await (handlers[event.payloadName] as (payload: object, context: RequestContext) => Promise<unknown>)(
        event.payload,
        context,
      );
    }
  };
}
