import type { Page, PageRequest } from '../../domain/ports';
import { checkLine, Problems } from '../../domain/problems';
import { FACTOR_NAME_MAX, FACTORS_MAX, type SecondFactor } from '../../domain/sign-in/second-factor';
import { acceptedStep, looksLikeCode, newTotpSecret, otpauthUri } from '../../domain/sign-in/totp';
import { ANONYMOUS_ID, type User } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { fieldError, notFound, throwIfInvalid } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { admitCode } from '../authentication/count-attempt';
import { requirePresence, type Presence } from '../authentication/require-presence';
import { holdsOnSite, denyAccess } from '../rights';

/** Public fields of a second factor: all except its secret and used steps. */
export interface SecondFactorSummary extends Omit<SecondFactor, 'sealedSecret' | 'securityKey' | 'lastStep'> {
  userId: number;
  username: string;
  isSecurityKey: boolean;
}

export function summary(user: User, factor: SecondFactor): SecondFactorSummary {
  const { id, name, createdMs, confirmedMs, lastUsedMs, securityKey } = factor;
  const { id: userId, username } = user;
  return { id, name, createdMs, confirmedMs, lastUsedMs, userId, username, isSecurityKey: securityKey !== undefined };
}

/** A user whose second factors the caller may list and remove: the user itself, or any for user managers. */
async function ownerOf(deps: Pick<Deps, 'users'>, context: RequestContext, userId: number): Promise<User> {
  const { caller } = context;
  if (caller.anonymous) denyAccess(context);
  const user = await deps.users.get(userId);
  if (!user || user.deleted || user.id === ANONYMOUS_ID) throw notFound('The user');
  if (caller.userId !== userId && !holdsOnSite(context, 'user.edit')) denyAccess(context);
  return user;
}

/** Only the owner creates and confirms second factors; no permission allows it to others. */
export async function requireOwner(deps: Pick<Deps, 'users'>, context: RequestContext, userId: number): Promise<User> {
  const user = await ownerOf(deps, context, userId);
  if (context.caller.userId !== userId) denyAccess(context, 'Only its owner makes and confirms a second factor.');
  if (user.isBot) denyAccess(context, 'Bots need no second factor.');
  return user;
}

export const factorsOf = (user: User) => user.secondFactors ?? [];

/** @throws INVALID if the user has as many factors as allowed */
export function throwIfFull(user: User): void {
  if (factorsOf(user).length >= FACTORS_MAX)
    throw fieldError(null, 'invalid', `A user can have at most ${FACTORS_MAX} second factors; remove one first.`);
}

function factorOf(user: User, id: number): SecondFactor {
  const factor = factorsOf(user).find((f) => f.id === id);
  if (!factor) throw notFound('The second factor');
  return factor;
}

export const auditActionOf = (action: string, user: User, { id, name, confirmedMs, securityKey }: SecondFactor) => {
  const kind = securityKey ? 'webauthn' : 'totp';
  const details = { user_id: user.id, kind, ...(action === 'delete' ? { confirmed: confirmedMs !== 0 } : {}) };
  return { action: `second-factor.${action}`, kind: 'second-factor' as const, id, name, details };
};

export async function listSecondFactors(
  deps: Pick<Deps, 'users'>,
  context: RequestContext,
  userId: number,
  page: PageRequest,
): Promise<Page<SecondFactorSummary>> {
  const user = await ownerOf(deps, context, userId);
  const factors = factorsOf(user);
  const items = factors.slice(page.skip, page.skip + page.limit).map((f) => summary(user, f));
  return { items, total: factors.length };
}

export async function getSecondFactor(
  deps: Pick<Deps, 'users'>,
  context: RequestContext,
  userId: number,
  id: number,
): Promise<SecondFactorSummary> {
  const user = await ownerOf(deps, context, userId);
  return summary(user, factorOf(user, id));
}

export type CreateSecondFactorDeps = Pick<Deps, 'users' | 'attempts' | 'passwords' | 'secrets' | 'now'>;

/**
 * Confirming requires no further proof of presence: a valid code proves knowledge of the secret, which only this response
 * contains.
 * @returns the unconfirmed factor and its secret, which cannot be read later
 */
