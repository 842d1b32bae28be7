import { RE2JS } from 're2js';
import type { AutoAssign } from './objects';

/** Whether a new component belongs into a list by this rule. The expressions run in linear time whatever they are. */
export function matchesRule(rule: AutoAssign, projectSlug: string, componentSlug: string): boolean {
  return matches(rule.projectMatch, projectSlug) && matches(rule.componentMatch, componentSlug);
}

function matches(expression: string, text: string): boolean {
  return RE2JS.compile(expression).matcher(text).find();
}

/** What is wrong with an expression of a rule, or null. */
export function ruleProblem(expression: string): string | null {
  if (expression.length > 200) return 'At most 200 characters are possible.';
  try {
    RE2JS.compile(expression);
    return null;
  } catch (error) {
    return `This is not a regular expression: ${(error as Error).message.slice(0, 200)}`;
  }
}
