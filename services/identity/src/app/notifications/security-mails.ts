import type { AuditEntry } from '../../domain/audit';
import { SECURITY, type MailPart } from '../../domain/notifications/mail';
import { frequencies } from '../../domain/notifications/subscription';

/** The mail line for an audit entry; undefined when the entry is not about account security. */
function lineOf({ action, targetName, details }: AuditEntry): string | undefined {
  if (action === 'second-factor.confirm') return `The second factor "${targetName}" was added.`;
  if (action === 'second-factor.delete' && details['confirmed'] === true)
    return `The second factor "${targetName}" was removed.`;
  if (action === 'user.link') return `Your account was linked with the sign-in of ${String(details['issuer'])}.`;
  if (action === 'user.unlink') return `Your account was separated from the sign-in of ${String(details['issuer'])}.`;
  if (action === 'user.password.change') return 'Your password was changed. All other sessions ended.';
  if (action === 'user.password.reset') return 'Your password was set with a link from a mail. All sessions ended.';
  return undefined;
}

/**
 * Mails to owners of accounts whose protection changed. They are derived from audit entries, which are stored in the same update
 * as the change, so no crash loses one. Idempotent: the entry's uid is the key.
 */
export function securityMails(entries: readonly AuditEntry[]): { source: string; part: MailPart }[] {
  return entries.flatMap((entry) => {
    const line = lineOf(entry);
    const userId = Number(entry.details['user_id']);
    if (line === undefined || !userId) return [];
    const from = entry.clientAddress ? [`The request came from ${entry.clientAddress}.`] : [];
    const part: MailPart = {
      key: `security:${entry.uid}`,
      userId,
      notification: SECURITY,
      frequency: frequencies.instant,
      createdMs: entry.timeMs,
      dueMs: entry.timeMs,
      lines: [line, `Time: ${new Date(entry.timeMs).toISOString()}`, ...from],
      count: 1,
    };
    return [{ source: entry.uid, part }];
  });
}
