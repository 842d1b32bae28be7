import { ServiceError } from '@parlance/errors';
import type { Maintenance } from '@parlance/grpc-kit';
import type { ServerResponse } from 'node:http';
import type { Endpoint } from '../routing/endpoint';
import { areaOf } from './throttle';

/** Whether a method is safe by the definition of HTTP. */
export const isReadMethod = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** The part of a route that `isWrite` reads. */
interface Methods {
  readonly methods: ReadonlyMap<string, Pick<Endpoint, 'reads' | 'writes'>>;
}

/** Whether maintenance mode rejects a request. Notifications of git hosts start pulls, with GET, too. */
export function isWrite(method: string, path: string, { methods }: Methods): boolean {
  if (areaOf(path) === 'hooks') return method !== 'OPTIONS';
  const endpoint = methods.get(method);
  return endpoint?.writes === true || (!isReadMethod(method) && endpoint?.reads !== true);
}

/** Sets Retry-After. @throws MAINTENANCE if maintenance mode is on */
export function throwIfInMaintenance(maintenance: Maintenance | null, response: ServerResponse): void {
  if (!maintenance) return;
  response.setHeader('Retry-After', maintenance.retryAfterSeconds);
  throw new ServiceError('MAINTENANCE', { message: maintenance.message });
}
