import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import type { TranslationClient } from '../domain/ports';

/** The translation service over gRPC. Calls are made as this service. */
export function makeTranslationClient(client: Client<'translation'>, own: () => string): TranslationClient {
  return {
    async translation(id) {
      try {
        const { translation } = await client.getTranslation({ id }, { as: own() });
        return translation
          ? {
              componentId: translation.componentId,
              projectId: translation.projectId,
              languageCode: translation.languageCode,
            }
          : undefined;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return undefined;
        throw error;
      }
    },

    async translationOfUnit(unitId) {
      const { units } = await client.batchGetUnits({ ids: [unitId] }, { as: own() });
      return units.find((u) => u.id === unitId)?.translationId;
    },
  };
}
