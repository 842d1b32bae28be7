import type { Client } from '@parlance/grpc-kit';
import type { CatalogClient } from '../domain/ports';

/** The catalog over gRPC. Components and projects are looked up with the permissions of the caller. */
export function makeCatalogClient(client: Client<'catalog'>): CatalogClient {
  return {
    async component(id, context) {
      const { components, projects } = await client.batchGetComponents({ ids: [id] }, { as: context });
      const component = components.find((c) => c.id === id);
      const project = projects.find((p) => p.id === component?.projectId);
      if (!component || !project) return undefined;
      return {
        componentId: id,
        projectId: project.id,
        accessControl: project.accessControl,
        restricted: component.restricted,
        enforced2fa: project.enforced_2fa,
      };
    },

    async project(id, context) {
      const { projects } = await client.batchGetProjects({ ids: [id] }, { as: context });
      const project = projects.find((p) => p.id === id);
      if (!project) return undefined;
      return { projectId: id, accessControl: project.accessControl, enforced2fa: project.enforced_2fa };
    },
  };
}
