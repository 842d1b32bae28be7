import type { Mail } from '../../domain/notifications/mail';
import type { Page, PageRequest } from '../../domain/ports';
import type { User } from '../../domain/user';
import type { RequestContext, Deps } from '../deps';
import { denyAccess } from '../rights';

/** A mail with its current recipient. */
export interface AddressedMail {
  mail: Mail;
  user: User | undefined;
  /** Only for the operator, who passes it on if there is no mail server. */
  link?: string;
}

/** A user's notification mails; without a user, the caller's, and for superusers all. */
export async function listMails(
  deps: Pick<Deps, 'users' | 'mails' | 'secrets'>,
  context: RequestContext,
  userId: number,
  pageRequest: PageRequest,
): Promise<Page<AddressedMail>> {
  const { caller } = context;
  const own = caller.userId;
  if (!caller.isSuperuser && (own === 0 || (userId !== 0 && userId !== own))) denyAccess(context);
  const whose = userId !== 0 ? userId : caller.isSuperuser ? undefined : own;
  const page = await deps.mails.list(whose, pageRequest);
  const users = await deps.users.many([...new Set(page.items.map((m) => m.userId))]);
  const byId = new Map(users.map((u) => [u.id, u]));
  const linkOf = ({ state, sealedLink }: Mail) =>
    sealedLink !== undefined && state === 'kept' && caller.service ? { link: deps.secrets.open(sealedLink) } : {};
  const items = page.items.map((mail) => ({ mail, user: byId.get(mail.userId), ...linkOf(mail) }));
  return { items, total: page.total };
}
