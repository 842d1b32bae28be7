import { Schema, type Connection } from 'mongoose';
import type { OutgoingEvent } from '@parlance/events';
import type { Delivery } from '../domain/outbound/delivery';
import type { Subscription } from '../domain/outbound/subscription';
import type { InboundDelivery } from '../domain/ports';

/** An inbound delivery with its outbox. */
export interface InboundDocument extends Omit<InboundDelivery, 'id' | 'receivedMs' | 'fingerprint'> {
  _id: string;
  /** Absent if repetitions cannot be detected. */
  fingerprint?: string;
  received: Date;
  /** Projects of the pulls, without duplicates. */
  projects: number[];
  outbox: OutgoingEvent[];
}

export interface SubscriptionDocument extends Omit<Subscription, 'id'> {
  _id: number;
}

export interface DeliveryDocument extends Omit<Delivery, 'id' | 'createdMs'> {
  _id: string;
  created: Date;
}

/** The last allocated id of each kind. */
export interface CounterDocument {
  _id: string;
  last: number;
}

/** Time of a component's last trigger. */
export interface TriggerDocument {
  _id: number;
  at: Date;
}

/** Retention of a trigger's time, in seconds; far longer than the merge window. */
const TRIGGER_SECONDS = 3600;

/** Retention of deliveries of both directions, in seconds. */
const KEEP_SECONDS = 30 * 24 * 3600;

const free = { strict: false, versionKey: false as const, autoIndex: false, autoCreate: false };

/** The models of the hooks service on a connection. */
export function makeModels(connection: Connection) {
  const inbound = new Schema<InboundDocument>({ _id: String }, { ...free, collection: 'inbound_deliveries' });
  inbound.index({ fingerprint: 1 }, { unique: true, partialFilterExpression: { fingerprint: { $exists: true } } });
  inbound.index({ signedDigest: 1 }, { partialFilterExpression: { signedDigest: { $exists: true } } });
  inbound.index({ projects: 1, received: -1, _id: -1 });
  inbound.index({ received: 1 }, { expireAfterSeconds: KEEP_SECONDS });
  inbound.index({ 'outbox.timeMs': 1 }, { sparse: true });
  const subscription = new Schema<SubscriptionDocument>({ _id: Number }, { ...free, collection: 'subscriptions' });
  subscription.index({ projectId: 1, _id: 1 });
  subscription.index({ componentId: 1 });
  subscription.index({ addonId: 1 }, { unique: true, partialFilterExpression: { addonId: { $gt: 0 } } });
  const delivery = new Schema<DeliveryDocument>({ _id: String }, { ...free, collection: 'deliveries' });
  delivery.index({ subscriptionId: 1, changeId: 1 }, { unique: true });
  delivery.index({ subscriptionId: 1, created: -1, _id: -1 });
  delivery.index({ state: 1, nextAttemptMs: 1 });
  delivery.index({ created: 1 }, { expireAfterSeconds: KEEP_SECONDS });
  const trigger = new Schema<TriggerDocument>({ _id: Number }, { ...free, collection: 'triggers' });
  trigger.index({ at: 1 }, { expireAfterSeconds: TRIGGER_SECONDS });
  const counter = new Schema<CounterDocument>({ _id: String }, { ...free, collection: 'counters' });
  return {
    subscriptions: connection.model<SubscriptionDocument>('Subscription', subscription),
    deliveries: connection.model<DeliveryDocument>('Delivery', delivery),
    counters: connection.model<CounterDocument>('Counter', counter),
    triggers: connection.model<TriggerDocument>('Trigger', trigger),
    inbound: connection.model<InboundDocument>('InboundDelivery', inbound),
  };
}

export type Models = ReturnType<typeof makeModels>;
