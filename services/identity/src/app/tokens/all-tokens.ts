import type { Page, PageRequest } from '../../domain/ports';
import { looksLikeToken, tokenHash } from '../../domain/sign-in/token';
import { anonymizeUser } from '../users/delete-user';
import { notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { dropToken } from './personal-tokens';
import { requireSuperuser } from '../rights';
import { summarizeToken, type TokenSummary } from './token-summary';

/** All tokens of all users. Pages count users with tokens, not tokens. */
export async function listTokens(
  deps: Pick<Deps, 'users'>,
  context: RequestContext,
  page: PageRequest,
): Promise<Page<TokenSummary>> {
  requireSuperuser(context);
  const users = await deps.users.withTokens(page);
  return { items: users.items.flatMap((u) => u.tokens.map((t) => summarizeToken(u, t))), total: users.total };
}

type RevokeTokenDeps = Pick<Deps, 'users' | 'groups' | 'audit' | 'mails' | 'webCredentials' | 'now' | 'noreplyDomain'>;

/** Revokes a token by id or, if that is 0, by value. */
export async function revokeToken(
  deps: RevokeTokenDeps,
  context: RequestContext,
  wanted: { id: number; value: string },
): Promise<TokenSummary> {
  requireSuperuser(context);
  const hash = looksLikeToken(wanted.value) ? tokenHash(wanted.value) : '';
  const user =
    wanted.id !== 0
      ? await deps.users.byTokenId(wanted.id)
      : hash === ''
        ? undefined
        : await deps.users.byTokenHash(hash);
  const token = user?.tokens.find((t) => (wanted.id !== 0 ? t.id === wanted.id : t.hash === hash));
  if (!user || !token) throw notFound('The token');
  if (token.kind === 'project') await anonymizeUser(deps, context, user.id, 'token.revoke');
  else await dropToken(deps, context, user.id, token.id);
  return summarizeToken(user, token);
}
