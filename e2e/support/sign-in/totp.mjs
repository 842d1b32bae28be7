// Time-based one-time passwords (RFC 6238), implemented independently of the product.
import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a Base32 secret at a time in milliseconds. */
export function totp(secret, timeMs = Date.now()) {
  const bits = [...secret].map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(timeMs / 30_000)));
  const mac = createHmac('sha1', key).update(step).digest();
  const number = mac.readUInt32BE(mac[mac.length - 1] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
