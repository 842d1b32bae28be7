import { runInNewContext } from 'node:vm';

/** A translation file found by a component's mask. */
export interface MaskedFile {
  path: string;
  /** What stands in place of the first `*`. */
  code: string;
}

const MAX_CODE_LENGTH = 100;
/** A regular expression from a user may take this long for all codes together, in milliseconds. */
const REGEX_BUDGET_MS = 500;

/** What is wrong with a mask, or null. */
export function filemaskProblem(mask: string): string | null {
  if (!mask.includes('*')) return 'The file mask needs a * in place of the language code.';
  return pathProblem(mask);
}

/** What is wrong with a path of a repository that a setting names, or null. */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/')) return 'The path has to be relative to the repository.';
  if (path.includes('\\')) return 'Folders are separated by /.';
  const parts = path.split('/');
  if (parts.includes('..')) return 'The path must not leave the repository.';
  if (parts.some((part) => part === '.' || part === '')) return 'The path is not normalised.';
  if (parts.some((part) => /^\.git$/i.test(part))) return "The path must not lead into git's own folder.";
  return null;
}

/** What stands between the `*` of a mask, for an expression. */
export const maskParts = (mask: string): string[] =>
  mask.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));

/** The expression that paths of a mask match: the first `*` is the code and holds no slash, further ones repeat it. */
function filemaskExpression(mask: string): RegExp {
  const [first = '', ...rest] = maskParts(mask);
  return new RegExp(`^${first}([^/]+)${rest.join('\\1')}$`);
}

/** Files that a mask matches, without those that have another role. Links and submodules are not in the list of files. */
export function matchFiles(paths: readonly string[], mask: string, excluded: readonly string[]): MaskedFile[] {
  const expression = filemaskExpression(mask);
  const found: MaskedFile[] = [];
  for (const path of paths) {
    if (excluded.includes(path)) continue;
    const code = expression.exec(path)?.[1];
    if (code !== undefined && code.length <= MAX_CODE_LENGTH) found.push({ path, code });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Path of a language's file. */
export const pathForCode = (mask: string, code: string): string => mask.replaceAll('*', code);

/** What is wrong with a regular expression for codes, or null. */
export function codeFilterProblem(expression: string): string | null {
  try {
    new RegExp(expression);
    return null;
  } catch {
    return 'This is not a valid regular expression.';
  }
}

/**
 * Keeps the files whose code a user's expression matches. It runs with a time limit: some expressions take forever on some texts.
 * @throws Error when it takes too long
 */
export function filterCodes(files: readonly MaskedFile[], expression: string): MaskedFile[] {
  if (files.length === 0) return [];
  const codes = files.map((file) => file.code);
  const verdicts = runInNewContext(
    'const e = new RegExp(expression); JSON.stringify(JSON.parse(codes).map((c) => e.test(c)))',
    { expression, codes: JSON.stringify(codes) },
    { timeout: REGEX_BUDGET_MS },
  ) as string;
  const kept = JSON.parse(verdicts) as boolean[];
  return files.filter((_, at) => kept[at]);
}
