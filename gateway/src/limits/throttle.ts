import {
  admit,
  beginGeneration,
  makeGenerations,
  type Admission,
  type ContentScope,
  type RateLimit,
  type Redis,
} from '@parlance/redis';
import { logger } from '@parlance/telemetry';
import type { Request } from 'express';
import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config';
import type { AuthenticatedCaller, RejectedToken } from '../directory/directory';
import { countedAddress } from './counted-address';

/** Time to live of cache entries while Redis, and with it every generation, is unavailable, in milliseconds. */
const UNCOUNTED_GENERATION_MS = 2000;
/** Interval of reconnection attempts to Redis, in milliseconds. */
const PING_INTERVAL_MS = 500;

function isSignedIn(caller: AuthenticatedCaller | RejectedToken | null): caller is AuthenticatedCaller {
  return caller !== null && !('refused' in caller) && !caller.caller.anonymous;
}

/** The rate limit key of a request: the user, or the address; rejected tokens have a separate key for each address. */
export function countedAs(request: Request, caller: AuthenticatedCaller | RejectedToken | null): string {
  if (isSignedIn(caller)) return `user:${caller.caller.userId}`;
  const known = caller !== null && !('refused' in caller);
  return `${known ? 'address' : 'refused'}:${countedAddress(request.ip ?? '')}`;
}

/** Areas with separate rate limits. */
export type Area = 'api' | 'hooks' | 'exports' | 'git' | 'pages';

const areas: ReadonlyMap<string, Area> = new Map([
  ...(['api', 'hooks', 'exports', 'git'] as const).map((area) => [area, area] as const),
  ...['', 'projects', 'translate', 'engage', 'widget', 'languages', 'component-lists', 'accounts'].map(
    (p) => [p, 'pages'] as const,
  ),
]);

/** The area of a path, which depends on its first segment; undefined: requests are not counted. */
export function areaOf(path: string): Area | undefined {
  if (/^\/api\/docs\/?$/.test(path)) return 'pages';
  const end = path.indexOf('/', 1);
  return areas.get(path.slice(1, end < 0 ? undefined : end));
}

/** The rate limit key of the object that the path names. */
export function objectOf(params: Readonly<Record<string, string>> | undefined): string | undefined {
  const { provider: _provider, ...names } = params ?? {};
  const values = Object.entries(names);
  return values.length === 0 ? undefined : hash('sha256', JSON.stringify(values.sort()), 'base64url');
}

type Limits = Pick<Config, Extract<keyof Config, `PARLANCE_RATE_LIMIT_${string}`>>;

/** Rate limits by caller and, outside of /api/, by object. */
export class Throttle {
  private unavailable = false;

  constructor(
    private readonly redis: Redis,
    private readonly limits: Limits,
  ) {
    redis.on('ready', () => this.markAvailable());
  }

  /**
   * Counts the request for its caller and sets the X-RateLimit headers. Without Redis, requests are not limited and do not wait for it.
   * @param contents whose generation is read as well
   */
  async admit(
    request: Request,
    response: ServerResponse,
    caller: AuthenticatedCaller | RejectedToken | null,
    { area, contents }: { area: Area | undefined; contents?: ContentScope | undefined },
  ): Promise<Admission> {
    const limit = area ? this.limitOf(caller, area) : null;
    const counted = countedAs(request, caller);
    const window = area === undefined || area === 'api' ? counted : `${area}:${counted}`;
    const scopes = contents ? [contents] : [];
    const admission = (await this.askRedis(window, limit, scopes)) ?? admitUncounted(limit);
    if (limit) setHeaders(response, admission);
    return admission;
  }

  /**
   * Counts the request for the object that its path names.
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
    const admission = (await this.askRedis(`${area}:object:${object}`, limit)) ?? admitUncounted(limit);
    if (!admission.allowed) setHeaders(response, admission);
    return admission;
  }

  private limitOf(caller: AuthenticatedCaller | RejectedToken | null, area: Area): RateLimit | null {
    switch (area) {
      case 'hooks':
        return this.limits.PARLANCE_RATE_LIMIT_HOOKS;
      case 'exports':
        return this.limits.PARLANCE_RATE_LIMIT_EXPORTS;
      case 'git':
        return this.limits.PARLANCE_RATE_LIMIT_GIT;
      case 'pages':
        return this.limits.PARLANCE_RATE_LIMIT_PAGES;
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
      case 'pages':
        return null;
    }
  }

  /** Admission by Redis; null while Redis is unavailable. */
  private async askRedis(
    counted: string,
    limit: RateLimit | null,
    scopes: readonly ContentScope[] = [],
  ): Promise<Admission | null> {
    if (this.unavailable) return null;
    try {
      const admission = await admit(this.redis, counted, limit, scopes);
      scopes.forEach((scope, i) => {
        if (admission.contents?.[i] === null) void beginGeneration(this.redis, scope);
      });
      return admission;
    } catch (error) {
      // Logs the outage once, although many requests detect it concurrently.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- other requests set it during the await
      if (!this.unavailable) {
        this.unavailable = true;
        logger.warn(
          { err: error },
          'Redis is unavailable: rate limits are off, cache entries expire after two seconds',
        );
        void this.waitForRedis();
      }
      return null;
    }
  }

  /** A Redis that hangs accepts no new connection, so polling detects its return. */
  private async waitForRedis(): Promise<void> {
    while (this.unavailable && this.redis.status !== 'end') {
      await pause(PING_INTERVAL_MS, undefined, { ref: false });
      await this.redis.ping().then(
        () => this.markAvailable(),
        () => undefined,
      );
    }
  }

  private markAvailable(): void {
    if (this.unavailable) logger.info('Redis is available again');
    this.unavailable = false;
  }
}

function setHeaders(response: ServerResponse, { limit, remaining, resetSeconds }: Admission): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', Math.max(0, remaining));
  response.setHeader('X-RateLimit-Reset', resetSeconds);
}

function admitUncounted(limit: RateLimit | null): Admission {
  const generation = `blind-${Math.floor(Date.now() / UNCOUNTED_GENERATION_MS)}`;
  return {
    allowed: true,
    limit: limit?.count ?? 0,
    remaining: limit?.count ?? 0,
    resetSeconds: limit?.windowSeconds ?? 0,
    generations: makeGenerations(() => generation),
    contents: null,
  };
}
