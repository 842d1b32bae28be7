import { Command } from 'commander';
import { count, formatTime, isoOrNull, table } from '../table';
import { findUser, type Session } from '../session';

export function mailCommand(session: Session): Command {
  return new Command('mail')
    .description('Shows notification mails. Without a mail server, read them here.')
    .option('--user <name>', 'only mails to this user')
    .option('--limit <number>', 'how many', count, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  parlance mail --user ana --limit 5')
    .action(async (options: { user?: string; limit: number; json?: boolean }) => {
      const { identity, as } = session.system;
      const userId = options.user === undefined ? 0 : (await findUser(session, options.user)).id;
      const { mails } = await identity.listMails({ page: { page: 1, pageSize: options.limit }, userId }, as);
      const state = (name: string) => name.replace('MAIL_STATE_', '').toLowerCase();
      const shown = mails.map((m) => ({
        id: m.id,
        to: m.to,
        subject: m.subject,
        body: m.body,
        notification: m.notification,
        state: state(m.state),
        created: isoOrNull(m.createdMs),
        sent: isoOrNull(m.sentMs),
        error: m.error || null,
      }));
      session.print(shown, options, () =>
        table(
          ['time', 'to', 'state', 'subject'],
          mails.map((m) => [formatTime(m.createdMs), m.to, state(m.state), m.subject]),
        ),
      );
    });
}
