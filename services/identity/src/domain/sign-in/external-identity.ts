import { createHmac } from 'node:crypto';

/** Claims of a provider about a person. */
export interface ExternalClaims {
  issuer: string;
  /** Unique and permanent within the issuer. */
  subject: string;
  /** '' for none. */
  email: string;
  emailVerified: boolean;
  fullName: string;
  username: string;
  /** Values of the claim for teams. */
  teams: readonly string[];
}

/** Values that bind the response of a provider to the browser that asked. */
export interface ExternalProof {
  state: string;
  nonce: string;
  /** PKCE, RFC 7636. */
  codeVerifier: string;
}

/** How people with an account at the provider become users. */
export interface ExternalPolicy {
  /** Creates users at their first sign-in. */
  createUsers: boolean;
  /** Links the user with the same verified mail address. The provider then decides who owns an account. */
  linkByEmail: boolean;
  /** Group ids by value of the claim; membership of these groups follows the claim. */
  teams: ReadonlyMap<string, number>;
}

/** Derives the values from a secret that only the browser has, so that nothing is stored until it comes back. */
export function proofOf(secret: string, next: string): ExternalProof {
  const derive = (purpose: string) =>
    createHmac('sha256', secret).update(`external sign-in ${purpose}`).digest('base64url');
  return {
    // Covers the path as well, so that it cannot be exchanged on the way.
    state: `${derive(`state ${next}`)}.${Buffer.from(next).toString('base64url')}`,
    nonce: derive('nonce'),
    codeVerifier: derive('code verifier'),
  };
}

/** Identifies a person of a provider. Issuers are addresses, so they contain no space. */
export function externalKey({ issuer, subject }: Pick<ExternalClaims, 'issuer' | 'subject'>): string {
  return `${issuer} ${subject}`;
}

/** The issuer in such a key; '' for none. */
export function issuerOf(key: string | undefined): string {
  return key?.split(' ', 1)[0] ?? '';
}
