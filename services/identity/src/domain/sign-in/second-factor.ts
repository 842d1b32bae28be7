/** A WebAuthn credential. The private key never leaves the authenticator. */
export interface SecurityKey {
  /** In Base64url, as is the public key (COSE). */
  credentialId: string;
  publicKey: string;
  /** Last signature counter; 0: the authenticator has none. */
  counter: number;
  /** How browsers reach it, such as usb. */
  transports: string[];
}

/** A TOTP authenticator or a security key of a user. */
export interface SecondFactor {
  id: number;
  name: string;
  /** The TOTP secret in Base32, encrypted; absent for a security key. */
  sealedSecret?: string;
  /** Absent for TOTP. */
  securityKey?: SecurityKey;
  createdMs: number;
  /** 0: not confirmed, so without effect. */
  confirmedMs: number;
  /** 0: never. */
  lastUsedMs: number;
  /** Time step of the last accepted code; -1: none, or a security key. */
  lastStep: number;
}

/** Wrong codes within a window. */
export interface WrongCodes {
  sinceMs: number;
  count: number;
}

export const FACTOR_NAME_MAX = 100;
/** Maximum second factors of a user. */
export const FACTORS_MAX = 10;
/** Wrong codes per window; further codes are rejected without a check. */
export const WRONG_CODES_MAX = 10;
export const WRONG_CODES_WINDOW_MS = 15 * 60_000;

/** Whether the user has a confirmed second factor. */
export function hasConfirmedFactor(user: { secondFactors?: readonly SecondFactor[] }): boolean {
  return user.secondFactors?.some((factor) => factor.confirmedMs > 0) ?? false;
}

/** Wrong codes of the current window. */
export function wrongCodesNow(wrong: WrongCodes | undefined, nowMs: number): WrongCodes {
  return wrong && wrong.sinceMs > nowMs - WRONG_CODES_WINDOW_MS ? wrong : { sinceMs: nowMs, count: 0 };
}

/** Confirmed security keys of a user. */
export function securityKeysOf(user: { secondFactors?: readonly SecondFactor[] }): SecurityKey[] {
  return (user.secondFactors ?? []).flatMap(({ securityKey }) => (securityKey ? [securityKey] : []));
}
