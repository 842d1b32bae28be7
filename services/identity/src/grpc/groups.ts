import type { Implementation } from '@parlance/grpc-kit';
import { addToGroup, removeFromGroup } from '../app/groups/associate-group';
import { createGroup } from '../app/groups/create-group';
import { deleteGroup } from '../app/groups/delete-group';
import type { Deps } from '../app/deps';
import { getGroup, listGroups, listProjectTeams } from '../app/groups/list-groups';
import { ensureProjectTeams } from '../app/groups/project-teams';
import { requireService } from '../app/rights';
import { sliceOf } from '../app/page-request';
import { updateGroup } from '../app/groups/update-group';
import { associationToAddFromProto, associationToRemoveFromProto } from './associations';
import { groupToProto } from './mappers';

type Methods = Pick<
  Implementation<'identity'>,
  | 'listGroups'
  | 'getGroup'
  | 'createGroup'
  | 'updateGroup'
  | 'deleteGroup'
  | 'addGroupAssociation'
  | 'removeGroupAssociation'
  | 'ensureProjectTeams'
  | 'listProjectTeams'
>;

/** gRPC handlers of groups and project teams. */
export function groupMethods(deps: Deps): Methods {
  return {
    async listGroups(request, context) {
      const page = await listGroups(deps, context, sliceOf(request.page));
      return { groups: page.items.map(groupToProto), total: page.total };
    },
    async getGroup(request, context) {
      return { group: groupToProto(await getGroup(deps, context, request.id)) };
    },
    async createGroup(request, context) {
      const input = { ...request, definingProject: request.definingProjectId, enforced2fa: request.enforced_2fa };
      return { group: groupToProto(await createGroup(deps, context, input)) };
    },
    async updateGroup(request, context) {
      const changes = { ...request, definingProject: request.definingProjectId, enforced2fa: request.enforced_2fa };
      return { group: groupToProto(await updateGroup(deps, context, request.id, changes)) };
    },
    async deleteGroup(request, context) {
      await deleteGroup(deps, context, request.id);
      return {};
    },
    async addGroupAssociation(request, context) {
      return {
        group: groupToProto(await addToGroup(deps, context, request.groupId, associationToAddFromProto(request))),
      };
    },
    async removeGroupAssociation(request, context) {
      return {
        group: groupToProto(
          await removeFromGroup(deps, context, request.groupId, associationToRemoveFromProto(request)),
        ),
      };
    },
    async ensureProjectTeams(request, context) {
      const caller = context;
      requireService(caller);
      const project = { ...request, review: request.translationReview || request.sourceReview };
      const teams = await ensureProjectTeams(deps, caller, project, request.creatorUserId);
      return { groups: teams.map(groupToProto) };
    },
    async listProjectTeams(request, context) {
      const teams = await listProjectTeams(deps, context, request.projectId);
      return { groups: teams.map(groupToProto) };
    },
  };
}
