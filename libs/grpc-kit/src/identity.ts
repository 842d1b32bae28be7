import { serviceCaller, signCaller } from '@parlance/access';

/** Lifetime of a process's own signed caller. It is renewed after half of it. */
const LIFETIME_MS = 600_000;

/** Returns the signed caller of a process for calls of its own (periodic work, consumers). */
export function ownCaller(service: string, secret: string): () => string {
  let token = '';
  let signedAt = 0;
  return () => {
    if (Date.now() - signedAt > LIFETIME_MS / 2) {
      signedAt = Date.now();
      token = signCaller(serviceCaller(service), secret, LIFETIME_MS);
    }
    return token;
  };
}
