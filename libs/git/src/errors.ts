/** What went wrong with a git operation, for callers that act on it. */
export type GitProblem =
  /** The address, branch, path or name is not one that is taken. Nothing was run. */
  | 'refused'
  /** The host cannot be reached, or does not answer. */
  | 'unreachable'
  /** There is no such repository, or it is not shown to this caller. */
  | 'not-found'
  /** The host wants other credentials. */
  | 'denied'
  /** The repository has no such branch. */
  | 'no-branch'
  /** The repository has no commit at all. */
  | 'empty'
  /** A push was refused because the branch has moved. */
  | 'stale'
  /** A push was refused by the host for another reason (a protected branch, a hook of the host). */
  | 'rejected'
  /** The repository holds broken or dangerous objects. */
  | 'broken'
  /** A bundle needs commits that are not there. */
  | 'incomplete'
  | 'too-large'
  | 'timeout'
  | 'aborted'
  /** Anything else that git failed at. */
  | 'failed';

/** A failed git operation. The message is one or a few lines for people and holds no credentials. */
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

/** A merge or rebase stopped: these files were changed on both sides, and nobody could say how to join them. */
export class MergeConflictError extends Error {
  override readonly name = 'MergeConflictError';
  constructor(readonly paths: readonly string[]) {
    super(`Both sides changed ${paths.length === 1 ? 'this file' : 'these files'}: ${paths.slice(0, 20).join(', ')}`);
  }
}

/** Hides user names and passwords in addresses, and every secret that is given. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@'"]+@/gi, '$1');
  for (const secret of secrets) if (secret.length > 0) clean = clean.split(secret).join('***');
  return clean;
}

// In this order: the first that fits decides. Git speaks English here because the environment's locale is fixed.
const signs: readonly [RegExp, GitProblem][] = [
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

/** Finds out from git's messages what went wrong. */
export function classify(messages: string): GitProblem {
  return signs.find(([sign]) => sign.test(messages))?.[1] ?? 'failed';
}
