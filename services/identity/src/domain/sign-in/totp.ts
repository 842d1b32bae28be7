import { Secret, TOTP } from 'otpauth';

/** Parameters that every authenticator app supports: RFC 6238 with HMAC-SHA-1, six digits, steps of 30 seconds. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 };
const ISSUER = 'Parlance';
/** Accepted steps before and after the current one: clocks differ, and typing takes time. */
const WINDOW = 1;

const codePattern = /^\d{6}$/;

/** A new secret in Base32: 160 random bits, as long as the HMAC's output (RFC 4226, section 4, R6). */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The URI for authenticator apps, usually shown as QR code. Contains the secret. */
export function otpauthUri(secret: string, username: string): string {
  return new TOTP({ ...parameters, issuer: ISSUER, label: username, secret }).toString();
}

/** Whether a text has the form of a code. */
export function looksLikeCode(text: string): boolean {
  return codePattern.test(text);
}

/**
 * The step of a code.
 * @param afterStep steps up to this one are used (RFC 6238, section 5.2: a code is accepted once)
 * @returns null if the code matches no unused step of the window
 */
export function acceptedStep(secret: string, code: string, nowMs: number, afterStep: number): number | null {
  if (!looksLikeCode(code)) return null;
  const key = Secret.fromBase32(secret);
  const delta = TOTP.validate({ ...parameters, secret: key, token: code, timestamp: nowMs, window: WINDOW });
  if (delta === null) return null;
  const step = TOTP.counter({ period: parameters.period, timestamp: nowMs }) + delta;
  return step > afterStep ? step : null;
}
