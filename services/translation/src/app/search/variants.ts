import { compilePattern, PatternError, Slice, type Pattern } from '@parlance/patterns';
import type { Component } from '../../domain/component';

function patternOf({ variantRegex }: Component): Pattern | null {
  if (!variantRegex) return null;
  try {
    return compilePattern(variantRegex);
  } catch (error) {
    // Stored before RE2 syntax was enforced: without a valid expression there are no variants.
    if (error instanceof PatternError) return null;
    throw error;
  }
}

/**
 * Ids of source strings that are variants of each other: their contexts are equal after removing the matches of `variant_regex`, and at
 * least one context contains a match. Yields to the event loop.
 */
export async function variantsOf(
  component: Component,
  strings: readonly { id: number; context: string }[],
  signal?: AbortSignal,
): Promise<number[]> {
  const pattern = patternOf(component);
  if (!pattern) return [];
  const groups = new Map<string, { ids: number[]; matched: boolean }>();
  const slice = new Slice();
  for (const { id, context } of strings) {
    const base = pattern.remove(context);
    const group = groups.get(base) ?? { ids: [], matched: false };
    groups.set(base, group);
    group.ids.push(id);
    group.matched ||= base !== context;
    if (slice.over) await slice.pause(signal);
  }
  return [...groups.values()].flatMap(({ ids, matched }) => (matched && ids.length > 1 ? ids : []));
}
