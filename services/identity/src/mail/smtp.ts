import type { MailTransport } from '../domain/ports';

/**
 * Sends through a mail server.
 * @param url smtp:// or smtps:// with host, port and credentials
 * @param from sender of every mail
 */
export async function smtpTransport(url: string, from: string): Promise<MailTransport & { close(): void }> {
  // Loaded on demand to save memory in installations without a mail server.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(url, { from, disableFileAccess: true, disableUrlAccess: true });
  return {
    async send(mail) {
      await transport.sendMail({
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        headers: { 'Auto-Submitted': 'auto-generated', Precedence: 'bulk' },
      });
    },
    close: () => transport.close(),
  };
}
