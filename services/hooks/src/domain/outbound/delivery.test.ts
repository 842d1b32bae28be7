import { standardSignature } from '../inbound/signature';
import { afterAttempt, deliveryHeaders } from './delivery';

describe('afterAttempt', () => {
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

  it('the last attempt is recorded with its status and a reason of bounded length', () => {
    expect(afterAttempt(1, { status: 0, error: 'e'.repeat(600) }, 0)).toEqual({
      state: 'pending',
      lastStatus: 0,
      lastError: 'e'.repeat(500),
      nextAttemptMs: 5_000,
    });
    expect(afterAttempt(8, { status: 200, error: '' }, 0)).toMatchObject({ state: 'delivered', nextAttemptMs: 0 });
  });
});

describe('deliveryHeaders', () => {
  // The example of the Standard Webhooks libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

  it('deliveries are signed according to Standard Webhooks', () => {
    expect(standardSignature(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', '{"test": 2432232314}')).toBe(
      signature,
    );
    expect(deliveryHeaders({ id: 'd', body: '{}' }, '', 5000)).toMatchObject({
      'webhook-id': 'd',
      'webhook-timestamp': '5',
      'webhook-signature': '',
    });
  });

  it('the signature covers the id, the time in whole seconds and the body that are sent', () => {
    const delivery = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
    expect(deliveryHeaders(delivery, secret, 1_614_265_330_999)).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': delivery.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    });
  });
});
