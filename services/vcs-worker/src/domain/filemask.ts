import { fieldErrors } from '@parlance/errors';
import { compileMask, compilePattern, fillMask, mapInSlices, PatternError, patternProblem } from '@parlance/patterns';

/** A translation file found by a component's mask. */
export interface MaskedFile {
  path: string;
  /** Text in place of the first `*`. */
  code: string;
}

const MAX_CODE_LENGTH = 100;

/** Problem of a mask, or null. */
export function filemaskProblem(mask: string): string | null {
  if (!mask.includes('*')) return 'The file mask must contain * in place of the language code.';
  return pathProblem(mask);
}

/** Problem of a path in a repository that a setting names, or null. */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/')) return 'The path must be relative to the repository.';
  if (path.includes('\\')) return 'Folders must be separated by /.';
  const parts = path.split('/');
  if (parts.includes('..')) return 'The path must not leave the repository.';
  if (parts.some((part) => part === '.' || part === '')) return 'The path must be normalized.';
  if (parts.some((part) => /^\.git$/i.test(part))) return 'The path must not be inside the .git folder.';
  return null;
}

/** Files that match a mask, except files with another role. Links and submodules are not in the list of files. */
export function matchFiles(paths: readonly string[], mask: string, excluded: readonly string[]): MaskedFile[] {
  const compiled = compileMask(mask);
  const found: MaskedFile[] = [];
  for (const path of paths) {
    if (excluded.includes(path)) continue;
    const code = compiled.repeated(path);
    if (code !== null && code.length <= MAX_CODE_LENGTH) found.push({ path, code });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Path of a language's file. */
export const pathForCode = (mask: string, code: string): string => fillMask(mask, code);

/** Compiles a user's expression for codes. @throws ServiceError INVALID on language_regex */
function codeFilter(expression: string): (code: string) => boolean {
  try {
    const pattern = compilePattern(expression);
    return (code) => pattern.test(code);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const detail = `"language_regex" is not a valid regular expression (RE2 syntax): ${error.message}`;
    throw fieldErrors([{ attr: 'language_regex', code: 'invalid', detail }]);
  }
}

/** Problem of a pattern for codes, or null. */
export const codeFilterProblem = patternProblem;

/** Whether a user's expression matches a code. @throws ServiceError INVALID on language_regex */
export const acceptsCode = (code: string, expression: string): boolean => codeFilter(expression)(code);

/** Keeps the files whose code a user's expression matches. Yields to the event loop. @throws ServiceError INVALID on language_regex */
export async function filterCodes(files: readonly MaskedFile[], expression: string): Promise<MaskedFile[]> {
  if (files.length === 0) return [];
  const takes = codeFilter(expression);
  const kept = await mapInSlices(files, ({ code }) => takes(code));
  return files.filter((_, at) => kept[at]);
}
