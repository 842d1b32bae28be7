import { hasEnded, isFailure, summarizePhase } from './load.mjs';

const request = (at, status, ms = 10, kind = 'edit') => ({ kind, status, at, ms });

describe('the numbers of a phase', () => {
  it.each([
    ['edit', 200, 10, false],
    ['edit', 409, 10, false],
    ['edit', 404, 10, true],
    ['edit', 500, 10, true],
    ['edit', 503, 10, true],
    ['edit', 'no answer', 10, true],
    ['edit', undefined, Infinity, true],
    ['edit', 200, 21_000, true],
    ['operation', 200, 21_000, false],
    ['operation', 200, 61_000, true],
  ])('%s with %s after %s ms is a failure: %s', (kind, status, ms, expected) => {
    expect(isFailure({ kind, status, ms })).toBe(expected);
  });

  it('the numbers of a phase count the requests that began within it', () => {
    const requests = [request(0, 500), request(10, 200), request(15, 409), request(19, 'no answer'), request(20, 500)];
    const numbers = summarizePhase(requests, { from: 10, to: 20 });
    expect(numbers).toMatchObject({ requests: 3, rejected: 1, failed: 1, recoveredMs: 19 });
  });

  it('the numbers of a phase count a request that has no response yet as failed', () => {
    const requests = [{ kind: 'edit', at: 5, ms: Infinity }, request(6, 200)];
    expect(summarizePhase(requests, { from: 0, to: 10 })).toMatchObject({ requests: 2, failed: 1 });
  });

  it('slow requests are named, those that wait for git are not', () => {
    const requests = [
      request(1_500, 200, 3_100, 'read'),
      request(1_600, 200, 2_900),
      request(1_700, 200, 9_000, 'operation'),
    ];
    expect(summarizePhase(requests, { from: 1_000, to: 2_000 }).slow).toEqual(['read 200 took 3.1 s, from second 0.5']);
  });

  it('a phase has ended when all requests that began within it have', () => {
    const requests = [request(1, 200), { kind: 'operation', at: 15, ms: Infinity }];
    expect(hasEnded(requests, { from: 0, to: 10 })).toBe(true);
    expect(hasEnded(requests, { from: 10, to: 20 })).toBe(false);
  });

  it('the numbers of a phase leave out the times of requests that wait for git', () => {
    const requests = [request(1, 200, 30), request(2, 200, 40), request(3, 200, 9000, 'operation')];
    expect(summarizePhase(requests, { from: 0, to: 10 })).toMatchObject({ p50: 40, p99: 40, longest: 40 });
  });
});
