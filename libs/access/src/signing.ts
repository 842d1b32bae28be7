import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Caller } from './caller';

/** gRPC metadata key under which the signed caller travels. */
export const PRINCIPAL_METADATA_KEY = 'parlance-caller';

/** Largest signed caller, in bytes; servers take metadata of up to twice this. */
export const MAX_PRINCIPAL_BYTES = 24_000;

/** Thrown when a caller is forged, damaged or expired. */
export class PrincipalError extends Error {}

function signature(secret: string, body: string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}

/**
 * Signs a caller for calls between processes: deflated JSON and an HMAC-SHA256, both base64url, joined by a dot.
 * @param lifetimeMs how long services accept it
 * @throws PrincipalError when it does not fit MAX_PRINCIPAL_BYTES
 */
export function signCaller(caller: Caller, secret: string, lifetimeMs: number): string {
  const body = deflateRawSync(JSON.stringify({ p: caller, exp: Date.now() + lifetimeMs })).toString('base64url');
  if (body.length > MAX_PRINCIPAL_BYTES) throw new PrincipalError('the caller has too many grants');
  return `${body}.${signature(secret, body).toString('base64url')}`;
}

/** Checks and reads signed principals; remembers the last ones because the same few come with every call. */
export class CallerVerifier {
  private readonly known = new Map<string, { caller: Caller; exp: number }>();

  constructor(
    private readonly secret: string,
    private readonly capacity = 2000,
  ) {}

  /** @throws PrincipalError */
  verify(token: string): Caller {
    let entry = this.known.get(token);
    if (!entry) {
      entry = this.read(token);
      if (this.known.size >= this.capacity) this.known.delete(this.known.keys().next().value!);
      this.known.set(token, entry);
    }
    if (entry.exp < Date.now()) {
      this.known.delete(token);
      throw new PrincipalError('the caller has expired');
    }
    return entry.caller;
  }

  private read(token: string): { caller: Caller; exp: number } {
    const dot = token.indexOf('.');
    if (dot < 1 || token.length > MAX_PRINCIPAL_BYTES + 100) throw new PrincipalError('the caller is damaged');
    const body = token.slice(0, dot);
    const given = Buffer.from(token.slice(dot + 1), 'base64url');
    const expected = signature(this.secret, body);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new PrincipalError('the caller is forged');
    const parsed = JSON.parse(
      inflateRawSync(Buffer.from(body, 'base64url'), { maxOutputLength: 8_000_000 }).toString('utf8'),
    ) as {
      p: Caller;
      exp: number;
    };
    return { caller: parsed.p, exp: parsed.exp };
  }
}
