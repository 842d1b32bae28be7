/** A file in a commit's tree. */
export interface TreeEntry {
  path: string;
  /** Blob hash. */
  hash: string;
  /** Bytes. */
  size: number;
  executable: boolean;
}

/** What lies under a path of a commit. */
export type EntryKind = 'file' | 'folder' | 'link' | 'submodule';

/** Whom a commit names. Times are in milliseconds since the epoch. */
export interface Signature {
  name: string;
  email: string;
  timeMs: number;
}

/** A commit as git has it. */
export interface CommitInfo {
  hash: string;
  tree: string;
  parents: string[];
  author: Signature;
  committer: Signature;
  message: string;
}

/** What a new commit does to one file; null bytes remove it. */
export interface FileChange {
  path: string;
  bytes: Buffer | null;
}

/** A commit that is to be made on top of the one before it in a list. */
export interface NewCommit {
  changes: readonly FileChange[];
  author: Signature;
  committer: Signature;
  message: string;
}

/** A file that both sides changed. Null: that side does not have it. */
export interface Conflict {
  path: string;
  base: Buffer | null;
  local: Buffer | null;
  upstream: Buffer | null;
  /** What git makes of the two line by line; absent: it cannot join them. */
  joined?: Buffer;
  /** Where upstream seems to have moved the file that it does not have at its place any more, with what it holds there. */
  moved?: { path: string; bytes: Buffer };
}

/**
 * What becomes of a file that both sides changed: its bytes, those at the place where upstream moved it, null to remove it, or
 * undefined when nobody can say: then it is what git makes of it, or a conflict.
 */
export type Resolution = Buffer | { moved: Buffer } | null | undefined;

export type Resolver = (conflict: Conflict) => Promise<Resolution>;

/** How upstream commits are brought together with local ones. */
export type MergeStyle = 'rebase' | 'merge' | 'merge_noff';

export interface MergeOutcome {
  /** Nothing new upstream; only upstream had something new; both had. */
  kind: 'up-to-date' | 'fast-forward' | 'merged';
  head: string;
}
