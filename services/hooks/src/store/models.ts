import type { OutgoingEvent } from '@parlance/events';
import {
  counterSchema,
  documentSchema,
  objectSchema,
  optional,
  required,
  typed,
  type CounterDocument,
  type DocumentOf,
} from '@parlance/store-kit';
import type { Connection } from 'mongoose';

/** Retention of a trigger's time, in seconds; far longer than the merge window. */
const TRIGGER_SECONDS = 3600;

/** Retention of deliveries of both directions, in seconds. */
const KEEP_SECONDS = 30 * 24 * 3600;

const pull = objectSchema({
  componentId: required(Number),
  projectId: required(Number),
  path: required(String),
  taskId: required(String),
  verified: required(Boolean),
});

/** An inbound delivery with its outbox. */
const inbound = documentSchema('inbound_deliveries', {
  _id: required(String),
  provider: required(String),
  providerDeliveryId: required(String),
  /** Absent if repetitions cannot be detected. */
  fingerprint: optional(String),
  signedDigest: optional(String),
  received: required(Date),
  sourceAddress: required(String),
  branches: required([String]),
  fullName: required(String),
  repositoryMatches: required(Number, { min: 0 }),
  branchMatches: required(Number, { min: 0 }),
  enabledMatches: required(Number, { min: 0 }),
  pulls: required([pull]),
  /** Projects of the pulls, without duplicates. */
  projects: required([Number]),
  // Events are described by libs/events.
  outbox: required([typed<OutgoingEvent>()]),
});
inbound.index({ fingerprint: 1 }, { unique: true, partialFilterExpression: { fingerprint: { $exists: true } } });
inbound.index({ signedDigest: 1 }, { partialFilterExpression: { signedDigest: { $exists: true } } });
inbound.index({ projects: 1, received: -1, _id: -1 });
inbound.index({ received: 1 }, { expireAfterSeconds: KEEP_SECONDS });
inbound.index({ 'outbox.timeMs': 1 }, { sparse: true });
export type InboundDocument = DocumentOf<typeof inbound>;

const subscription = documentSchema('subscriptions', {
  _id: required(Number),
  version: required(Number, { min: 1 }),
  /** 0: the whole site. */
  projectId: required(Number),
  /** 0: the whole project. */
  componentId: required(Number),
  url: required(String),
  /** Action numbers; empty: all. */
  events: required([Number]),
  /** Empty if deliveries are not signed. */
  sealedSecret: required(String),
  enabled: required(Boolean),
  kind: required(String, { enum: ['change', 'slack'] }),
  /** 0: none. */
  addonId: required(Number),
  createdMs: required(Number),
  lastSuccessMs: required(Number),
  lastFailureMs: required(Number),
  seenMs: required(Number),
});
subscription.index({ projectId: 1, _id: 1 });
subscription.index({ componentId: 1 });
subscription.index({ addonId: 1 }, { unique: true, partialFilterExpression: { addonId: { $gt: 0 } } });
export type SubscriptionDocument = DocumentOf<typeof subscription>;

const delivery = documentSchema('deliveries', {
  _id: required(String),
  subscriptionId: required(Number),
  changeId: required(Number),
  action: required(Number),
  body: required(String),
  state: required(String, { enum: ['pending', 'delivered', 'failed'] }),
  attempts: required(Number, { min: 0 }),
  created: required(Date),
  nextAttemptMs: required(Number),
  /** 0: none. */
  lastStatus: required(Number),
  lastError: required(String),
});
delivery.index({ subscriptionId: 1, changeId: 1 }, { unique: true });
delivery.index({ subscriptionId: 1, created: -1, _id: -1 });
delivery.index({ state: 1, nextAttemptMs: 1 });
delivery.index({ created: 1 }, { expireAfterSeconds: KEEP_SECONDS });
export type DeliveryDocument = DocumentOf<typeof delivery>;

/** Time of a component's last trigger. */
const trigger = documentSchema('triggers', { _id: required(Number), at: required(Date) });
trigger.index({ at: 1 }, { expireAfterSeconds: TRIGGER_SECONDS });

/** The models of the hooks service on a connection. */
export function makeModels(connection: Connection) {
  return {
    subscriptions: connection.model<SubscriptionDocument>('Subscription', subscription),
    deliveries: connection.model<DeliveryDocument>('Delivery', delivery),
    counters: connection.model<CounterDocument>('Counter', counterSchema()),
    triggers: connection.model<DocumentOf<typeof trigger>>('Trigger', trigger),
    inbound: connection.model<InboundDocument>('InboundDelivery', inbound),
  };
}

export type Models = ReturnType<typeof makeModels>;
