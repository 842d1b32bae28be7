import type { GitRepository } from '@parlance/git';
import type { Component } from '../../domain/component';
import type { Log } from '../deps';
import type { Session } from './repository-queue';

/** Context of an operation: the lease, the clone and the components that share it. */
export interface RepositoryWork {
  session: Session;
  git: GitRepository;
  /** The first one owns the repository. */
  components: readonly Component[];
  /** User who requested the operation; 0 for none. */
  user: number;
  log: Log;
}
