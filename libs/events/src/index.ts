export { EventBus, DEAD_STREAM, STREAM, type ConsumerOptions, type RunningConsumer } from './bus';
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
export { OutboxRelay, type OutboxEntry, type OutboxStore } from './outbox';
export { Follower, type FollowOptions } from './follow';
export { EventsUnavailableError } from './link';
