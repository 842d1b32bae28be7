import type { CheckInput } from '../check-input';
import { parseFlags } from '../flags/flags';
import { runChecks } from '../run-checks';

/** Ids of the failing checks. */
export function failingChecks(
  source: string | string[],
  target: string | string[],
  options: Partial<CheckInput> & { flagText?: string } = {},
): string[] {
  const { flagText = '', ...rest } = options;
  return runChecks({
    source: typeof source === 'string' ? [source] : source,
    target: typeof target === 'string' ? [target] : target,
    sourceLanguage: 'en',
    targetLanguage: 'cs',
    flags: parseFlags(flagText),
    ...rest,
  });
}
