import type { LabelBound, MetricDefinition } from '../definition';
import { REQUEST } from './shared';

const route: LabelBound = { max: 400, from: 'paths of [endpoints](endpoints.md), `none` without a match' };
const httpMethod: LabelBound = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'];
const httpStatus: LabelBound = { max: 40, from: 'statuses of the API; 499: the client disconnected' };

export const httpMetrics = {
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
} as const satisfies Record<string, MetricDefinition>;
