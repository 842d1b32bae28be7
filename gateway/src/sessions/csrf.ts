import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Name of the field in forms; it is no field of any endpoint. */
export const CSRF_FIELD = 'csrf_token';
/** Name of the header of programs, in lower case. */
export const CSRF_HEADER = 'x-csrf-token';

const SALT_BYTES = 16;
const tokenPattern = /^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/;

/**
 * CSRF tokens: an HMAC of a browser's secret under a key of this site. A salt makes each one different, so that compressed pages do
 * not reveal them by their size (BREACH).
 */
export class CsrfTokens {
  private readonly key: Buffer;

  /** @param serviceSecret the same for all gateways */
  constructor(serviceSecret: string) {
    this.key = createHmac('sha256', serviceSecret).update('csrf tokens').digest();
  }

  issue(secret: string, salt = randomBytes(SALT_BYTES).toString('base64url')): string {
    const mac = createHmac('sha256', this.key).update(`${salt}.${secret}`).digest('base64url');
    return `${salt}.${mac}`;
  }

  matches(secret: string, token: unknown): boolean {
    if (typeof token !== 'string' || !tokenPattern.test(token)) return false;
    const expected = this.issue(secret, token.split('.', 1)[0]);
    return timingSafeEqual(Buffer.from(expected), Buffer.from(token));
  }
}
