import type { MetricDefinition } from '../definition';
import { WORK } from './shared';

export const hookMetrics = {
  parlance_hook_deliveries_total: {
    type: 'counter',
    help: 'Notifications of git hosts that were answered.',
    processes: ['hooks'],
    labels: {
      provider: ['github', 'gitlab', 'bitbucket', 'pagure', 'azure', 'gitea', 'forgejo', 'gitee', 'other'],
      outcome: ['matched', 'nothing', 'ping', 'repeated', 'refused', 'failed', 'other'],
    },
  },
  parlance_webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver outbound webhooks, by the state of the delivery afterwards.',
    processes: ['hooks'],
    labels: { state: ['delivered', 'pending', 'failed', 'other'] },
  },
  parlance_webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'Time of attempts to deliver outbound webhooks.',
    processes: ['hooks'],
    buckets: WORK,
  },
} as const satisfies Record<string, MetricDefinition>;
