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
import type { Directory } from '../app/caches/catalog-snapshot';
import { findCategory, findProject } from '../app/find-objects';
import { slice } from '../app/components/list-components';
import type { RequestContext, Deps } from '../app/deps';
import { hiddenFrom } from '../app/visibility';
import type { Category } from '../domain/objects';
import { addonToProto, categoryToProto, listToProto } from './mappers';
import { requestContext, batch, needed } from './requests';

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

/** Categories, component lists and add-ons. */
export function structureHandlers(deps: Deps): Pick<Implementation<'catalog'>, Names> {
  const shown = (directory: Directory, c: Category) =>
    categoryToProto(c, directory.projects.get(c.projectId)?.slug ?? '', directory.path(c.settings.slug, c.categoryId));
  const category = async (context: RequestContext, found: { category: Category }) => ({
    category: shown(await deps.directory.at(context.generation), found.category),
  });
  return {
    async listCategories(request, context) {
      const actor = requestContext(context);
      if (request.projectId) await findProject(deps, actor, { id: request.projectId });
      const wish = pageOf(request.page);
      const directory = await deps.directory.at(actor.generation);
      const hidden = hiddenFrom(actor, directory);
      const entries = [...directory.categories.values()].filter((c) =>
        request.projectId ? c.projectId === request.projectId : !hidden.projects.has(c.projectId),
      );
      const ids = entries.map((c) => c.id).sort((a, b) => a - b);
      const found = await deps.categories.byIds(slice(ids, wish));
      return { categories: found.map((c) => shown(directory, c)), total: ids.length };
    },
    async getCategory(request, context) {
      const actor = requestContext(context);
      return category(actor, await findCategory(deps, actor, request));
    },
    async batchGetCategories(request, context) {
      const actor = requestContext(context);
      const found = await deps.categories.byIds(batch(request.ids));
      const directory = await deps.directory.at(actor.generation);
      const hidden = hiddenFrom(actor, directory);
      return {
        categories: found
          .filter((c) => directory.projects.has(c.projectId) && !hidden.projects.has(c.projectId))
          .map((c) => shown(directory, c)),
      };
    },
    async createCategory(request, context) {
      const actor = requestContext(context);
      return category(actor, await createCategory(deps, actor, needed(request.category, 'category')));
    },
    async updateCategory(request, context) {
      const actor = requestContext(context);
      return category(
        actor,
        await updateCategory(deps, actor, request.id, needed(request.category, 'category'), request.replace),
      );
    },
    async deleteCategory(request, context) {
      await deleteCategory(deps, requestContext(context), request.id);
      return {};
    },

    async listComponentLists(request, context) {
      const { items, total } = await listComponentLists(deps, requestContext(context), pageOf(request.page));
      return { componentLists: items.map(listToProto), total };
    },
    async getComponentList(request, context) {
      return { componentList: listToProto(await getComponentList(deps, requestContext(context), request)) };
    },
    async createComponentList(request, context) {
      return {
        componentList: listToProto(
          await createComponentList(deps, requestContext(context), needed(request.componentList, 'component_list')),
        ),
      };
    },
    async updateComponentList(request, context) {
      const input = needed(request.componentList, 'component_list');
      return {
        componentList: listToProto(
          await updateComponentList(deps, requestContext(context), request.id, input, request.replace),
        ),
      };
    },
    async deleteComponentList(request, context) {
      await deleteComponentList(deps, requestContext(context), request.id);
      return {};
    },
    async addToComponentList(request, context) {
      return {
        componentList: listToProto(
          await addToComponentList(deps, requestContext(context), request.id, request.componentId),
        ),
      };
    },
    async removeFromComponentList(request, context) {
      await removeFromComponentList(deps, requestContext(context), request.id, request.componentSlug);
      return {};
    },

    async listAddons(request, context) {
      const { items, total } = await listAddons(deps, requestContext(context), request, pageOf(request.page));
      return { addons: items.map(addonToProto), total };
    },
    async getAddon(request, context) {
      return { addon: addonToProto(await getAddon(deps, requestContext(context), request.id)) };
    },
    async listEffectiveAddons(request, context) {
      return { addons: (await effectiveAddons(deps, requestContext(context), request)).map(addonToProto) };
    },
    async createAddon(request, context) {
      const { componentId, projectId, name, configurationJson } = request;
      return {
        addon: addonToProto(
          await createAddon(deps, requestContext(context), { componentId, projectId, name, configurationJson }),
        ),
      };
    },
    async updateAddon(request, context) {
      return {
        addon: addonToProto(await updateAddon(deps, requestContext(context), request.id, request, request.replace)),
      };
    },
    async deleteAddon(request, context) {
      await deleteAddon(deps, requestContext(context), request.id);
      return {};
    },
  };
}
