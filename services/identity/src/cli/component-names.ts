import { ServiceError } from '@parlance/errors';
import type { Session } from './session';

/** `project/component` of components by id; deleted ones are missing. */
export async function componentNames(session: Session, ids: Iterable<number>): Promise<Map<number, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== 0);
  if (wanted.length === 0) return new Map();
  const { catalog, as } = session.system;
  const { components, projects } = await catalog.batchGetComponents({ ids: wanted }, as);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  return new Map(components.map(({ id, projectId, path }) => [id, `${slugs.get(projectId)}/${path}`]));
}

/** Resolves `project/component` or `project/category/component` to an id. @throws ServiceError NOT_FOUND */
export async function componentId(session: Session, name: string): Promise<number> {
  const { catalog, as } = session.system;
  const slash = name.indexOf('/');
  if (slash < 1) throw new ServiceError('NOT_FOUND', { message: `"${name}" is not of the form project/component.` });
  const request = { projectSlug: name.slice(0, slash), path: name.slice(slash + 1) };
  return (await catalog.getComponent(request, as)).component!.id;
}
