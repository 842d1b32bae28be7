import type { Page, Slice } from '../../domain/ports';
import { looksLikeToken, tokenHash } from '../../domain/token';
import { wipeUser } from '../users/delete-user';
import { notFound } from '../field-errors';
import type { RequestContext, Identity } from '../deps';
import { dropToken } from './personal-tokens';
import { requireSuperuser } from '../rights';
import { summary, type TokenSummary } from './token-summary';

/** Every token of every user. A page has the tokens of so many users; the total counts users with tokens. */
export async function listTokens(on: Identity, context: RequestContext, slice: Slice): Promise<Page<TokenSummary>> {
  requireSuperuser(context);
  const users = await on.users.withTokens(slice);
  return { items: users.items.flatMap((u) => u.tokens.map((t) => summary(u, t))), total: users.total };
}

/** Revokes a token by its id or, when that is 0, by its value. */
export async function revokeToken(
  on: Identity,
  context: RequestContext,
  wanted: { id: number; value: string },
): Promise<TokenSummary> {
  requireSuperuser(context);
  const hash = looksLikeToken(wanted.value) ? tokenHash(wanted.value) : '';
  const user =
    wanted.id !== 0 ? await on.users.byTokenId(wanted.id) : hash === '' ? undefined : await on.users.byTokenHash(hash);
  const token = user?.tokens.find((t) => (wanted.id !== 0 ? t.id === wanted.id : t.hash === hash));
  if (!user || !token) throw notFound('The token');
  if (token.kind === 'project') await wipeUser(on, context, user.id, 'token.revoke');
  else await dropToken(on, context, user.id, token.id);
  return summary(user, token);
}
