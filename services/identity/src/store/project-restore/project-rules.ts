import type { BackedUpDocument, ProjectRules, ProjectWrite, RestoredIds } from '@parlance/store-kit';
import { teamKey } from '../../domain/permissions/defaults';
import type { Group } from '../../domain/permissions/group';
import type { UserDocument } from '../user-schema';

const nothingPending = { outbox: [], auditTrail: [] };

type StoredGroup = BackedUpDocument & Omit<Group, 'id'>;

/** Components with new ids; those of other projects stay. */
const movedComponents = ({ components }: StoredGroup, ids: RestoredIds) =>
  components.flatMap(({ id, projectId }) => {
    const project = ids.number('project', projectId);
    const component = ids.number('node', id);
    return project === undefined || component === undefined ? [] : [{ id: component, projectId: project }];
  });

/** A team of the project. */
function restoredTeam(team: StoredGroup, ids: RestoredIds): ProjectWrite {
  const definingProject = ids.number('project', team.definingProject)!;
  const key = team.teamKey && teamKey(definingProject, team.teamKey.slice(team.teamKey.indexOf(':') + 1));
  return {
    insert: {
      ...team,
      definingProject,
      teamKey: key,
      projects: team.projects.map((id) => ids.number('project', id) ?? id),
      components: [
        ...team.components.filter(({ projectId }) => !ids.has('project', projectId)),
        ...movedComponents(team, ids),
      ],
      ...nothingPending,
    },
  };
}

/** The rights of another group, if it exists. */
function restoredGrant(group: StoredGroup, ids: RestoredIds): ProjectWrite | undefined {
  const projects = group.projects.flatMap((id) => ids.number('project', id) ?? []);
  const components = movedComponents(group, ids);
  if (projects.length === 0 && components.length === 0) return undefined;
  return {
    update: { $addToSet: { projects: { $each: projects }, components: { $each: components } }, $inc: { version: 1 } },
    filter: { _id: group['_id'], deleted: false },
  };
}

/** How a project is restored from a backup into this database. The decision: docs/adr/0048-restore-one-project-with-new-ids.md. */
export const projectRules: ProjectRules = {
  projects: {
    write(document, ids) {
      const project = ids.moved(document, { _id: 'project' });
      return project && { insert: { ...project, ...nothingPending } };
    },
  },
  groups: {
    write(document, ids) {
      const group = document as StoredGroup;
      if (group.deleted) return undefined;
      return ids.has('project', group.definingProject) ? restoredTeam(group, ids) : restoredGrant(group, ids);
    },
    refersTo: ({ _id, definingProject }) => [{ kind: 'team', from: String(_id), to: String(definingProject) }],
    ofProject: (definingProject) => ({ definingProject }),
  },
  users: {
    write(document, ids) {
      const { _id, isBot, groups, watched } = document as unknown as UserDocument;
      if (isBot) return undefined;
      const teams = groups.filter((id) => ids.has('project', ids.number('team', id)));
      const projects = watched.flatMap((id) => ids.number('project', id) ?? []);
      if (teams.length === 0 && projects.length === 0) return undefined;
      return {
        update: { $addToSet: { groups: { $each: teams }, watched: { $each: projects } }, $inc: { version: 1 } },
        filter: { _id, deleted: false },
      };
    },
  },
};
