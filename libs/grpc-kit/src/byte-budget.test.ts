import { ByteBudget } from './byte-budget';

const reasonOf = (act: () => void): string => {
  try {
    act();
    return '';
  } catch (error) {
    return (error as { reason: string }).reason;
  }
};

describe('ByteBudget', () => {
  const shares = { total: 100, caller: 50, anonymous: 30, address: 20 };

  it('bounds the bytes of one caller, of all anonymous callers and of all requests', () => {
    const budget = new ByteBudget(shares);
    const first = budget.lease('user:1', false);
    first.grow(40);
    expect(reasonOf(() => budget.lease('user:1', false).grow(11))).toBe('UNAVAILABLE');
    const stranger = budget.lease('a', true);
    stranger.grow(20);
    expect(reasonOf(() => budget.lease('a', true).grow(1))).toBe('UNAVAILABLE');
    expect(reasonOf(() => budget.lease('b', true).grow(11))).toBe('UNAVAILABLE');
    budget.lease('user:2', false).grow(40);
    expect(reasonOf(() => budget.lease('user:3', false).grow(1))).toBe('UNAVAILABLE');
    first.release();
    budget.lease('user:3', false).grow(40);
    expect(budget.used).toBe(100);
  });

  it('rejects with TOO_LARGE what exceeds the share of a caller', () => {
    const budget = new ByteBudget(shares);
    const lease = budget.lease('a', true);
    expect(reasonOf(() => lease.check(21))).toBe('TOO_LARGE');
    lease.grow(15);
    expect(reasonOf(() => lease.grow(6))).toBe('TOO_LARGE');
    expect(budget.used).toBe(15);
  });

  it('releases bytes once and reserves none for a released lease', () => {
    const budget = new ByteBudget(shares);
    const lease = budget.lease('user:1', false);
    lease.grow(10);
    lease.shrink(4);
    expect(budget.used).toBe(6);
    lease.release();
    lease.release();
    lease.grow(5);
    expect(budget.used).toBe(0);
  });
});
