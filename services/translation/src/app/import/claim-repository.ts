import { ServiceError } from '@parlance/errors';
import type { FencingTokens, RepositoryLease } from '../../domain/ports';
import type { ImportOptions } from './import-options';

export interface ClaimRepositoryDeps {
  fencingTokens: FencingTokens;
}

const takenOver = (): ServiceError =>
  new ServiceError('UNAVAILABLE', { message: 'Another worker has taken over this repository. Retry the request.' });

/**
 * Records the lease of an import, so that imports under earlier leases stop: they have older files.
 * @param lease null: the caller sent none, and only its cancellation is checked
 * @returns the check whether the import may still write
 * @throws UNAVAILABLE when files were imported under a later lease
 */
export async function claimRepository(
  { fencingTokens }: ClaimRepositoryDeps,
  lease: RepositoryLease | null,
  signal: AbortSignal,
): Promise<ImportOptions['requireCurrent']> {
  if (lease && !(await fencingTokens.claim(lease))) throw takenOver();
  return async () => {
    if (signal.aborted) throw new ServiceError('UNAVAILABLE', { message: 'The caller cancelled the import.' });
    if (lease && !(await fencingTokens.isCurrent(lease))) throw takenOver();
  };
}
