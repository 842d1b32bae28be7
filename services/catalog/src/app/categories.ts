import { categorySettings } from '@parlance/contracts';
import { isServiceError, type FieldProblem } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import { tableProblems } from '../domain/component-rules';
import { MAX_CATEGORY_DEPTH, type Category, type Project } from '../domain/objects';
import { action, change } from './announce';
import { removeComponents } from './delete-component';
import { findCategory, findProject, nestedIn, notFound } from './find';
import { missing, objectOf } from './input';
import type { Actor, Parts, Place } from './parts';
import { refuse, retried, taken, uniquely } from './save';
import { demand, targetOf } from './visibility';

export interface CategoryInput {
  name?: string | undefined;
  slug?: string | undefined;
  projectId?: number | undefined;
  categoryId?: number | undefined;
  configurationJson?: string | undefined;
}

/** How many levels lie from the top down to this category, itself included. */
function levelOf(all: readonly Category[], id: number): number {
  let level = 0;
  for (
    let c = all.find((x) => x.id === id);
    c && level <= MAX_CATEGORY_DEPTH;
    c = all.find((x) => x.id === c!.categoryId)
  )
    level++;
  return level;
}

/** How many levels a category takes up with all that is nested in it. */
function heightOf(all: readonly Category[], id: number): number {
  const heights = all.filter((c) => c.categoryId === id).map((c) => heightOf(all, c.id));
  return 1 + Math.max(0, ...heights);
}

async function problemsOf(parts: Parts, project: Project, wanted: Category): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = tableProblems(categorySettings, { ...wanted.settings });
  const wrong = new Set(problems.map((p) => p.attr));
  if (wanted.categoryId !== 0) {
    const all = await parts.categories.ofProject(project.id);
    const detail = !all.some((c) => c.id === wanted.categoryId)
      ? 'There is no such category in the project.'
      : nestedIn(all, wanted.id).some((c) => c.id === wanted.categoryId)
        ? 'A category cannot lie in itself.'
        : levelOf(all, wanted.categoryId) + (wanted.id ? heightOf(all, wanted.id) : 1) > MAX_CATEGORY_DEPTH
          ? `Categories can lie in one another ${MAX_CATEGORY_DEPTH} levels deep.`
          : undefined;
    if (detail)
      return [
        ...problems,
        { attr: 'category', code: detail.startsWith('There') ? 'does_not_exist' : 'invalid', detail },
      ];
  }
  for (const field of ['name', 'slug'] as const) {
    if (
      !wrong.has(field) &&
      (await parts.categories.taken(project.id, wanted.categoryId, field, wanted.settings[field], wanted.id))
    )
      problems.push(taken(field));
  }
  return problems;
}

function configurationOf(input: CategoryInput): Record<string, unknown> {
  const read = objectOf(input.configurationJson ?? '', 'configuration');
  if ('problem' in read) refuse([read.problem]);
  return 'value' in read ? read.value : {};
}

/** @throws PERMISSION_DENIED, INVALID; an unknown project is a field error */
export async function createCategory(
  parts: Parts,
  actor: Actor,
  input: CategoryInput,
): Promise<{ category: Category; project: Project }> {
  const required = missing(categorySettings, { ...input });
  const project = input.projectId
    ? await findProject(parts, actor, { id: input.projectId }).catch((error: unknown) => {
        if (isServiceError(error, 'NOT_FOUND')) return null;
        throw error;
      })
    : null;
  if (input.projectId !== undefined && !project)
    required.push({ attr: 'project', code: 'does_not_exist', detail: 'There is no such project.' });
  if (!project) refuse(required);
  demand(actor, 'project.edit', targetOf(project!));
  const category: Category = {
    id: 0,
    version: 1,
    projectId: project!.id,
    categoryId: input.categoryId ?? 0,
    settings: { name: input.name ?? '', slug: input.slug ?? '', configuration: configurationOf(input) },
  };
  const known = new Set(required.map((p) => p.attr));
  refuse([...required, ...(await problemsOf(parts, project!, category)).filter((p) => !known.has(p.attr))]);
  category.id = await parts.ids.next('node');
  await uniquely(() => parts.categories.insert(category, []));
  await parts.announcer.written();
  return { category, project: project! };
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function updateCategory(
  parts: Parts,
  actor: Actor,
  id: number,
  input: CategoryInput,
  replace: boolean,
): Promise<{ category: Category; project: Project }> {
  const { category, project, events } = await retried(async () => {
    const found = await findCategory(parts, actor, { id });
    const before = found.category;
    demand(actor, 'project.edit', targetOf(found.project));
    const problems = replace ? missing(categorySettings, { ...input }) : [];
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
        configuration: input.configurationJson === undefined ? before.settings.configuration : configurationOf(input),
      },
    };
    refuse([...problems, ...(await problemsOf(parts, found.project, after))]);
    const announced: OutgoingEvent[] = [];
    const projectId = before.projectId;
    const renamed = (['slug', 'name'] as const).find((field) => after.settings[field] !== before.settings[field]);
    if (renamed)
      announced.push(
        change(actor, {
          action: action.categoryRenamed,
          projectId,
          old: before.settings[renamed],
          target: after.settings[renamed],
          details: { category: id },
        }),
      );
    if (after.categoryId !== before.categoryId) {
      announced.push(
        change(actor, {
          action: action.categoryMoved,
          projectId,
          old: String(before.categoryId || ''),
          target: String(after.categoryId || ''),
          details: { category: id },
        }),
      );
    }
    return (await parts.categories.replace(after, announced))
      ? { category: after, project: found.project, events: announced }
      : undefined;
  });
  await parts.announcer.written({ place: { collection: 'nodes', id }, events });
  return { category, project };
}

/** Removes the category with all that lies in it. Interrupted, it can be called again. @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteCategory(parts: Parts, actor: Actor, id: number): Promise<void> {
  const { category, project } = await findCategory(parts, actor, { id });
  demand(actor, 'project.edit', targetOf(project));
  const nested = nestedIn(await parts.categories.ofProject(project.id), category.id);
  const inside = new Set(nested.map((c) => c.id));
  const directory = await parts.directory.at('');
  await removeComponents(
    parts,
    actor,
    await parts.components.byIds(
      directory.componentsOf(project.id).filter((c) => inside.has(directory.components.get(c)!.categoryId)),
    ),
  );
  const notes: { place: Place; events: OutgoingEvent[] }[] = [];
  for (const c of nested.reverse()) {
    const events = [
      change(actor, {
        action: action.categoryRemoved,
        projectId: project.id,
        target: c.settings.name,
        details: { category: c.id, slug: c.settings.slug },
      }),
    ];
    if (await parts.categories.remove(c.id, events)) notes.push({ place: { collection: 'nodes', id: c.id }, events });
  }
  if (notes.length === 0) throw notFound();
  await parts.announcer.written(...notes);
}
