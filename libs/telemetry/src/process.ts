import type { Server } from 'node:http';
import { logger } from './logger';
import { Readiness, serveOperations, type ReadyCheck } from './operations';
import { reportReadiness } from './process-state';
import { stopTelemetry } from './tracing';
import { Watchdog, type Dependency } from './watchdog';

/** Components of a running process, from its compose function. */
export interface RunningProcess {
  /** Checked by /readyz. */
  ready: Record<string, ReadyCheck>;
  /** Engines whose clients the watchdog reconnects. */
  dependencies?: Record<string, Dependency>;
  /** Stops accepting work and finishes running work. Called once on SIGTERM or SIGINT. */
  drain: () => Promise<void>;
  /** Closes connections; called after drain. */
  close: () => Promise<void>;
}

/**
 * Runs a process: serves its operations port, and on SIGTERM or SIGINT becomes unready, drains within PARLANCE_DRAIN_SECONDS, closes
 * and exits with 0 (1 after a timeout). A watchdog reconnects clients that cannot reach an engine for PARLANCE_WATCHDOG_SECONDS while
 * new connections can, and exits with 1 if that fails.
 */
export async function runProcess<
  C extends { OPERATIONS_LISTEN: string; PARLANCE_DRAIN_SECONDS: number; PARLANCE_WATCHDOG_SECONDS: number },
>(options: { name: string; readConfig: () => C; compose: (config: C) => Promise<RunningProcess> }): Promise<void> {
  let operations: Server | undefined;
  try {
    const config = options.readConfig();
    const parts = await options.compose(config);
    const readiness = new Readiness(parts.ready);
    reportReadiness(readiness);
    operations = await serveOperations(config.OPERATIONS_LISTEN, readiness);
    logger.info({ operations: config.OPERATIONS_LISTEN }, `${options.name} is running`);
    const watchdog = new Watchdog(parts.dependencies ?? {}, {
      afterMs: config.PARLANCE_WATCHDOG_SECONDS * 1000,
      exit: () => process.exit(1),
    });
    watchdog.start();
    let stopping = false;
    const stop = (signal: string) => {
      if (stopping) return;
      stopping = true;
      watchdog.stop();
      readiness.drain();
      logger.info({ signal }, `${options.name} is draining`);
      const timer = setTimeout(() => {
        logger.error(`${options.name} could not finish its work in ${config.PARLANCE_DRAIN_SECONDS} s`);
        process.exit(1);
      }, config.PARLANCE_DRAIN_SECONDS * 1000);
      timer.unref();
      void (async () => {
        try {
          await parts.drain();
          await parts.close();
          await stopTelemetry();
          operations?.closeAllConnections();
          operations?.close();
          logger.info(`${options.name} has stopped`);
          process.exit(0);
        } catch (error) {
          logger.error({ err: error }, `${options.name} failed while stopping`);
          process.exit(1);
        }
      })();
    };
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGINT', () => stop('SIGINT'));
  } catch (error) {
    // The operator fixes invalid settings. A stack trace would hide the message.
    if (error instanceof Error && error.constructor.name === 'ConfigError') process.stderr.write(`${error.message}\n`);
    else logger.fatal({ err: error }, `${options.name} could not start`);
    process.exit(1);
  }
}

process.on('unhandledRejection', (reason) => {
  logger.error({ err: reason }, 'unhandled rejection');
});
