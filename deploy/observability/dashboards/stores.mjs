// MongoDB, Redis, S3, migrations and translation engines.
import { graph, nonZero, quantile, rateOf } from './panels.mjs';

export const stores = {
  uid: 'parlance-stores',
  title: 'Parlance: stores',
  panels: [
    graph(
      'Reached (1) or not (0)',
      'short',
      [['min by (component, dependency) (parlance_dependency_up)', '{{component}} {{dependency}}']],
      {
        max: 1,
      },
    ),
    graph('Reconnections by the watchdog', 'short', [
      [
        'sum by (component, dependency) (increase(parlance_watchdog_reconnections_total[$__rate_interval]))',
        '{{component}} {{dependency}}',
      ],
    ]),
    graph('Database commands', 'ops', [
      [rateOf('parlance_store_command_duration_seconds_count', 'component'), '{{component}}'],
    ]),
    graph('Time of database commands, p95', 's', [
      [
        quantile(0.95, 'parlance_store_command_duration_seconds', ['component', 'command']),
        '{{component}} {{command}}',
      ],
    ]),
    graph('Slow and failed database commands', 'ops', [
      [nonZero(rateOf('parlance_store_slow_commands_total', 'component, command')), '{{component}} {{command}} slow'],
      [
        nonZero(rateOf('parlance_store_command_failures_total', 'component, command')),
        '{{component}} {{command}} failed',
      ],
    ]),
    graph(
      'Connections in use',
      'percentunit',
      [
        [
          'max by (component) (parlance_store_pool_connections{state="in_use"} / ignoring(state) parlance_store_pool_max_connections)',
          '{{component}}',
        ],
      ],
      { max: 1 },
    ),
    graph('Waiting for a connection, p99', 's', [
      [quantile(0.99, 'parlance_store_pool_wait_seconds', ['component']), '{{component}}'],
    ]),
    graph('Redis commands, p99', 's', [
      [
        quantile(0.99, 'parlance_redis_command_duration_seconds', ['component', 'command']),
        '{{component}} {{command}}',
      ],
    ]),
    graph('Failed Redis commands', 'ops', [
      [
        rateOf('parlance_redis_command_duration_seconds_count', 'component, command', '{outcome="failed"}'),
        '{{component}} {{command}}',
      ],
    ]),
    graph('Object store, p95', 's', [
      [quantile(0.95, 'parlance_object_store_request_duration_seconds', ['operation']), '{{operation}}'],
    ]),
    graph('Object store by outcome', 'ops', [
      [
        rateOf('parlance_object_store_request_duration_seconds_count', 'operation, outcome'),
        '{{operation}} {{outcome}}',
      ],
      [rateOf('parlance_media_objects_removed_total', 'component'), 'removed by the cleanup'],
    ]),
    graph('Migrations to do', 'short', [
      [
        'max by (component) (parlance_schema_version{version="wanted"}) - max by (component) (parlance_schema_version{version="stored"})',
        '{{component}}',
      ],
    ]),
    graph('Documents migrated', 'ops', [
      [rateOf('parlance_migrated_documents_total', 'component, migration'), '{{component}} {{migration}}'],
    ]),
    graph('Translation engines', 'ops', [
      [rateOf('parlance_machinery_requests_total', 'engine, outcome'), '{{engine}} {{outcome}}'],
    ]),
    graph('Translation engines, p95', 's', [
      [quantile(0.95, 'parlance_machinery_request_duration_seconds', ['engine']), '{{engine}}'],
    ]),
    graph('Characters and tokens of translation engines', 'short', [
      ['sum by (engine) (increase(parlance_machinery_characters_total[$__rate_interval]))', '{{engine}} characters'],
      [
        'sum by (engine, direction) (increase(parlance_machinery_tokens_total[$__rate_interval]))',
        '{{engine}} {{direction}} tokens',
      ],
    ]),
  ],
};
