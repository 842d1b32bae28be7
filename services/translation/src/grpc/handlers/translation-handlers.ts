import { can, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { pageOf, requireId, type Implementation, requireService } from '@parlance/grpc-kit';
import { loadTranslation, type LoadTranslationDeps } from '../../app/load-translation';
import { recountTranslation, type RecountDeps } from '../../app/effects/recount-translation';
import { removeTranslation, type RemoveTranslationDeps } from '../../app/remove-translation';
import { accessTarget } from '../../domain/component';
import type { TranslationQueries, TranslationReader } from '../../domain/ports';
import type { MemoryIndexReader } from '../../domain/memory/index-ports';
import type { SearchIndexReader } from '../../domain/search/ports';
import { authorFromProto, countersToProto } from '../../proto/common';
import { translationToProto } from '../mappers';
import { requireIds } from '../validation';

export type TranslationMethod =
  | 'getTranslation'
  | 'batchGetTranslations'
  | 'listTranslations'
  | 'deleteTranslation'
  | 'recountTranslation'
  | 'rebuildIndexes';

export interface TranslationHandlerDeps extends RemoveTranslationDeps, LoadTranslationDeps, RecountDeps {
  units: RemoveTranslationDeps['units'] & RecountDeps['units'];
  translations: RemoveTranslationDeps['translations'] &
    RecountDeps['translations'] &
    TranslationReader &
    Pick<TranslationQueries, 'page'>;
  changes: RemoveTranslationDeps['changes'] & RecountDeps['changes'];
  announcer: RemoveTranslationDeps['announcer'] & RecountDeps['announcer'];
  searchIndexStore: Pick<SearchIndexReader, 'requestRebuild'>;
  memoryIndexStore: Pick<MemoryIndexReader, 'requestRebuild'>;
}

export function makeTranslationHandlers(
  deps: TranslationHandlerDeps,
): Pick<Implementation<'translation'>, TranslationMethod> {
  return {
    async getTranslation(request) {
      const found = request.id
        ? await deps.translations.get(request.id)
        : await deps.translations.find(requireId(request.componentId, 'component_id'), request.languageCode);
      if (!found) throw new ServiceError('NOT_FOUND');
      return { translation: translationToProto(found) };
    },
    async batchGetTranslations(request) {
      return { translations: (await deps.translations.many(requireIds(request.ids))).map(translationToProto) };
    },
    async listTranslations(request) {
      const { page, size } = pageOf(request.page, { maxSize: 10_000 });
      const found = await deps.translations.page(
        {
          components: request.componentIds,
          projects: request.projectIds,
          language: request.languageCode,
          excludedComponents: request.excludedComponentIds,
          excludedProjects: request.excludedProjectIds,
        },
        page,
        size,
      );
      return { translations: found.items.map(translationToProto), total: found.total };
    },
    async deleteTranslation(request, context) {
      requireService(context.caller);
      const translation = await deps.translations.get(requireId(request.id, 'id'));
      if (translation) await removeTranslation(deps, translation, authorFromProto(request.author));
      return {};
    },
    async recountTranslation(request, context) {
      await requireComponentAccess(deps, context.caller, request.translationId);
      if (request.repair) {
        requireService(context.caller);
        await recountTranslation(deps, request.translationId, []);
      }
      return { counters: countersToProto(await deps.units.recount(request.translationId)) };
    },
    async rebuildIndexes(_request, context) {
      requireService(context.caller);
      await deps.searchIndexStore.requestRebuild();
      await deps.memoryIndexStore.requestRebuild();
      return {};
    },
  };
}

async function requireComponentAccess(deps: LoadTranslationDeps, caller: Caller, id: number): Promise<void> {
  const { component } = await loadTranslation(deps, requireId(id, 'translation_id'), '');
  if (!caller.service && !can(caller, 'component.edit', accessTarget(component)))
    throw new ServiceError('PERMISSION_DENIED');
}
