import { canSee } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Category, Component, Project } from '../domain/objects';
import type { RequestContext, Deps } from './deps';
import { targetOf } from './visibility';

/** The error for missing and hidden objects. */
export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND');
}

/** A project visible to the caller, by id or slug. @throws NOT_FOUND */
export async function findProject(
  deps: Pick<Deps, 'projects'>,
  context: RequestContext,
  by: { id?: number; slug?: string },
): Promise<Project> {
  const project = by.id ? await deps.projects.get(by.id) : by.slug ? await deps.projects.bySlug(by.slug) : null;
  if (!project || !canSee(context.caller, targetOf(project))) throw notFound();
  return project;
}

type FindComponentDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'snapshot'>;

/** A component visible to the caller, with its project. @throws NOT_FOUND */
export async function findComponent(
  deps: FindComponentDeps,
  context: RequestContext,
  by: { id?: number; projectSlug?: string; path?: string },
): Promise<{ component: Component; project: Project }> {
  let component: Component | null = null;
  let project: Project | null = null;
  if (by.id) {
    component = await deps.components.get(by.id);
    project = component && (await deps.projects.get(component.projectId));
  } else if (by.projectSlug && by.path) {
    project = await deps.projects.bySlug(by.projectSlug);
    component = project && (await componentByPath(deps, project.id, by.path));
  }
  if (!component || !project || !canSee(context.caller, targetOf(project, component))) throw notFound();
  return { component, project };
}

/** The same for responses only, from the cache; use findProject before a change. @throws NOT_FOUND */
export async function readProject(
  deps: Pick<Deps, 'snapshot' | 'reader'>,
  context: RequestContext,
  by: { id?: number; slug?: string },
): Promise<Project> {
  const snapshot = await deps.snapshot.at(context.generation);
  const id = by.id || snapshot.projectWithSlug(by.slug ?? '') || 0;
  const project = (await deps.reader.projects(context.generation, [id]))[0];
  if (!project || !canSee(context.caller, targetOf(project))) throw notFound();
  return project;
}

/** The same for responses only, from the cache; use findComponent before a change. @throws NOT_FOUND */
export async function readComponent(
  deps: Pick<Deps, 'snapshot' | 'reader'>,
  context: RequestContext,
  by: { id?: number; projectSlug?: string; path?: string },
): Promise<{ component: Component; project: Project }> {
  const snapshot = await deps.snapshot.at(context.generation);
  const id = by.id || snapshot.nodeAt(snapshot.projectWithSlug(by.projectSlug ?? '') ?? 0, by.path ?? '') || 0;
  const component = (await deps.reader.components(context.generation, [id]))[0];
  const project = component && (await deps.reader.projects(context.generation, [component.projectId]))[0];
  if (!project || !canSee(context.caller, targetOf(project, component))) throw notFound();
  return { component, project };
}

/** The component at a path of category slugs and its own slug, joined by slashes. */
export async function componentByPath(
  deps: Pick<Deps, 'components' | 'categories' | 'snapshot'>,
  projectId: number,
  path: string,
): Promise<Component | null> {
  const slugs = path.split('/');
  const slug = slugs.pop()!;
  const categoryId = slugs.length === 0 ? 0 : ((await categoryByPath(deps, projectId, slugs))?.id ?? null);
  const found = categoryId === null ? null : await deps.components.bySlug(projectId, categoryId, slug);
  if (found || slugs.length > 0) return found;
  const strayId = (await deps.snapshot.at('')).nodeAt(projectId, path);
  return strayId ? deps.components.get(strayId) : null;
}

async function categoryByPath(
  deps: Pick<Deps, 'categories'>,
  projectId: number,
  slugs: readonly string[],
): Promise<Category | null> {
  const all = await deps.categories.ofProject(projectId);
  let found: Category | undefined;
  for (const slug of slugs) {
    const parent: number = found?.id ?? 0;
    found = all.find((c) => c.categoryId === parent && c.settings.slug === slug);
    if (!found) return null;
  }
  return found ?? null;
}

/** A category of a project visible to the caller. @throws NOT_FOUND */
export async function findCategory(
  deps: Pick<Deps, 'projects' | 'categories'>,
  context: RequestContext,
  by: { id?: number; projectSlug?: string; path?: string },
): Promise<{ category: Category; project: Project }> {
  let category: Category | null = null;
  let project: Project | null = null;
  if (by.id) {
    category = await deps.categories.get(by.id);
    project = category && (await deps.projects.get(category.projectId));
  } else if (by.projectSlug && by.path) {
    project = await deps.projects.bySlug(by.projectSlug);
    category = project && (await categoryByPath(deps, project.id, by.path.split('/')));
  }
  if (!category || !project || !canSee(context.caller, targetOf(project))) throw notFound();
  return { category, project };
}

/** The same for responses only, from the cache; use findCategory before a change. @throws NOT_FOUND */
export async function readCategory(
  deps: Pick<Deps, 'snapshot' | 'reader'>,
  context: RequestContext,
  by: { id?: number; projectSlug?: string; path?: string },
): Promise<Category> {
  const snapshot = await deps.snapshot.at(context.generation);
  const id = by.id || snapshot.nodeAt(snapshot.projectWithSlug(by.projectSlug ?? '') ?? 0, by.path ?? '') || 0;
  const category = (await deps.reader.categories(context.generation, [id]))[0];
  const project = category && (await deps.reader.projects(context.generation, [category.projectId]))[0];
  if (!project || !canSee(context.caller, targetOf(project))) throw notFound();
  return category;
}
