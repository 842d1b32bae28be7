import { hasSecondFactor } from '@parlance/access';
import type { Page, PageRequest } from '../../domain/ports';
import { checkExpiry, checkLine, Problems } from '../../domain/problems';
import { newToken, TOKEN_NAME_MAX, TOKEN_PROJECTS_MAX } from '../../domain/sign-in/token';
import { hasConfirmedFactor } from '../../domain/sign-in/second-factor';
import { ANONYMOUS_ID, type User } from '../../domain/user';
import { announce } from '../audit/audit-action';
import { fieldError, notFound, throwIfInvalid } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { denyAccess } from '../rights';
import { summarizeToken, type TokenSummary } from './token-summary';

/** Owner, superusers and the operator; for other callers a user's tokens do not exist. Bots cannot create tokens. */
async function ownerOf(deps: Pick<Deps, 'users'>, context: RequestContext, userId: number): Promise<User> {
  const { caller } = context;
  if (caller.anonymous) denyAccess(context);
  const user = await deps.users.get(userId);
  if (!user || user.deleted || user.id === ANONYMOUS_ID) throw notFound('The user');
  if (caller.userId !== userId && !caller.isSuperuser) denyAccess(context);
  if (caller.onlyProjects) denyAccess(context, 'Tokens of projects cannot be used to manage tokens.');
  return user;
}

const personal = (user: User) => user.tokens.filter((t) => t.kind === 'personal');

export async function listPersonalTokens(
  deps: Pick<Deps, 'users'>,
  context: RequestContext,
  userId: number,
  page: PageRequest,
): Promise<Page<TokenSummary>> {
  const user = await ownerOf(deps, context, userId);
  const tokens = personal(user);
  const items = tokens.slice(page.skip, page.skip + page.limit).map((t) => summarizeToken(user, t));
  return { items, total: tokens.length };
}

export async function getPersonalToken(
  deps: Pick<Deps, 'users'>,
  context: RequestContext,
  userId: number,
  id: number,
): Promise<TokenSummary> {
  const user = await ownerOf(deps, context, userId);
  const token = personal(user).find((t) => t.id === id);
  if (!token) throw notFound('The token');
  return summarizeToken(user, token);
}

export interface NewPersonalToken {
  userId: number;
  name?: string;
  /** 0: does not expire. */
  expiresMs: number;
  /** The token only reads. */
  readOnly?: boolean;
  /** The only projects that the token reaches; absent or empty: all of the owner. Callers check that they exist. */
  projectIds?: readonly number[];
}

/** @returns the token and its value, which cannot be read later */
export async function createPersonalToken(
  deps: Pick<Deps, 'users' | 'now' | 'maxTokens'>,
  context: RequestContext,
  input: NewPersonalToken,
): Promise<{ token: TokenSummary; value: string }> {
  const owner = await ownerOf(deps, context, input.userId);
  if (owner.projectId !== 0) denyAccess(context, 'The bot of a project token cannot have further tokens.');
  // The token acts with the owner's second factor.
  if (hasConfirmedFactor(owner) && !hasSecondFactor(context.caller))
    denyAccess(
      context,
      'The owner of the token has a second factor: add and confirm one in second-factors/ of your user.',
    );
  const problems = new Problems(context.problems);
  checkLine(problems, 'name', input.name, TOKEN_NAME_MAX);
  checkExpiry(problems, 'expires', input.expiresMs, deps.now());
  const projects = [...new Set(input.projectIds)];
  if (projects.length > TOKEN_PROJECTS_MAX)
    problems.add('projects', 'max_length', `A token is limited to at most ${TOKEN_PROJECTS_MAX} projects.`);
  throwIfInvalid(problems);
  const { token, value } = newToken({
    id: await deps.users.nextTokenId(),
    kind: 'personal',
    name: input.name!,
    createdMs: deps.now(),
    expiresMs: input.expiresMs,
    ...(input.readOnly ? { readOnly: true } : {}),
    ...(projects.length > 0 ? { projects } : {}),
  });
  const updated = await deps.users.update(owner.id, (user) => {
    if (user.deleted) throw notFound('The user');
    if (user.tokens.length >= deps.maxTokens) {
      throw fieldError(null, 'invalid', `A user can have at most ${deps.maxTokens} tokens; revoke one first.`);
    }
    const details = { user_id: user.id, expires_ms: token.expiresMs, read_only: token.readOnly ?? false, projects };
    const action = { action: 'token.create', kind: 'token' as const, id: token.id, name: token.name, details };
    return { next: { ...user, tokens: [...user.tokens, token] }, announce: announce(deps, context, action) };
  });
  if (!updated) throw notFound('The user');
  return { token: summarizeToken(updated, token), value };
}

export async function revokePersonalToken(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  userId: number,
  id: number,
): Promise<void> {
  await getPersonalToken(deps, context, userId, id);
  await dropToken(deps, context, userId, id);
}

/** Removes a token from its user without a permission check. */
export async function dropToken(
  deps: Pick<Deps, 'users' | 'now'>,
  context: RequestContext,
  userId: number,
  id: number,
): Promise<void> {
  await deps.users.update(userId, (user) => {
    const token = user.tokens.find((t) => t.id === id);
    if (!token) return undefined;
    const details = { user_id: userId };
    const action = { action: 'token.revoke', kind: 'token' as const, id, name: token.name, details };
    const tokens = user.tokens.filter((t) => t.id !== id);
    return { next: { ...user, tokens }, announce: announce(deps, context, action, [userId]) };
  });
}
