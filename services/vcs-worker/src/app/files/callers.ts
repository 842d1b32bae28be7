import type { Caller } from '@parlance/access';
import { serviceCaller } from '@parlance/access';
import type { common } from '@parlance/contracts';
import type { Deps } from '../deps';
import { SERVICE } from '../change-events';

export const authorOf = (caller: Caller): common.Author => ({
  userId: caller.userId,
  username: caller.username,
  fullName: caller.fullName,
  email: caller.email,
});

/** The site as caller of repository operations. */
export function siteCaller(deps: Pick<Deps, 'committer'>): Caller {
  const { name, email } = deps.committer();
  return { ...serviceCaller(SERVICE), fullName: name, email };
}
