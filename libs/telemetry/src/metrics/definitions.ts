import type { LabelBound, MetricDefinition, ProcessName } from './definition';

/** Seconds: calls inside of a process or to a near engine. */
const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;
/** Seconds: requests that a person or a service waits for. The targets of docs/slo.md are buckets. */
const REQUEST = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30] as const;
/** Seconds: git, background work, other hosts. */
const WORK = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600] as const;
/** Seconds: from an edit to its commit, which components delay by hours. */
const HOURS = [60, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 25 * 3600, 48 * 3600, 7 * 24 * 3600] as const;

const NATS: readonly ProcessName[] = [
  'identity',
  'catalog',
  'translation',
  'vcs-worker',
  'media',
  'statistics',
  'hooks',
];

const consumer: LabelBound = { max: 30, from: 'durable names in `bus.consume`' };
const service: LabelBound = [
  'identity',
  'catalog',
  'translation',
  'vcs-worker',
  'media',
  'statistics',
  'hooks',
  'other',
];
const rpcMethod: LabelBound = { max: 150, from: 'methods of `protos/`' };
const route: LabelBound = { max: 400, from: 'paths of [endpoints](endpoints.md), `none` without a match' };
const httpMethod: LabelBound = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'];
const httpStatus: LabelBound = { max: 40, from: 'statuses of the API; 499: the client disconnected' };
const dependency: LabelBound = { max: 12, from: 'dependencies of `/readyz`' };
const taskKind: LabelBound = ['import', 'pull', 'update', 'commit', 'addons', 'glossary', 'report', 'other'];
const gitOperation: LabelBound = ['clone', 'fetch', 'commit', 'merge', 'push', 'other'];
const storeCommand: LabelBound = [
  'find',
  'getMore',
  'aggregate',
  'count',
  'distinct',
  'insert',
  'update',
  'delete',
  'findAndModify',
  'bulkWrite',
  'ping',
  'other',
];

/**
 * Every metric of Parlance, and the only place that names one. docs/metrics.md is generated from this table. Names follow
 * https://prometheus.io/docs/practices/naming/ : base units, `_total` for counters.
 */
