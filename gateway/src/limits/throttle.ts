import { admit, type Admission, type RateLimit, type Redis } from '@parlance/redis';
import { logger } from '@parlance/telemetry';
import type { Request } from 'express';
import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config';
import type { AuthenticatedCaller, Refusal } from '../directory/directory';
import { countedAddress } from './counted-address';

/** While Redis is away nobody can say that something changed: what is remembered then lives this long, in milliseconds. */
const BLIND_MS = 2000;
/** A Redis that is away is asked again this often, in milliseconds. */
const ASK_AGAIN_MS = 500;

function isSignedIn(caller: AuthenticatedCaller | Refusal | null): caller is AuthenticatedCaller {
  return caller !== null && !('refused' in caller) && !caller.caller.anonymous;
}

/** Whose window a request fills: a user's, or that of an address for everybody else, apart for refused tokens. */
export function countedAs(request: Request, caller: AuthenticatedCaller | Refusal | null): string {
  if (isSignedIn(caller)) return `user:${caller.caller.userId}`;
  const known = caller !== null && !('refused' in caller);
  return `${known ? 'address' : 'refused'}:${countedAddress(request.ip ?? '')}`;
}

const areas = ['api', 'hooks', 'exports', 'git'] as const;
/** Parts of the public API; each has windows of its own. */
export type Area = (typeof areas)[number];

/** The area of a path; undefined: requests there are not counted. */
export const areaOf = (path: string): Area | undefined =>
  areas.find((area) => path === `/${area}` || path.startsWith(`/${area}/`));

/** Whose window, beside the caller's, a request fills: that of the object that its path names. */
export function objectOf(params: Readonly<Record<string, string>> | undefined): string | undefined {
  const { provider: _provider, ...names } = params ?? {};
  const values = Object.entries(names);
  return values.length === 0 ? undefined : hash('sha256', JSON.stringify(values.sort()), 'base64url');
}

type Limits = Pick<Config, Extract<keyof Config, `PARLANCE_RATE_LIMIT_${string}`>>;

/** Counts requests against the limits of who makes them, and outside of /api/ against those of what they are about. */
export class Throttle {
  private away = false;

  constructor(
    private readonly redis: Redis,
    private readonly limits: Limits,
  ) {
    redis.on('ready', () => this.returned());
  }

  /**
   * Counts the request in its caller's window and sets the X-RateLimit headers. Without Redis nothing is limited, and no
   * request waits for it.
   */
  async admit(
    request: Request,
    response: ServerResponse,
    caller: AuthenticatedCaller | Refusal | null,
    area: Area | undefined,
  ): Promise<Admission> {
    const limit = area ? this.limitOf(caller, area) : null;
    const counted = countedAs(request, caller);
    const window = area === undefined || area === 'api' ? counted : `${area}:${counted}`;
    const admission = (await this.asked(window, limit)) ?? blind(limit);
    if (limit) setHeaders(response, admission);
    return admission;
  }

  /**
   * Counts the request in the window of the object that its path names.
   * @param object see `objectOf`; undefined: the path names none
   */
  async admitObject(
    response: ServerResponse,
    area: Exclude<Area, 'api'>,
    object: string | undefined,
  ): Promise<Admission | undefined> {
    if (object === undefined) return undefined;
    const limit = this.objectLimit(area);
    if (!limit) return undefined;
    const admission = (await this.asked(`${area}:object:${object}`, limit)) ?? blind(limit);
    if (!admission.allowed) setHeaders(response, admission);
    return admission;
  }

  private limitOf(caller: AuthenticatedCaller | Refusal | null, area: Area): RateLimit | null {
    switch (area) {
      case 'hooks':
        return this.limits.PARLANCE_RATE_LIMIT_HOOKS;
      case 'exports':
        return this.limits.PARLANCE_RATE_LIMIT_EXPORTS;
      case 'git':
        return this.limits.PARLANCE_RATE_LIMIT_GIT;
      case 'api':
        return isSignedIn(caller)
          ? this.limits.PARLANCE_RATE_LIMIT_AUTHENTICATED
          : this.limits.PARLANCE_RATE_LIMIT_ANONYMOUS;
    }
  }

  private objectLimit(area: Exclude<Area, 'api'>): RateLimit | null {
    switch (area) {
      case 'hooks':
        return this.limits.PARLANCE_RATE_LIMIT_HOOKS_OBJECT;
      case 'exports':
        return this.limits.PARLANCE_RATE_LIMIT_EXPORTS_OBJECT;
      case 'git':
        return this.limits.PARLANCE_RATE_LIMIT_GIT_OBJECT;
    }
  }

  /** What Redis says; null while it is away. */
  private async asked(counted: string, limit: RateLimit | null): Promise<Admission | null> {
    if (this.away) return null;
    try {
      return await admit(this.redis, counted, limit);
    } catch (error) {
      // Of many requests that find this out at the same time, one says it.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- other requests set it during the await
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

function setHeaders(response: ServerResponse, { limit, remaining, resetSeconds }: Admission): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', Math.max(0, remaining));
  response.setHeader('X-RateLimit-Reset', resetSeconds);
}

function blind(limit: RateLimit | null): Admission {
  const generation = `blind-${Math.floor(Date.now() / BLIND_MS)}`;
  return {
    allowed: true,
    limit: limit?.count ?? 0,
    remaining: limit?.count ?? 0,
    resetSeconds: limit?.windowSeconds ?? 0,
    generations: { access: generation, catalog: generation, strings: generation },
  };
}
