import { compileMask } from '@parlance/patterns';

/** Problem of the path of a file in a repository, or null. */
export function pathProblem(path: string): string | null {
  if (path.includes('\\')) return 'Folders must be separated by slashes.';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'The path must be relative to the repository.';
  const parts = path.split('/');
  if (parts.includes('..')) return 'The path must not leave the repository.';
  if (parts.some((part) => part === '.' || part === '')) return 'The path must be normalized.';
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'The path must not be inside the .git folder.';
  return null;
}

/** Problem of a path template for any values of its variables, or null. */
export function pathTemplateProblem(template: string): string | null {
  // eslint-disable-next-line regexp/no-super-linear-move -- templates of paths have some hundred characters
  return pathProblem(template.replace(/\{%.*?%\}/gs, '').replace(/\{\{.*?\}\}/gs, 'x'));
}

/** Problem of a path with * in place of a language code (or another part), or null. */
export function maskProblem(mask: string): string | null {
  return pathProblem(mask) ?? (mask.includes('*') ? null : 'The path must contain * in place of the language code.');
}

/** The language code in a path that matches a mask, or null if it does not match. */
export function codeInPath(mask: string, path: string): string | null {
  return mask.includes('*') ? compileMask(mask).first(path) : null;
}
