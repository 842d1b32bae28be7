import type { Redis } from './connect';

/** Cached data of the gateways; each kind has a generation counter that every write increments. */
export const generationNames = ['access', 'catalog'] as const;
export type GenerationName = (typeof generationNames)[number];

export function generationKey(name: GenerationName): string {
  return `parlance:generation:${name}`;
}

/**
 * Invalidates the caches of all gateways. Called after a write and before its response, so that the next request to any
 * gateway sees the write. During an outage of Redis, the caches' lifetime and the events bound the staleness.
 */
export async function bumpGeneration(redis: Redis, name: GenerationName): Promise<void> {
  // A random value, because a counter would repeat known values after Redis lost its data.
  await redis.set(generationKey(name), `${Date.now()}-${Math.random().toString(36).slice(2)}`).catch(() => undefined);
}
