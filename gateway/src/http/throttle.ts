import { admit, type Admission, type RateLimit, type Redis } from '@parlance/redis';
import { logger } from '@parlance/telemetry';
import type { Request, Response } from 'express';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config';
import type { Caller, Refusal } from '../directory/directory';
import { countedAddress } from './address';

/** While Redis is away nobody can say that something changed: what is remembered then lives this long, in milliseconds. */
const BLIND_MS = 2000;
/** A Redis that is away is asked again this often, in milliseconds. */
const ASK_AGAIN_MS = 500;

function isSignedIn(caller: Caller | Refusal | null): caller is Caller {
  return caller !== null && !('refused' in caller) && !caller.principal.anonymous;
}

/** Whose window a request fills: a user's, or that of an address for everybody else, apart for refused tokens. */
export function countedAs(request: Request, caller: Caller | Refusal | null): string {
  if (isSignedIn(caller)) return `user:${caller.principal.userId}`;
  const known = caller !== null && !('refused' in caller);
  return `${known ? 'address' : 'refused'}:${countedAddress(request.ip ?? '')}`;
}

/** Counts requests against the limits of who makes them. */
export class Throttle {
  private away = false;

  constructor(
    private readonly redis: Redis,
    private readonly limits: Pick<Config, 'PARLANCE_RATE_LIMIT_ANONYMOUS' | 'PARLANCE_RATE_LIMIT_AUTHENTICATED'>,
  ) {
    redis.on('ready', () => this.returned());
  }

  /** Counts the request and says so in the response's headers. Without Redis nothing is limited, and no request waits for it. */
  async admit(request: Request, response: Response, caller: Caller | Refusal | null, api: boolean): Promise<Admission> {
    const limit = api ? this.limitOf(caller) : null;
    const admission = (await this.asked(countedAs(request, caller), limit)) ?? blind(limit);
    if (limit) {
      response.setHeader('X-RateLimit-Limit', admission.limit);
      response.setHeader('X-RateLimit-Remaining', Math.max(0, admission.remaining));
      response.setHeader('X-RateLimit-Reset', admission.resetSeconds);
    }
    return admission;
  }

  private limitOf(caller: Caller | Refusal | null): RateLimit | null {
    return isSignedIn(caller)
      ? this.limits.PARLANCE_RATE_LIMIT_AUTHENTICATED
      : this.limits.PARLANCE_RATE_LIMIT_ANONYMOUS;
  }

  /** What Redis says; null while it is away. */
  private async asked(counted: string, limit: RateLimit | null): Promise<Admission | null> {
    if (this.away) return null;
    try {
      return await admit(this.redis, counted, limit);
    } catch (error) {
      // Of many requests that find this out at the same time, one says it.
      if (!this.away) {
        this.away = true;
        logger.warn({ err: error }, 'Redis is away: requests are not limited, what is remembered lives two seconds');
        void this.awaitReturn();
      }
      return null;
    }
  }

  /** A Redis that only hangs makes no new connection. */
  private async awaitReturn(): Promise<void> {
    while (this.away && this.redis.status !== 'end') {
      await pause(ASK_AGAIN_MS, undefined, { ref: false });
      await this.redis.ping().then(
        () => this.returned(),
        () => undefined,
      );
    }
  }

  private returned(): void {
    if (this.away) logger.info('Redis answers again');
    this.away = false;
  }
}

function blind(limit: RateLimit | null): Admission {
  const generation = `blind-${Math.floor(Date.now() / BLIND_MS)}`;
  return {
    allowed: true,
    limit: limit?.count ?? 0,
    remaining: limit?.count ?? 0,
    resetSeconds: limit?.windowSeconds ?? 0,
    generations: { access: generation, catalog: generation },
  };
}
