import { compilePattern, PatternError, patternProblem } from '@parlance/patterns';
import type { AutoAssign } from './objects';

/** Whether a new component belongs into a list by this rule. The expressions run in linear time whatever they are. */
export function matchesRule(rule: AutoAssign, projectSlug: string, componentSlug: string): boolean {
  return matches(rule.projectMatch, projectSlug) && matches(rule.componentMatch, componentSlug);
}

function matches(expression: string, text: string): boolean {
  try {
    return compilePattern(expression).test(text);
  } catch (error) {
    // Stored under older limits: matches nothing until it is corrected.
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** What is wrong with an expression of a rule, or null. */
export function ruleProblem(expression: string): string | null {
  if (expression.length > 200) return 'At most 200 characters are possible.';
  return patternProblem(expression);
}
