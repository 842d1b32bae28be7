import { randomUUID } from 'node:crypto';
import type { Redis } from './connect';

/**
 * Cached data; each kind has a generation that every write replaces. `access` and `catalog` are cached by gateways; `strings` is what the
 * translation service caches about other strings: extra flags, glossary terms, the translations of a project; `uses` are the times at
 * which users and tokens were used last, which change far more often than access.
 */
export const generationNames = ['access', 'catalog', 'strings', 'uses'] as const;
export type GenerationName = (typeof generationNames)[number];
export type Generations = Record<GenerationName, string>;

/** @param valueOf returns the generation of a kind */
export function makeGenerations(valueOf: (name: GenerationName, index: number) => string): Generations {
  // Keys are exactly the names.
  return Object.fromEntries(generationNames.map((name, index) => [name, valueOf(name, index)])) as Generations;
}

export function generationKey(name: GenerationName): string {
  return `parlance:generation:${name}`;
}

/** A value that no generation had before: a counter would repeat values after Redis lost its data. */
export const newGeneration = (): string => randomUUID();

/** @returns the generation; '' before its first value and during an outage of Redis */
export async function readGeneration(redis: Redis, name: GenerationName): Promise<string> {
  return (await redis.get(generationKey(name)).catch(() => null)) ?? '';
}

/**
 * Invalidates the caches of all processes. Called after a write and before its response, so that the next request to any
 * gateway sees the write. During an outage of Redis, the caches' lifetime and the events bound the staleness.
 */
export async function bumpGeneration(redis: Redis, name: GenerationName): Promise<void> {
  await redis.set(generationKey(name), newGeneration()).catch(() => undefined);
}
