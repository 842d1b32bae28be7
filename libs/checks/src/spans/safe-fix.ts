import { autofix } from '../autofix';
import type { CheckInput } from '../check-input';
import { runChecks } from '../run-checks';

/**
 * The translation after the automatic corrections of a save, if they repair a failing check and break no other one.
 *
 * @returns null if there is no such fix
 */
export function safeFix(id: string, input: CheckInput): string[] | null {
  if (input.isSource) return null;
  const { target, fixed } = autofix(input.source, input.target, input.flags, input.targetLanguage);
  if (fixed.length === 0) return null;
  const before = new Set(runChecks(input));
  const after = runChecks({ ...input, target });
  return before.has(id) && !after.includes(id) && after.every((other) => before.has(other)) ? target : null;
}
