import { GitError } from './errors';

const hashShape = /^[0-9a-f]{40}$/;

/** A full object name (40 hexadecimal digits). */
export function checkedHash(hash: string): string {
  if (!hashShape.test(hash)) throw new GitError('refused', 'This is not a git object name of 40 hexadecimal digits.');
  return hash;
}

/**
 * Whether a string is a valid branch name that git does not parse as an option.
 * Rules: `git check-ref-format --branch`.
 */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > 200 || name === '@' || name.startsWith('-')) return false;
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$/.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

export function checkedBranch(name: string): string {
  if (!isBranchName(name)) throw new GitError('refused', 'This is not a valid name of a branch.');
  return name;
}

/**
 * Whether a string is a valid path of a file in a repository: relative, normalised, without `..` and without a name that some file
 * system treats as `.git`. Names that are not UTF-8 decode to U+FFFD, which matches no entry.
 */
export function isRepositoryPath(path: string): boolean {
  if (path.length === 0 || path.length > 4000) return false;
  if (/[\u0000-\u001f\u007f\\\ufffd]/.test(path)) return false;
  return path
    .split('/')
    .every(
      (part) =>
        part !== '' &&
        part !== '.' &&
        part !== '..' &&
        !/^(\.git|git~\d+)[ .]*$/i.test(part.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')),
    );
}

export function checkedPath(path: string): string {
  if (!isRepositoryPath(path))
    throw new GitError('refused', `This is not a valid path in a repository: ${path.slice(0, 200)}`);
  return path;
}
