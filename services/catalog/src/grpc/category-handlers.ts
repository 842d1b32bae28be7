import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { createCategory, deleteCategory, updateCategory } from '../app/categories/categories';
import type { CatalogSnapshot } from '../app/caches/catalog-snapshot';
import { readCategory, readProject } from '../app/find-objects';
import { pageOfIds } from '../app/components/list-components';
import type { RequestContext, Deps } from '../app/deps';
import { hiddenFrom } from '../app/visibility';
import type { Category } from '../domain/objects';
import { categoryToProto } from './mappers';
import { toRequestContext, uniqueBatch, requireMessage } from './requests';

/** gRPC handlers of categories. */
export function categoryHandlers(
  deps: Deps,
): Pick<
  Implementation<'catalog'>,
  'listCategories' | 'getCategory' | 'batchGetCategories' | 'createCategory' | 'updateCategory' | 'deleteCategory'
> {
  const shown = (snapshot: CatalogSnapshot, c: Category) =>
    categoryToProto(c, snapshot.projects.get(c.projectId)?.slug ?? '', snapshot.path(c.settings.slug, c.categoryId));
  const category = async (context: RequestContext, found: { category: Category }) => ({
    category: shown(await deps.snapshot.at(context.generation), found.category),
  });
  return {
    async listCategories(request, call) {
      const context = toRequestContext(call);
      if (request.projectId) await readProject(deps, context, { id: request.projectId });
      const page = pageOf(request.page);
      const snapshot = await deps.snapshot.at(context.generation);
      const hidden = hiddenFrom(context, snapshot);
      const entries = [...snapshot.categories.values()].filter((c) =>
        request.projectId ? c.projectId === request.projectId : !hidden.projects.has(c.projectId),
      );
      const ids = entries.map((c) => c.id).sort((a, b) => a - b);
      const found = await deps.reader.categories(context.generation, pageOfIds(ids, page));
      return { categories: found.map((c) => shown(snapshot, c)), total: ids.length };
    },
    async getCategory(request, call) {
      const context = toRequestContext(call);
      return category(context, { category: await readCategory(deps, context, request) });
    },
    async batchGetCategories(request, call) {
      const context = toRequestContext(call);
      const found = await deps.reader.categories(context.generation, uniqueBatch(request.ids));
      const snapshot = await deps.snapshot.at(context.generation);
      const hidden = hiddenFrom(context, snapshot);
      return {
        categories: found
          .filter((c) => snapshot.projects.has(c.projectId) && !hidden.projects.has(c.projectId))
          .map((c) => shown(snapshot, c)),
      };
    },
    async createCategory(request, call) {
      const context = toRequestContext(call);
      return category(context, await createCategory(deps, context, requireMessage(request.category, 'category')));
    },
    async updateCategory(request, call) {
      const context = toRequestContext(call);
      return category(
        context,
        await updateCategory(deps, context, request.id, requireMessage(request.category, 'category'), request.replace),
      );
    },
    async deleteCategory(request, call) {
      await deleteCategory(deps, toRequestContext(call), request.id);
      return {};
    },
  };
}
