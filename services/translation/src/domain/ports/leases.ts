/** A lease of a repository, under which files of a component are imported. */
export interface RepositoryLease {
  component: number;
  repository: string;
  /** Fencing token; later leases of the repository have higher ones. */
  token: number;
}

/** The newest lease under which each component was imported. */
export interface FencingTokens {
  /** Records a lease. @returns false when files were imported under a later lease of the repository */
  claim(lease: RepositoryLease): Promise<boolean>;
  /** Whether no later lease was recorded. */
  isCurrent(lease: RepositoryLease): Promise<boolean>;
  removeOfComponent(component: number): Promise<void>;
}

/** Leases of automatic translations: at most one for each translation, across processes. */
export interface AutotranslateLeases {
  /** Acquires or renews a lease for a time in milliseconds. @returns false: another holder has it */
  acquire(translation: number, holder: string, forMs: number): Promise<boolean>;
  /** Lets another holder acquire the lease at once. Idempotent. */
  release(translation: number, holder: string): Promise<void>;
}
