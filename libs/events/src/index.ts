export { EventBus, type BusOptions } from './bus';
export type { BatchConsumerOptions, ConsumerOptions, MappedConsumerOptions, RunningConsumer } from './consumer';
export { type DeadLetter, type DeadLetterFilter, type DeadLetters, type ReplayResult } from './dead-letters';
export { dispatch, inOrder, payloadNames, type EventHandlers } from './handlers';
export { checkNats } from './check-nats';
export { DEAD_STREAM, STREAM } from './streams';
export {
  decodeEvent,
  encodeEvent,
  newEvent,
  subjectOf,
  type IncomingEvent,
  type OutgoingEvent,
  type Payload,
  type PayloadName,
} from './event';
export { OutboxMeter, OutboxRelay, type OutboxBacklog, type OutboxEntry, type OutboxStore } from './outbox';
export { Follower, type FollowOptions } from './follow';
export { EventsUnavailableError } from './link';
