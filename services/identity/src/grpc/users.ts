import { searchOf, type Implementation } from '@parlance/grpc-kit';
import { changeMembership } from '../app/groups/change-membership';
import { createUser } from '../app/users/create-user';
import { deleteUser } from '../app/users/delete-user';
import { batchGetUsers, getUser } from '../app/users/get-user';
import type { RequestContext, Deps } from '../app/deps';
import { listUsers } from '../app/users/list-users';
import { searchUsers } from '../app/users/search-users';
import { setPassword } from '../app/users/set-password';
import { sliceOf } from '../app/page-request';
import { updateUser } from '../app/users/update-user';
import type { User } from '../domain/user';
import { userToProto } from './mappers';

type Methods = Pick<
  Implementation<'identity'>,
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
>;

/** gRPC handlers of users. */
export function userMethods(deps: Deps): Methods {
  const shown = (user: User, context: RequestContext) => userToProto(user, context, deps.now());
  return {
    async listUsers(request, context) {
      const caller = context;
      const filter = { usernamePrefix: request.usernamePrefix, id: request.id };
      const page = await listUsers(deps, caller, filter, sliceOf(request.page));
      return { users: page.items.map((u) => shown(u, caller)), total: page.total };
    },
    async searchUsers(request, context) {
      return { usernames: await searchUsers(deps, context, searchOf(request)) };
    },
    async getUser(request, context) {
      const caller = context;
      return { user: shown(await getUser(deps, caller, request), caller) };
    },
    async batchGetUsers(request, context) {
      const caller = context;
      return { users: (await batchGetUsers(deps, request.ids)).map((u) => shown(u, caller)) };
    },
    async createUser(request, context) {
      const caller = context;
      const { user, token } = await createUser(deps, caller, request);
      return { user: shown(user, caller), token };
    },
    async updateUser(request, context) {
      const caller = context;
      return { user: shown(await updateUser(deps, caller, request.id, request), caller) };
    },
    async deleteUser(request, context) {
      await deleteUser(deps, context, request.id);
      return {};
    },
    async addUserToGroup(request, context) {
      const caller = context;
      return { user: shown(await changeMembership(deps, caller, { ...request, member: true }), caller) };
    },
    async removeUserFromGroup(request, context) {
      const caller = context;
      return { user: shown(await changeMembership(deps, caller, { ...request, member: false }), caller) };
    },
    async setPassword(request, context) {
      return { password: await setPassword(deps, context, request.userId, request.password) };
    },
    async countUsers() {
      return { users: await deps.users.count() };
    },
  };
}
