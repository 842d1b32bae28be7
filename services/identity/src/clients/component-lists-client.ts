import type { Client } from '@parlance/grpc-kit';
import type { ComponentListProjects } from '../domain/ports';

const PAGE = 1000;

/** Asks the catalog which projects component lists reach. Few lists exist, so whole pages of them are read at once. */
export function componentListProjectsClient(
  catalog: Pick<Client<'catalog'>, 'listComponentLists'>,
  ownCaller: () => string,
): ComponentListProjects {
  return {
    async projectsOf(listIds) {
      const wanted = new Set(listIds);
      const projects = new Map<number, number[]>();
      for (let page = 1; ; page++) {
        const answer = await catalog.listComponentLists({ page: { page, pageSize: PAGE } }, { as: ownCaller() });
        for (const list of answer.componentLists) {
          if (wanted.has(list.id)) projects.set(list.id, [...new Set(list.components.map((c) => c.projectId))]);
        }
        if (answer.componentLists.length < PAGE || projects.size === wanted.size) return projects;
      }
    },
  };
}
