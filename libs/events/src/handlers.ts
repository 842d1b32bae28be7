import type { IncomingEvent, PayloadName } from './event';

/** One function for each of the named payloads. The compiler rejects a missing handler and an unknown payload name. */
export type EventHandlers<N extends PayloadName, R = Promise<unknown>> = {
  readonly [K in N]: (event: IncomingEvent<K>) => R;
};

/** The payloads that a map of handlers covers. */
export function payloadNames<N extends PayloadName>(handlers: EventHandlers<N, unknown>): N[] {
  return Object.keys(handlers) as N[];
}

/** Calls the handler of an event's payload. */
export function dispatch<N extends PayloadName, R>(handlers: EventHandlers<N, R>, event: IncomingEvent<N>): R {
  // The compiler does not relate the two uses of the name; the map's type does.
  const handler = handlers[event.payloadName] as (event: IncomingEvent<N>) => R;
  return handler(event);
}

/** Handles a batch one event at a time, in stream order. */
export function inOrder<N extends PayloadName>(handlers: EventHandlers<N>) {
  return async (events: readonly IncomingEvent<N>[]): Promise<void> => {
    for (const event of events) await dispatch(handlers, event);
  };
}
