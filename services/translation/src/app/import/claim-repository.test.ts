import { reasonOf } from '../../../test/support/memory/world';
import type { RepositoryLease } from '../../domain/ports';
import { claimRepository } from './claim-repository';

/** Fencing tokens of one repository in memory. */
function start() {
  let newest = 0;
  const fencingTokens = {
    claim: async ({ token }: RepositoryLease) => {
      if (token < newest) return false;
      newest = token;
      return true;
    },
    isCurrent: async ({ token }: RepositoryLease) => token >= newest,
    removeOfComponent: async () => undefined,
  };
  const stop = new AbortController();
  const claim = (token: number | null) =>
    claimRepository({ fencingTokens }, token === null ? null : { component: 1, repository: 'r', token }, stop.signal);
  return { claim, stop };
}

describe('claimRepository', () => {
  it('an import may write while its lease is the newest', async () => {
    const { claim } = start();
    const requireCurrent = await claim(5);
    expect(await reasonOf(requireCurrent())).toBe('OK');
  });

  it('an import under an earlier lease does not begin', async () => {
    const { claim } = start();
    await claim(5);
    expect(await reasonOf(claim(4))).toBe('UNAVAILABLE');
  });

  it('an import stops when a later lease is recorded', async () => {
    const { claim } = start();
    const requireCurrent = await claim(5);
    await claim(6);
    expect(await reasonOf(requireCurrent())).toBe('UNAVAILABLE');
  });

  it('a cancelled import stops, with a lease and without', async () => {
    const { claim, stop } = start();
    const checks = [await claim(5), await claim(null)];
    stop.abort();
    for (const requireCurrent of checks) expect(await reasonOf(requireCurrent())).toBe('UNAVAILABLE');
  });

  it('without a lease, another import does not stop this one', async () => {
    const { claim } = start();
    const requireCurrent = await claim(null);
    await claim(6);
    expect(await reasonOf(requireCurrent())).toBe('OK');
  });
});
