import { counter, gauge, histogram, logger } from '@parlance/telemetry';

/** Duration from which a command counts as slow, in milliseconds. */
const SLOW_MS = 1_000;

const duration = histogram('parlance_store_command_duration_seconds');
const failures = counter('parlance_store_command_failures_total');
const slow = counter('parlance_store_slow_commands_total');
const connections = gauge('parlance_store_pool_connections');
const maxConnections = gauge('parlance_store_pool_max_connections');
const poolWait = histogram('parlance_store_pool_wait_seconds');

interface CommandStarted {
  requestId: number;
  commandName: string;
  command: Record<string, unknown>;
}
interface CommandEnded {
  requestId: number;
  commandName: string;
  /** Milliseconds. */
  duration: number;
}

/** The used events of a driver's client. */
export interface MeasuredClient {
  on(event: string, listener: (event: never) => void): unknown;
  options: { maxPoolSize?: number };
}

/** Measures the commands and the connection pool of a client that was created with `monitorCommands`. */
export function measureStore(client: MeasuredClient): void {
  measureCommands(client);
  measurePool(client);
}

function measureCommands(client: MeasuredClient): void {
  /** Collections of running commands. */
  const running = new Map<number, string>();
  const ended = ({ requestId, commandName: command, duration: ms }: CommandEnded) => {
    const collection = running.get(requestId) ?? '';
    running.delete(requestId);
    duration.observe({ command }, ms / 1000);
    if (ms < SLOW_MS) return;
    slow.inc({ command });
    // Without the filter, which can hold texts of users.
    logger.warn({ command, collection, ms: Math.round(ms) }, 'store: slow command');
  };
  client.on('commandStarted', ({ requestId, commandName, command }: CommandStarted) => {
    const collection = commandName === 'getMore' ? command['collection'] : command[commandName];
    running.set(requestId, typeof collection === 'string' ? collection : '');
  });
  client.on('commandSucceeded', ended);
  client.on('commandFailed', (event: CommandEnded) => {
    ended(event);
    failures.inc({ command: event.commandName });
  });
}

function measurePool(client: MeasuredClient): void {
  maxConnections.set(client.options.maxPoolSize ?? 0);
  const change = (state: 'open' | 'in_use', by: number) => () => connections.add({ state }, by);
  client.on('connectionCreated', change('open', 1));
  client.on('connectionClosed', change('open', -1));
  client.on('connectionCheckedIn', change('in_use', -1));
  client.on('connectionCheckedOut', ({ durationMS }: { durationMS: number }) => {
    connections.add({ state: 'in_use' }, 1);
    poolWait.observe(durationMS / 1000);
  });
}
