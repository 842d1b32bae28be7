import { ByteBudget } from './byte-budget';

const budget = (options: Partial<ConstructorParameters<typeof ByteBudget>[0]> = {}) =>
  new ByteBudget({ total: 100, perCaller: 60, maxWaiting: 4, maxWaitMs: 60_000, ...options });

describe('ByteBudget', () => {
  it('grants waiting requests in order once bytes are released', async () => {
    const bytes = budget();
    const [first, second] = [await bytes.reserve(50, 'a'), await bytes.reserve(50, 'b')];
    const order: string[] = [];
    const third = bytes.reserve(60, 'c').then((own) => (order.push('c'), own));
    const fourth = bytes.reserve(10, 'd').then((own) => (order.push('d'), own));
    first.release();
    first.release();
    await Promise.resolve();
    expect(order).toEqual([]);
    second.shrinkTo(40);
    expect(bytes.reserved).toBe(40 + 60);
    second.release();
    (await third).release();
    (await fourth).release();
    expect(order).toEqual(['c', 'd']);
    expect(bytes.reserved).toBe(0);
  });

  it('lets other callers pass a caller at its limit', async () => {
    const bytes = budget();
    const own = await bytes.reserve(60, 'a');
    const waiting = bytes.reserve(10, 'a');
    const other = await bytes.reserve(40, 'b');
    expect(bytes.reserved).toBe(100);
    own.release();
    (await waiting).release();
    other.release();
    expect(bytes.reserved).toBe(0);
  });

  it('rejects requests beyond its queue and after the maximum wait', async () => {
    const bytes = budget({ maxWaiting: 2, maxWaitMs: 10 });
    const reserved = await bytes.reserve(1_000, 'a');
    const [one, other] = [bytes.reserve(1, 'b'), bytes.reserve(1, 'c')];
    await expect(bytes.reserve(1, 'd')).rejects.toMatchObject({ reason: 'OVERLOADED' });
    await expect(one).rejects.toMatchObject({ reason: 'OVERLOADED' });
    await expect(other).rejects.toMatchObject({ reason: 'OVERLOADED' });
    reserved.release();
    expect(bytes.reserved).toBe(0);
  });

  it('removes a request from the queue if it is cancelled while it waits', async () => {
    const bytes = budget();
    const reserved = await bytes.reserve(100, 'a');
    const gone = new AbortController();
    const waiting = bytes.reserve(1, 'b', gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    reserved.release();
    (await bytes.reserve(100, 'c')).release();
    expect(bytes.reserved).toBe(0);
  });
});
