import { mailBody, mailSubject } from '../../domain/notifications/mail';
import type { AuditEntry } from '../../domain/audit';
import { securityMails } from './security-mails';

const entryOf = (given: Partial<AuditEntry>): AuditEntry => ({
  uid: 'uid',
  timeMs: Date.parse('2026-11-21T12:00:00Z'),
  actorId: 2,
  actorName: '',
  action: 'user.password.change',
  targetKind: 'user',
  targetId: 2,
  targetName: '',
  details: { user_id: 2 },
  clientAddress: '203.0.113.9',
  requestId: 'request',
  ...given,
});

describe('securityMails', () => {
  it('a mail is due at once and names the change, its time and the address of the client', () => {
    const timeMs = Date.parse('2026-11-21T12:00:00Z');
    expect(securityMails([entryOf({})])).toEqual([
      {
        source: 'uid',
        part: {
          key: 'security:uid',
          userId: 2,
          notification: 'AccountSecurity',
          frequency: 1,
          createdMs: timeMs,
          dueMs: timeMs,
          lines: [
            'Your password was changed. All other sessions ended.',
            'Time: 2026-11-21T12:00:00.000Z',
            'The request came from 203.0.113.9.',
          ],
          count: 1,
        },
      },
    ]);
  });

  it.each<[string, Partial<AuditEntry>]>([
    ['The second factor "phone" was added.', { action: 'second-factor.confirm', targetName: 'phone' }],
    [
      'The second factor "phone" was removed.',
      { action: 'second-factor.delete', targetName: 'phone', details: { user_id: 2, confirmed: true } },
    ],
    [
      'Your account was linked with the sign-in of https://id.example.org.',
      { action: 'user.link', details: { user_id: 2, issuer: 'https://id.example.org' } },
    ],
    [
      'Your account was separated from the sign-in of https://id.example.org.',
      { action: 'user.unlink', details: { user_id: 2, issuer: 'https://id.example.org' } },
    ],
    ['Your password was set with a link from a mail. All sessions ended.', { action: 'user.password.reset' }],
  ])('the owner reads: %s', (line, entry) => {
    expect(securityMails([entryOf(entry)]).map(({ part }) => part.lines[0])).toEqual([line]);
  });

  it.each<[string, Partial<AuditEntry>]>([
    [
      'the removal of a factor that was never confirmed',
      { action: 'second-factor.delete', details: { user_id: 2, confirmed: false } },
    ],
    ['an entry without a user', { details: {} }],
    ['a sign-in', { action: 'session.start' }],
    ['a request for a new password, which has its own mail', { action: 'user.password.request' }],
  ])('no mail is sent about %s', (_, entry) => {
    expect(securityMails([entryOf(entry)])).toEqual([]);
  });

  it('the owner is mailed, not the user manager who acted, and an unknown address is left out', () => {
    const [mail] = securityMails([entryOf({ actorId: 9, details: { user_id: 5 }, clientAddress: '' })]);
    expect(mail!.part.userId).toBe(5);
    expect(mail!.part.lines).toHaveLength(2);
  });

  it('each entry has its own mail, and the text contains instructions', () => {
    const mails = securityMails([entryOf({ uid: 'a' }), entryOf({ action: 'user.update' }), entryOf({ uid: 'b' })]);
    expect(mails.map(({ source, part }) => [source, part.key])).toEqual([
      ['a', 'security:a'],
      ['b', 'security:b'],
    ]);
    expect(mailSubject(mails[0]!.part)).toBe('[Parlance] The security of your account changed');
    expect(mailBody(mails[0]!.part, 'Ana')).toMatch(/^Hello Ana,\n\n- Your password was changed.*If it was not you/s);
  });
});
