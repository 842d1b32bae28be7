// Events: lag of consumers, dead letters, outboxes.
import { graph, limits, number, quantile, rateOf } from './panels.mjs';

export const events = {
  uid: 'parlance-events',
  title: 'Parlance: events',
  panels: [
    number('Dead letters', 'short', 'max(parlance_dead_letters)', limits(1, 10)),
    number(
      'Stream used',
      'percentunit',
      'max(parlance_event_stream_bytes) / max(parlance_event_stream_max_bytes)',
      limits(0.8, 0.95),
    ),
    graph('Published by payload', 'ops', [[rateOf('parlance_events_published_total', 'payload'), '{{payload}}']], {
      stack: true,
      width: 16,
    }),
    graph('Lag', 'short', [['max by (consumer) (parlance_consumer_lag_events)', '{{consumer}}']]),
    graph('Oldest event not handled', 's', [
      ['max by (consumer) (parlance_consumer_oldest_event_age_seconds)', '{{consumer}}'],
    ]),
    graph('Handled', 'ops', [
      [rateOf('parlance_events_handled_total', 'consumer', '{outcome="done"}'), '{{consumer}}'],
    ]),
    graph('Retried and dead', 'ops', [
      [rateOf('parlance_events_handled_total', 'consumer, outcome', '{outcome!="done"}'), '{{consumer}} {{outcome}}'],
      [rateOf('parlance_events_redelivered_total', 'consumer'), '{{consumer}} redelivered'],
    ]),
    graph('From event to effect, p95', 's', [
      [quantile(0.95, 'parlance_event_delay_seconds', ['consumer']), '{{consumer}}'],
    ]),
    graph('Time of handlers, p95', 's', [
      [quantile(0.95, 'parlance_event_handling_duration_seconds', ['consumer']), '{{consumer}}'],
    ]),
    graph('Outboxes: unpublished events', 'short', [['max by (component) (parlance_outbox_events)', '{{component}}']]),
    graph('Outboxes: oldest event', 's', [
      ['max by (component) (parlance_outbox_oldest_event_age_seconds)', '{{component}}'],
    ]),
    graph('Published by the relay', 'ops', [[rateOf('parlance_outbox_relayed_total', 'component'), '{{component}}']]),
  ],
};
