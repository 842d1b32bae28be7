import type { Redis } from './connect';

/** What gateways cache; each has a counter that moves with every write to it. */
export const generationNames = ['access', 'catalog'] as const;
export type GenerationName = (typeof generationNames)[number];

export function generationKey(name: GenerationName): string {
  return `parlance:generation:${name}`;
}

/**
 * Tells all gateways that what they cached is stale. Called after a write and before it is answered, so that the very next
 * request anywhere sees the write. When Redis is away the caches' lifetime and the events bound the staleness.
 */
export async function bumpGeneration(redis: Redis, name: GenerationName): Promise<void> {
  // A random part keeps a restarted, empty Redis from counting up to a value that a gateway has seen before.
  await redis.set(generationKey(name), `${Date.now()}-${Math.random().toString(36).slice(2)}`).catch(() => undefined);
}