export const metricDefinitions = {
  // Process
  parlance_build_info: {
    type: 'gauge',
    help: 'Version of the process; always 1.',
    processes: 'all',
    labels: { service: [...service, 'gateway'], version: { max: 2, from: 'version of the build' } },
  },
  parlance_dependency_up: {
    type: 'gauge',
    help: 'Whether the process reaches a dependency (1) or not (0), from the checks of /readyz.',
    processes: 'all',
    labels: { dependency },
  },
  parlance_watchdog_reconnections_total: {
    type: 'counter',
    help: 'Reconnections to engines that other clients reached.',
    processes: 'all',
    labels: { dependency },
  },
  parlance_log_lines_total: {
    type: 'counter',
    help: 'Log lines written. An error line asks a human to act.',
    processes: 'all',
    labels: { level: ['debug', 'info', 'warn', 'error', 'fatal', 'other'] },
  },
  parlance_metrics_refresh_failures_total: {
    type: 'counter',
    help: 'Failed or late queries of gauges that are read on scrape. Their series are missing until the next success.',
    processes: 'all',
    labels: { source: { max: 30, from: 'sources in `refreshOnScrape`' } },
  },

  // HTTP API
  parlance_http_requests_total: {
    type: 'counter',
    help: 'Requests of the public API. Status 499: the client disconnected.',
    processes: ['gateway'],
    labels: { method: httpMethod, route, status: httpStatus },
    combinations: 2500,
  },
  parlance_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time to answer requests of the public API.',
    processes: ['gateway'],
    labels: { method: httpMethod, route },
    combinations: 500,
    buckets: REQUEST,
  },
  parlance_http_requests_in_flight: {
    type: 'gauge',
    help: 'Requests of the public API that are being answered.',
    processes: ['gateway'],
  },
  parlance_http_service_calls: {
    type: 'histogram',
    help: 'Calls to services that one request of the public API made.',
    processes: ['gateway'],
    labels: { method: httpMethod, route },
    combinations: 500,
    buckets: [0, 1, 2, 3, 4, 6, 8, 12, 20, 50],
  },
  parlance_http_rate_limited_total: {
    type: 'counter',
    help: 'Requests rejected by a rate limit.',
    processes: ['gateway'],
    labels: {
      area: ['api', 'hooks', 'exports', 'git', 'other'],
      limit: ['user', 'address', 'refused', 'object', 'other'],
    },
  },

  // RPCs
  parlance_grpc_server_calls_total: {
    type: 'counter',
    help: 'Answered gRPC calls.',
    processes: NATS,
    labels: { method: rpcMethod, status: { max: 17, from: 'gRPC status codes' } },
  },
  parlance_grpc_server_duration_seconds: {
    type: 'histogram',
    help: 'Time to answer gRPC calls.',
    processes: NATS,
    labels: { method: rpcMethod },
    buckets: [...REQUEST, 120],
  },
  parlance_grpc_client_calls_total: {
    type: 'counter',
    help: 'Outgoing gRPC calls.',
    processes: 'all',
    labels: { service, method: rpcMethod, status: { max: 30, from: 'reasons of `libs/errors`, and OK' } },
  },
  parlance_grpc_client_duration_seconds: {
    type: 'histogram',
    help: 'Time of gRPC calls as their caller sees it, with retries.',
    processes: 'all',
    labels: { service, method: rpcMethod },
    buckets: [...REQUEST, 120],
  },

  // Events
  parlance_events_published_total: {
    type: 'counter',
    help: 'Events published.',
    processes: NATS,
    labels: { payload: { max: 40, from: 'payloads of `events.proto`' } },
  },
  parlance_events_handled_total: {
    type: 'counter',
    help: 'Events handled by consumers. `dead`: moved to the dead letters.',
    processes: NATS,
    labels: { consumer, outcome: ['done', 'retried', 'dead', 'other'] },
  },
  parlance_events_redelivered_total: {
    type: 'counter',
    help: 'Deliveries of events that were delivered before.',
    processes: NATS,
    labels: { consumer },
  },
  parlance_event_handling_duration_seconds: {
    type: 'histogram',
    help: 'Time of one handler call; a call can handle several events.',
    processes: NATS,
    labels: { consumer },
    buckets: WORK,
  },
  parlance_event_delay_seconds: {
    type: 'histogram',
    help: 'Time from the creation of an event to its effect. `statistics-live` is the copy that answers statistics.',
    processes: NATS,
    labels: { consumer },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
  },
  parlance_consumer_lag_events: {
    type: 'gauge',
    help: 'Events that a consumer has not handled yet.',
    processes: NATS,
    labels: { consumer },
    shared: true,
  },
  parlance_consumer_oldest_event_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event that a consumer has not handled; 0 if there is none.',
    processes: NATS,
    labels: { consumer },
    shared: true,
  },
  parlance_dead_letters: {
    type: 'gauge',
    help: 'Events in the stream of dead letters.',
    processes: NATS,
    shared: true,
  },
  parlance_event_stream_bytes: {
    type: 'gauge',
    help: 'Size of the event stream.',
    processes: NATS,
    shared: true,
  },
  parlance_event_stream_max_bytes: {
    type: 'gauge',
    help: 'Size limit of the event stream; the oldest events are dropped beyond it.',
    processes: NATS,
    shared: true,
  },
  parlance_outbox_relayed_total: {
    type: 'counter',
    help: 'Events that the relay published after a crash or outage.',
    processes: ['identity', 'catalog', 'vcs-worker', 'media', 'hooks'],
  },
  parlance_outbox_events: {
    type: 'gauge',
    help: 'Unpublished events that the last relay pass found, of at most 100 documents.',
    processes: ['identity', 'catalog', 'vcs-worker', 'media', 'hooks'],
    shared: true,
  },
  parlance_outbox_oldest_event_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest unpublished event that the last relay pass found; 0 if there is none.',
    processes: ['identity', 'catalog', 'vcs-worker', 'media', 'hooks'],
    shared: true,
  },

  // Git synchronization
  parlance_git_operations_total: {
    type: 'counter',
    help: 'Git operations by result: `ok`, or why they failed.',
    processes: ['vcs-worker'],
    labels: {
      operation: gitOperation,
      reason: [
        'ok',
        'conflict',
        'refused',
        'unreachable',
        'not-found',
        'denied',
        'no-branch',
        'empty',
        'stale',
        'rejected',
        'broken',
        'incomplete',
        'too-large',
        'timeout',
        'aborted',
        'failed',
        'other',
      ],
    },
  },
  parlance_git_operation_duration_seconds: {
    type: 'histogram',
    help: 'Time of git operations, failed ones included.',
    processes: ['vcs-worker'],
    labels: { operation: gitOperation },
    buckets: WORK,
  },
  parlance_repository_lease_wait_seconds: {
    type: 'histogram',
    help: 'Time from asking for a repository to holding its lease.',
    processes: ['vcs-worker'],
    buckets: WORK,
  },
  parlance_repository_lease_duration_seconds: {
    type: 'histogram',
    help: 'Time that a lease of a repository was held.',
    processes: ['vcs-worker'],
    buckets: WORK,
  },
  parlance_repository_leases: {
    type: 'gauge',
    help: 'Leases that the process holds or waits for.',
    processes: ['vcs-worker'],
    labels: { state: ['held', 'waiting', 'other'] },
  },
  parlance_repository_leases_lost_total: {
    type: 'counter',
    help: 'Leases that another worker took over while their work went on.',
    processes: ['vcs-worker'],
  },
  parlance_edit_commit_delay_seconds: {
    type: 'histogram',
    help: 'Age of the oldest edit of a group (translation and author) when it is committed.',
    processes: ['vcs-worker'],
    buckets: HOURS,
  },
  parlance_edit_commit_lateness_seconds: {
    type: 'histogram',
    help: 'Time from the moment when a group of edits was due (`commit_pending_age`) to its commit; 0 if committed before.',
    processes: ['vcs-worker'],
    buckets: [0, 60, 300, 900, 1800, 3600, 4 * 3600, 24 * 3600],
  },
  parlance_oldest_change_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest change on its way: `pending` edit, `overdue` edit (since it was due), `unpushed` commit, `unmerged` commit of upstream.',
    processes: ['vcs-worker'],
    labels: { state: ['pending', 'overdue', 'unpushed', 'unmerged', 'other'] },
    shared: true,
  },
  parlance_components_with_pending_edits: {
    type: 'gauge',
    help: 'Components that may have edits which no commit contains.',
    processes: ['vcs-worker'],
    shared: true,
  },
  parlance_repositories: {
    type: 'gauge',
    help: 'Repositories by state. One can be in several states: unpushed commits, unmerged upstream commits, last merge or push failed.',
    processes: ['vcs-worker'],
    labels: { state: ['all', 'unpushed', 'unmerged', 'failed', 'other'] },
    shared: true,
  },
  parlance_work_directory_free_bytes: {
    type: 'gauge',
    help: 'Free space of the file system that holds the clones.',
    processes: ['vcs-worker'],
  },
  parlance_work_directory_size_bytes: {
    type: 'gauge',
    help: 'Size of the file system that holds the clones.',
    processes: ['vcs-worker'],
  },

  // Tasks
  parlance_tasks: {
    type: 'gauge',
    help: 'Tasks that wait or run.',
    processes: ['vcs-worker'],
    labels: { state: ['waiting', 'running', 'other'] },
    shared: true,
  },
  parlance_tasks_oldest_waiting_age_seconds: {
    type: 'gauge',
    help: 'Time since the oldest due task could have started; 0 if none waits.',
    processes: ['vcs-worker'],
    shared: true,
  },
  parlance_tasks_ended_total: {
    type: 'counter',
    help: 'Tasks ended.',
    processes: ['vcs-worker'],
    labels: { kind: taskKind, outcome: ['done', 'failed', 'other'] },
  },
  parlance_task_latency_seconds: {
    type: 'histogram',
    help: 'Time from the creation of a task to its successful end. A `pull` is created when a git host announces a push.',
    processes: ['vcs-worker'],
    labels: { kind: taskKind },
    buckets: [0.5, 1, 5, 15, 30, 60, 120, 300, 900, 3600, 4 * 3600],
  },
  parlance_tasks_set_aside_total: {
    type: 'counter',
    help: 'Tasks that were set aside because they ended or stalled their workers.',
    processes: ['vcs-worker'],
    labels: { kind: taskKind },
  },

  // Caches, searches, machine translation
  parlance_cache_requests_total: {
    type: 'counter',
    help: 'Look-ups in caches.',
    processes: ['gateway', 'translation'],
    labels: {
      cache: [
        'callers',
        'projects',
        'components',
        'languages',
        'users',
        'hidden',
        'units',
        'component-settings',
        'other',
      ],
      result: ['hit', 'miss', 'other'],
    },
  },
  parlance_searches: {
    type: 'gauge',
    help: 'Heavy searches that run or wait.',
    processes: ['translation'],
    labels: { state: ['running', 'waiting', 'other'] },
  },
  parlance_searches_refused_total: {
    type: 'counter',
    help: 'Heavy searches that were refused because too many waited.',
    processes: ['translation'],
    labels: { limit: ['caller', 'total', 'time', 'other'] },
  },
  parlance_machinery_requests_total: {
    type: 'counter',
    help: 'Requests to machine translation engines. `temporary`: they failed after their retries, and can succeed later.',
    processes: ['translation'],
    labels: {
      engine: { max: 12, from: '`machineryDefinitions` of `libs/contracts`' },
      outcome: ['ok', 'temporary', 'failed', 'other'],
    },
  },
  parlance_machinery_request_duration_seconds: {
    type: 'histogram',
    help: 'Time of requests to machine translation engines, with their retries.',
    processes: ['translation'],
    labels: { engine: { max: 12, from: '`machineryDefinitions` of `libs/contracts`' } },
    buckets: WORK,
  },
  parlance_machinery_characters_total: {
    type: 'counter',
    help: 'Characters sent to machine translation engines, which most of them charge for.',
    processes: ['translation'],
    labels: { engine: { max: 12, from: '`machineryDefinitions` of `libs/contracts`' } },
  },

  // Hooks and webhooks
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

  // Engines
  parlance_store_command_duration_seconds: {
    type: 'histogram',
    help: 'Time of database commands.',
    processes: NATS,
    labels: { command: storeCommand },
    buckets: FAST,
  },
  parlance_store_command_failures_total: {
    type: 'counter',
    help: 'Database commands that failed.',
    processes: NATS,
    labels: { command: storeCommand },
  },
  parlance_store_slow_commands_total: {
    type: 'counter',
    help: 'Database commands that took longer than 1 s. The log has their collection.',
    processes: NATS,
    labels: { command: storeCommand },
  },
  parlance_store_pool_connections: {
    type: 'gauge',
    help: 'Connections to the database.',
    processes: NATS,
    labels: { state: ['open', 'in_use', 'other'] },
  },
  parlance_store_pool_max_connections: {
    type: 'gauge',
    help: 'Size limit of the connection pool.',
    processes: NATS,
  },
  parlance_store_pool_wait_seconds: {
    type: 'histogram',
    help: 'Waiting time for a connection of the pool.',
    processes: NATS,
    buckets: FAST,
  },
  parlance_redis_command_duration_seconds: {
    type: 'histogram',
    help: 'Time of Redis commands.',
    processes: ['gateway', 'identity', 'catalog'],
    labels: {
      command: { max: 20, from: 'commands of `libs/redis`' },
      outcome: ['ok', 'failed', 'other'],
    },
    buckets: FAST,
  },
  parlance_object_store_request_duration_seconds: {
    type: 'histogram',
    help: 'Time of requests to the object store, up to the first byte for `get`.',
    processes: ['media'],
    labels: {
      operation: ['put', 'get', 'head', 'delete', 'other'],
      outcome: ['ok', 'missing', 'failed', 'other'],
    },
    buckets: REQUEST,
  },
  parlance_media_objects_removed_total: {
    type: 'counter',
    help: 'Objects removed from the bucket.',
    processes: ['media'],
  },
} as const satisfies Record<string, MetricDefinition>;

type Definitions = typeof metricDefinitions;
export type MetricName = keyof Definitions;
/** Names of metrics with a type. */
export type NameOf<T extends MetricDefinition['type']> = {
  [N in MetricName]: Definitions[N]['type'] extends T ? N : never;
}[MetricName];
/** Labels of a metric. */
export type LabelsOf<N extends MetricName> = Definitions[N] extends { labels: infer L }
  ? Record<keyof L, string>
  : Record<never, string>;
