import { EngineWait, type EngineCheck } from './engine-wait';
import { logger } from './logger';
import { Readiness, serveOperations, type ReadyCheck } from './operations';
import { reportReadiness } from './process-state';
import { stopTelemetry } from './tracing';
import { Watchdog, type Dependency } from './watchdog';

/** Components of a running process, from its compose function. */
export interface RunningProcess {
  /** Checked by /readyz. */
  ready: Record<string, ReadyCheck>;
  /** Dependencies whose outage degrades the process but leaves it ready. /readyz, metrics and `describeProcess` report them. */
  optional?: Record<string, ReadyCheck>;
  /** Engines whose clients the watchdog reconnects. */
  dependencies?: Record<string, Dependency>;
  /**
   * Stops accepting work and finishes running work. Called once on SIGTERM or SIGINT.
   * @param withinMs limit for running requests and tasks, after which they are cancelled
   */
  drain: (withinMs: number) => Promise<void>;
  /** Closes connections; called after drain. */
  close: () => Promise<void>;
}

/** Share of PARLANCE_DRAIN_SECONDS for running requests and tasks; the rest is for closing. */
const DRAIN_SHARE = 0.8;

interface ProcessOptions<C> {
  name: string;
  readConfig: () => C;
  /** Engines that must accept the process before `compose`, by their names in /readyz. */
  engines?: (config: C) => Record<string, EngineCheck>;
  compose: (config: C) => Promise<RunningProcess>;
}

/**
 * Runs a process: serves its operations port, waits for its engines, and on SIGTERM or SIGINT becomes unready, drains within
 * PARLANCE_DRAIN_SECONDS, closes and exits with 0 (1 after a timeout). A watchdog reconnects clients that cannot reach an engine for
 * PARLANCE_WATCHDOG_SECONDS while new connections can, and exits with 1 if that fails.
 */
export async function runProcess<
  C extends { OPERATIONS_LISTEN: string; PARLANCE_DRAIN_SECONDS: number; PARLANCE_WATCHDOG_SECONDS: number },
>(options: ProcessOptions<C>): Promise<void> {
  try {
    const config = options.readConfig();
    const engines = new EngineWait(options.engines?.(config) ?? {});
    const readiness = new Readiness(engines.checks, { starting: true });
    reportReadiness(readiness);
    const operations = await serveOperations(config.OPERATIONS_LISTEN, readiness);
    const end = endOnSignal(options.name, config.PARLANCE_DRAIN_SECONDS, readiness);
    await engines.untilAvailable();
    const parts = await options.compose(config);
    readiness.started(parts.ready, parts.optional);
    logger.info({ operations: config.OPERATIONS_LISTEN }, `${options.name} is running`);
    const watchdog = new Watchdog(parts.dependencies ?? {}, {
      afterMs: config.PARLANCE_WATCHDOG_SECONDS * 1000,
      exit: () => process.exit(1),
    });
    watchdog.start();
    end.with(async () => {
      watchdog.stop();
      await parts.drain(config.PARLANCE_DRAIN_SECONDS * 1000 * DRAIN_SHARE);
      await parts.close();
      await stopTelemetry();
      operations.closeAllConnections();
      operations.close();
    });
  } catch (error) {
    // The operator fixes invalid settings. A stack trace would hide the message.
    if (error instanceof Error && error.constructor.name === 'ConfigError') process.stderr.write(`${error.message}\n`);
    else logger.fatal({ err: error }, `${options.name} could not start`);
    process.exit(1);
  }
}

/** Ends the process on SIGTERM or SIGINT: with the given steps once it runs, at once while it starts. */
function endOnSignal(name: string, drainSeconds: number, readiness: Readiness) {
  let steps = async (): Promise<void> => undefined;
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    readiness.drain();
    logger.info({ signal }, `${name} is draining`);
    const timer = setTimeout(() => {
      logger.error(`${name} could not finish its work in ${drainSeconds} s`);
      process.exit(1);
    }, drainSeconds * 1000);
    timer.unref();
    try {
      await steps();
      logger.info(`${name} has stopped`);
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, `${name} failed while stopping`);
      process.exit(1);
    } finally {
      // Tests replace `process.exit`: the limit must not end a process that outlives it.
      clearTimeout(timer);
    }
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  return {
    with(all: () => Promise<void>): void {
      steps = all;
    },
  };
}

process.on('unhandledRejection', (reason) => {
  logger.error({ err: reason }, 'unhandled rejection');
});
