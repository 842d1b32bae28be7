import { Secret, TOTP } from 'otpauth';

/** What every authenticator program understands: RFC 6238 with HMAC-SHA-1, six digits, steps of 30 seconds. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 };
const ISSUER = 'Parlance';
/** Steps before and after the present one whose codes are taken: clocks differ, and typing takes time. */
const WINDOW = 1;

const codePattern = /^\d{6}$/;

/** A new secret in Base32: 160 random bits, as long as the HMAC's output (RFC 4226, section 4, R6). */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that authenticator programs read, most often from a QR code. It holds the secret. */
export function otpauthUri(secret: string, username: string): string {
  return new TOTP({ ...parameters, issuer: ISSUER, label: username, secret }).toString();
}

/** Whether a text has the form of a code. */
export function looksLikeCode(text: string): boolean {
  return codePattern.test(text);
}

/**
 * The step whose code this is.
 * @param afterStep steps up to this one are used up (RFC 6238, section 5.2: a code is accepted once)
 * @returns null when it is no code of the present steps, or a used one
 */
export function acceptedStep(secret: string, code: string, nowMs: number, afterStep: number): number | null {
  if (!looksLikeCode(code)) return null;
  const key = Secret.fromBase32(secret);
  const delta = TOTP.validate({ ...parameters, secret: key, token: code, timestamp: nowMs, window: WINDOW });
  if (delta === null) return null;
  const step = TOTP.counter({ period: parameters.period, timestamp: nowMs }) + delta;
  return step > afterStep ? step : null;
}
