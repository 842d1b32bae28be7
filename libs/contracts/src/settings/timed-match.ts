import { runInNewContext } from 'node:vm';

/**
 * Says which texts an expression of a setting matches. It runs with a time limit, in milliseconds for all texts together: some
 * expressions take forever on some texts.
 * @throws Error with code ERR_SCRIPT_EXECUTION_TIMEOUT when it takes too long
 */
export function timedMatch(
  texts: readonly string[],
  expression: string,
  { flags = '', budgetMs }: { flags?: string; budgetMs: number },
): boolean[] {
  const verdicts = runInNewContext(
    'const e = new RegExp(expression, flags); JSON.stringify(JSON.parse(texts).map((t) => e.test(t)))',
    { expression, flags, texts: JSON.stringify(texts) },
    { timeout: budgetMs },
  ) as string;
  return JSON.parse(verdicts) as boolean[];
}
