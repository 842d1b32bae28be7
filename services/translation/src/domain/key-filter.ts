import { runInNewContext } from 'node:vm';

/** The expression of a setting may take this long for all keys of a file together, in milliseconds. */
const BUDGET_MS = 2_000;

/** An expression that takes too long on the keys of a file. */
export class KeyFilterError extends Error {
  override readonly name = 'KeyFilterError';
}

/**
 * Says which keys a regular expression of a setting matches, with a time limit: some expressions take forever on some texts.
 * @throws KeyFilterError when it takes too long
 */
export function matchKeys(keys: readonly string[], expression: string): boolean[] {
  try {
    const verdicts = runInNewContext(
      'const e = new RegExp(expression, "u"); JSON.stringify(JSON.parse(keys).map((k) => e.test(k)))',
      { expression, keys: JSON.stringify(keys) },
      { timeout: BUDGET_MS },
    ) as string;
    return JSON.parse(verdicts) as boolean[];
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new KeyFilterError('The key_filter takes too long.');
    throw error;
  }
}
