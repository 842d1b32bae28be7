import { compilePattern, PatternError, Slice, type Pattern } from '@parlance/patterns';
import type { Component } from '../../domain/component';

function patternOf({ variantRegex }: Component): Pattern | null {
  if (!variantRegex) return null;
  try {
    return compilePattern(variantRegex);
  } catch (error) {
    // Stored by the rules of another engine; it groups nothing.
    if (error instanceof PatternError) return null;
    throw error;
  }
}

/**
 * Source strings of a component that are variants of each other by its `variant_regex`: their contexts are the same without what the
 * expression matches, and it matches in at least one of them. Yields to the event loop.
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
