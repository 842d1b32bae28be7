import { compileMask } from '@parlance/patterns';

/** What is wrong with the path of a file in a repository, or null. */
export function pathProblem(path: string): string | null {
  if (path.includes('\\')) return 'Folders are separated by slashes.';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'The path must be relative to the repository.';
  const parts = path.split('/');
  if (parts.includes('..')) return 'The path must not lead out of the repository.';
  if (parts.some((part) => part === '.' || part === ''))
    return 'The path has superfluous parts; write it in its shortest form.';
  if (parts.some((part) => part.toLowerCase() === '.git'))
    return 'The path must not lead into the data of the repository.';
  return null;
}

/** What is wrong with the template of a path whatever stands for its variables, or null. */
export function pathTemplateProblem(template: string): string | null {
  // eslint-disable-next-line regexp/no-super-linear-move -- templates of paths have some hundred characters
  return pathProblem(template.replace(/\{%.*?%\}/gs, '').replace(/\{\{.*?\}\}/gs, 'x'));
}

/** What is wrong with a path with * in place of a language code (or another part), or null. */
export function maskProblem(mask: string): string | null {
  return pathProblem(mask) ?? (mask.includes('*') ? null : 'The path needs a * in place of the language code.');
}

/** The language code in a path that a mask matches, or null when it does not match. */
export function codeInPath(mask: string, path: string): string | null {
  return mask.includes('*') ? compileMask(mask).first(path) : null;
}
