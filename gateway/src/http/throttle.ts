import { admit, type Admission, type RateLimit, type Redis } from '@parlance/redis';
import { logger } from '@parlance/telemetry';
import type { Request, Response } from 'express';
import type { Config } from '../config';
import type { Caller, Refusal } from '../directory/directory';
import { countedAddress } from './address';

/** While Redis is away nobody can say that something changed: what is remembered then lives this long, in milliseconds. */
const BLIND_MS = 2000;
let redisAway = false;

function isSignedIn(caller: Caller | Refusal | null): caller is Caller {
  return caller !== null && !('refused' in caller) && !caller.principal.anonymous;
}

/** Whose window a request fills: a user's, or that of an address for everybody else, apart for refused tokens. */
export function countedAs(request: Request, caller: Caller | Refusal | null): string {
  if (isSignedIn(caller)) return `user:${caller.principal.userId}`;
  const known = caller !== null && !('refused' in caller);
  return `${known ? 'address' : 'refused'}:${countedAddress(request.ip ?? '')}`;
}

/** Counts the request. Without Redis nothing is limited. */
export async function throttle(
  parts: { readonly config: Config; readonly redis: Redis },
  request: Request,
  response: Response,
  caller: Caller | Refusal | null,
  api: boolean,
): Promise<Admission> {
  const limit: RateLimit | null = !api
    ? null
    : isSignedIn(caller)
      ? parts.config.PARLANCE_RATE_LIMIT_AUTHENTICATED
      : parts.config.PARLANCE_RATE_LIMIT_ANONYMOUS;
  let admission: Admission;
  try {
    admission = await admit(parts.redis, countedAs(request, caller), limit);
    redisAway = false;
  } catch (error) {
    if (!redisAway)
      logger.warn({ err: error }, 'Redis is away: requests are not limited, what is remembered lives two seconds');
    redisAway = true;
    const blind = `blind-${Math.floor(Date.now() / BLIND_MS)}`;
    admission = {
      allowed: true,
      limit: limit?.count ?? 0,
      remaining: limit?.count ?? 0,
      resetSeconds: limit?.windowSeconds ?? 0,
      generations: { access: blind, catalog: blind },
    };
  }
  if (limit) {
    response.setHeader('X-RateLimit-Limit', admission.limit);
    response.setHeader('X-RateLimit-Remaining', Math.max(0, admission.remaining));
    response.setHeader('X-RateLimit-Reset', admission.resetSeconds);
  }
  return admission;
}
