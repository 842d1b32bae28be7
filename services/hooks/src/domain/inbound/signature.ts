import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notification } from './push';

/** Compares without telling by the time it takes how much was right. */
export function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Whether a header holds the secret itself. Headers are read byte by byte, as Latin-1; hosts send secrets that are not ASCII in UTF-8.
 */
export function headerIsSecret(header: string | undefined, secret: string): boolean {
  const given = header ?? '';
  return sameText(given, secret) || sameText(Buffer.from(given, 'latin1').toString('utf8'), secret);
}

/**
 * Whether a header holds the HMAC of the body, as hex digits, with or without the algorithm's name before it (sha256=...).
 * Form bodies are signed as they are by some hosts and as the JSON text in them by others: either is proof of the secret.
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

/** How far a signed time may lie from ours, in milliseconds. */
const TOLERANCE_MS = 3600_000;

export const isRecent = (timeMs: number, now = Date.now()): boolean => Math.abs(now - timeMs) <= TOLERANCE_MS;

/** The key of a Standard Webhooks secret: base64 behind whsec_, or the text itself. */
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
