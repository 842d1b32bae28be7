/** A file in a commit's tree. */
export interface TreeEntry {
  path: string;
  /** Blob hash. */
  hash: string;
  /** Bytes. */
  size: number;
  executable: boolean;
}

/** Kind of a tree entry. */
export type EntryKind = 'file' | 'folder' | 'link' | 'submodule';

/** Author or committer of a commit. Times are in milliseconds since the epoch. */
export interface Signature {
  name: string;
  email: string;
  timeMs: number;
}

/** A parsed commit object. */
export interface CommitInfo {
  hash: string;
  tree: string;
  parents: string[];
  author: Signature;
  committer: Signature;
  message: string;
}

/** Change of a file in a new commit; null removes the file. */
export interface FileChange {
  path: string;
  bytes: Buffer | null;
}

/** A new commit on top of the preceding one in its list. */
export interface NewCommit {
  changes: readonly FileChange[];
  author: Signature;
  committer: Signature;
  message: string;
}

/** A file that both sides changed. Null: the file does not exist on that side. */
export interface Conflict {
  path: string;
  base: Buffer | null;
  local: Buffer | null;
  upstream: Buffer | null;
  /** Git's line-based merge; absent: the lines conflict. */
  joined?: Buffer;
  /** Path and content of the file after a move by upstream. */
  moved?: { path: string; bytes: Buffer };
}

/**
 * Decision about a file that both sides changed: its new bytes, the bytes at the path where upstream moved it, null to remove it, or
 * undefined for git's line-based merge (a conflict if there is none).
 */
export type Resolution = Buffer | { moved: Buffer } | null | undefined;

export type Resolver = (conflict: Conflict) => Promise<Resolution>;

/** How local commits are combined with upstream's. */
export type MergeStyle = 'rebase' | 'merge' | 'merge_noff';

export interface MergeOutcome {
  /** No new upstream commits; only upstream has new commits; both have. */
  kind: 'up-to-date' | 'fast-forward' | 'merged';
  head: string;
}
