import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Caller } from './caller';

/** gRPC metadata key of the caller token. */
export const CALLER_METADATA_KEY = 'parlance-caller';

/** Largest caller token, in bytes. Servers accept metadata of up to twice this size. */
export const MAX_CALLER_TOKEN_BYTES = 24_000;

/** A caller token is forged, damaged, expired or too large. */
export class CallerTokenError extends Error {}

/** The accepted secrets of a setting that separates them by commas; the first one signs. */
export const secretsOf = (setting: string): [string, ...string[]] => setting.split(',') as [string, ...string[]];

function signature(secret: string, body: string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}

/**
 * Signs a caller for calls between processes: deflated JSON and its HMAC-SHA256, both base64url, separated by a dot.
 * @param secret one or more, separated by commas: the first one signs
 * @param lifetimeMs how long services accept the token, in milliseconds
 * @throws CallerTokenError when the token exceeds MAX_CALLER_TOKEN_BYTES
 */
export function signCaller(caller: Caller, secret: string, lifetimeMs: number): string {
  const body = deflateRawSync(JSON.stringify({ p: caller, exp: Date.now() + lifetimeMs })).toString('base64url');
  if (body.length > MAX_CALLER_TOKEN_BYTES)
    throw new CallerTokenError(`the caller has too many grants: the token exceeds ${MAX_CALLER_TOKEN_BYTES} bytes`);
  return `${body}.${signature(secretsOf(secret)[0], body).toString('base64url')}`;
}

/** Verifies caller tokens. A cache avoids repeated inflation and parsing: most calls carry one of a few tokens. */
export class CallerVerifier {
  private readonly known = new Map<string, { caller: Caller; exp: number }>();

  private readonly secrets: readonly string[];

  /** @param secret one or more, separated by commas: a token of each of them is accepted */
  constructor(
    secret: string,
    private readonly capacity = 2000,
  ) {
    this.secrets = secretsOf(secret);
  }

  /** @throws CallerTokenError */
  verify(token: string): Caller {
    let entry = this.known.get(token);
    if (!entry) {
      entry = this.read(token);
      if (this.known.size >= this.capacity) this.known.delete(this.known.keys().next().value!);
      this.known.set(token, entry);
    }
    if (entry.exp < Date.now()) {
      this.known.delete(token);
      throw new CallerTokenError('the caller has expired');
    }
    return entry.caller;
  }

  private read(token: string): { caller: Caller; exp: number } {
    const dot = token.indexOf('.');
    if (dot < 1 || token.length > MAX_CALLER_TOKEN_BYTES + 100) throw new CallerTokenError('the caller is damaged');
    const body = token.slice(0, dot);
    const given = Buffer.from(token.slice(dot + 1), 'base64url');
    const isValid = this.secrets.some((secret) => {
      const expected = signature(secret, body);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isValid) throw new CallerTokenError('the caller is forged');
    const parsed = JSON.parse(
      inflateRawSync(Buffer.from(body, 'base64url'), { maxOutputLength: 8_000_000 }).toString('utf8'),
    ) as {
      p: Caller;
      exp: number;
    };
    return { caller: parsed.p, exp: parsed.exp };
  }
}
