import { isFailure, summarizePhase } from './load.mjs';

const request = (at, status, ms = 10, kind = 'edit') => ({ kind, status, at, ms });

describe('the numbers of a phase', () => {
  it.each([
    [200, false],
    [404, false],
    [500, true],
    [503, true],
    ['no answer', true],
    ['timeout', true],
  ])('%s is a failure: %s', (status, expected) => {
    expect(isFailure(status)).toBe(expected);
  });

  it('the numbers of a phase count the requests that began within it', () => {
    const requests = [request(0, 500), request(10, 200), request(15, 409), request(19, 'no answer'), request(20, 500)];
    expect(summarizePhase(requests, { from: 10, to: 20 })).toMatchObject({ requests: 3, rejected: 1, failed: 1 });
  });

  it('the numbers of a phase leave out the times of requests that wait for git', () => {
    const requests = [request(1, 200, 30), request(2, 200, 40), request(3, 200, 9000, 'operation')];
    expect(summarizePhase(requests, { from: 0, to: 10 })).toMatchObject({ p50: 40, p99: 40, longest: 40 });
  });
});
