import type { SshOptions } from './remote/connection';
import type { RemotePolicy } from './remote/remote-url';

/** Operations that are measured. A clone is the first fetch of a repository. */
export type GitOperation = 'clone' | 'fetch' | 'commit' | 'merge' | 'push';

/** Limits and access of the repositories of a process. */
export interface GitOptions {
  /** HOME of git, used by no other program. */
  home: string;
  policy: RemotePolicy;
  ssh: SshOptions;
  /** Timeout of network commands, in milliseconds. */
  networkTimeoutMs: number;
  /** Timeout of other commands, in milliseconds. */
  localTimeoutMs: number;
  /** Size limit of a repository on disk, in bytes. */
  maxRepositoryBytes: number;
  /** Runs an operation and measures it. */
  measure?: <T>(operation: GitOperation, run: () => Promise<T>) => Promise<T>;
}
