import { secretsOf } from '@parlance/access';
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
  private readonly keys: readonly Buffer[];

  /** @param serviceSecret the same for all gateways; one or more, separated by commas: the first issues, all are accepted */
  constructor(serviceSecret: string) {
    this.keys = secretsOf(serviceSecret).map((secret) => createHmac('sha256', secret).update('csrf tokens').digest());
  }

  issue(secret: string): string {
    return this.sign(this.keys[0]!, secret, randomBytes(SALT_BYTES).toString('base64url'));
  }

  matches(secret: string, token: unknown): boolean {
    if (typeof token !== 'string' || !tokenPattern.test(token)) return false;
    const given = Buffer.from(token);
    const salt = token.slice(0, token.indexOf('.'));
    return this.keys.some((key) => timingSafeEqual(Buffer.from(this.sign(key, secret, salt)), given));
  }

  private sign(key: Buffer, secret: string, salt: string): string {
    const mac = createHmac('sha256', key).update(`${salt}.${secret}`).digest('base64url');
    return `${salt}.${mac}`;
  }
}
