import { canSee } from '@parlance/access';
import type { catalog } from '@parlance/contracts';
import type { Implementation } from '@parlance/grpc-kit';
import { createAddon, deleteAddon, effectiveAddons, getAddon, listAddons, updateAddon } from '../app/addons';
import { createCategory, deleteCategory, updateCategory } from '../app/categories';
import {
  addToComponentList,
  createComponentList,
  deleteComponentList,
  getComponentList,
  listComponentLists,
  removeFromComponentList,
  updateComponentList,
} from '../app/component-lists';
import { findCategory, findProject } from '../app/find';
import type { Parts } from '../app/parts';
import { categoryPaths } from '../app/views';
import { targetOf } from '../app/visibility';
import type { Category, Project } from '../domain/objects';
import { addonToProto, categoryToProto, listToProto } from './mappers';
import { actorOf, batch, needed, pageWish } from './requests';

type Names =
  | 'listCategories' | 'getCategory' | 'batchGetCategories' | 'createCategory' | 'updateCategory' | 'deleteCategory'
  | 'listComponentLists' | 'getComponentList' | 'createComponentList' | 'updateComponentList' | 'deleteComponentList' | 'addToComponentList'
  | 'removeFromComponentList' | 'listAddons' | 'getAddon' | 'listEffectiveAddons' | 'createAddon' | 'updateAddon' | 'deleteAddon';

/** Categories, component lists and add-ons. */
export function structureHandlers(parts: Parts): Pick<Implementation<'catalog'>, Names> {
  const categories = async (found: readonly Category[], known: readonly Project[]): Promise<catalog.Category[]> => {
    const paths = await categoryPaths(parts, found);
    const projects = new Map(known.map((p) => [p.id, p]));
    return found.flatMap((c) => {
      const project = projects.get(c.projectId);
      return project ? [categoryToProto(c, project.settings.slug, paths.get(c.id)!)] : [];
    });
  };
  const category = async (found: { category: Category; project: Project }) => ({ category: (await categories([found.category], [found.project]))[0]! });
  const projectsOf = (found: readonly Category[]) => parts.projects.byIds([...new Set(found.map((c) => c.projectId))]);
  return {
    async listCategories(request, context) {
      const actor = actorOf(context);
      if (request.projectId) await findProject(parts, actor, { id: request.projectId });
      const { items, total } = await parts.categories.page(await parts.visibility.hidden(actor), request.projectId, pageWish(request.page));
      return { categories: await categories(items, await projectsOf(items)), total };
    },
    async getCategory(request, context) {
      return category(await findCategory(parts, actorOf(context), request));
    },
    async batchGetCategories(request, context) {
      const { principal } = actorOf(context);
      const found = await parts.categories.byIds(batch(request.ids));
      const projects = (await projectsOf(found)).filter((p) => canSee(principal, targetOf(p)));
      return { categories: await categories(found, projects) };
    },
    async createCategory(request, context) {
      return category(await createCategory(parts, actorOf(context), needed(request.category, 'category')));
    },
    async updateCategory(request, context) {
      return category(await updateCategory(parts, actorOf(context), request.id, needed(request.category, 'category'), request.replace));
    },
    async deleteCategory(request, context) {
      await deleteCategory(parts, actorOf(context), request.id);
      return {};
    },

    async listComponentLists(request, context) {
      const { items, total } = await listComponentLists(parts, actorOf(context), pageWish(request.page));
      return { componentLists: items.map(listToProto), total };
    },
    async getComponentList(request, context) {
      return { componentList: listToProto(await getComponentList(parts, actorOf(context), request)) };
    },
    async createComponentList(request, context) {
      return { componentList: listToProto(await createComponentList(parts, actorOf(context), needed(request.componentList, 'component_list'))) };
    },
    async updateComponentList(request, context) {
      const input = needed(request.componentList, 'component_list');
      return { componentList: listToProto(await updateComponentList(parts, actorOf(context), request.id, input, request.replace)) };
    },
    async deleteComponentList(request, context) {
      await deleteComponentList(parts, actorOf(context), request.id);
      return {};
    },
    async addToComponentList(request, context) {
      return { componentList: listToProto(await addToComponentList(parts, actorOf(context), request.id, request.componentId)) };
    },
    async removeFromComponentList(request, context) {
      await removeFromComponentList(parts, actorOf(context), request.id, request.componentSlug);
      return {};
    },

    async listAddons(request, context) {
      const { items, total } = await listAddons(parts, actorOf(context), request, pageWish(request.page));
      return { addons: items.map(addonToProto), total };
    },
    async getAddon(request, context) {
      return { addon: addonToProto(await getAddon(parts, actorOf(context), request.id)) };
    },
    async listEffectiveAddons(request, context) {
      return { addons: (await effectiveAddons(parts, actorOf(context), request)).map(addonToProto) };
    },
    async createAddon(request, context) {
      const { componentId, projectId, name, configurationJson } = request;
      return { addon: addonToProto(await createAddon(parts, actorOf(context), { componentId, projectId, name, configurationJson })) };
    },
    async updateAddon(request, context) {
      return { addon: addonToProto(await updateAddon(parts, actorOf(context), request.id, request, request.replace)) };
    },
    async deleteAddon(request, context) {
      await deleteAddon(parts, actorOf(context), request.id);
      return {};
    },
  };
}
