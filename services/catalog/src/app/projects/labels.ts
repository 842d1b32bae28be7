import { hasProblem, joinProblems, throwIfInvalid } from '@parlance/errors';
import { labelSettings } from '@parlance/contracts';
import type { Label } from '../../domain/objects';
import type { Page, PageRequest } from '../../domain/ports';
import { schemaProblems } from '../../domain/component-rules';
import { findProject, notFound, readProject } from '../find-objects';
import { missingSettings } from '../../domain/settings-input';
import type { RequestContext, Deps } from '../deps';
import { reportTaken, takenProblem } from '../save-object';
import { requirePermission, targetOf } from '../visibility';

export interface LabelInput {
  name?: string | undefined;
  description?: string | undefined;
  color?: string | undefined;
}

export async function listLabels(
  deps: Pick<Deps, 'labels' | 'snapshot' | 'reader'>,
  context: RequestContext,
  projectId: number,
  page: PageRequest,
): Promise<Page<Label>> {
  await readProject(deps, context, { id: projectId });
  return deps.labels.page(projectId, page);
}

type CreateLabelDeps = Pick<Deps, 'projects' | 'labels' | 'ids' | 'announcer'>;

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function createLabel(
  deps: CreateLabelDeps,
  context: RequestContext,
  projectId: number,
  input: LabelInput,
): Promise<Label> {
  requirePermission(context, 'project.edit', targetOf(await findProject(deps, context, { id: projectId })));
  const values = { name: input.name ?? '', description: input.description ?? '', color: input.color ?? 'silver' };
  const problems = joinProblems(missingSettings(labelSettings, { ...input }), schemaProblems(labelSettings, values));
  if (!hasProblem(problems, 'name') && (await deps.labels.taken(projectId, values.name)))
    problems.push(takenProblem('name'));
  throwIfInvalid(context.problems, problems);
  const label: Label = { id: await deps.ids.next('label'), projectId, ...values };
  await reportTaken(() => deps.labels.insert(label));
  await deps.announcer.written();
  return label;
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteLabel(
  deps: Pick<Deps, 'projects' | 'labels' | 'announcer'>,
  context: RequestContext,
  projectId: number,
  id: number,
): Promise<void> {
  requirePermission(context, 'project.edit', targetOf(await findProject(deps, context, { id: projectId })));
  if (!(await deps.labels.remove(projectId, id))) throw notFound();
  await deps.announcer.written();
}
