import { fieldErrors } from '@parlance/errors';
import { lookupKeys } from '../../domain/repository-address';
import { componentByPath } from '../find-objects';
import type { RequestContext, Deps } from '../deps';
import { componentPaths, type ComponentPath } from '../views';
import { requireService } from '../visibility';

const MAX_CANDIDATES = 100;

export interface RepositoryMatch {
  component: ComponentPath;
  branchMatches: boolean;
  /** The branch matches and the project accepts hooks. */
  enabled: boolean;
  hookSecret: string;
}

type MatchRepositoriesDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'secrets' | 'snapshot'>;

/** Components with their own repository that match an inbound hook. */
export async function matchRepositories(
  deps: MatchRepositoriesDeps,
  context: RequestContext,
  request: {
    candidateUrls: readonly string[];
    fullName: string;
    branch: string;
    projectSlug: string;
    componentPath: string;
  },
): Promise<RepositoryMatch[]> {
  requireService(context);
  if (request.candidateUrls.length > MAX_CANDIDATES) {
    throw fieldErrors([
      { attr: 'candidate_urls', code: 'max_length', detail: `At most ${MAX_CANDIDATES} candidates are allowed.` },
    ]);
  }
  const only = request.projectSlug ? await deps.projects.bySlug(request.projectSlug) : null;
  if (request.projectSlug && !only) return [];
  const stated = request.candidateUrls.length > 0 || request.fullName !== '';
  let found =
    stated || only
      ? await deps.components.byKeys(stated ? lookupKeys(request.candidateUrls, request.fullName) : null, only?.id ?? 0)
      : [];
  if (only && request.componentPath) {
    const one = await componentByPath(deps, only.id, request.componentPath);
    // A linked component is updated by pulling the repository that it shares.
    const owner = one?.linkedId ? await deps.components.get(one.linkedId) : one;
    found = owner && (!stated || found.some((c) => c.id === owner.id)) ? [owner] : [];
  }
  const projects = new Map(
    (await deps.projects.byIds([...new Set(found.map((c) => c.projectId))])).map((p) => [p.id, p]),
  );
  const places = componentPaths(await deps.snapshot.at(context.generation), found);
  return found.flatMap((component) => {
    const place = places.get(component.id);
    const project = projects.get(component.projectId);
    if (!place || !project) return [];
    const branchMatches = request.branch === '' || component.settings.branch === request.branch;
    const hookSecret = project.hookSecret ? deps.secrets.open(project.hookSecret) : '';
    return [{ component: place, branchMatches, enabled: branchMatches && project.settings.enableHooks, hookSecret }];
  });
}
