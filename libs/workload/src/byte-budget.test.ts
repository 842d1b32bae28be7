import { ByteBudget, type QueuePolicy } from './byte-budget';

const budget = (policy: Partial<QueuePolicy> = {}) =>
  new ByteBudget({ total: 100, caller: 60, policy: { maxWaiting: 4, maxWaitMs: 60_000, ...policy } });

const reasonOf = (act: () => void): string => {
  try {
    act();
    return '';
  } catch (error) {
    return (error as { reason: string }).reason;
  }
};

describe('ByteBudget with a queue', () => {
  it('ByteBudget with a queue grants waiting requests in order once bytes are released', async () => {
    const bytes = budget();
    const [first, second] = [await bytes.reserve(50, 'a'), await bytes.reserve(50, 'b')];
    const order: string[] = [];
    const third = bytes.reserve(60, 'c').then((own) => (order.push('c'), own));
    const fourth = bytes.reserve(10, 'd').then((own) => (order.push('d'), own));
    first.release();
    first.release();
    await Promise.resolve();
    expect(order).toEqual([]);
    second.shrink(10);
    expect(bytes.used).toBe(40 + 60);
    second.release();
    (await third).release();
    (await fourth).release();
    expect(order).toEqual(['c', 'd']);
    expect(bytes.used).toBe(0);
  });

  it('ByteBudget with a queue lets other callers overtake a caller at its limit', async () => {
    const bytes = budget();
    const own = await bytes.reserve(60, 'a');
    const waiting = bytes.reserve(10, 'a');
    const other = await bytes.reserve(40, 'b');
    expect(bytes.used).toBe(100);
    own.release();
    (await waiting).release();
    other.release();
    expect(bytes.used).toBe(0);
  });

  it('ByteBudget with a queue rejects requests beyond its queue and after the maximum wait', async () => {
    const bytes = budget({ maxWaiting: 2, maxWaitMs: 10 });
    const reserved = await bytes.reserve(1_000, 'a');
    const [one, other] = [bytes.reserve(1, 'b'), bytes.reserve(1, 'c')];
    await expect(bytes.reserve(1, 'd')).rejects.toMatchObject({ reason: 'OVERLOADED' });
    await expect(one).rejects.toMatchObject({ reason: 'OVERLOADED' });
    await expect(other).rejects.toMatchObject({ reason: 'OVERLOADED' });
    reserved.release();
    expect(bytes.used).toBe(0);
  });

  it('ByteBudget with a queue removes a request from the queue if it is cancelled while it waits', async () => {
    const bytes = budget();
    const reserved = await bytes.reserve(100, 'a');
    const caller = new AbortController();
    const waiting = bytes.reserve(1, 'b', caller.signal);
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    reserved.release();
    (await bytes.reserve(100, 'c')).release();
    expect(bytes.used).toBe(0);
  });
});

describe('ByteBudget that refuses', () => {
  const shares = { total: 100, caller: 50, anonymous: { total: 30, address: 20 }, policy: 'refuse' } as const;

  it('ByteBudget bounds the bytes of a caller, of all anonymous callers and of all requests', () => {
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

  it('ByteBudget that refuses reserves immediately or throws', async () => {
    const budget = new ByteBudget(shares);
    const lease = await budget.reserve(50, 'user:1');
    await expect(budget.reserve(1, 'user:1')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await expect(budget.reserve(51, 'user:2')).rejects.toMatchObject({ reason: 'TOO_LARGE' });
    lease.release();
    expect(budget.used).toBe(0);
  });

  it('ByteBudget that refuses reports requests that can never fit as TOO_LARGE', () => {
    const budget = new ByteBudget(shares);
    const lease = budget.lease('a', true);
    expect(reasonOf(() => lease.check(21))).toBe('TOO_LARGE');
    lease.grow(15);
    expect(reasonOf(() => lease.grow(6))).toBe('TOO_LARGE');
    expect(budget.used).toBe(15);
  });

  it('ByteBudget that refuses releases a lease once and reserves no bytes for a released lease', () => {
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
