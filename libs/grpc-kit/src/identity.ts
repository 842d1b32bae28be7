import { serviceCaller, signCaller } from '@parlance/access';

/** How long a process's own caller is good for; it is signed anew at half of that. */
const LIFETIME_MS = 600_000;

/** Gives the signed caller of a process for the calls that it makes by itself (periodic work, consumers). */
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
