import { metrics } from '@parlance/telemetry';
import type { Connection } from 'mongoose';
import { Counter } from 'prom-client';

/** Commands sent to the store, by name: shows how many queries a response takes. */
const storeCommands = new Counter({
  name: 'parlance_catalog_store_commands_total',
  help: 'Commands sent to the store.',
  labelNames: ['command'],
  registers: [metrics],
});

/** Counts the commands of a connection that was created with monitorCommands. */
export function countCommands(connection: Connection): void {
  connection.getClient().on('commandStarted', (event) => storeCommands.inc({ command: event.commandName }));
}
