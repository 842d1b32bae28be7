import type { hooks } from '@parlance/contracts';
import type { Outcome } from '../app/receive';
import type { Delivery, DeliveryState } from '../domain/outbound/delivery';
import type { Subscription } from '../domain/outbound/subscription';
import type { InboundDelivery } from '../domain/ports';

export const outcomeToWire: Record<Outcome, hooks.ReceiveResponse['outcome']> = {
  matched: 'OUTCOME_MATCHED',
  nothing: 'OUTCOME_NOTHING',
  ping: 'OUTCOME_PING',
};

const stateToWire: Record<DeliveryState, hooks.Delivery['state']> = {
  pending: 'DELIVERY_STATE_PENDING',
  delivered: 'DELIVERY_STATE_DELIVERED',
  failed: 'DELIVERY_STATE_FAILED',
};

/** Undefined for an unspecified state. */
export function stateFromWire(state: hooks.Delivery__Output['state']): DeliveryState | undefined {
  return (Object.keys(stateToWire) as DeliveryState[]).find((name) => stateToWire[name] === state);
}

/** The part of an inbound delivery that concerns one project; 0: all of it. */
export function inboundToWire(delivery: InboundDelivery, projectId: number): hooks.InboundDelivery {
  const pulls = delivery.pulls.filter((p) => projectId === 0 || p.projectId === projectId);
  return {
    id: delivery.id,
    provider: delivery.provider,
    providerDeliveryId: delivery.providerDeliveryId,
    receivedMs: delivery.receivedMs,
    sourceAddress: delivery.sourceAddress,
    outcome: 'OUTCOME_MATCHED',
    branch: delivery.branches.join(', '),
    fullName: delivery.fullName,
    componentIds: pulls.map((p) => p.componentId),
    taskIds: pulls.map((p) => p.taskId),
    verified: pulls.some((p) => p.verified),
  };
}

export function subscriptionToWire(s: Subscription): hooks.Subscription {
  return {
    id: s.id,
    projectId: s.projectId,
    componentId: s.componentId,
    webhookUrl: s.url,
    events: s.events,
    hasSecret: s.sealedSecret !== '',
    enabled: s.enabled,
    payloadKind: s.kind === 'slack' ? 'PAYLOAD_KIND_SLACK' : 'PAYLOAD_KIND_CHANGE',
    addonId: s.addonId,
    createdMs: s.createdMs,
    lastSuccessMs: s.lastSuccessMs,
    lastFailureMs: s.lastFailureMs,
  };
}

export function deliveryToWire(d: Delivery): hooks.Delivery {
  return {
    id: d.id,
    subscriptionId: d.subscriptionId,
    state: stateToWire[d.state],
    action: d.action,
    changeId: d.changeId,
    attempts: d.attempts,
    createdMs: d.createdMs,
    nextAttemptMs: d.state === 'pending' ? d.nextAttemptMs : 0,
    lastStatus: d.lastStatus,
    lastError: d.lastError,
    body: d.body,
  };
}
