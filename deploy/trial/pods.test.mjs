import { unevenShares } from '../../e2e/bench/support/shares.mjs';
import { sharesBetween } from './pods.mjs';

describe('the shares of calls', () => {
  it('the shares of calls are those between two measurements, for pods that were there all the time', () => {
    const pod = (calls, component = 'media') => ({ component, calls, memory: 99.6 });
    const before = new Map([
      ['a', pod(100)],
      ['b', pod(0)],
      ['old', pod(7)],
    ]);
    const after = new Map([
      ['a', pod(130)],
      ['b', pod(70)],
      ['new', pod(50)],
      ['other', pod(5, 'hooks')],
    ]);
    const media = sharesBetween(before, after).find(({ component }) => component === 'media');
    expect(media).toEqual({ component: 'media', total: 100, shares: [0.3, 0.7], memory: [100, 100] });
  });

  it('the shares of calls are empty without calls', () => {
    expect(sharesBetween(new Map(), new Map()).every(({ total, shares }) => total === 0 && shares.length === 0)).toBe(
      true,
    );
  });
});

describe('the shares of calls in the benchmark', () => {
  it('the shares of calls in the benchmark are uneven below 40 % with two replicas and below 20 % with four, from a hundred calls on', () => {
    const before = { media: [10, 0], hooks: [0, 0], catalog: [0, 0, 0, 0], identity: [0, 0], gateway: [0] };
    const after = { media: [71, 39], hooks: [90, 9], catalog: [30, 30, 21, 19], identity: [60, 40], gateway: [500] };
    expect(unevenShares(before, after)).toEqual(['media', 'catalog']);
  });
});
