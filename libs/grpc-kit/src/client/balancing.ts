// How calls find the replicas of a service. The decision and its measurements: docs/adr/0018-spread-calls-over-replicas.md.
import { status, type MethodDefinition, type ServiceDefinition } from '@grpc/grpc-js';
import { lookup } from 'node:dns/promises';
import { POLICY } from './load-balancer';

/**
 * Lifetime of a connection in milliseconds, ±10 %. With the 10 s after which certificate files are read again, it bounds how long a replaced
 * one stays in use to a minute. Clients find new replicas without it: they resolve the address every few seconds (load-balancer.ts).
 */
export const MAX_CONNECTION_AGE_MS = 40_000;

/**
 * The gRPC target of an address: all replicas behind a DNS name, or a fixed list.
 * @param address host:port, or ip:port several times, separated by commas
 */
export function targetOf(address: string): string {
  if (!address.includes(',')) return `dns:///${address}`;
  return `${address.startsWith('[') ? 'ipv6' : 'ipv4'}:${address}`;
}

/**
 * The replicas behind an address, each as ip:port, in a fixed order.
 * @throws an error of the name server
 */
export async function replicasOf(address: string): Promise<string[]> {
  if (address.includes(',')) return address.split(',');
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true });
  const hosts = found.map(({ address: ip, family }) => (family === 6 ? `[${ip}]` : ip));
  return [...new Set(hosts)].sort().map((ip) => `${ip}${address.slice(colon)}`);
}

/** The idempotency level of a method's contract, which proto-loader keeps in an untyped field. */
export function isIdempotent(definition: MethodDefinition<object, object>): boolean {
  const { options } = definition as { options?: { idempotency_level?: string } };
  return options?.idempotency_level === 'NO_SIDE_EFFECTS' || options?.idempotency_level === 'IDEMPOTENT';
}

/**
 * The gRPC service config (https://github.com/grpc/grpc/blob/master/doc/service_config.md) of a service: round robin over its
 * replicas but slow ones (load-balancer.ts), and retries of idempotent methods within a budget of a tenth of the calls. Servers forbid
 * retries of calls that a handler answered (see `NO_RETRY`), so only calls whose connection broke are repeated.
 * @param name of the service, for metrics and logs
 */
export function serviceConfig(name: string, service: ServiceDefinition): string {
  const idempotent = Object.values(service)
    .filter(isIdempotent)
    .map(({ path }) => {
      const [, fullName, method] = path.split('/');
      return { service: fullName, method };
    });
  return JSON.stringify({
    loadBalancingConfig: [{ [POLICY]: { service: name } }],
    methodConfig: [
      {
        name: idempotent,
        retryPolicy: {
          maxAttempts: 3,
          initialBackoff: '0.02s',
          maxBackoff: '0.5s',
          backoffMultiplier: 3,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
    retryThrottling: { maxTokens: 100, tokenRatio: 0.1 },
  });
}

/** Trailer of a handler's error: it overrides the client's retry policy. */
export const NO_RETRY = ['grpc-retry-pushback-ms', '-1'] as const;

/**
 * Whether a server refused a call before any handler saw it (HTTP/2 REFUSED_STREAM), because it was closing the connection. Such a
 * call is safe to send again even where the method is not idempotent (RFC 9113, section 8.7).
 */
export function wasRefused(error: unknown): boolean {
  const { code, details } = (error ?? {}) as { code?: number; details?: string };
  return code === status.UNAVAILABLE && details === 'Stream refused by server';
}
