import { createHash, randomInt } from 'node:crypto';

/** A credential of a user. Only the digest of its value is kept. */
export interface Token {
  id: number;
  kind: 'personal' | 'project';
  name: string;
  /** SHA-256 in hex. The value has 214 random bits, so a slow hash would protect nothing more. */
  hash: string;
  /** Last four characters of the value. */
  hint: string;
  createdMs: number;
  /** 0: does not expire. */
  expiresMs: number;
  /** 0: never; exact to LAST_USE_STEP_MS. */
  lastUsedMs: number;
}

export const TOKEN_NAME_MAX = 100;
/** Uses of a token within this time after the last noted one are not noted, in milliseconds. */
export const LAST_USE_STEP_MS = 60_000;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const prefixes = { personal: 'plu_', project: 'plp_' } as const;
const pattern = /^pl[up]_[A-Za-z0-9]{36}$/;

/** Whether a text has the form of a token; others need no look into the store. */
export function looksLikeToken(text: string): boolean {
  return pattern.test(text);
}

export function tokenHash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Makes a token. The value is for its owner's eyes and is not kept. */
export function newToken(given: Pick<Token, 'id' | 'kind' | 'name' | 'createdMs' | 'expiresMs'>): {
  token: Token;
  value: string;
} {
  const value = prefixes[given.kind] + randomText(36);
  return { value, token: { ...given, hash: tokenHash(value), hint: value.slice(-4), lastUsedMs: 0 } };
}

/** Name of the bot user of a project token. */
export function botUsername(projectSlug: string, tokenName: string): string {
  const slug = tokenName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `bot-${projectSlug}-${slug || 'token'}`.slice(0, 140);
}
