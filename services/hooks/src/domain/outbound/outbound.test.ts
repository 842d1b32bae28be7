import { standardSignature } from '../inbound/signature';
import { afterAttempt, deliveryHeaders } from './delivery';
import { messageBody, type AnnouncedChange } from './message';
import { subscriptionProblems, matchesChange, type Subscription } from './subscription';

describe('subscriptions', () => {
  const attrs = (given: Parameters<typeof subscriptionProblems>[0]) => subscriptionProblems(given).map((p) => p.attr);

  it('all invalid fields of a subscription are reported together', () => {
    expect(attrs({ url: 'https://example.com/x', events: [2, 5], secret: 'anything' })).toEqual([]);
    expect(attrs({ url: 'ftp://example.com', events: [2, -1, 1.5], secret: 'x'.repeat(256) })).toEqual([
      'webhook_url',
      'events.1',
      'events.2',
      'secret',
    ]);
    for (const url of [
      '',
      'x',
      'javascript:alert(1)',
      'https://user:pw@example.com',
      `https://example.com/${'x'.repeat(2000)}`,
    ])
      expect(attrs({ url })).toEqual(['webhook_url']);
    expect(attrs({ secret: 'whsec_YQ==' })).toEqual(['secret']);
    expect(attrs({ events: new Array(201).fill(1) })).toEqual(['events']);
  });

  it('a subscription selects by project, component and action', () => {
    const subscription = { enabled: true, projectId: 1, componentId: 2, events: [5] } as unknown as Subscription;
    const change = { projectId: 1, componentId: 2, action: 5 };
    expect(matchesChange(subscription, change)).toBe(true);
    for (const other of [{ projectId: 9 }, { componentId: 9 }, { action: 9 }])
      expect(matchesChange(subscription, { ...change, ...other })).toBe(false);
    expect(matchesChange({ ...subscription, enabled: false }, change)).toBe(false);
    expect(
      matchesChange(
        { ...subscription, projectId: 0, componentId: 0, events: [] },
        { projectId: 7, componentId: 8, action: 9 },
      ),
    ).toBe(true);
  });
});

describe('deliveries', () => {
  it('deliveries are retried with growing delays until they succeed or are given up', () => {
    expect(afterAttempt(1, { status: 204, error: '' }, 0)).toMatchObject({ state: 'delivered' });
    const pauses: number[] = [];
    for (let attempt = 1; ; attempt++) {
      const after = afterAttempt(attempt, { status: 500, error: 'x' }, 1000);
      if (after.state === 'failed') break;
      pauses.push(after.nextAttemptMs - 1000);
    }
    expect(pauses).toHaveLength(7);
    expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
    expect(afterAttempt(1, { status: 410, error: '' }, 0).state).toBe('failed');
    expect(afterAttempt(1, { status: 302, error: '' }, 0).state).toBe('pending');
  });

  it('deliveries are signed according to Standard Webhooks', () => {
    // The example of the Standard Webhooks libraries.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(standardSignature(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
    expect(deliveryHeaders({ id: 'd', body: '{}' }, '', 5000)).toMatchObject({
      'webhook-id': 'd',
      'webhook-timestamp': '5',
      'webhook-signature': '',
    });
  });

  it('messages describe the change', () => {
    const change: AnnouncedChange = {
      id: 4,
      action: 2,
      timeMs: 0,
      projectId: 1,
      projectSlug: 'p',
      componentId: 2,
      componentPath: 'cat/c',
      translationId: 3,
      languageCode: 'cs',
      unitId: 0,
      userId: 7,
      authorId: 7,
      target: '<b>Ahoj</b>',
      old: '',
      detailsJson: '{"a":1}',
    };
    expect(JSON.parse(messageBody('change', change))).toEqual({
      change_id: 4,
      action: 2,
      timestamp: '1970-01-01T00:00:00.000Z',
      project: 'p',
      component: 'cat/c',
      translation: 'cs',
      unit_id: null,
      user_id: 7,
      author_id: 7,
      target: '<b>Ahoj</b>',
      old: '',
      details: { a: 1 },
    });
    expect(JSON.parse(messageBody('slack', change)).text).toBe('Action 2 in p/cat/c/cs: &lt;b&gt;Ahoj&lt;/b&gt;');
    expect(JSON.parse(messageBody('change', { ...change, detailsJson: 'broken' })).details).toEqual({});
  });
});
