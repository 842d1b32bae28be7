import { randomBytes } from 'node:crypto';
import type { Redis } from './connect';
import { contentKeys, type ContentScope } from './content-generations';
import { generationKey, generationNames, makeGenerations, type Generations } from './generations';

/** At most `count` requests within any window of `windowSeconds`. */
export interface RateLimit {
  count: number;
  windowSeconds: number;
}

/** Result of the round trip to Redis for a request. */
export interface Admission {
  allowed: boolean;
  limit: number;
  /** Requests left in the current window. */
  remaining: number;
  /** Seconds until the window is empty again (allowed) or has capacity again (refused). */
  resetSeconds: number;
  /** Value of each cache generation; '' before its first increment. */
  generations: Generations;
  /** Generations of the requested contents, in their order; an item is null before its first generation. Null: Redis did not answer. */
  contents: readonly (string | null)[] | null;
}

// Sliding-window log: the time of every request in the window is stored, so no window ever contains more than `count` requests,
// across all gateways. The script uses the clock of Redis because the clocks of gateways may differ.
const script = `
local now = redis.call('TIME')
local t = now[1] * 1000000 + now[2]
local window = tonumber(ARGV[2]) * 1000000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', t - window)
local used = redis.call('ZCARD', KEYS[1])
local limit = tonumber(ARGV[1])
local allowed = 0
if used < limit then
  redis.call('ZADD', KEYS[1], t, t .. ARGV[3])
  redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[2]) * 1000)
  used = used + 1
  allowed = 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local reset = tonumber(ARGV[2])
if oldest[2] then reset = math.ceil((tonumber(oldest[2]) + window - t) / 1000000) end
return { allowed, limit - used, reset, redis.call('MGET', unpack(KEYS, 2)) }
`;

interface WithScript {
  parlanceAdmit(keys: number, ...args: (string | number)[]): Promise<[number, number, number, (string | null)[]]>;
}

function withScript(redis: Redis): WithScript {
  if (!('parlanceAdmit' in redis)) redis.defineCommand('parlanceAdmit', { lua: script });
  // `defineCommand` adds the method at run time.
  return redis as unknown as WithScript;
}

/** @param values of all generations, in the order of their names, then of contents */
const read = (values: readonly (string | null)[]): Pick<Admission, 'generations' | 'contents'> => ({
  generations: makeGenerations((_, i) => values[i] ?? ''),
  contents: values.slice(generationNames.length),
});

/** Reported to callers without a limit. Their requests are not counted. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/**
 * Counts a request against a caller's limit and reads the cache generations, in one round trip.
 * @param caller key of the limit, for instance `user:7` or `address:203.0.113.9`
 * @param limit null reads only the generations
 * @param scopes contents whose generations are read
 */
export async function admit(
  redis: Redis,
  caller: string,
  limit: RateLimit | null,
  scopes: readonly ContentScope[] = [],
): Promise<Admission> {
  const keys = [...generationNames.map(generationKey), ...contentKeys(scopes)];
  if (limit === null) {
    const values = await redis.mget(...keys);
    return {
      allowed: true,
      limit: UNLIMITED,
      remaining: UNLIMITED,
      resetSeconds: 0,
      ...read(values),
    };
  }
  const [allowed, remaining, resetSeconds, values] = await withScript(redis).parlanceAdmit(
    1 + keys.length,
    `parlance:rate:${caller}`,
    ...keys,
    limit.count,
    limit.windowSeconds,
    randomBytes(4).toString('hex'),
  );
  return { allowed: allowed === 1, limit: limit.count, remaining, resetSeconds, ...read(values) };
}
