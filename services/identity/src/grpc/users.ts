import { searchOf, type Implementation } from '@parlance/grpc-kit';
import { authenticate, type Entry } from '../app/authentication/authenticate';
import { authenticatePassword } from '../app/authentication/authenticate-password';
import { changeMembership } from '../app/groups/change-membership';
import { createUser } from '../app/users/create-user';
import { deleteUser } from '../app/users/delete-user';
import { batchGetUsers, getUser } from '../app/users/get-user';
import type { RequestContext, Identity } from '../app/deps';
import { listUsers } from '../app/users/list-users';
import { requireService } from '../app/rights';
import { searchUsers } from '../app/users/search-users';
import { setPassword } from '../app/users/set-password';
import { sliceOf } from '../app/page-request';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from '../app/notifications/subscriptions';
import { updateUser } from '../app/users/update-user';
import type { User } from '../domain/user';
import { fullUser, subscriptionMessage, userMessage } from './mappers';

type Methods = Pick<
  Implementation<'identity'>,
  | 'authenticate'
  | 'authenticatePassword'
  | 'listUsers'
  | 'searchUsers'
  | 'getUser'
  | 'batchGetUsers'
  | 'createUser'
  | 'updateUser'
  | 'deleteUser'
  | 'addUserToGroup'
  | 'removeUserFromGroup'
  | 'setPassword'
  | 'countUsers'
  | 'listSubscriptions'
  | 'getSubscription'
  | 'createSubscription'
  | 'updateSubscription'
  | 'deleteSubscription'
>;

/** Who is calling; users; their subscriptions. */
export function userMethods(on: Identity): Methods {
  const entryMessage = (entry: Entry) => ({
    signedPrincipal: entry.signedPrincipal,
    user: fullUser(entry.user, on.now()),
    cacheMs: entry.cacheMs,
  });
  const shown = (user: User, context: RequestContext) => userMessage(user, context, on.now());
  return {
    async authenticate(request, context) {
      requireService(context);
      const entry = await authenticate(on, request.token);
      return { ...entryMessage(entry), tokenId: entry.tokenId };
    },
    async authenticatePassword(request, context) {
      requireService(context);
      return entryMessage(await authenticatePassword(on, request.username, request.password));
    },
    async listUsers(request, context) {
      const caller = context;
      const filter = { usernamePrefix: request.usernamePrefix, id: request.id };
      const page = await listUsers(on, caller, filter, sliceOf(request.page));
      return { users: page.items.map((u) => shown(u, caller)), total: page.total };
    },
    async searchUsers(request, context) {
      return { usernames: await searchUsers(on, context, searchOf(request)) };
    },
    async getUser(request, context) {
      const caller = context;
      return { user: shown(await getUser(on, caller, request), caller) };
    },
    async batchGetUsers(request, context) {
      const caller = context;
      return { users: (await batchGetUsers(on, request.ids)).map((u) => shown(u, caller)) };
    },
    async createUser(request, context) {
      const caller = context;
      const { user, token } = await createUser(on, caller, request);
      return { user: shown(user, caller), token };
    },
    async updateUser(request, context) {
      const caller = context;
      return { user: shown(await updateUser(on, caller, request.id, request), caller) };
    },
    async deleteUser(request, context) {
      await deleteUser(on, context, request.id);
      return {};
    },
    async addUserToGroup(request, context) {
      const caller = context;
      return { user: shown(await changeMembership(on, caller, { ...request, member: true }), caller) };
    },
    async removeUserFromGroup(request, context) {
      const caller = context;
      return { user: shown(await changeMembership(on, caller, { ...request, member: false }), caller) };
    },
    async setPassword(request, context) {
      return { password: await setPassword(on, context, request.userId, request.password) };
    },
    async countUsers() {
      return { users: await on.users.count() };
    },
    async listSubscriptions(request, context) {
      const page = await listSubscriptions(on, context, request.userId, sliceOf(request.page));
      return { subscriptions: page.items.map((s) => subscriptionMessage(request.userId, s)), total: page.total };
    },
    async getSubscription(request, context) {
      const subscription = await getSubscription(on, context, request.userId, request.id);
      return { subscription: subscriptionMessage(request.userId, subscription) };
    },
    async createSubscription(request, context) {
      const subscription = await createSubscription(on, context, request.userId, request);
      return { subscription: subscriptionMessage(request.userId, subscription) };
    },
    async updateSubscription(request, context) {
      const subscription = await updateSubscription(on, context, request.userId, request.id, request);
      return { subscription: subscriptionMessage(request.userId, subscription) };
    },
    async deleteSubscription(request, context) {
      await deleteSubscription(on, context, request.userId, request.id);
      return {};
    },
  };
}
