import { ServiceError } from '@parlance/errors';

/** @throws ServiceError NOT_FOUND for an invalid task id */
export function requireTaskId(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new ServiceError('NOT_FOUND');
  return id;
}
