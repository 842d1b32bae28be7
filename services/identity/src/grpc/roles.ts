import type { Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import { createRole, deleteRole, getRole, listRoles, updateRole } from '../app/groups/roles';
import { sliceOf } from '../app/page-request';
import { roleToProto } from './mappers';

/** gRPC handlers of roles. */
export function roleMethods(
  deps: Deps,
): Pick<Implementation<'identity'>, 'listRoles' | 'getRole' | 'createRole' | 'updateRole' | 'deleteRole'> {
  return {
    async listRoles(request, context) {
      const page = await listRoles(deps, context, sliceOf(request.page));
      return { roles: page.items.map(roleToProto), total: page.total };
    },
    async getRole(request, context) {
      return { role: roleToProto(await getRole(deps, context, request.id)) };
    },
    async createRole(request, context) {
      const input = { name: request.name, permissions: request.hasPermissions ? request.permissions : undefined };
      return { role: roleToProto(await createRole(deps, context, input)) };
    },
    async updateRole(request, context) {
      const permissions = request.hasPermissions ? request.permissions : undefined;
      const input = { name: request.name, permissions, replace: request.replace };
      return { role: roleToProto(await updateRole(deps, context, request.id, input)) };
    },
    async deleteRole(request, context) {
      await deleteRole(deps, context, request.id);
      return {};
    },
  };
}
