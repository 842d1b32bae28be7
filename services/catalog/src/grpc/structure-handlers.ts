import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { createAddon, deleteAddon, effectiveAddons, getAddon, listAddons, updateAddon } from '../app/addons/addons';
import { createCategory, deleteCategory, updateCategory } from '../app/categories/categories';
import {
  addToComponentList,
  createComponentList,
  deleteComponentList,
  getComponentList,
  listComponentLists,
  removeFromComponentList,
  updateComponentList,
} from '../app/lists/component-lists';
import type { CatalogSnapshot } from '../app/caches/catalog-snapshot';
import { findCategory, findProject } from '../app/find-objects';
import { pageOfIds } from '../app/components/list-components';
import type { RequestContext, Deps } from '../app/deps';
import { hiddenFrom } from '../app/visibility';
import type { Category } from '../domain/objects';
import { addonToProto, categoryToProto, listToProto } from './mappers';
import { toRequestContext, uniqueBatch, requireMessage } from './requests';

type Names =
  | 'listCategories'
  | 'getCategory'
  | 'batchGetCategories'
  | 'createCategory'
  | 'updateCategory'
  | 'deleteCategory'
  | 'listComponentLists'
  | 'getComponentList'
  | 'createComponentList'
  | 'updateComponentList'
  | 'deleteComponentList'
  | 'addToComponentList'
  | 'removeFromComponentList'
  | 'listAddons'
  | 'getAddon'
  | 'listEffectiveAddons'
  | 'createAddon'
  | 'updateAddon'
  | 'deleteAddon';

/** gRPC handlers of categories, component lists and add-ons. */
export function structureHandlers(deps: Deps): Pick<Implementation<'catalog'>, Names> {
  const shown = (snapshot: CatalogSnapshot, c: Category) =>
    categoryToProto(c, snapshot.projects.get(c.projectId)?.slug ?? '', snapshot.path(c.settings.slug, c.categoryId));
  const category = async (context: RequestContext, found: { category: Category }) => ({
    category: shown(await deps.snapshot.at(context.generation), found.category),
  });
  return {
    async listCategories(request, call) {
      const context = toRequestContext(call);
      if (request.projectId) await findProject(deps, context, { id: request.projectId });
      const page = pageOf(request.page);
      const snapshot = await deps.snapshot.at(context.generation);
      const hidden = hiddenFrom(context, snapshot);
      const entries = [...snapshot.categories.values()].filter((c) =>
        request.projectId ? c.projectId === request.projectId : !hidden.projects.has(c.projectId),
      );
      const ids = entries.map((c) => c.id).sort((a, b) => a - b);
      const found = await deps.categories.byIds(pageOfIds(ids, page));
      return { categories: found.map((c) => shown(snapshot, c)), total: ids.length };
    },
    async getCategory(request, call) {
      const context = toRequestContext(call);
      return category(context, await findCategory(deps, context, request));
    },
    async batchGetCategories(request, call) {
      const context = toRequestContext(call);
      const found = await deps.categories.byIds(uniqueBatch(request.ids));
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

    async listComponentLists(request, call) {
      const { items, total } = await listComponentLists(deps, toRequestContext(call), pageOf(request.page));
      return { componentLists: items.map(listToProto), total };
    },
    async getComponentList(request, call) {
      return { componentList: listToProto(await getComponentList(deps, toRequestContext(call), request)) };
    },
    async createComponentList(request, call) {
      return {
        componentList: listToProto(
          await createComponentList(
            deps,
            toRequestContext(call),
            requireMessage(request.componentList, 'component_list'),
          ),
        ),
      };
    },
    async updateComponentList(request, call) {
      const input = requireMessage(request.componentList, 'component_list');
      return {
        componentList: listToProto(
          await updateComponentList(deps, toRequestContext(call), request.id, input, request.replace),
        ),
      };
    },
    async deleteComponentList(request, call) {
      await deleteComponentList(deps, toRequestContext(call), request.id);
      return {};
    },
    async addToComponentList(request, call) {
      return {
        componentList: listToProto(
          await addToComponentList(deps, toRequestContext(call), request.id, request.componentId),
        ),
      };
    },
    async removeFromComponentList(request, call) {
      await removeFromComponentList(deps, toRequestContext(call), request.id, request.componentSlug);
      return {};
    },

    async listAddons(request, call) {
      const { items, total } = await listAddons(deps, toRequestContext(call), request, pageOf(request.page));
      return { addons: items.map(addonToProto), total };
    },
    async getAddon(request, call) {
      return { addon: addonToProto(await getAddon(deps, toRequestContext(call), request.id)) };
    },
    async listEffectiveAddons(request, call) {
      return { addons: (await effectiveAddons(deps, toRequestContext(call), request)).map(addonToProto) };
    },
    async createAddon(request, call) {
      const { componentId, projectId, name, configurationJson } = request;
      return {
        addon: addonToProto(
          await createAddon(deps, toRequestContext(call), { componentId, projectId, name, configurationJson }),
        ),
      };
    },
    async updateAddon(request, call) {
      return {
        addon: addonToProto(await updateAddon(deps, toRequestContext(call), request.id, request, request.replace)),
      };
    },
    async deleteAddon(request, call) {
      await deleteAddon(deps, toRequestContext(call), request.id);
      return {};
    },
  };
}
