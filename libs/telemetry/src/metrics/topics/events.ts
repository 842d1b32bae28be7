import { serviceNames, type LabelBound, type MetricDefinition } from '../definition';
import { WORK } from './shared';

const consumer: LabelBound = { max: 30, from: 'durable names in `bus.consume`, names in `bus.follow`' };

export const eventMetrics = {
  parlance_events_published_total: {
    type: 'counter',
    help: 'Events published.',
    processes: serviceNames,
    labels: { payload: { max: 40, from: 'payloads of `events.proto`' } },
  },
  parlance_events_handled_total: {
    type: 'counter',
    help: 'Events handled by consumers. `dead`: moved to the dead letters.',
    processes: serviceNames,
    labels: { consumer, outcome: ['done', 'retried', 'dead', 'other'] },
  },
  parlance_events_redelivered_total: {
    type: 'counter',
    help: 'Deliveries of events that were delivered before.',
    processes: serviceNames,
    labels: { consumer },
  },
  parlance_event_handling_duration_seconds: {
    type: 'histogram',
    help: 'Time of one handler call; a call can handle several events.',
    processes: serviceNames,
    labels: { consumer },
    buckets: WORK,
  },
  parlance_event_delay_seconds: {
    type: 'histogram',
    help: 'Time from the write that an event reports to its effect. `statistics-live` is the copy that answers statistics.',
    processes: serviceNames,
    labels: { consumer },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
  },
  parlance_consumer_lag_events: {
    type: 'gauge',
    help: 'Events that a consumer has not handled yet. `statistics-live`, which each replica has: at most as many.',
    processes: serviceNames,
    labels: { consumer },
    shared: true,
  },
  parlance_consumer_oldest_event_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event that a consumer has not handled; 0 if there is none.',
    processes: serviceNames,
    labels: { consumer },
    shared: true,
  },
  parlance_dead_letters: {
    type: 'gauge',
    help: 'Events in the stream of dead letters.',
    processes: serviceNames,
    shared: true,
  },
  parlance_event_stream_bytes: {
    type: 'gauge',
    help: 'Size of the event stream.',
    processes: serviceNames,
    shared: true,
  },
  parlance_event_stream_max_bytes: {
    type: 'gauge',
    help: 'Size limit of the event stream; the oldest events are dropped beyond it.',
    processes: serviceNames,
    shared: true,
  },
  parlance_outbox_relayed_total: {
    type: 'counter',
    help: 'Events that the relay published after a crash or outage.',
    processes: ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'hooks'],
  },
  parlance_outbox_events: {
    type: 'gauge',
    help: 'Unpublished events that the last relay pass found. Of more than 100 documents it counts the documents, up to 10 000.',
    processes: ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'hooks'],
    shared: true,
  },
  parlance_outbox_oldest_event_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest unpublished event that the last relay pass found; 0 if there is none.',
    processes: ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'hooks'],
    shared: true,
  },
} as const satisfies Record<string, MetricDefinition>;
