import { Watchdog } from './watchdog';

const AFTER_MS = 30_000;

/** A watchdog of one engine whose states the test sets. */
function watched({ heals = true } = {}) {
  const engine = { own: true, others: true, reconnections: 0, exits: 0 };
  const watchdog = new Watchdog(
    {
      engine: {
        check: () => engine.own || Promise.reject(new Error('closed')),
        probe: () => Promise.resolve(engine.others),
        async reconnect() {
          engine.reconnections++;
          if (heals) engine.own = true;
        },
      },
    },
    { afterMs: AFTER_MS, exit: () => engine.exits++ },
  );
  watchdog.start();
  return { engine, watchdog };
}

describe('watchdog', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('the watchdog reconnects a client that alone does not reach an engine for the configured time', async () => {
    const { engine, watchdog } = watched();
    engine.own = false;
    await jest.advanceTimersByTimeAsync(AFTER_MS - 1);
    expect(engine.reconnections).toBe(0);
    await jest.advanceTimersByTimeAsync(AFTER_MS);
    expect(engine).toMatchObject({ reconnections: 1, exits: 0 });
    watchdog.stop();
  });

  it('the watchdog ends a process whose client still does not reach the engine after reconnecting', async () => {
    const { engine } = watched({ heals: false });
    engine.own = false;
    await jest.advanceTimersByTimeAsync(AFTER_MS * 3);
    expect(engine).toMatchObject({ reconnections: 1, exits: 1 });
  });

  it('the watchdog leaves a process alone while no client reaches the engine', async () => {
    const { engine, watchdog } = watched({ heals: false });
    engine.own = engine.others = false;
    await jest.advanceTimersByTimeAsync(AFTER_MS * 10);
    // The time starts when other connections reach the engine again.
    engine.others = true;
    await jest.advanceTimersByTimeAsync(AFTER_MS - 1);
    expect(engine).toMatchObject({ reconnections: 0, exits: 0 });
    watchdog.stop();
  });

  it('the watchdog treats a check that never settles as an unreachable engine', async () => {
    let reconnections = 0;
    const watchdog = new Watchdog(
      {
        engine: {
          check: () => new Promise<boolean>(() => undefined),
          probe: () => Promise.resolve(true),
          reconnect: () => Promise.resolve(void reconnections++),
        },
      },
      { afterMs: AFTER_MS, exit: () => undefined },
    );
    watchdog.start();
    await jest.advanceTimersByTimeAsync(AFTER_MS * 1.5);
    expect(reconnections).toBe(1);
    watchdog.stop();
  });
});
