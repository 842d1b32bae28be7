import { standardSignature } from '../inbound/signature';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** A message to a subscription. */
export interface Delivery {
  /** Also the webhook-id header: equal for all attempts. */
  id: string;
  subscriptionId: number;
  changeId: number;
  action: number;
  /** JSON text. */
  body: string;
  state: DeliveryState;
  attempts: number;
  createdMs: number;
  /** During an attempt: time at which another process may take over. */
  nextAttemptMs: number;
  /** HTTP status of the last response; 0: none. */
  lastStatus: number;
  lastError: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Pauses after the first, second ... failed attempt; after the last one the delivery fails. */
const RETRY_PAUSES = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR];

/** Result of an attempt. */
export interface Attempt {
  /** 0: no response. */
  status: number;
  error: string;
}

/** State of a delivery after an attempt. */
export function afterAttempt(
  attempts: number,
  { status, error }: Attempt,
  now: number,
): Pick<Delivery, 'state' | 'lastStatus' | 'lastError' | 'nextAttemptMs'> {
  const outcome = { lastStatus: status, lastError: error.slice(0, 500), nextAttemptMs: 0 };
  if (status >= 200 && status < 300) return { ...outcome, state: 'delivered' };
  const pause = RETRY_PAUSES[attempts - 1];
  // 410 Gone: the receiver was removed.
  if (pause === undefined || status === 410) return { ...outcome, state: 'failed' };
  return { ...outcome, state: 'pending', nextAttemptMs: now + pause };
}

/** Headers of a delivery; without a secret the signature is empty. */
export function deliveryHeaders(
  delivery: Pick<Delivery, 'id' | 'body'>,
  secret: string,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  return {
    'content-type': 'application/json',
    'user-agent': 'Parlance-Webhooks',
    'webhook-id': delivery.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secret ? standardSignature(secret, delivery.id, timestamp, delivery.body) : '',
  };
}
