import { can } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { CallContext } from '@parlance/grpc-kit';
import type { InboundDelivery, ComponentMatch, ProjectInfo } from '../domain/ports';
import type { ReceiveDeps } from './receive';
import { startPulls } from './start-pulls';

/** Name in the history for updates through the deprecated addresses. */
const TITLE = 'Update hook';

/** Pulls one component or all components of a project: the deprecated addresses, which need no token. */
async function update(
  deps: ReceiveDeps,
  project: ProjectInfo,
  context: CallContext,
  path?: string,
): Promise<InboundDelivery> {
  if (!deps.enabled || !project.enableHooks)
    throw new ServiceError('METHOD_NOT_ALLOWED', { message: 'Hooks are switched off.' });
  // These addresses cannot carry a signature. If one is required, the caller needs the permission to update.
  if (project.hasSecret && !can(context.caller, 'vcs.update', { ...project, projectId: project.id })) {
    throw new ServiceError('PERMISSION_DENIED', { message: 'The project accepts signed notifications only.' });
  }
  const matches: ComponentMatch[] = (await deps.catalog.ofProject(project.slug, path)).filter(
    // A linked component is updated in its owner's repository, whose project may have hooks disabled or require signatures.
    (m) => m.projectId === project.id || (m.enabled && m.secret === ''),
  );
  const delivery = {
    provider: 'update',
    providerDeliveryId: '',
    fingerprint: '',
    sourceAddress: '',
    branches: [],
    fullName: path === undefined ? project.slug : `${project.slug}/${path}`,
    repositoryMatches: matches.length,
    branchMatches: matches.length,
    enabledMatches: matches.length,
  };
  const started = await startPulls(
    deps,
    delivery,
    matches.map((m) => ({ ...m, verified: false })),
    TITLE,
  );
  if (!started) throw new ServiceError('CONFLICT');
  return started;
}

export async function updateProject(
  deps: ReceiveDeps,
  projectId: number,
  context: CallContext,
): Promise<{ message: string; componentIds: number[]; taskIds: string[] }> {
  const project = await deps.catalog.project(projectId, context);
  if (!project) throw new ServiceError('NOT_FOUND');
  const { pulls } = await update(deps, project, context);
  const visible = new Set(
    (
      await deps.catalog.components(
        pulls.map((p) => p.componentId),
        context,
      )
    ).map((c) => c.id),
  );
  const shown = pulls.filter((p) => visible.has(p.componentId));
  return {
    message: `Updating ${project.slug}.`,
    componentIds: shown.map((p) => p.componentId),
    taskIds: shown.map((p) => p.taskId),
  };
}

export async function updateComponent(
  deps: ReceiveDeps,
  componentId: number,
  context: CallContext,
): Promise<{ message: string; taskId: string }> {
  const [component] = await deps.catalog.components([componentId], context);
  if (!component) throw new ServiceError('NOT_FOUND');
  const { pulls } = await update(deps, component.project, context, component.path);
  return { message: `Updating ${component.projectSlug}/${component.path}.`, taskId: pulls[0]?.taskId ?? '' };
}
