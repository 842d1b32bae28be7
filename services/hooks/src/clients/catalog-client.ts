import type { catalog } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import type { CatalogClient, ComponentInfo, ComponentMatch, ProjectInfo } from '../domain/ports';

const projectInfo = (p: catalog.Project__Output): ProjectInfo => ({
  id: p.id,
  slug: p.slug,
  accessControl: p.accessControl,
  enforced2fa: p.enforced_2fa,
  enableHooks: p.enableHooks,
  hasSecret: p.hasHookSecret,
});

function matches(response: catalog.MatchRepositoriesResponse__Output): ComponentMatch[] {
  return response.matches.flatMap(({ component, branchMatches, enabled, hookSecret }) =>
    component
      ? [
          {
            componentId: component.id,
            projectId: component.projectId,
            path: `${component.projectSlug}/${component.path}`,
            branchMatches,
            enabled,
            secret: hookSecret,
          },
        ]
      : [],
  );
}

/** The catalog over gRPC. Matching runs as a service, reads run as the caller. */
export function makeCatalogClient(client: Client<'catalog'>, own: () => string): CatalogClient {
  return {
    match: async ({ urls, fullName, branch }) =>
      matches(await client.matchRepositories({ candidateUrls: [...urls], fullName, branch }, { as: own() })),

    ofProject: async (slug, path = '') =>
      matches(await client.matchRepositories({ projectSlug: slug, componentPath: path }, { as: own() })),

    async components(ids, context) {
      if (ids.length === 0) return [];
      const { components, projects } = await client.batchGetComponents({ ids: [...ids] }, { as: context });
      const byId = new Map(projects.map((p) => [p.id, projectInfo(p)]));
      return components.flatMap((c): ComponentInfo[] => {
        const project = byId.get(c.projectId);
        return project
          ? [
              {
                id: c.id,
                projectId: c.projectId,
                projectSlug: c.projectSlug,
                path: c.path,
                restricted: c.restricted,
                project,
              },
            ]
          : [];
      });
    },

    async project(id, context) {
      try {
        const { project } = await client.getProject({ id }, { as: context });
        return project ? projectInfo(project) : undefined;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return undefined;
        throw error;
      }
    },

    async names(projectIds, componentIds) {
      const [projects, components] = await Promise.all([
        projectIds.length > 0 ? client.batchGetProjects({ ids: [...projectIds] }, { as: own() }) : { projects: [] },
        componentIds.length > 0
          ? client.batchGetComponents({ ids: [...componentIds] }, { as: own() })
          : { components: [] },
      ]);
      return {
        projects: new Map(projects.projects.map((p) => [p.id, p.slug])),
        components: new Map(components.components.map((c) => [c.id, c.path])),
      };
    },
  };
}
