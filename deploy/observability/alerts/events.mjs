// Alerts on events: consumers, outboxes, the stream, dead letters.

/** Described in index.mjs. */
export const events = [
  {
    alert: 'DeadLetters',
    severity: 'ticket',
    runbook: 'dead-letters',
    expr: 'max(parlance_dead_letters) > 0',
    for: '5m',
    summary:
      'Events could not be handled and wait in the dead letters; parlance_events_handled_total{outcome="dead"} names their consumers',
    test: {
      labels: {},
      fires: { 'parlance_dead_letters{component="hooks"}': '1x20' },
      quiet: { 'parlance_dead_letters{component="hooks"}': '0x20' },
    },
  },
  {
    alert: 'OutboxStuck',
    severity: 'page',
    runbook: 'outbox-stuck',
    expr: 'max by (component) (parlance_outbox_oldest_event_age_seconds) > 60',
    for: '5m',
    summary: '{{ $labels.component }} has not published an event for more than a minute',
    test: {
      labels: { component: 'catalog' },
      fires: { 'parlance_outbox_oldest_event_age_seconds{component="catalog"}': '90+60x20' },
      quiet: { 'parlance_outbox_oldest_event_age_seconds{component="catalog"}': '6x20' },
    },
  },
  {
    alert: 'ConsumerLagging',
    severity: 'page',
    runbook: 'consumer-lagging',
    expr: 'max by (consumer) (parlance_consumer_oldest_event_age_seconds) > 300',
    for: '5m',
    summary: '{{ $labels.consumer }} has not handled an event for more than 5 minutes',
    test: {
      labels: { consumer: 'hooks-changes' },
      fires: { 'parlance_consumer_oldest_event_age_seconds{consumer="hooks-changes"}': '301+60x20' },
      quiet: { 'parlance_consumer_oldest_event_age_seconds{consumer="hooks-changes"}': '20x20' },
    },
  },
  {
    alert: 'EventStreamFull',
    severity: 'ticket',
    runbook: 'event-stream-full',
    expr: 'max(parlance_event_stream_bytes) / max(parlance_event_stream_max_bytes) > 0.9 and max(parlance_consumer_oldest_event_age_seconds) > 60',
    for: '15m',
    summary: 'The event stream drops its oldest events while a consumer is behind',
    test: {
      labels: {},
      fires: {
        parlance_event_stream_bytes: '950x40',
        parlance_event_stream_max_bytes: '1000x40',
        'parlance_consumer_oldest_event_age_seconds{consumer="hooks-changes"}': '100x40',
      },
      quiet: {
        parlance_event_stream_bytes: '950x40',
        parlance_event_stream_max_bytes: '1000x40',
        'parlance_consumer_oldest_event_age_seconds{consumer="hooks-changes"}': '0x40',
      },
    },
  },
];
