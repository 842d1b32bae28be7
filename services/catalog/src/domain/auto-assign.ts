import { compilePattern, PatternError, patternProblem } from '@parlance/patterns';
import type { AutoAssign } from './objects';

/** Whether a new component matches a rule of a list. Patterns run in linear time. */
export function matchesRule(rule: AutoAssign, projectSlug: string, componentSlug: string): boolean {
  return matches(rule.projectMatch, projectSlug) && matches(rule.componentMatch, componentSlug);
}

function matches(expression: string, text: string): boolean {
  try {
    return compilePattern(expression).test(text);
  } catch (error) {
    // A pattern stored under older limits matches nothing until it is corrected.
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** Problem of a rule's pattern, or null. */
export function ruleProblem(expression: string): string | null {
  if (expression.length > 200) return 'At most 200 characters are allowed.';
  return patternProblem(expression);
}
