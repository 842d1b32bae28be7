import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Principal } from './principal';

/** gRPC metadata key under which the signed principal travels. */
export const PRINCIPAL_METADATA_KEY = 'parlance-principal';

/** Largest signed principal, in bytes; servers take metadata of up to twice this. */
export const MAX_PRINCIPAL_BYTES = 24_000;

/** Thrown when a principal is forged, damaged or expired. */
export class PrincipalError extends Error {}

function signature(secret: string, body: string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}

/**
 * Signs a principal for calls between processes: deflated JSON and an HMAC-SHA256, both base64url, joined by a dot.
 * @param lifetimeMs how long services accept it
 * @throws PrincipalError when it does not fit MAX_PRINCIPAL_BYTES
 */
export function signPrincipal(principal: Principal, secret: string, lifetimeMs: number): string {
  const body = deflateRawSync(JSON.stringify({ p: principal, exp: Date.now() + lifetimeMs })).toString('base64url');
  if (body.length > MAX_PRINCIPAL_BYTES) throw new PrincipalError('the principal has too many grants');
  return `${body}.${signature(secret, body).toString('base64url')}`;
}

/** Checks and reads signed principals; remembers the last ones because the same few come with every call. */
export class PrincipalVerifier {
  private readonly known = new Map<string, { principal: Principal; exp: number }>();

  constructor(
    private readonly secret: string,
    private readonly capacity = 2000,
  ) {}

  /** @throws PrincipalError */
  verify(token: string): Principal {
    let entry = this.known.get(token);
    if (!entry) {
      entry = this.read(token);
      if (this.known.size >= this.capacity) this.known.delete(this.known.keys().next().value!);
      this.known.set(token, entry);
    }
    if (entry.exp < Date.now()) {
      this.known.delete(token);
      throw new PrincipalError('the principal has expired');
    }
    return entry.principal;
  }

  private read(token: string): { principal: Principal; exp: number } {
    const dot = token.indexOf('.');
    if (dot < 1 || token.length > MAX_PRINCIPAL_BYTES + 100) throw new PrincipalError('the principal is damaged');
    const body = token.slice(0, dot);
    const given = Buffer.from(token.slice(dot + 1), 'base64url');
    const expected = signature(this.secret, body);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new PrincipalError('the principal is forged');
    const parsed = JSON.parse(
      inflateRawSync(Buffer.from(body, 'base64url'), { maxOutputLength: 8_000_000 }).toString('utf8'),
    ) as {
      p: Principal;
      exp: number;
    };
    return { principal: parsed.p, exp: parsed.exp };
  }
}
