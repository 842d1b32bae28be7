import { hasSecondFactor } from '@parlance/access';
import type { Page, Slice } from '../../domain/ports';
import { checkExpiry, checkLine, Problems } from '../../domain/problems';
import { newToken, TOKEN_NAME_MAX } from '../../domain/token';
import { hasConfirmedFactor } from '../../domain/second-factor';
import { ANONYMOUS_ID, type User } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { fieldError, notFound, raise } from '../field-errors';
import type { RequestContext, Identity } from '../deps';
import { refuse } from '../rights';
import { summary, type TokenSummary } from './token-summary';

/** Only the owner, superusers and the operator; for others a user's tokens do not exist. Bots cannot make more of themselves. */
async function ownerOf(on: Identity, context: RequestContext, userId: number): Promise<User> {
  const { caller } = context;
  if (caller.anonymous) refuse(context);
  const user = await on.users.get(userId);
  if (!user || user.deleted || user.id === ANONYMOUS_ID) throw notFound('The user');
  if (caller.userId !== userId && !caller.isSuperuser) refuse(context);
  if (caller.onlyProjects) refuse(context, 'Project tokens cannot be used to manage tokens.');
  return user;
}

const personal = (user: User) => user.tokens.filter((t) => t.kind === 'personal');

export async function listPersonalTokens(
  on: Identity,
  context: RequestContext,
  userId: number,
  slice: Slice,
): Promise<Page<TokenSummary>> {
  const user = await ownerOf(on, context, userId);
  const tokens = personal(user);
  const items = tokens.slice(slice.skip, slice.skip + slice.limit).map((t) => summary(user, t));
  return { items, total: tokens.length };
}

export async function getPersonalToken(
  on: Identity,
  context: RequestContext,
  userId: number,
  id: number,
): Promise<TokenSummary> {
  const user = await ownerOf(on, context, userId);
  const token = personal(user).find((t) => t.id === id);
  if (!token) throw notFound('The token');
  return summary(user, token);
}

/** @returns the token and its value, which cannot be had again */
export async function createPersonalToken(
  on: Identity,
  context: RequestContext,
  input: { userId: number; name?: string; expiresMs: number },
): Promise<{ token: TokenSummary; value: string }> {
  const owner = await ownerOf(on, context, input.userId);
  if (owner.projectId !== 0) refuse(context, 'The bot of a project token has this one token only.');
  // The token would act with the owner's second factor.
  if (hasConfirmedFactor(owner) && !hasSecondFactor(context.caller))
    refuse(context, 'The owner of the token has a second factor: add and confirm one in second-factors/ of your user.');
  const problems = new Problems(context.problems);
  checkLine(problems, 'name', input.name, TOKEN_NAME_MAX);
  checkExpiry(problems, 'expires', input.expiresMs, on.now());
  raise(problems);
  const { token, value } = newToken({
    id: await on.users.nextTokenId(),
    kind: 'personal',
    name: input.name!,
    createdMs: on.now(),
    expiresMs: input.expiresMs,
  });
  const updated = await on.users.update(owner.id, (user) => {
    if (user.deleted) throw notFound('The user');
    if (user.tokens.length >= on.maxTokens) {
      throw fieldError(null, 'invalid', `A user can have at most ${on.maxTokens} tokens; revoke one first.`);
    }
    const details = { user_id: user.id, expires_ms: token.expiresMs };
    const action = { action: 'token.create', kind: 'token' as const, id: token.id, name: token.name, details };
    return { next: { ...user, tokens: [...user.tokens, token] }, announce: announce(on, context, action) };
  });
  if (!updated) throw notFound('The user');
  return { token: summary(updated, token), value };
}

export async function revokePersonalToken(
  on: Identity,
  context: RequestContext,
  userId: number,
  id: number,
): Promise<void> {
  await getPersonalToken(on, context, userId, id);
  await dropToken(on, context, userId, id);
}

/** Takes a token out of its user, without asking for rights. */
export async function dropToken(on: Identity, context: RequestContext, userId: number, id: number): Promise<void> {
  await on.users.update(userId, (user) => {
    const token = user.tokens.find((t) => t.id === id);
    if (!token) return undefined;
    const details = { user_id: userId };
    const action = { action: 'token.revoke', kind: 'token' as const, id, name: token.name, details };
    const tokens = user.tokens.filter((t) => t.id !== id);
    return { next: { ...user, tokens }, announce: announce(on, context, action, [userId]) };
  });
}
