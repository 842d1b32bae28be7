import { timedMatch } from '@parlance/contracts';

/** The expression of a setting may take this long for all keys of a file together, in milliseconds. */
const BUDGET_MS = 2_000;

/** An expression that takes too long on the keys of a file. */
export class KeyFilterError extends Error {
  override readonly name = 'KeyFilterError';
}

/**
 * Says which keys the expression of `key_filter` matches.
 * @throws KeyFilterError when it takes too long
 */
export function matchKeys(keys: readonly string[], expression: string): boolean[] {
  try {
    return timedMatch(keys, expression, { flags: 'u', budgetMs: BUDGET_MS });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new KeyFilterError('The key_filter takes too long.');
    throw error;
  }
}
