import { kindOf, steady } from './process-costs.mjs';

/** Returns the amounts one after the other, and how many were taken. */
function amounts(...values) {
  const taken = [];
  return { taken, next: async () => (taken.push(values[taken.length] ?? 0), taken.at(-1)) };
}

describe('costs of processes', () => {
  it('background work is measured until it stops falling', async () => {
    const falling = amounts(1000, 700, 300, 20, 18, 17);
    expect(await steady(falling.next, (amount) => amount)).toBe(18);
    expect(falling.taken).toHaveLength(5);
  });

  it('a process without background work is measured twice', async () => {
    const idle = amounts(0, 0);
    expect(await steady(idle.next, (amount) => amount)).toBe(0);
    expect(idle.taken).toHaveLength(2);
  });

  it('work that never settles ends the measurement', async () => {
    let amount = 1e9;
    await steady(
      async () => (amount /= 2),
      (measured) => measured,
    );
    expect(amount).toBeGreaterThan(1);
  });

  it('numbered replicas are of the kind of their process', () => {
    expect(kindOf('vcs-worker-2')).toBe('vcs-worker');
  });
});
