import type { Implementation } from '@parlance/grpc-kit';
import { addToGroup, removeFromGroup } from '../app/groups/associate-group';
import { createGroup } from '../app/groups/create-group';
import { deleteGroup } from '../app/groups/delete-group';
import type { Identity } from '../app/deps';
import { getGroup, listGroups, listProjectTeams } from '../app/groups/list-groups';
import { ensureProjectTeams } from '../app/groups/project-teams';
import { requireService } from '../app/rights';
import { createRole, deleteRole, getRole, listRoles, updateRole } from '../app/groups/roles';
import { sliceOf } from '../app/page-request';
import { updateGroup } from '../app/groups/update-group';
import { toAdd, toRemove } from './associations';
import { groupMessage, roleMessage } from './mappers';

type Methods = Pick<
  Implementation<'identity'>,
  | 'listGroups'
  | 'getGroup'
  | 'createGroup'
  | 'updateGroup'
  | 'deleteGroup'
  | 'addGroupAssociation'
  | 'removeGroupAssociation'
  | 'listRoles'
  | 'getRole'
  | 'createRole'
  | 'updateRole'
  | 'deleteRole'
  | 'ensureProjectTeams'
  | 'listProjectTeams'
>;

/** Groups with what they name, roles, teams of projects. */
export function groupMethods(on: Identity): Methods {
  return {
    async listGroups(request, context) {
      const page = await listGroups(on, context, sliceOf(request.page));
      return { groups: page.items.map(groupMessage), total: page.total };
    },
    async getGroup(request, context) {
      return { group: groupMessage(await getGroup(on, context, request.id)) };
    },
    async createGroup(request, context) {
      const input = { ...request, definingProject: request.definingProjectId, enforced2fa: request.enforced_2fa };
      return { group: groupMessage(await createGroup(on, context, input)) };
    },
    async updateGroup(request, context) {
      const changes = { ...request, definingProject: request.definingProjectId, enforced2fa: request.enforced_2fa };
      return { group: groupMessage(await updateGroup(on, context, request.id, changes)) };
    },
    async deleteGroup(request, context) {
      await deleteGroup(on, context, request.id);
      return {};
    },
    async addGroupAssociation(request, context) {
      return { group: groupMessage(await addToGroup(on, context, request.groupId, toAdd(request))) };
    },
    async removeGroupAssociation(request, context) {
      return { group: groupMessage(await removeFromGroup(on, context, request.groupId, toRemove(request))) };
    },
    async listRoles(request, context) {
      const page = await listRoles(on, context, sliceOf(request.page));
      return { roles: page.items.map(roleMessage), total: page.total };
    },
    async getRole(request, context) {
      return { role: roleMessage(await getRole(on, context, request.id)) };
    },
    async createRole(request, context) {
      const input = { name: request.name, permissions: request.hasPermissions ? request.permissions : undefined };
      return { role: roleMessage(await createRole(on, context, input)) };
    },
    async updateRole(request, context) {
      const permissions = request.hasPermissions ? request.permissions : undefined;
      const input = { name: request.name, permissions, replace: request.replace };
      return { role: roleMessage(await updateRole(on, context, request.id, input)) };
    },
    async deleteRole(request, context) {
      await deleteRole(on, context, request.id);
      return {};
    },
    async ensureProjectTeams(request, context) {
      const caller = context;
      requireService(caller);
      const project = { ...request, review: request.translationReview || request.sourceReview };
      const teams = await ensureProjectTeams(on, caller, project, request.creatorUserId);
      return { groups: teams.map(groupMessage) };
    },
    async listProjectTeams(request, context) {
      const teams = await listProjectTeams(on, context, request.projectId);
      return { groups: teams.map(groupMessage) };
    },
  };
}
