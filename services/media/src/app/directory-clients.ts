import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import type { Directory } from '../domain/ports';

/** Components and strings as the services that own them know them. Components are looked up as the caller, strings as the process. */
export function directoryOf(
  catalog: Client<'catalog'>,
  translation: Client<'translation'>,
  own: () => string,
): Directory {
  return {
    async component(id, context) {
      const { components, projects } = await catalog.batchGetComponents({ ids: [id] }, { as: context });
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

    async translation(id) {
      try {
        const { translation: found } = await translation.getTranslation({ id }, { as: own() });
        return found
          ? { componentId: found.componentId, projectId: found.projectId, languageCode: found.languageCode }
          : undefined;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return undefined;
        throw error;
      }
    },

    async translationOfUnit(unitId) {
      const { units } = await translation.batchGetUnits({ ids: [unitId] }, { as: own() });
      return units.find((u) => u.id === unitId)?.translationId;
    },
  };
}
