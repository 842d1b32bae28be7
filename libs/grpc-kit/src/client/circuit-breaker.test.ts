import { type CircuitChange, CircuitBreakers } from './circuit-breaker';

const FAST = 'fast:1';
const SLOW = 'slow:1';

/** Breakers of two replicas with a clock that the test moves. */
function setUp() {
  let time = 0;
  const changes: [string, CircuitChange['to']][] = [];
  const breakers = new CircuitBreakers(
    (address, { to }) => changes.push([address, to]),
    () => time,
  );
  breakers.setAddresses([FAST, SLOW]);
  return {
    breakers,
    changes,
    wait: (ms: number) => (time += ms),
    call(address: string, ms: number, hasFailed = false) {
      const ended = breakers.started(address);
      time += ms;
      ended(hasFailed);
    },
  };
}

type World = ReturnType<typeof setUp>;
const repeat = <T>(times: number, act: () => T): T[] => Array.from({ length: times }, act);
const callBoth = ({ call }: World, fastMs: number, slowMs: number, times = 8) =>
  repeat(times, () => (call(FAST, fastMs), call(SLOW, slowMs)));

describe('the circuit of a replica', () => {
  it('the circuit of a replica opens when its median is much longer than that of the fastest other one', () => {
    const world = setUp();
    callBoth(world, 10, 500, 5);
    expect(world.breakers.admits(SLOW)).toBe(false);
    expect(world.breakers.admits(FAST)).toBe(true);
    expect(world.changes).toEqual([[SLOW, 'open-slow']]);
  });

  it('the circuit of a replica stays closed when all replicas are slow, or the difference is small', () => {
    const slow = setUp();
    callBoth(slow, 2_000, 3_000);
    expect(slow.breakers.admits(SLOW)).toBe(true);
    const small = setUp();
    callBoth(small, 5, 150);
    expect(small.breakers.admits(SLOW)).toBe(true);
  });

  it('the circuit of a replica stays closed when a few calls among short ones are long', () => {
    const world = setUp();
    callBoth(world, 10, 10);
    repeat(3, () => world.call(SLOW, 20_000));
    expect(world.breakers.admits(SLOW)).toBe(true);
    expect(world.changes).toEqual([]);
  });

  it('the circuit of a replica stays closed when another one fails all calls at once', () => {
    const world = setUp();
    repeat(8, () => (world.call(FAST, 1, true), world.call(SLOW, 500)));
    expect(world.breakers.admits(SLOW)).toBe(true);
    expect(world.changes).toEqual([[FAST, 'open-failing']]);
  });

  it('the circuit of a replica opens when it fails five calls in a row while another one succeeds', () => {
    const world = setUp();
    callBoth(world, 10, 10);
    repeat(4, () => (world.call(FAST, 10), world.call(SLOW, 1, true)));
    expect(world.breakers.admits(SLOW)).toBe(true);
    world.call(SLOW, 1, true);
    expect(world.breakers.admits(SLOW)).toBe(false);
    expect(world.changes).toEqual([[SLOW, 'open-failing']]);
  });

  it('the circuit of a replica stays closed when all replicas fail, or calls in between succeed', () => {
    const all = setUp();
    callBoth(all, 10, 10);
    repeat(8, () => (all.call(FAST, 1, true), all.call(SLOW, 1, true)));
    expect(all.changes).toEqual([]);
    const some = setUp();
    callBoth(some, 10, 10);
    repeat(8, () => (repeat(4, () => some.call(SLOW, 1, true)), some.call(SLOW, 10)));
    expect(some.changes).toEqual([]);
  });

  it('the circuit of a failing replica admits one call after a pause, which doubles the pause or closes it', () => {
    const world = setUp();
    callBoth(world, 10, 10);
    repeat(5, () => world.call(SLOW, 1, true));
    world.wait(5_000);
    expect(world.breakers.admits(SLOW)).toBe(true);
    world.call(SLOW, 1, true);
    world.wait(9_998);
    expect(world.breakers.admits(SLOW)).toBe(false);
    world.wait(2);
    expect(world.breakers.admits(SLOW)).toBe(true);
    world.call(SLOW, 10);
    expect(world.changes).toEqual([
      [SLOW, 'open-failing'],
      [SLOW, 'open-failing'],
      [SLOW, 'closed'],
    ]);
  });

  it('the circuit of a replica admits one call after a pause, which closes it or doubles the pause', () => {
    const world = setUp();
    callBoth(world, 10, 500);
    world.wait(5_000);
    expect(world.breakers.admits(SLOW)).toBe(true);
    const ended = world.breakers.started(SLOW);
    expect(world.breakers.admits(SLOW)).toBe(false);
    world.wait(500);
    ended(false);
    world.wait(9_999);
    expect(world.breakers.admits(SLOW)).toBe(false);
    world.wait(1);
    expect(world.breakers.admits(SLOW)).toBe(true);
    world.call(SLOW, 10);
    repeat(3, () => world.breakers.started(SLOW));
    expect(world.breakers.admits(SLOW)).toBe(true);
    expect(world.changes).toEqual([
      [SLOW, 'open-slow'],
      [SLOW, 'open-slow'],
      [SLOW, 'closed'],
    ]);
  });

  it('the circuit of a replica admits no further calls while three are pending and none was answered for a second', () => {
    const world = setUp();
    const pending = repeat(3, () => world.breakers.started(SLOW));
    world.wait(999);
    expect(world.breakers.admits(SLOW)).toBe(true);
    world.wait(1);
    expect(world.breakers.admits(SLOW)).toBe(false);
    pending[0]!(false);
    expect(world.breakers.admits(SLOW)).toBe(true);
  });

  it('the circuit of a replica keeps its state when the addresses are resolved again, and is forgotten with the replica', () => {
    const world = setUp();
    callBoth(world, 10, 500);
    world.breakers.setAddresses([SLOW, FAST, 'new:1']);
    expect(world.breakers.admits(SLOW)).toBe(false);
    world.breakers.setAddresses([FAST]);
    world.breakers.setAddresses([FAST, SLOW]);
    expect(world.breakers.admits(SLOW)).toBe(true);
  });
});
