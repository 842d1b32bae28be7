import { randomUUID } from 'node:crypto';
import { eventType, type events } from '@parlance/contracts';
import { currentTraceparent } from '@parlance/telemetry';

type Envelope = events.Event;

/** Name of a payload: the field of the message `Event`, in camel case (componentCreated). */
export type PayloadName = NonNullable<events.Event__Output['payload']>;

/** Payload type by name. */
export type Payload<N extends PayloadName> = NonNullable<events.Event__Output[N]>;

interface EventEnvelope {
  /** UUID. */
  id: string;
  /** Milliseconds since the epoch. */
  timeMs: number;
  /** Time of the oldest write that the event reports, if the event was created later than the write. Measures delays only. */
  writtenMs?: number;
  /** Service that published the event. */
  source: string;
  traceparent: string;
  /** Part of the subject: events with the same key keep their order. */
  key: string;
}

/** An event for an outbox or for publication. Plain data: it can be stored as it is. */
export interface OutgoingEvent extends EventEnvelope {
  payloadName: PayloadName;
  payload: object;
}

/** An event as it was published. */
export type DecodedEvent<N extends PayloadName = PayloadName> = {
  [K in N]: EventEnvelope & { payloadName: K; payload: Payload<K> };
}[N];

/** An event that a consumer receives: a union discriminated by `payloadName`. */
export type IncomingEvent<N extends PayloadName = PayloadName> = DecodedEvent<N> & {
  /** Position in the stream, ascending. */
  sequence: number;
  /** 1 for the first delivery. */
  attempt: number;
};

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** Subject of an event; without a key, the wildcard subject of all events with that payload. */
export function subjectOf(payloadName: PayloadName, key?: string): string {
  return `parlance.events.${snake(payloadName)}.${key === undefined ? '>' : key.replace(/[^A-Za-z0-9_-]/g, '_') || '_'}`;
}

/**
 * Creates an event.
 * @param source the service that publishes it
 * @param key events with the same key keep their order, for instance the component's id
 */
export function newEvent<N extends PayloadName>(
  source: string,
  payloadName: N,
  payload: NonNullable<Envelope[N]>,
  key: string | number,
): OutgoingEvent {
  return {
    id: randomUUID(),
    timeMs: Date.now(),
    source,
    traceparent: currentTraceparent(),
    key: String(key),
    payloadName,
    payload,
  };
}

/** Serializes an event to protobuf. @throws when the payload violates the contract */
export function encodeEvent(event: OutgoingEvent): Uint8Array {
  const type = eventType();
  const { payloadName, payload, ...envelope } = event;
  const plain = { ...envelope, [payloadName]: payload };
  const problem = type.verify(plain);
  if (problem) throw new Error(`event ${payloadName} does not fit its contract: ${problem}`);
  return type.encode(type.fromObject(plain)).finish();
}

/** Parses protobuf. @throws when the bytes are damaged or the payload is unknown */
export function decodeEvent(bytes: Uint8Array): DecodedEvent {
  const type = eventType();
  const plain = type.toObject(type.decode(bytes), {
    longs: Number,
    enums: String,
    defaults: true,
    arrays: true,
    oneofs: true,
  }) as Record<string, unknown>;
  const payloadName = plain['payload'] as PayloadName | undefined;
  if (!payloadName) throw new Error('event without a known payload');
  const event = {
    id: String(plain['id']),
    timeMs: Number(plain['timeMs']),
    source: String(plain['source']),
    traceparent: String(plain['traceparent']),
    key: String(plain['key']),
    ...(plain['writtenMs'] ? { writtenMs: Number(plain['writtenMs']) } : {}),
    payloadName,
    payload: plain[payloadName],
  };
  // The name selects the field, so name and payload belong together.
  return event as DecodedEvent;
}

/** Seconds from the write that an event reports until now. */
export function secondsSinceWrite({ timeMs, writtenMs = timeMs }: Pick<EventEnvelope, 'timeMs' | 'writtenMs'>): number {
  return Math.max(0, Date.now() - writtenMs) / 1000;
}

/**
 * Parses a delivered event.
 * @typeParam N the payloads of the subscription: the server delivers no others
 * @throws when the bytes are damaged or the payload is unknown
 */
export function decodeDelivery<N extends PayloadName>(
  bytes: Uint8Array,
  delivery: { sequence: number; attempt: number },
): IncomingEvent<N> {
  const event: unknown = { ...decodeEvent(bytes), ...delivery };
  return event as IncomingEvent<N>;
}
