import type { Mail } from '../domain/mail';
import type { Page, Slice } from '../domain/ports';
import type { Caller, Identity } from './identity';
import { refuse } from './rights';

/** A user's notification mails; with no user given the caller's, for superusers everybody's. */
export async function listMails(on: Identity, caller: Caller, userId: number, slice: Slice): Promise<Page<Mail>> {
  const { principal } = caller;
  if (principal.isSuperuser) return on.mails.list(userId === 0 ? undefined : userId, slice);
  const own = principal.userId;
  if (own === 0 || (userId !== 0 && userId !== own)) refuse(caller);
  return on.mails.list(own, slice);
}
