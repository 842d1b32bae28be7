import { notifications, type Frequency, type NotificationName } from './subscription';

/** Notification of changes to the security of the account; sent without a subscription. */
export const SECURITY = 'AccountSecurity';
/** A link for a new password. */
export const PASSWORD_RESET = 'PasswordReset';

/** A notification mail, extended until it is due. */
export interface Mail {
  id: number;
  /** Identifies the mail by user, notification, frequency and time; later changes are added to it. */
  key: string;
  /** 0: the recipient has no account. */
  userId: number;
  /** That address; absent: the user's. */
  to?: string;
  notification: NotificationName | typeof SECURITY | typeof PASSWORD_RESET;
  frequency: Frequency;
  state: 'waiting' | 'sent' | 'failed' | 'kept';
  createdMs: number;
  /** Time to send it. */
  dueMs: number;
  sentMs: number;
  attempts: number;
  /** Reason of the last failure. */
  error: string;
  /** The first LINES_MAX changes. */
  lines: string[];
  /** Total number of changes. */
  count: number;
  /** Encrypted address that only the recipient may see, at the end of the text; absent: none. */
  sealedLink?: string;
}

/** Maximum lines of a mail. */
export const LINES_MAX = 100;
/** Retention of mails, in milliseconds. */
export const KEEP_MS = 30 * 24 * 3600_000;

/** Data to add to a new or existing mail. */
export type MailPart = Pick<
  Mail,
  'key' | 'userId' | 'to' | 'notification' | 'frequency' | 'dueMs' | 'createdMs' | 'lines' | 'count' | 'sealedLink'
>;

const periods: Partial<Record<Frequency, string>> = { 2: 'daily', 3: 'weekly', 4: 'monthly' };

export function mailSubject(mail: Pick<Mail, 'notification' | 'frequency' | 'count'>): string {
  if (mail.notification === PASSWORD_RESET) return '[Parlance] Set a new password';
  if (mail.notification === SECURITY) return '[Parlance] The security of your account changed';
  const { title } = notifications[mail.notification];
  const period = periods[mail.frequency];
  if (period) return `[Parlance] ${title}: ${period} digest (${mail.count})`;
  return mail.count === 1 ? `[Parlance] ${title}` : `[Parlance] ${title} (${mail.count})`;
}

/** @param link the opened `sealedLink` */
export function mailBody(
  mail: Pick<Mail, 'notification' | 'lines' | 'count' | 'to'>,
  fullName: string,
  link = '(The link is not shown.)',
): string {
  if (mail.notification === PASSWORD_RESET) return passwordResetBody(mail, fullName, link);
  const more = mail.count - mail.lines.length;
  return [
    fullName ? `Hello ${fullName},` : 'Hello,',
    '',
    ...mail.lines.map((line) => `- ${line}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    mail.notification === SECURITY
      ? 'You get this mail whenever that happens. If it was not you, ask an administrator for a new password and revoke your tokens.'
      : mail.to
        ? 'You get this mail because a component names this address for problems in its source strings.'
        : 'You get this mail because of your notification subscriptions.',
    '',
  ].join('\n');
}

function passwordResetBody({ lines }: Pick<Mail, 'lines'>, fullName: string, link: string): string {
  return [
    fullName ? `Hello ${fullName},` : 'Hello,',
    '',
    'A new password for your account was requested. Set it within an hour:',
    '',
    link,
    '',
    ...lines,
    'If it was not you, ignore this mail: your password stays as it is.',
    '',
  ].join('\n');
}

/** Delays before retries of a failed mail, in milliseconds; after the last one it is given up. */
export const RETRY_MS = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3600_000, 12 * 3600_000] as const;
