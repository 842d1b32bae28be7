import type { catalog } from '@parlance/contracts';
import { Command } from 'commander';
import type { Session } from '../session';
import { formatTime, isoOrNull, seconds } from '../table';

interface OnOptions {
  message?: string;
  retryAfter?: number;
  json?: boolean;
}

/** JSON form of the maintenance mode. */
export const maintenanceToJson = (found: catalog.Maintenance__Output | null) => ({
  on: found?.on ?? false,
  message: found?.message || null,
  retry_after: found?.retryAfterSeconds || null,
  since: isoOrNull(found?.sinceMs ?? 0),
});

/** Commands for maintenance mode. */
export function maintenanceCommand(session: Session): Command {
  const print = (maintenance: catalog.Maintenance__Output | null, options: { json?: boolean }) =>
    session.print(maintenanceToJson(maintenance), options, () => toText(maintenance));
  return new Command('maintenance')
    .description('Makes the installation read-only, for example for an upgrade.')
    .addCommand(
      new Command('on')
        .description('Rejects writes with 503 and starts no background tasks. Takes effect within a second.')
        .option('--message <text>', 'message for clients')
        .option('--retry-after <seconds>', 'when clients retry', seconds)
        .option('--json', 'print JSON')
        .addHelpText(
          'after',
          '\nExample:\n  parlance maintenance on --message "Upgrade until 10:00 UTC." --retry-after 600',
        )
        .action(async ({ message = '', retryAfter = 0, json }: OnOptions) => {
          const { catalog, as } = session.system;
          const request = { on: true, message, retryAfterSeconds: retryAfter };
          print((await catalog.setMaintenance({ maintenance: request }, as)).maintenance, { json: json ?? false });
        }),
    )
    .addCommand(
      new Command('off')
        .description('Accepts writes and starts background tasks again. Takes effect within a second.')
        .option('--json', 'print JSON')
        .action(async (options: { json?: boolean }) => {
          const { catalog, as } = session.system;
          print((await catalog.setMaintenance({ maintenance: { on: false } }, as)).maintenance, options);
        }),
    )
    .addCommand(
      new Command('status')
        .description('Prints whether maintenance mode is on, since when, and its message.')
        .option('--json', 'print JSON')
        .action(async (options: { json?: boolean }) => {
          const { catalog, as } = session.system;
          print((await catalog.getMaintenance({}, as)).maintenance, options);
        }),
    );
}

function toText(maintenance: catalog.Maintenance__Output | null): string {
  if (!maintenance?.on) return 'Maintenance mode is off.';
  const { sinceMs, retryAfterSeconds, message } = maintenance;
  return [
    `Maintenance mode is on since ${formatTime(sinceMs)} UTC; clients retry after ${retryAfterSeconds} s.`,
    `Message: ${message}`,
  ].join('\n');
}
