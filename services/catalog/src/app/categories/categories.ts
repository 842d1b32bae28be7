import { ChangeAction, categorySettings } from '@parlance/contracts';
import { fieldErrors, type FieldProblem, isServiceError, joinProblems, throwIfInvalid } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import { heightOf, isBeingDeleted, levelOf, nestedIn } from '../../domain/category-tree';
import { schemaProblems } from '../../domain/component-rules';
import { MAX_CATEGORY_DEPTH, type Category, type Component, type Project } from '../../domain/objects';
import type { CategoryTree } from '../../domain/ports';
import { change } from '../events';
import { removeComponents, requireRightsOnLinked } from '../components/delete-component';
import { findCategory, findProject, notFound } from '../find-objects';
import { missingSettings, parseJsonObject } from '../../domain/settings-input';
import type { RequestContext, Deps, OutboxLocation } from '../deps';
import { LOST_RACE, takenProblem, updateObject } from '../save-object';
import { requirePermission, targetOf } from '../visibility';

export interface CategoryInput {
  name?: string | undefined;
  slug?: string | undefined;
  projectId?: number | undefined;
  categoryId?: number | undefined;
  configurationJson?: string | undefined;
}

/** Whether objects can be added to the category of a project. */
function isOpen(all: readonly Category[], id: number): boolean {
  return all.some((c) => c.id === id) && !isBeingDeleted(all, id);
}

function noCategory(): FieldProblem {
  return { attr: 'category', code: 'does_not_exist', detail: 'The category does not exist in the project.' };
}

/** Problem of a component's category; null if it is valid. */
export async function categoryProblem(
  deps: Pick<Deps, 'categories'>,
  projectId: number,
  id: number,
): Promise<FieldProblem | null> {
  return id === 0 || isOpen(await deps.categories.ofProject(projectId), id) ? null : noCategory();
}

/**
 * Stores a component that is added to a category or removed from one, serialized with other writes of the project's categories. A
 * category that is being deleted accepts no components and keeps those it contains.
 * @param from the category that it leaves; 0: none
 * @returns false after a concurrent write
 * @throws NOT_FOUND, INVALID
 */
export async function putComponent(
  deps: Pick<Deps, 'categories'>,
  project: Project,
  component: Component,
  from: number,
  events: readonly OutgoingEvent[],
): Promise<boolean> {
  const tree = await treeOf(deps, project);
  if (isBeingDeleted(tree.categories, from)) throw notFound();
  if (component.categoryId !== 0 && !isOpen(tree.categories, component.categoryId)) throw fieldErrors([noCategory()]);
  return deps.categories.putComponent(component, tree, events);
}

async function treeOf(deps: Pick<Deps, 'categories'>, project: Project): Promise<CategoryTree> {
  const tree = await deps.categories.tree(project.id);
  if (!tree) throw notFound();
  return tree;
}

async function problemsOf(
  deps: Pick<Deps, 'categories'>,
  project: Project,
  wanted: Category,
  all: readonly Category[],
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = schemaProblems(categorySettings, { ...wanted.settings });
  const wrong = new Set(problems.map((p) => p.attr));
  if (wanted.categoryId !== 0) {
    if (!isOpen(all, wanted.categoryId)) return [...problems, noCategory()];
    const detail = nestedIn(all, wanted).some((c) => c.id === wanted.categoryId)
      ? 'A category cannot be its own parent.'
      : levelOf(all, wanted.categoryId) + heightOf(all, wanted) > MAX_CATEGORY_DEPTH
        ? `Categories can be nested at most ${MAX_CATEGORY_DEPTH} levels deep.`
        : undefined;
    if (detail) return [...problems, { attr: 'category', code: 'invalid', detail }];
  }
  for (const field of ['name', 'slug'] as const) {
    if (
      !wrong.has(field) &&
      (await deps.categories.taken(project.id, wanted.categoryId, field, wanted.settings[field], wanted.id))
    )
      problems.push(takenProblem(field));
  }
  return problems;
}

/** The configuration of a message; adds its problems. */
function configurationOf(input: CategoryInput, problems: FieldProblem[]): Record<string, unknown> {
  const read = parseJsonObject(input.configurationJson ?? '', 'configuration');
  if ('value' in read) return read.value;
  problems.push(read.problem);
  return {};
}

type CreateCategoryDeps = Pick<Deps, 'projects' | 'categories' | 'ids' | 'announcer'>;

