import { backgroundPercent, between, costOfOne } from './costs.mjs';

describe('the costs of work', () => {
  it('A process that started during the work counts from its start', () => {
    expect(between({ gateway: 100 }, { gateway: 130, git: 7 })).toEqual({ gateway: 30, git: 7 });
  });

  it('One action costs its share of the time that the background did not take', () => {
    const idle = { ms: 1_000, processor: { gateway: 10, nats: 40 } };
    const costs = { ms: 2_000, processor: { gateway: 60, nats: 50, git: 8 } };
    expect(costOfOne(costs, idle, 4)).toEqual({ gateway: 10, nats: 0, git: 2 });
  });

  it('The background is a share of one processor', () => {
    expect(backgroundPercent({ ms: 1_000, processor: { gateway: 10, nats: 40 } })).toBeCloseTo(5);
  });
});
