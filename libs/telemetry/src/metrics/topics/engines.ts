import { serviceNames, type LabelBound, type MetricDefinition } from '../definition';
import { REQUEST } from './shared';

/** Seconds: calls inside of a process or to a near engine. */
const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;
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

export const engineMetrics = {
  parlance_schema_version: {
    type: 'gauge',
    help: 'Migrations that the store has completed (`stored`), and that this version knows (`wanted`).',
    processes: serviceNames,
    labels: { version: ['stored', 'wanted', 'other'] },
  },
  parlance_migrated_documents_total: {
    type: 'counter',
    help: 'Documents that migrations converted.',
    processes: serviceNames,
    labels: { migration: { max: 20, from: 'migrations of the service' } },
  },
  parlance_store_command_duration_seconds: {
    type: 'histogram',
    help: 'Time of database commands.',
    processes: serviceNames,
    labels: { command: storeCommand },
    buckets: FAST,
  },
  parlance_store_command_failures_total: {
    type: 'counter',
    help: 'Database commands that failed.',
    processes: serviceNames,
    labels: { command: storeCommand },
  },
  parlance_store_slow_commands_total: {
    type: 'counter',
    help: 'Database commands that took longer than 1 s. The log has their collection.',
    processes: serviceNames,
    labels: { command: storeCommand },
  },
  parlance_store_pool_connections: {
    type: 'gauge',
    help: 'Connections to the database.',
    processes: serviceNames,
    labels: { state: ['open', 'in_use', 'other'] },
  },
  parlance_store_pool_max_connections: {
    type: 'gauge',
    help: 'Size limit of the connection pool.',
    processes: serviceNames,
  },
  parlance_store_pool_wait_seconds: {
    type: 'histogram',
    help: 'Waiting time for a connection of the pool.',
    processes: serviceNames,
    buckets: FAST,
  },
  parlance_redis_command_duration_seconds: {
    type: 'histogram',
    help: 'Time of Redis commands.',
    processes: ['gateway', 'identity', 'catalog', 'translation', 'vcs-worker', 'media'],
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