/** @throws PERMISSION_DENIED, INVALID; an unknown project is a field error */
export async function createCategory(
  deps: CreateCategoryDeps,
  context: RequestContext,
  input: CategoryInput,
): Promise<{ category: Category; project: Project }> {
  const required = missingSettings(categorySettings, { ...input });
  const project = input.projectId
    ? await findProject(deps, context, { id: input.projectId }).catch((error: unknown) => {
        if (isServiceError(error, 'NOT_FOUND')) return null;
        throw error;
      })
    : null;
  if (input.projectId !== undefined && !project)
    required.push({ attr: 'project', code: 'does_not_exist', detail: 'The project does not exist.' });
  const settings = {
    name: input.name ?? '',
    slug: input.slug ?? '',
    configuration: configurationOf(input, required),
  };
  // The permission depends on the project, so problems of this field come first.
  if (!project)
    throw fieldErrors(
      joinProblems(context.problems, joinProblems(required, schemaProblems(categorySettings, settings))),
    );
  requirePermission(context, 'project.edit', targetOf(project));
  const category: Category = {
    id: 0,
    version: 1,
    projectId: project.id,
    categoryId: input.categoryId ?? 0,
    settings,
  };
  await updateObject(async () => {
    const tree = await treeOf(deps, project);
    throwIfInvalid(
      context.problems,
      joinProblems(required, await problemsOf(deps, project, category, tree.categories)),
    );
    category.id ||= await deps.ids.next('node');
    return (await deps.categories.put(category, tree, [])) || LOST_RACE;
  });
  await deps.announcer.written();
  return { category, project };
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function updateCategory(
  deps: Pick<Deps, 'projects' | 'categories' | 'announcer'>,
  context: RequestContext,
  id: number,
  input: CategoryInput,
  replace: boolean,
): Promise<{ category: Category; project: Project }> {
  const { category, project, events } = await updateObject(async () => {
    const found = await findCategory(deps, context, { id });
    requirePermission(context, 'project.edit', targetOf(found.project));
    const tree = await treeOf(deps, found.project);
    const before = tree.categories.find((c) => c.id === id);
    if (!before || isBeingDeleted(tree.categories, id)) throw notFound();
    const problems = replace ? missingSettings(categorySettings, { ...input }) : [];
    if (input.projectId !== undefined && input.projectId !== before.projectId) {
      problems.push({ attr: 'project', code: 'invalid', detail: 'A category cannot be moved to another project.' });
    }
    const after: Category = {
      ...before,
      version: before.version + 1,
      categoryId: input.categoryId ?? before.categoryId,
      settings: {
        name: input.name ?? before.settings.name,
        slug: input.slug ?? before.settings.slug,
        configuration:
          input.configurationJson === undefined ? before.settings.configuration : configurationOf(input, problems),
      },
    };
    throwIfInvalid(
      context.problems,
      joinProblems(problems, await problemsOf(deps, found.project, after, tree.categories)),
    );
    const announced = updateEvents(context, tree, before, after);
    return (await deps.categories.put(after, tree, announced))
      ? { category: after, project: found.project, events: announced }
      : LOST_RACE;
  });
  await deps.announcer.written({ location: { collection: 'nodes', id }, events });
  return { category, project };
}

/** History entries of a renamed or moved category. */
function updateEvents(context: RequestContext, tree: CategoryTree, before: Category, after: Category): OutgoingEvent[] {
  const announced: OutgoingEvent[] = [];
  const projectId = before.projectId;
  const renamed = (['slug', 'name'] as const).find((field) => after.settings[field] !== before.settings[field]);
  if (renamed)
    announced.push(
      change(context, {
        action: ChangeAction.categoryRenamed,
        projectId,
        old: before.settings[renamed],
        target: after.settings[renamed],
        details: { category: before.id },
      }),
    );
  if (after.categoryId !== before.categoryId) {
    const slugOf = (outer: number) => tree.categories.find((c) => c.id === outer)?.settings.slug ?? '';
    announced.push(
      change(context, {
        action: ChangeAction.categoryMoved,
        projectId,
        old: slugOf(before.categoryId),
        target: slugOf(after.categoryId),
        details: { category: before.id },
      }),
    );
  }
  return announced;
}

type DeleteCategoryDeps = Pick<
  Deps,
  'projects' | 'components' | 'categories' | 'lists' | 'addons' | 'agreements' | 'announcer' | 'snapshot'
>;

/**
 * Deletes a category with its contents. Can be repeated after an interruption.
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID if components of others use a repository in it
 */
export async function deleteCategory(deps: DeleteCategoryDeps, context: RequestContext, id: number): Promise<void> {
  const { project } = await findCategory(deps, context, { id });
  requirePermission(context, 'project.edit', targetOf(project));
  const componentsIn = async (categories: readonly Category[]): Promise<number[]> => {
    const inside = new Set(categories.map((c) => c.id));
    const snapshot = await deps.snapshot.at('');
    return snapshot.componentsOf(project.id).filter((c) => inside.has(snapshot.components.get(c)!.categoryId));
  };
  const nested = await updateObject(async () => {
    const tree = await treeOf(deps, project);
    const root = tree.categories.find((c) => c.id === id);
    if (!root) throw notFound();
    const doomed = await componentsIn(nestedIn(tree.categories, root));
    const sharing = await deps.components.sharing(doomed);
    await requireRightsOnLinked(
      deps,
      context,
      sharing.filter((c) => !doomed.includes(c.id)),
    );
    // From now on additions are rejected, so deleting the listed contents leaves the category empty.
    const closed =
      root.deleting || (await deps.categories.put({ ...root, version: root.version + 1, deleting: true }, tree, []));
    return closed ? nestedIn(tree.categories, root) : LOST_RACE;
  });
  await removeComponents(deps, context, await deps.components.byIds(await componentsIn(nested)));
  const notes: { location: OutboxLocation; events: OutgoingEvent[] }[] = [];
  for (const c of nested.reverse()) {
    const events = [
      change(context, {
        action: ChangeAction.categoryRemoved,
        projectId: project.id,
        target: c.settings.name,
        details: { category: c.id, slug: c.settings.slug },
      }),
    ];
    if (await deps.categories.remove(c.id, events)) notes.push({ location: { collection: 'nodes', id: c.id }, events });
  }
  if (notes.length === 0) throw notFound();
  await deps.announcer.written(...notes);
}
