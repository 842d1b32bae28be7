import { canSee } from '@parlance/access';
import type { identity } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';
import { addressed } from '../../bodies/input';
import type { Call } from '../../routing/call';

/** Ids of projects that the caller can see, named by address or slug. Problems with the others are added to `problems`. */
export async function projectIdsOf(call: Call, named: readonly string[], problems: FieldProblem[]): Promise<number[]> {
  const found = await Promise.all(named.map((name) => call.directory.project(addressed(name, 'projects') ?? name)));
  return found.flatMap((project, i) => {
    if (project && canSee(call.caller, { projectId: project.id, accessControl: project.accessControl }))
      return [project.id];
    problems.push({ attr: `projects.${i}`, code: 'does_not_exist', detail: 'The project does not exist.' });
    return [];
  });
}

/** Slugs of the projects that tokens are limited to, by token id. */
export async function projectsOfTokens(
  call: Call,
  tokens: readonly identity.Token__Output[],
): Promise<Map<number, string[]>> {
  const projects = await call.directory.projectsById(tokens.flatMap((token) => token.limitedToProjectIds));
  return new Map(
    tokens.map(({ id, limitedToProjectIds }) => [
      id,
      limitedToProjectIds.flatMap((projectId) => projects.get(projectId)?.slug ?? []),
    ]),
  );
}
