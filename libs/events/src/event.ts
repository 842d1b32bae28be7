import { randomUUID } from 'node:crypto';
import { eventType, type events } from '@parlance/contracts';
import { currentTraceparent } from '@parlance/telemetry';

type Envelope = events.Event;

/** Name of a payload as the contract has it in code (componentCreated). */
export type PayloadName = NonNullable<events.Event__Output['payload']>;

/** Payload type by name. */
export type Payload<N extends PayloadName> = NonNullable<events.Event__Output[N]>;

/** An event that is to be written into an outbox or published. Plain data: it can be stored as it is. */
export interface OutgoingEvent {
  id: string;
  timeMs: number;
  source: string;
  traceparent: string;
  key: string;
  payloadName: PayloadName;
  payload: object;
}

/** An event as consumers get it. */
export interface IncomingEvent<N extends PayloadName = PayloadName> {
  id: string;
  timeMs: number;
  source: string;
  traceparent: string;
  key: string;
  payloadName: N;
  payload: Payload<N>;
  /** Place in the stream; grows. */
  sequence: number;
  /** 1 the first time. */
  attempt: number;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** Subject of an event, or of all events with a payload when no key is given. */
export function subjectOf(payloadName: PayloadName, key?: string): string {
  return `parlance.events.${snake(payloadName)}.${key === undefined ? '>' : key.replace(/[^A-Za-z0-9_-]/g, '_') || '_'}`;
}

/**
 * Makes an event.
 * @param source the service that announces it
 * @param key what orders events that belong together, for instance the component's id
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

/** Protobuf bytes of an event. @throws when the payload does not fit the contract */
export function encodeEvent(event: OutgoingEvent): Uint8Array {
  const type = eventType();
  const { payloadName, payload, ...envelope } = event;
  const plain = { ...envelope, [payloadName]: payload };
  const problem = type.verify(plain);
  if (problem) throw new Error(`event ${payloadName} does not fit its contract: ${problem}`);
  return type.encode(type.fromObject(plain)).finish();
}

/** Reads protobuf bytes. @throws when they are damaged or hold no known payload */
export function decodeEvent(bytes: Uint8Array): Omit<IncomingEvent, 'sequence' | 'attempt'> {
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
  return {
    id: String(plain['id']),
    timeMs: Number(plain['timeMs']),
    source: String(plain['source']),
    traceparent: String(plain['traceparent']),
    key: String(plain['key']),
    payloadName,
    payload: plain[payloadName] as IncomingEvent['payload'],
  };
}
