import { externalKey, issuerOf, proofOf } from '../../domain/sign-in/external-identity';
import { TakenError } from '../../domain/ports';
import type { User } from '../../domain/user';
import { isValid, looksLikeSecret, SECOND_FACTOR_MS, secretHash } from '../../domain/sign-in/web-credential';
import { announce } from '../audit/audit-action';
import { requirePresence, type Presence } from '../authentication/require-presence';
import type { Deps, RequestContext } from '../deps';
import { fieldError, notFound } from '../field-errors';
import { denyAccess } from '../rights';
import { linkAction, providerOf, refused } from './external-sign-in';
import { issueSecret } from './start-session';

type ExternalLinkDeps = Pick<
  Deps,
  'users' | 'webCredentials' | 'externalProvider' | 'attempts' | 'passwords' | 'secrets' | 'now'
>;

async function requireSelf(deps: Pick<Deps, 'users'>, context: RequestContext, userId: number): Promise<User> {
  if (context.caller.anonymous || context.caller.userId !== userId) denyAccess(context);
  const user = await deps.users.get(userId);
  if (!user || user.deleted) throw notFound('The user');
  if (user.isBot) denyAccess(context, 'Bots do not sign in with a browser.');
  return user;
}

/** The issuer of the linked account; '' if none is linked. */
export async function getExternalLink(
  deps: Pick<Deps, 'users'>,
  context: RequestContext,
  userId: number,
): Promise<string> {
  return issuerOf((await requireSelf(deps, context, userId)).externalKey);
}

/**
 * Starts the link with an account of the provider. The stored secret proves later that the password or code was given.
 * @returns the address of the provider, and the secret for a cookie
 * @throws NOT_FOUND without a provider, INVALID on password or code or for a user with a link, UNAVAILABLE
 */
export async function startExternalLink(
  deps: ExternalLinkDeps,
  context: RequestContext,
  input: { userId: number; redirectUri: string; next: string } & Presence,
): Promise<{ address: string; secret: string }> {
  const provider = providerOf(deps);
  const user = await requireSelf(deps, context, input.userId);
  if (user.externalKey) throw fieldError(null, 'invalid', 'Your account has a link; remove it first.');
  await requirePresence(deps, context, input);
  const times = { idleMs: SECOND_FACTOR_MS, absoluteMs: SECOND_FACTOR_MS };
  const { secret } = await issueSecret(deps, context, { user, kind: 'external-link', userAgent: '', times });
  return { address: await provider.authorizationAddress(proofOf(secret, input.next), input.redirectUri), secret };
}

/**
 * Links the account that the provider confirmed.
 * @throws NOT_FOUND, AUTHENTICATION_FAILED with the reason, UNAVAILABLE
 */
export async function finishExternalLink(
  deps: ExternalLinkDeps,
  context: RequestContext,
  input: { userId: number; secret: string; callback: string; next: string },
): Promise<void> {
  const provider = providerOf(deps);
  const user = await requireSelf(deps, context, input.userId);
  const issued =
    looksLikeSecret(input.secret) && (await deps.webCredentials.take('external-link', secretHash(input.secret)));
  if (!issued || !isValid(issued, user, deps.now())) throw refused('The link took too long. Start again.');
  const claims = await provider.claims(input.callback, proofOf(input.secret, input.next));
  const key = externalKey(claims);
  const announcement = announce(deps, context, linkAction('link', user, claims.issuer));
  const taken = refused('Another user is linked with this account of the provider.');
  // The unique index decides about concurrent links.
  const linked = await deps.users
    .update(user.id, (current) =>
      current.externalKey ? undefined : { next: { ...current, externalKey: key }, announce: announcement },
    )
    .catch((error: unknown) => {
      throw error instanceof TakenError ? taken : error;
    });
  if (linked?.externalKey !== key) throw refused('Your account was linked with another sign-in in the meantime.');
}

/**
 * Removes the link. Sessions that began with it continue.
 * @throws INVALID on password or code, or without another way to sign in
 */
export async function removeExternalLink(
  deps: ExternalLinkDeps,
  context: RequestContext,
  input: { userId: number } & Presence,
): Promise<void> {
  const user = await requireSelf(deps, context, input.userId);
  if (!user.externalKey) return;
  requirePassword(user);
  await requirePresence(deps, context, input);
  await deps.users.update(user.id, (current) => {
    if (!current.externalKey) return undefined;
    requirePassword(current);
    const action = linkAction('unlink', current, issuerOf(current.externalKey));
    return { next: { ...current, externalKey: '' }, announce: announce(deps, context, action) };
  });
}

/** The link may not be the last way to sign in. */
function requirePassword({ passwordHash }: User): void {
  const detail = 'This is the only way to sign in to your account. Set a password first, with a link by mail.';
  if (!passwordHash) throw fieldError(null, 'invalid', detail);
}
