import { isKnown, joinProblems, refuse } from '@parlance/errors';
import { labelSettings } from '@parlance/contracts';
import type { Label } from '../domain/objects';
import type { Page, PageWish } from '../domain/ports';
import { tableProblems } from '../domain/component-rules';
import { findProject, notFound } from './find';
import { missing } from './input';
import type { Actor, Parts } from './parts';
import { taken, uniquely } from './save';
import { demand, targetOf } from './visibility';

export interface LabelInput {
  name?: string | undefined;
  description?: string | undefined;
  color?: string | undefined;
}

export async function listLabels(parts: Parts, actor: Actor, projectId: number, wish: PageWish): Promise<Page<Label>> {
  await findProject(parts, actor, { id: projectId });
  return parts.labels.page(projectId, wish);
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function createLabel(parts: Parts, actor: Actor, projectId: number, input: LabelInput): Promise<Label> {
  demand(actor, 'project.edit', targetOf(await findProject(parts, actor, { id: projectId })));
  const values = { name: input.name ?? '', description: input.description ?? '', color: input.color ?? 'silver' };
  const problems = joinProblems(missing(labelSettings, { ...input }), tableProblems(labelSettings, values));
  if (!isKnown(problems, 'name') && (await parts.labels.taken(projectId, values.name))) problems.push(taken('name'));
  refuse(actor.problems, problems);
  const label: Label = { id: await parts.ids.next('label'), projectId, ...values };
  await uniquely(() => parts.labels.insert(label));
  await parts.announcer.written();
  return label;
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteLabel(parts: Parts, actor: Actor, projectId: number, id: number): Promise<void> {
  demand(actor, 'project.edit', targetOf(await findProject(parts, actor, { id: projectId })));
  if (!(await parts.labels.remove(projectId, id))) throw notFound();
  await parts.announcer.written();
}
