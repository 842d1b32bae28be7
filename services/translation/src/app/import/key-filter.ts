import { compilePattern, mapInSlices, PatternError, type Pattern } from '@parlance/patterns';

/** An invalid `key_filter`. */
export class KeyFilterError extends Error {
  override readonly name = 'KeyFilterError';
}

function patternOf(expression: string): Pattern {
  try {
    return compilePattern(expression);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new KeyFilterError(`"key_filter" is not a valid regular expression (RE2 syntax): ${error.message}`);
  }
}

/** Whether a `key_filter` matches each key. Yields to the event loop. @throws {KeyFilterError} */
export async function matchKeys(keys: readonly string[], expression: string): Promise<boolean[]> {
  const pattern = patternOf(expression);
  return mapInSlices(keys, (key) => pattern.test(key));
}

/** The filter during an import. It caches its results, because the files of a component contain mostly the same keys. */
export class KeyFilter {
  private readonly verdicts = new Map<string, boolean>();

  /**
   * The units whose keys the expression matches.
   * @param expression '': all
   * @throws {KeyFilterError}
   */
  async keep<U extends { context: string }>(units: readonly U[], expression: string): Promise<readonly U[]> {
    if (expression === '') return units;
    const unknown = [...new Set(units.map((unit) => unit.context))].filter((key) => !this.verdicts.has(key));
    const verdicts = unknown.length > 0 ? await matchKeys(unknown, expression) : [];
    unknown.forEach((key, at) => this.verdicts.set(key, verdicts[at]!));
    return units.filter((unit) => this.verdicts.get(unit.context));
  }
}
