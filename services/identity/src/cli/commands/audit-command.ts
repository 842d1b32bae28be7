import { Command } from 'commander';
import { findUser, type Session } from '../session';
import { count, isoOrNull, formatTime, table } from '../table';

export function auditCommand(session: Session): Command {
  return new Command('audit')
    .description('Shows changes of users, groups, roles and tokens with their actors, the newest first.')
    .option('--user <name>', 'only changes by this user')
    .option('--action <text>', 'only actions with this prefix, such as token.')
    .option('--limit <number>', 'how many entries', count, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  parlance audit --action token. --limit 20')
    .action(async (options: { user?: string; action?: string; limit: number; json?: boolean }) => {
      const { identity, as } = session.system;
      const actorId = options.user === undefined ? 0 : (await findUser(session, options.user)).id;
      const request = { page: { page: 1, pageSize: options.limit }, actorId, action: options.action ?? '' };
      const { entries } = await identity.listAuditEntries(request, as);
      const shown = entries.map((e) => ({
        id: e.id,
        time: isoOrNull(e.timeMs),
        actor: e.actorName,
        action: e.action,
        target: { kind: e.targetKind, id: e.targetId, name: e.targetName },
        details: JSON.parse(e.detailsJson) as Record<string, unknown>,
        client_address: e.clientAddress || null,
        request_id: e.requestId,
      }));
      session.print(shown, options, () =>
        table(
          ['time', 'actor', 'action', 'target', 'address'],
          entries.map((e) => [
            formatTime(e.timeMs),
            e.actorName,
            e.action,
            `${e.targetKind} ${e.targetId} ${e.targetName}`.trimEnd(),
            e.clientAddress,
          ]),
        ),
      );
    });
}
