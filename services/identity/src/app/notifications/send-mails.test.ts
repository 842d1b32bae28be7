import { acceptingTransport, changeOf, withNotifications } from '../../../test/support/notification-world';
import type { MailTransport } from '../../domain/ports';
import { PASSWORD_RESET_MS } from '../../domain/sign-in/web-credential';
import { mailPasswordReset } from '../sessions/passwords';
import { notify } from './notify';
import { sendMails } from './send-mails';

describe('sendMails', () => {
  async function withMail() {
    const parts = await withNotifications();
    const ana = await parts.person('ana', [{}]);
    await notify(parts.notifier, [changeOf({ timeMs: parts.world.nowMs })], 'event');
    return { ...parts, ana, ...acceptingTransport() };
  }

  it('due mails are sent once', async () => {
    const { world, ana, sent, transport, mailsOf } = await withMail();
    expect(await sendMails(world.deps, transport)).toBe(1);
    expect(await sendMails(world.deps, transport)).toBe(0);
    expect(sent).toMatchObject([{ to: 'ana@example.org', subject: '[Parlance] New alert' }]);
    expect(sent[0]!.text).toContain('Hello ana,\n\n- 2026-11-21 12:00 Web / Site: New alert');
    expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'sent', sentMs: world.nowMs, attempts: 1 });
  });

  it('mails are kept without a mail server', async () => {
    const { world, ana, mailsOf } = await withMail();
    expect(await sendMails(world.deps, undefined)).toBe(1);
    expect(await sendMails(world.deps, undefined)).toBe(0);
    expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'kept', sentMs: 0, attempts: 0 });
  });

  it('a failed mail is retried with growing delays and eventually given up', async () => {
    const { world, ana, mailsOf } = await withMail();
    const broken: MailTransport = {
      send: () => Promise.reject(new Error('no such host')),
    };
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await sendMails(world.deps, broken)).toBe(1);
      expect(await sendMails(world.deps, broken)).toBe(0);
      expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'waiting', attempts: attempt, error: 'no such host' });
      world.nowMs += 24 * 3600_000;
    }
    await sendMails(world.deps, broken);
    expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'failed', attempts: 6 });
  });

  it.each([{ isActive: false }, { dateExpiresMs: 1 }])(
    'mails are not sent to users who cannot sign in (%j)',
    async (left) => {
      const { world, ana, sent, transport, mailsOf } = await withMail();
      await world.deps.users.update(ana.id, (u) => ({ next: { ...u, ...left }, announce: { audit: [] } }));
      await sendMails(world.deps, transport);
      expect(sent).toEqual([]);
      expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'failed' });
    },
  );

  it('a mail is sent at its due time, in order of due times', async () => {
    const { world, notifier, person, sent, transport } = await withMail();
    await person('daily', [{ frequency: 2 }]);
    await notify(notifier, [changeOf({ timeMs: world.nowMs })], 'second');
    expect(await sendMails(world.deps, transport)).toBe(2);
    world.nowMs = Date.parse('2026-11-22T00:00:00Z') - 1;
    expect(await sendMails(world.deps, transport)).toBe(0);
    world.nowMs += 1;
    expect(await sendMails(world.deps, transport)).toBe(1);
    expect(sent.map((mail) => mail.to)).toEqual(['ana@example.org', 'ana@example.org', 'daily@example.org']);
  });

  it('a mail that a process is sending is left to it for five minutes', async () => {
    const { world, sent, transport } = await withMail();
    const others: number[] = [];
    const interrupted: MailTransport = {
      send: async () => {
        world.nowMs += 5 * 60_000 - 1;
        others.push(await sendMails(world.deps, transport));
        world.nowMs += 1;
        others.push(await sendMails(world.deps, transport));
        throw new Error('interrupted');
      },
    };
    await sendMails(world.deps, interrupted);
    expect(others).toEqual([0, 1]);
    expect(sent).toHaveLength(1);
  });

  it('a user without an address gets no mail, and the reason is kept', async () => {
    const { world, ana, sent, transport, mailsOf } = await withMail();
    await world.deps.users.update(ana.id, (u) => ({ next: { ...u, email: null }, announce: { audit: [] } }));
    await sendMails(world.deps, transport);
    expect(sent).toEqual([]);
    const error = 'The user cannot be mailed any more.';
    expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'failed', error });
  });

  it('a link for a new password is sent with its text until it expires', async () => {
    const { world, ana, sent, transport, mailsOf } = await withMail();
    await mailPasswordReset(world.deps, await world.anonymous(), 'ana@example.org');
    const [mail] = await mailsOf(ana.id);
    const link = world.deps.secrets.open(mail!.sealedLink!);
    await sendMails(world.deps, transport);
    expect(sent.at(-1)!.text).toContain(`\n${link}\n`);
    await mailPasswordReset(world.deps, await world.anonymous(), 'ana@example.org');
    world.nowMs += PASSWORD_RESET_MS;
    await sendMails(world.deps, transport);
    expect(sent).toHaveLength(2);
    expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'failed', error: 'The link has expired.' });
  });
});
