import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notification } from './push';

/** Constant-time comparison. */
export function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a header contains the secret itself. Node decodes headers as Latin-1; hosts send non-ASCII secrets in UTF-8. */
export function headerIsSecret(header: string | undefined, secret: string): boolean {
  const given = header ?? '';
  return sameText(given, secret) || sameText(Buffer.from(given, 'latin1').toString('utf8'), secret);
}

/**
 * Whether a header contains the HMAC of the body as hex digits, with or without a prefix (sha256=...).
 * Some hosts sign the form body, others the JSON text in it; both are accepted.
 */
export function hexSignatureMatches(
  notification: Notification,
  header: string,
  algorithm: 'sha256' | 'sha1',
  secret: string,
): boolean {
  const given = notification.headers[header]?.trim().toLowerCase();
  if (!given) return false;
  const digits = given.startsWith(`${algorithm}=`) ? given.slice(algorithm.length + 1) : given;
  return [notification.raw, notification.json].some((text) =>
    sameText(digits, createHmac(algorithm, secret).update(text).digest('hex')),
  );
}

/** Whether a notification has one of the headers. */
export const hasHeader =
  (names: readonly string[]) =>
  ({ headers }: Notification): boolean =>
    names.some((name) => headers[name] !== undefined);

/** Maximum difference between a signed time and the local clock, in milliseconds. */
const TOLERANCE_MS = 3600_000;

export const isRecent = (timeMs: number, now = Date.now()): boolean => Math.abs(now - timeMs) <= TOLERANCE_MS;

/** The key of a Standard Webhooks secret: base64 after whsec_, or the text itself. */
function standardKey(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}

/** The Standard Webhooks signature of a message. */
export function standardSignature(secret: string, id: string, timestamp: string, body: Uint8Array | string): string {
  return `v1,${createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** Whether the Standard Webhooks headers prove the secret. */
export function standardSignatureMatches({ headers, raw }: Notification, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp) || !isRecent(Number(timestamp) * 1000))
    return false;
  const expected = standardSignature(secret, id, timestamp, raw);
  return signatures.split(' ').some((given) => sameText(given, expected));
}
