import { serviceNames, type LabelBound, type MetricDefinition } from '../definition';
import { REQUEST, service } from './shared';

const rpcMethod: LabelBound = { max: 320, from: 'methods of `protos/`' };

export const grpcMetrics = {
  parlance_grpc_server_calls_total: {
    type: 'counter',
    help: 'Answered gRPC calls.',
    processes: serviceNames,
    labels: { method: rpcMethod, status: { max: 17, from: 'gRPC status codes' } },
  },
  parlance_grpc_server_duration_seconds: {
    type: 'histogram',
    help: 'Time to answer gRPC calls.',
    processes: serviceNames,
    labels: { method: rpcMethod },
    buckets: [...REQUEST, 120],
  },
  parlance_grpc_client_calls_total: {
    type: 'counter',
    help: 'Outgoing gRPC calls.',
    processes: 'all',
    labels: { service, method: rpcMethod, status: { max: 30, from: 'reasons of `libs/errors`, and OK' } },
    combinations: 2000,
  },
  parlance_grpc_client_duration_seconds: {
    type: 'histogram',
    help: 'Time of gRPC calls as their caller sees it, with retries.',
    processes: 'all',
    labels: { service, method: rpcMethod },
    buckets: [...REQUEST, 120],
  },
  parlance_grpc_client_circuits_opened_total: {
    type: 'counter',
    help: 'Replicas that got no calls for a while because they answered much slower than the others, or failed while others succeeded.',
    processes: 'all',
    labels: { service },
  },
} as const satisfies Record<string, MetricDefinition>;
