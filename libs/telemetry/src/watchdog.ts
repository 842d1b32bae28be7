import { logger } from './logger';
import { counter } from './metrics';
import type { ReadyCheck } from './operations';

/** An engine that a process needs, as its client sees it. */
export interface Dependency {
  /** Whether the process's own client reaches the engine. */
  check: ReadyCheck;
  /** Whether a new connection, independent of the process's client, reaches the engine. */
  probe: () => Promise<boolean>;
  /** Drops the client's connections and opens new ones. */
  reconnect: () => Promise<void>;
}

export interface WatchdogOptions {
  /** How long an engine must be reachable for others only before the client reconnects, in milliseconds. */
  afterMs: number;
  /** Ends the process with a non-zero status; its supervisor restarts it. */
  exit: () => void;
}

/** Checks per waiting time. */
const CHECKS = 6;
/** Share of the waiting time that a reconnected client has before the process exits. */
const GRACE = 1 / 3;
/** How long one check, probe or reconnection may take, in milliseconds. */
const STEP_TIMEOUT_MS = 5_000;

const reconnections = counter('parlance_watchdog_reconnections_total');

interface State {
  /** Since when only other clients have reached the engine, in milliseconds since the epoch. */
  since?: number | undefined;
  reconnectedAt?: number | undefined;
}

/** The promise's value; undefined when it rejects or takes too long. */
async function withTimeout<T>(step: () => Promise<T> | T): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), STEP_TIMEOUT_MS);
  });
  const value = Promise.resolve()
    .then(step)
    .catch(() => undefined);
  try {
    return await Promise.race([value, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Recovers clients whose connection is permanently broken. If a new connection reaches an engine but the process's client does not, the
 * client reconnects after `afterMs`; if that fails, the process exits. An outage of the engine itself has no effect.
 */
export class Watchdog {
  private readonly states = new Map<string, State>();
  private timer: NodeJS.Timeout | undefined;
  private running = false;

  constructor(
    private readonly dependencies: Readonly<Record<string, Dependency>>,
    private readonly options: WatchdogOptions,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      if (this.running) return;
      this.running = true;
      void this.checkAll().finally(() => {
        this.running = false;
      });
    }, this.options.afterMs / CHECKS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Checks every dependency once. */
  private async checkAll(): Promise<void> {
    await Promise.all(
      Object.entries(this.dependencies).map(([name, dependency]) =>
        this.checkDependency(name, dependency, this.stateOf(name)),
      ),
    );
  }

  private stateOf(name: string): State {
    const state = this.states.get(name) ?? {};
    this.states.set(name, state);
    return state;
  }

  private async checkDependency(name: string, { check, probe, reconnect }: Dependency, state: State): Promise<void> {
    if ((await withTimeout(check)) || !(await withTimeout(probe))) {
      state.since = state.reconnectedAt = undefined;
      return;
    }
    const now = Date.now();
    state.since ??= now;
    if (this.timer === undefined) return;
    if (state.reconnectedAt !== undefined) {
      if (now - state.reconnectedAt < this.options.afterMs * GRACE) return;
      logger.fatal(
        { dependency: name },
        'dependency: unreachable after reconnecting although others reach it; exiting',
      );
      this.stop();
      this.options.exit();
    } else if (now - state.since >= this.options.afterMs) {
      logger.error({ dependency: name }, 'dependency: unreachable although others reach it; reconnecting');
      reconnections.inc({ dependency: name });
      state.reconnectedAt = now;
      await withTimeout(reconnect);
    }
  }
}
