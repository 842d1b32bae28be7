import { PASSWORD_MAX, type User } from '../../domain/user';
import { acceptedStep, looksLikeCode } from '../../domain/sign-in/totp';
import { passwordMatches } from './authenticate-password';
import { admitCode } from './count-attempt';
import { fieldError, notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess } from '../rights';

/** Proof that a person, and not only a token, makes the request. */
export interface Presence {
  password?: string;
  /** Code of one of the caller's confirmed second factors. */
  code?: string;
}

type RequirePresenceDeps = Pick<Deps, 'users' | 'attempts' | 'passwords' | 'secrets' | 'now'>;

/**
 * Requires the password of the caller, or a code of a confirmed second factor, in the request itself. Tokens live long and leak, so a token
 * alone must not change the protection of the account. Services (the operator's command) are exempt.
 * @throws INVALID on password or code, THROTTLED after too many wrong ones
 */
export async function requirePresence(
  deps: RequirePresenceDeps,
  context: RequestContext,
  given: Presence,
): Promise<void> {
  if (context.caller.service) return;
  const user = await deps.users.get(context.caller.userId);
  if (!user) denyAccess(context);
  const code = given.code?.replaceAll(' ', '');
  if (code !== undefined && !looksLikeCode(code)) throw fieldError('code', 'invalid', 'A code has six digits.');
  if (given.password !== undefined) return requirePassword(deps, user, given.password);
  if (code !== undefined) return requireCode(deps, user, code);
  const detail = 'Send your "password", or the "code" of one of your confirmed second factors.';
  throw fieldError('password', 'required', detail);
}

async function requirePassword(
  deps: Pick<Deps, 'users' | 'attempts' | 'passwords' | 'now'>,
  user: User,
  password: string,
): Promise<void> {
  if (password.length > PASSWORD_MAX) throw fieldError('password', 'invalid', 'The password is wrong.');
  if (!user.passwordHash) {
    const detail = 'Your account has no password. Ask an administrator to set one: parlance user reset-password.';
    throw fieldError('password', 'invalid', detail);
  }
  if (!(await passwordMatches(deps, user, password))) throw fieldError('password', 'invalid', 'The password is wrong.');
}

/** Accepts a code of any confirmed factor once. The same update checks the code and counts a wrong one. */
export async function requireCode(
  deps: Pick<Deps, 'users' | 'secrets' | 'now'>,
  { id }: User,
  code: string,
): Promise<void> {
  const updated = await deps.users.update(id, (user) => {
    const now = deps.now();
    const wrong = admitCode(user, now);
    const factors = user.secondFactors ?? [];
    for (const factor of factors) {
      if (factor.confirmedMs === 0 || factor.sealedSecret === undefined) continue;
      const step = acceptedStep(deps.secrets.open(factor.sealedSecret), code, now, factor.lastStep);
      if (step === null) continue;
      const used = { ...factor, lastUsedMs: now, lastStep: step };
      const secondFactors = factors.map((f) => (f.id === used.id ? used : f));
      return { next: { ...user, secondFactors, wrongCodes: { sinceMs: 0, count: 0 } }, announce: { audit: [] } };
    }
    return { next: { ...user, wrongCodes: { ...wrong, count: wrong.count + 1 } }, announce: { audit: [] } };
  });
  if (!updated) throw notFound('The user');
  // An accepted code resets the count.
  if (updated.wrongCodes?.count !== 0) throw fieldError('code', 'invalid', 'The code is wrong, or was used before.');
}
