import { addonDefinition } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { newEvent, type OutgoingEvent } from '@parlance/events';
import { serviceCaller } from '@parlance/access';
import { TakenError, type ProjectRestoreStore } from '../../domain/ports';
import type { Deps, RequestContext } from '../deps';
import { addonChanged, projectCreated, SOURCE } from '../events';

export interface RestoreProjectDeps extends Pick<Deps, 'projects' | 'addons' | 'ids' | 'announcer'> {
  restores: ProjectRestoreStore;
  publish: (event: OutgoingEvent) => Promise<unknown>;
}

const context: RequestContext = { caller: serviceCaller(SOURCE), forwarded: {}, generation: '', problems: [] };

/**
 * Prepares the restore of a project from a backup, under a new id. Announces the deletion of an interrupted one.
 * @throws CONFLICT if the installation has the project, its slug or its name
 */
export async function beginProjectRestore(
  deps: RestoreProjectDeps,
  { id, slug, name }: { id: number; slug: string; name: string },
): Promise<{ projectId: number; abandonedId: number }> {
  const { current } = await deps.restores.state();
  if (current !== 0) await abandonProjectRestore(deps, current);
  const { abandoned } = await deps.restores.state();
  const existing = await deps.projects.get(id);
  if (existing)
    throw conflict(
      `The project still exists, with the slug "${existing.settings.slug}". Only a deleted one is restored.`,
    );
  for (const [field, value] of [
    ['slug', slug],
    ['name', name],
  ] as const)
    if (await deps.projects.taken(field, value, 0))
      throw conflict(`Another project has the ${field} "${value}". Rename or delete it first.`);
  const projectId = await deps.ids.next('project');
  await deps.restores.begin(projectId);
  return { projectId, abandonedId: abandoned };
}

/** Announces the deletion of the loaded documents, unless the project is complete. Idempotent. */
export async function abandonProjectRestore(deps: RestoreProjectDeps, projectId: number): Promise<void> {
  if ((await deps.restores.state()).current !== projectId) return;
  if (await deps.projects.get(projectId)) return deps.restores.end(0);
  await deps.publish(newEvent(SOURCE, 'projectDeleted', { projectId, slug: '' }, projectId));
  await deps.restores.end(projectId);
}

/** Makes the restored project visible. @throws FAILED_PRECONDITION if it was not loaded; CONFLICT if its slug was taken meanwhile */
export async function finishProjectRestore(deps: RestoreProjectDeps, projectId: number): Promise<void> {
  const { restores } = deps;
  const project = (await restores.state()).current === projectId ? await restores.loaded() : null;
  if (!project) throw new ServiceError('FAILED_PRECONDITION', { message: 'The project was not loaded.' });
  const components = await restores.components(projectId);
  const addons = await deps.addons.find({ componentIds: components, projectIds: [projectId] });
  const events = [
    projectCreated(context, { ...project, id: projectId }),
    // Without a task: nothing is imported.
    ...components.map((componentId) =>
      newEvent(SOURCE, 'componentCreated', { componentId, projectId, taskId: '', userId: 0 }, componentId),
    ),
    // The deletion removed the subscriptions of webhooks.
    ...addons
      .filter(({ name }) => addonDefinition(name)?.events.includes('change'))
      .map((addon) => addonChanged(context, addon, false)),
  ];
  try {
    await restores.show(events);
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
    throw conflict(`Another project got the ${error.field} meanwhile. Rename or delete it first.`);
  }
  await restores.end(0);
  await deps.announcer.written({ location: { collection: 'projects', id: projectId }, events });
}

const conflict = (message: string) => new ServiceError('CONFLICT', { message });
