import { hash, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '../domain/ports';

/** Argon2id with 19 MiB and two passes, the minimum of OWASP's password storage cheat sheet. */
export const argon2id: PasswordHasher = {
  hash: (password) => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  verify: (digest, password) => verify(digest, password),
};
