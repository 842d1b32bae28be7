import { compileRegex, RegexError, type SafeRegex } from '@parlance/search';
import type { Component } from '../../domain/component';

function expressionOf(component: Component): SafeRegex | null {
  if (!component.variantRegex) return null;
  try {
    return compileRegex(component.variantRegex);
  } catch (error) {
    // Stored by the rules of another engine; it groups nothing.
    if (error instanceof RegexError) return null;
    throw error;
  }
}

/**
 * Source strings of a component that are variants of each other by its `variant_regex`: their contexts are the same without what the
 * expression matches, and it matches in at least one of them.
 */
export function variantsOf(component: Component, strings: readonly { id: number; context: string }[]): number[] {
  const expression = expressionOf(component);
  if (!expression) return [];
  const groups = new Map<string, { ids: number[]; matched: boolean }>();
  for (const { id, context } of strings) {
    const base = expression.remove(context);
    const group = groups.get(base) ?? { ids: [], matched: false };
    groups.set(base, group);
    group.ids.push(id);
    group.matched ||= base !== context;
  }
  return [...groups.values()].flatMap(({ ids, matched }) => (matched && ids.length > 1 ? ids : []));
}
