import { mailBody, mailSubject, PASSWORD_RESET, RETRY_MS, type Mail } from '../../domain/notifications/mail';
import type { MailTransport } from '../../domain/ports';
import { maySignIn } from '../../domain/user';
import { PASSWORD_RESET_MS } from '../../domain/sign-in/web-credential';
import type { Deps } from '../deps';

/** Time after which another process may claim an unsent mail, in milliseconds. */
const CLAIM_MS = 5 * 60_000;

/**
 * Sends due mails. Without a transport they stay in the list of mails.
 * @returns the number of processed mails
 */
export async function sendMails(
  deps: Pick<Deps, 'users' | 'mails' | 'secrets' | 'now'>,
  transport: MailTransport | undefined,
): Promise<number> {
  for (let count = 0; ; count++) {
    const now = deps.now();
    const mail = await deps.mails.claimDue(now, now + CLAIM_MS);
    if (!mail) return count;
    await deps.mails.settle(mail.id, { ...mail, ...(await attempt(deps, transport, mail)) });
  }
}

async function attempt(
  deps: Pick<Deps, 'users' | 'secrets' | 'now'>,
  transport: MailTransport | undefined,
  mail: Mail,
): Promise<Partial<Mail>> {
  const user = mail.to ? undefined : await deps.users.get(mail.userId);
  const to = mail.to ?? (user && maySignIn(user, deps.now()) ? user.email : null);
  if (!to) return { state: 'failed', error: 'The user cannot be mailed any more.' };
  if (mail.notification === PASSWORD_RESET && mail.createdMs + PASSWORD_RESET_MS <= deps.now())
    return { state: 'failed', error: mail.error || 'The link has expired.' };
  if (!transport) return { state: 'kept' };
  const link = mail.sealedLink === undefined ? undefined : deps.secrets.open(mail.sealedLink);
  try {
    await transport.send({ to, subject: mailSubject(mail), text: mailBody(mail, user?.fullName ?? '', link) });
    return { state: 'sent', sentMs: deps.now(), error: '', attempts: mail.attempts + 1 };
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 500) : 'unknown';
    const pause = RETRY_MS[mail.attempts];
    const attempts = mail.attempts + 1;
    if (pause === undefined) return { state: 'failed', error: message, attempts };
    return { state: 'waiting', error: message, attempts, dueMs: deps.now() + pause };
  }
}
