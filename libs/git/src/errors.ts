/** Kind of failure of a git operation. */
export type GitProblem =
  /** The address, branch, path or name is not allowed. No command was run. */
  | 'refused'
  /** The host cannot be reached or does not answer. */
  | 'unreachable'
  /** The repository does not exist or is hidden from this caller. */
  | 'not-found'
  /** The host rejects the credentials. */
  | 'denied'
  /** The repository has no such branch. */
  | 'no-branch'
  /** The repository has no commits. */
  | 'empty'
  /** The host rejected a push because the branch has moved. */
  | 'stale'
  /** The host rejected a push for another reason (a protected branch, a hook of the host). */
  | 'rejected'
  /** The repository holds corrupt or dangerous objects. */
  | 'broken'
  /** Prerequisite commits of a bundle are missing. */
  | 'incomplete'
  | 'too-large'
  /** The disk of this machine has no space left. */
  | 'disk-full'
  | 'timeout'
  | 'aborted'
  /** Any other failure. */
  | 'failed';

/** A failed git operation. The message is written for people and holds no credentials. */
export class GitError extends Error {
  override readonly name = 'GitError';
  constructor(
    readonly problem: GitProblem,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

export function isGitError(error: unknown, problem?: GitProblem): error is GitError {
  return error instanceof GitError && (problem === undefined || error.problem === problem);
}

/** A merge or rebase stopped: both sides changed these files and the resolver left them open. */
export class MergeConflictError extends Error {
  override readonly name = 'MergeConflictError';
  constructor(readonly paths: readonly string[]) {
    super(`Both sides changed ${paths.length === 1 ? 'this file' : 'these files'}: ${paths.slice(0, 20).join(', ')}`);
  }
}

/** Removes credentials from addresses and replaces the given secrets. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@'"]+@/gi, '$1');
  for (const secret of secrets) if (secret.length > 0) clean = clean.split(secret).join('***');
  return clean;
}

// The first match decides. The messages are English because the environment fixes the locale.
const MESSAGE_PATTERNS: readonly [RegExp, GitProblem][] = [
  // Lines with this prefix are about the host's disk.
  [/^(?!remote: ).*(No space left on device|Out of diskspace|Disk quota exceeded)/im, 'disk-full'],
  [/couldn't find remote ref|Remote branch .* not found/i, 'no-branch'],
  [/access denied or repository not exported/i, 'not-found'],
  [/prerequisite commits|does not have these prerequisite/i, 'incomplete'],
  [/non-fast-forward|\(fetch first\)|\(stale info\)|remote contains work|cannot lock ref/i, 'stale'],
  [/\[remote rejected\]|pre-receive hook declined|protected branch|! \[rejected\]/i, 'rejected'],
  [
    /fsck error|error in (commit|tree|blob|tag)|missing (blob|tree) |bad object|invalid index-pack|fsck failed/i,
    'broken',
  ],
  [
    /Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied|returned error: 40[13]|Host key verification failed|access denied/i,
    'denied',
  ],
  [
    /Repository not found|does not (appear to be|exist)|no such repository|returned error: 404|not exported|repository .* not found|not a git repository|remote error/i,
    'not-found',
  ],
  [
    /Could not resolve host|Connection (refused|timed out|reset|closed)|unable to connect|Failed to connect|Network is unreachable|No route to host|Could not read from remote|early EOF|the remote end hung up|unable to access|Operation too slow|SSL|certificate/i,
    'unreachable',
  ],
];

/**
 * The failure that git's messages describe.
 * @param text the message for people
 */
export function failureFrom(messages: string, text: string): GitError {
  const problem = MESSAGE_PATTERNS.find(([sign]) => sign.test(messages))?.[1] ?? 'failed';
  // Git names a file of this machine, and people cannot resolve it.
  return problem === 'disk-full' ? diskFull(text) : new GitError(problem, text);
}

const diskFull = (cause: unknown): GitError =>
  new GitError('disk-full', 'The server has no disk space left for repositories.', { cause });

/** A failed write of a file as a failure of git, if the disk is full; another error unchanged. */
export function diskFullOr(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskFull(error) : error;
}
