import type { identity } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { idOf } from '../../bodies/input';
import { list } from '../../responses/lists';
import type { Call, Reply } from '../../routing/call';
import { pages } from '../shared';
import { presentUser } from './present';

/** Time until one of the accounts expires, which changes `is_active` without a write, in milliseconds. */
export function untilExpiry(users: readonly identity.User__Output[]): number | undefined {
  const times = users.filter((user) => user.isActive && user.dateExpiresMs > 0).map((user) => user.dateExpiresMs);
  return times.length === 0 ? undefined : Math.min(...times) - Date.now();
}

export async function listUsers(call: Call): Promise<Reply> {
  let keepMs: number | undefined;
  const reply = await list(
    call,
    pages,
    async (page) => {
      const asked = call.query.get('id') ?? '';
      if (asked !== '' && !/^\d+$/.test(asked))
        throw fieldErrors([{ attr: 'id', code: 'invalid', detail: 'The id of a user is required.' }]);
      const id = asked === '' ? 0 : idOf(asked);
      // Outside of the range of ids.
      if (id === undefined) return { items: [], total: 0 };
      const usernamePrefix = call.query.get('username') ?? '';
      const answer = await call.clients.identity.listUsers({ page, usernamePrefix, id }, call.options);
      keepMs = untilExpiry(answer.users);
      return { items: answer.users, total: answer.total };
    },
    (items) => items.map((u) => presentUser(u, call.links)),
  );
  return { ...reply, keepMs };
}