export async function createSecondFactor(
  deps: CreateSecondFactorDeps,
  context: RequestContext,
  input: { userId: number; name?: string } & Presence,
): Promise<{ factor: SecondFactorSummary; secret: string; otpauthUri: string }> {
  const owner = await requireOwner(deps, context, input.userId);
  const problems = new Problems(context.problems);
  checkLine(problems, 'name', input.name, FACTOR_NAME_MAX);
  throwIfInvalid(problems);
  await requirePresence(deps, context, input);
  const secret = newTotpSecret();
  const factor: SecondFactor = {
    id: await deps.users.nextSecondFactorId(),
    name: input.name!,
    sealedSecret: deps.secrets.seal(secret),
    createdMs: deps.now(),
    confirmedMs: 0,
    lastUsedMs: 0,
    lastStep: -1,
  };
  const updated = await deps.users.update(owner.id, (user) => {
    if (user.deleted) throw notFound('The user');
    throwIfFull(user);
    const next = { ...user, secondFactors: [...factorsOf(user), factor] };
    return { next, announce: announce(deps, context, auditActionOf('create', user, factor)) };
  });
  if (!updated) throw notFound('The user');
  return { factor: summary(updated, factor), secret, otpauthUri: otpauthUri(secret, updated.username) };
}

/**
 * Verifies a code; the first one confirms the factor. Wrong codes are counted in the user by the same update that checks
 * them, so that concurrent attempts are counted separately.
 * @throws INVALID on code, THROTTLED after WRONG_CODES_MAX wrong ones within the window
 */
export async function confirmSecondFactor(
  deps: Pick<Deps, 'users' | 'secrets' | 'now'>,
  context: RequestContext,
  input: { userId: number; id: number; code?: string },
): Promise<SecondFactorSummary> {
  const owner = await requireOwner(deps, context, input.userId);
  if (factorOf(owner, input.id).securityKey)
    throw fieldError('code', 'invalid', 'A security key has no codes; it proves itself at the sign-in.');
  const code = input.code?.replaceAll(' ', '');
  if (code === undefined) throw fieldError('code', 'required', 'This field is required.');
  if (!looksLikeCode(code)) throw fieldError('code', 'invalid', 'A code has six digits.');
  const updated = await deps.users.update(owner.id, (user) => {
    const factor = factorOf(user, input.id);
    const now = deps.now();
    const wrong = admitCode(user, now);
    const step = acceptedStep(deps.secrets.open(factor.sealedSecret!), code, now, factor.lastStep);
    if (step === null) {
      return { next: { ...user, wrongCodes: { ...wrong, count: wrong.count + 1 } }, announce: { audit: [] } };
    }
    const used = { ...factor, confirmedMs: factor.confirmedMs || now, lastUsedMs: now, lastStep: step };
    const secondFactors = factorsOf(user).map((f) => (f.id === used.id ? used : f));
    return {
      next: { ...user, secondFactors, wrongCodes: { sinceMs: 0, count: 0 } },
      announce:
        factor.confirmedMs === 0
          ? announce(deps, context, auditActionOf('confirm', user, factor), [user.id])
          : { audit: [] },
    };
  });
  if (!updated) throw notFound('The user');
  // An accepted code resets the count.
  if (updated.wrongCodes?.count !== 0) throw fieldError('code', 'invalid', 'The code is wrong, or was used before.');
  return summary(updated, factorOf(updated, input.id));
}

/**
 * Deleting the last confirmed factor revokes the access that it granted immediately.
 * @param presence proof of the caller, even if the caller is not the owner
 */
export async function deleteSecondFactor(
  deps: CreateSecondFactorDeps,
  context: RequestContext,
  userId: number,
  id: number,
  presence: Presence = {},
): Promise<void> {
  const owner = await ownerOf(deps, context, userId);
  factorOf(owner, id);
  if (owner.isSuperuser && context.caller.userId !== userId && !context.caller.isSuperuser) {
    denyAccess(context, 'Only superusers can change superusers.');
  }
  await requirePresence(deps, context, presence);
  await deps.users.update(userId, (user) => {
    const factors = factorsOf(user);
    const factor = factors.find((f) => f.id === id);
    if (!factor) return undefined;
    const next = { ...user, secondFactors: factors.filter((f) => f.id !== id) };
    return { next, announce: announce(deps, context, auditActionOf('delete', user, factor), [userId]) };
  });
}
