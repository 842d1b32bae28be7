import { mailBody, mailSubject, PASSWORD_RESET, SECURITY } from './mail';

const TODO = 'ToDoStringsNotification' as const;

describe('mailSubject', () => {
  it('a digest names its period and number, an instant mail its number only if it has several changes', () => {
    const subject = (frequency: 1 | 2 | 3 | 4, count: number) =>
      mailSubject({ notification: TODO, frequency, count }).replace('[Parlance] Unfinished strings', '');
    expect([subject(1, 1), subject(1, 2)]).toEqual(['', ' (2)']);
    expect([2, 3, 4].map((frequency) => subject(frequency as 2, 1))).toEqual([
      ': daily digest (1)',
      ': weekly digest (1)',
      ': monthly digest (1)',
    ]);
  });

  it('mails about the account have their own subjects', () => {
    expect(mailSubject({ notification: PASSWORD_RESET, frequency: 1, count: 1 })).toContain('new password');
    expect(mailSubject({ notification: SECURITY, frequency: 1, count: 1 })).toContain('security of your account');
  });
});

describe('mailBody', () => {
  it('the changes are listed, and the number of those that are not', () => {
    const mail = { notification: TODO, lines: ['one', 'two'], count: 5 };
    expect(mailBody(mail, 'Ann')).toContain('Hello Ann,\n\n- one\n- two\n- and 3 more\n\n');
    expect(mailBody({ ...mail, count: 2 }, '')).toContain('Hello,\n\n- one\n- two\n\n');
  });

  it('the reason for a mail is the subscription, the address of a component or the account', () => {
    const reason = (more: object) => mailBody({ notification: TODO, lines: [], count: 0, ...more }, 'Ann');
    expect(reason({})).toContain('because of your notification subscriptions');
    expect(reason({ to: 'bugs@example.com' })).toContain('a component names this address');
    expect(reason({ notification: SECURITY })).toContain('revoke your tokens');
  });

  it('a link for a new password is shown to its recipient only', () => {
    const mail: Parameters<typeof mailBody>[0] = { notification: PASSWORD_RESET, lines: ['From 192.0.2.1.'], count: 1 };
    expect(mailBody(mail, 'Ann', 'https://e.com/reset')).toContain('\n\nhttps://e.com/reset\n\nFrom 192.0.2.1.\n');
    expect(mailBody(mail, 'Ann')).toContain('\n\n(The link is not shown.)\n\n');
  });
});
