import type { Caller } from '@parlance/access';
import { hash } from 'node:crypto';

/** Cache keys of objects with several names, and of others. */
export const idKey = (id: number): string => `id:${id}`;
export const identityKey = <T>(name: T): T => name;

/** Credentials are hashed, so that they stay in memory only during their request. */
export const digestOf = (credential: string): string => hash('sha256', credential, 'base64');

/** Callers of one user have the same permissions under one generation, unless their tokens are limited. */
export function callerKey({ anonymous, userId, onlyProjects, readOnly }: Caller): string {
  if (anonymous) return 'anonymous';
  return `${userId}${readOnly ? ' reads' : ''}${onlyProjects ? ` in ${onlyProjects.join(',')}` : ''}`;
}
