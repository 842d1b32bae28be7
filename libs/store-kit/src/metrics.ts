import { counter, gauge, histogram, logger } from '@parlance/telemetry';
import { patchConnections } from './driver';

/** Duration from which a command counts as slow, in milliseconds. */
const SLOW_MS = 1_000;

const duration = histogram('parlance_store_command_duration_seconds');
const failures = counter('parlance_store_command_failures_total');
const slow = counter('parlance_store_slow_commands_total');
const connections = gauge('parlance_store_pool_connections');
const maxConnections = gauge('parlance_store_pool_max_connections');
const poolWait = histogram('parlance_store_pool_wait_seconds');

/** The used events of a driver's client. */
export interface MeasuredClient {
  on(event: string, listener: (event: never) => void): unknown;
  options: { maxPoolSize?: number };
}

/**
 * Measures the commands of all clients with the option `monitorCommands`. The driver's own events would cost too much: it deserializes each
 * reply for them, and those with documents once more for the caller.
 */
export function measureCommands(): void {
  patchConnections('parlance.command-metrics', (prototype) => {
    Object.defineProperty(prototype, 'shouldEmitAndLogCommand', { value: false });
    const send = prototype.command;
    prototype.command = async function (namespace, command, ...rest) {
      if (!this.monitorCommands || !this.established || this.id === '<monitor>')
        return send.call(this, namespace, command, ...rest);
      const startedAt = performance.now();
      const name = Object.keys(command)[0]!;
      try {
        return await send.call(this, namespace, command, ...rest);
      } catch (error) {
        failures.inc({ command: name });
        throw error;
      } finally {
        observe(name, command, performance.now() - startedAt);
      }
    };
  });
}

function observe(name: string, command: Record<string, unknown>, ms: number): void {
  duration.observe({ command: name }, ms / 1000);
  if (ms < SLOW_MS) return;
  slow.inc({ command: name });
  const collection = command[name === 'getMore' ? 'collection' : name];
  // Without the filter, which can hold texts of users.
  logger.warn({ command: name, collection, ms: Math.round(ms) }, 'store: slow command');
}

/** Measures the connection pool of a client. */
export function measurePool(client: MeasuredClient): void {
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
