// The public API: routes, failures, calls of the gateway, searches.
import { graph, quantile, rateOf, top } from './panels.mjs';

export const api = {
  uid: 'parlance-api',
  title: 'Parlance: API',
  panels: [
    graph('Requests by route', 'reqps', [
      [top(15, rateOf('parlance_http_requests_total', 'method, route')), '{{method}} {{route}}'],
    ]),
    graph('Failures by route (500 and above)', 'reqps', [
      [
        top(15, rateOf('parlance_http_requests_total', 'method, route, status', '{status=~"5.."}')),
        '{{status}} {{method}} {{route}}',
      ],
    ]),
    graph('Slowest routes, p95', 's', [
      [top(15, quantile(0.95, 'parlance_http_request_duration_seconds', ['method', 'route'])), '{{method}} {{route}}'],
    ]),
    graph('Requests in flight', 'short', [['sum by (instance) (parlance_http_requests_in_flight)', '{{instance}}']]),
    graph('Rejected requests (400 to 499)', 'reqps', [
      [rateOf('parlance_http_requests_total', 'status', '{status=~"4.."}'), '{{status}}'],
    ]),
    graph('Rate limited', 'reqps', [
      [rateOf('parlance_http_rate_limited_total', 'area, limit'), '{{area}} by {{limit}}'],
    ]),
    graph('Calls to services per request', 'short', [
      [
        top(
          15,
          `${rateOf('parlance_http_service_calls_sum', 'route')} / ${rateOf('parlance_http_service_calls_count', 'route')}`,
        ),
        '{{route}}',
      ],
    ]),
    graph('Service calls of the gateway, p95', 's', [
      [
        top(
          15,
          quantile(0.95, 'parlance_grpc_client_duration_seconds', ['service', 'method'], '{component="gateway"}'),
        ),
        '{{service}} {{method}}',
      ],
    ]),
    graph('Failed service calls', 'reqps', [
      [
        rateOf(
          'parlance_grpc_client_calls_total',
          'service, status',
          '{status=~"UNAVAILABLE|DEADLINE_EXCEEDED|INTERNAL"}',
        ),
        '{{service}} {{status}}',
      ],
    ]),
    graph('Replicas that got no calls', 'short', [
      ['sum by (service) (increase(parlance_grpc_client_circuits_opened_total[$__rate_interval]))', '{{service}}'],
    ]),
    graph(
      'Cache hits',
      'percentunit',
      [
        [
          `${rateOf('parlance_cache_requests_total', 'component, cache', '{result="hit"}')} / ${rateOf('parlance_cache_requests_total', 'component, cache')}`,
          '{{component}} {{cache}}',
        ],
      ],
      { max: 1 },
    ),
    graph('Maintenance mode', 'bool_on_off', [['max(parlance_maintenance)', 'maintenance mode']]),
    graph('Heavy searches', 'short', [['sum by (state) (parlance_searches)', '{{state}}']]),
    graph('Searches refused', 'reqps', [[rateOf('parlance_searches_refused_total', 'limit'), '{{limit}}']]),
    graph('Searches by text', 'reqps', [[rateOf('parlance_search_index_total', 'answer'), '{{answer}}']]),
    graph('Search index behind', 'short', [
      ['max by (kind) (parlance_search_index_behind)', '{{kind}}'],
      ['max(parlance_memory_index_behind)', 'memory'],
    ]),
  ],
};
