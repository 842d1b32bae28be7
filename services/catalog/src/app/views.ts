import type { Component, Language, Project } from '../domain/objects';
import { joinCredentials } from '../domain/repository-address';
import type { CatalogSnapshot } from './caches/catalog-snapshot';
import type { RequestContext, Deps } from './deps';

/** A project with computed fields. */
export interface ProjectView {
  project: Project;
  locked: boolean;
  componentCount: number;
}

/** A component with computed fields. */
export interface ComponentView {
  component: Component;
  projectSlug: string;
  /** Slugs of its categories and its own slug, joined by slashes. */
  path: string;
  /** 0: directly in the project, also if its category was deleted. */
  categoryId: number;
  /** project/path of the component whose repository it shares; '' for none. */
  linkedPath: string;
  /** The component whose repository it uses: another one or itself. */
  owner: Component;
  /** Access control of the owner's project. */
  ownerAccessControl: number;
  addonIds: number[];
}

export interface ComponentViews {
  components: ComponentView[];
  projects: ProjectView[];
  languages: Language[];
}

/** Fields of a component for references in other objects. */
export interface ComponentPath {
  id: number;
  projectId: number;
  projectSlug: string;
  path: string;
}

export async function projectViews(
  deps: Pick<Deps, 'snapshot'>,
  context: RequestContext,
  projects: readonly Project[],
): Promise<ProjectView[]> {
  const snapshot = await deps.snapshot.at(context.generation);
  return projects.map((project) => {
    const { components, locked } = snapshot.tally(project.id);
    return { project, componentCount: components, locked };
  });
}

/** Paths of components. Components of deleted projects are omitted. */
export function componentPaths(
  snapshot: CatalogSnapshot,
  components: readonly Component[],
): Map<number, ComponentPath> {
  const places = new Map<number, ComponentPath>();
  for (const { id, projectId, categoryId, settings } of components) {
    const project = snapshot.projects.get(projectId);
    if (project)
      places.set(id, { id, projectId, projectSlug: project.slug, path: snapshot.path(settings.slug, categoryId) });
  }
  return places;
}

/**
 * Loads everything needed to present components, with a constant number of queries.
 * @param known projects that are already loaded
 */
export async function componentViews(
  deps: Pick<Deps, 'snapshot' | 'reader'>,
  context: RequestContext,
  components: readonly Component[],
  known: readonly Project[] = [],
): Promise<ComponentViews> {
  const missing = [...new Set(components.map((c) => c.projectId))].filter((id) => !known.some((p) => p.id === id));
  const owners = [...new Set(components.map((c) => c.linkedId))].filter((id) => id !== 0);
  const [ownerList, found] = await Promise.all([
    deps.reader.components(context.generation, owners),
    deps.reader.projects(context.generation, missing),
  ]);
  const snapshot = await deps.snapshot.at(context.generation);
  const places = componentPaths(snapshot, [...components, ...ownerList]);
  const ownerById = new Map(ownerList.map((o) => [o.id, o]));
  const shown: ComponentView[] = [];
  for (const component of components) {
    const at = places.get(component.id);
    if (!at) continue;
    const owner = ownerById.get(component.linkedId);
    const ownerAt = owner && places.get(owner.id);
    shown.push({
      component,
      projectSlug: at.projectSlug,
      path: at.path,
      categoryId: snapshot.categories.has(component.categoryId) ? component.categoryId : 0,
      linkedPath: ownerAt ? `${ownerAt.projectSlug}/${ownerAt.path}` : '',
      owner: owner ?? component,
      ownerAccessControl: snapshot.projects.get((owner ?? component).projectId)?.accessControl ?? 0,
      addonIds: snapshot.addonsOf(component.id),
    });
  }
  const codes = new Set(shown.map((v) => v.component.sourceLanguage));
  const languages = [...codes].flatMap((code) => snapshot.language(code) ?? []);
  return { components: shown, projects: await projectViews(deps, context, [...known, ...found]), languages };
}

/** The addresses of a repository with their credentials. */
export function fullAddresses(deps: Pick<Deps, 'secrets'>, owner: Component): { repo: string; push: string } {
  const open = (sealed: string) => (sealed ? deps.secrets.open(sealed) : '');
  return {
    repo: joinCredentials({ shown: owner.settings.repo, credentials: open(owner.repoSecret) }),
    push: joinCredentials({ shown: owner.settings.push, credentials: open(owner.pushSecret) }),
  };
}
