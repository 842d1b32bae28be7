import { createHash, randomInt } from 'node:crypto';

/** A credential of a user. Only the digest of its value is stored. */
export interface Token {
  id: number;
  kind: 'personal' | 'project';
  name: string;
  /** SHA-256 in hex. The value has 214 random bits, so a slow hash is unnecessary. */
  hash: string;
  /** Last four characters of the value. */
  hint: string;
  createdMs: number;
  /** 0: does not expire. */
  expiresMs: number;
  /** 0: never; exact to LAST_USE_STEP_MS. */
  lastUsedMs: number;
  /** Rejects all writing requests; absent: no. */
  readOnly?: boolean;
  /** Ids of the projects that a personal token reaches; absent: all of its owner. */
  projects?: number[];
}

/** Maximum projects that a token is limited to. */
export const TOKEN_PROJECTS_MAX = 100;

export const TOKEN_NAME_MAX = 100;
/** Minimum interval between recorded uses of a token, in milliseconds. */
export const LAST_USE_STEP_MS = 60_000;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const prefixes = { personal: 'plu_', project: 'plp_' } as const;
const pattern = /^pl[up]_[A-Za-z0-9]{36}$/;

/** Whether a text has the form of a token; others need no store lookup. */
export function looksLikeToken(text: string): boolean {
  return pattern.test(text);
}

export function tokenHash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Generates a token. Its value is shown to the owner and not stored. */
export function newToken(given: Omit<Token, 'hash' | 'hint' | 'lastUsedMs'>): {
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
