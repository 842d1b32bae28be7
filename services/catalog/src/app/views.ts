import type { Category, Component, Language, Project } from '../domain/objects';
import { joinCredentials } from '../domain/repository-address';
import type { Actor, Parts } from './parts';

/** A project with what is computed for it. */
export interface ProjectView {
  project: Project;
  locked: boolean;
  componentCount: number;
}

/** A component with what is computed for it. */
export interface ComponentView {
  component: Component;
  projectSlug: string;
  /** Slugs of its categories and its own, joined by slashes. */
  path: string;
  /** project/path of the component whose repository it shares; ''. */
  linkedPath: string;
  /** The component whose repository it uses: another or itself. */
  owner: Component;
  addonIds: number[];
}

export interface ComponentViews {
  components: ComponentView[];
  projects: ProjectView[];
  languages: Language[];
}

/** A component as other objects refer to it. */
export interface ComponentPlace {
  id: number;
  projectId: number;
  projectSlug: string;
  path: string;
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].filter((id) => id !== 0);

export async function projectViews(parts: Parts, projects: readonly Project[]): Promise<ProjectView[]> {
  const tallies = new Map((await parts.components.tallies(projects.map((p) => p.id))).map((t) => [t.projectId, t]));
  return projects.map((project) => {
    const tally = tallies.get(project.id);
    return { project, componentCount: tally?.components ?? 0, locked: tally !== undefined && tally.unlocked === 0 };
  });
}

/** Categories by id, with all that lie above them; one query a level. */
async function categoriesAbove(parts: Parts, ids: readonly number[]): Promise<Map<number, Category>> {
  const known = new Map<number, Category>();
  for (let missing = distinct(ids); missing.length > 0; ) {
    const found = await parts.categories.byIds(missing);
    for (const c of found) known.set(c.id, c);
    missing = distinct(found.map((c) => c.categoryId)).filter((id) => !known.has(id));
  }
  return known;
}

function pathOf(slug: string, categoryId: number, categories: ReadonlyMap<number, Category>): string {
  const slugs = [slug];
  for (let c = categories.get(categoryId); c; c = categories.get(c.categoryId)) slugs.unshift(c.settings.slug);
  return slugs.join('/');
}

/** Category paths by id: slugs of the categories above and its own, joined by slashes. */
export async function categoryPaths(parts: Parts, categories: readonly Category[]): Promise<Map<number, string>> {
  const known = await categoriesAbove(parts, categories.map((c) => c.categoryId));
  return new Map(categories.map((c) => [c.id, pathOf(c.settings.slug, c.categoryId, known)]));
}

/** Where components are. Those whose project is gone are left out. */
export async function componentPlaces(parts: Parts, components: readonly Component[], known: readonly Project[] = []): Promise<Map<number, ComponentPlace>> {
  const projects = new Map(known.map((p) => [p.id, p]));
  const missing = distinct(components.map((c) => c.projectId)).filter((id) => !projects.has(id));
  const [found, categories] = await Promise.all([parts.projects.byIds(missing), categoriesAbove(parts, components.map((c) => c.categoryId))]);
  for (const p of found) projects.set(p.id, p);
  const places = new Map<number, ComponentPlace>();
  for (const c of components) {
    const project = projects.get(c.projectId);
    if (!project) continue;
    places.set(c.id, { id: c.id, projectId: c.projectId, projectSlug: project.settings.slug, path: pathOf(c.settings.slug, c.categoryId, categories) });
  }
  return places;
}

/** Everything that presenting components takes, in a number of queries that does not depend on how many there are. */
export async function componentViews(parts: Parts, actor: Actor, components: readonly Component[], known: readonly Project[] = []): Promise<ComponentViews> {
  const missing = distinct(components.map((c) => c.projectId)).filter((id) => !known.some((p) => p.id === id));
  const [owners, found, addons, directory] = await Promise.all([
    parts.components.byIds(distinct(components.map((c) => c.linkedId))),
    parts.projects.byIds(missing),
    parts.addons.idsOf(components.map((c) => c.id)),
    parts.languageDirectory.get(actor.generation),
  ]);
  const projects = [...known, ...found];
  const [places, views] = await Promise.all([componentPlaces(parts, [...components, ...owners], projects), projectViews(parts, projects)]);
  const ownerById = new Map(owners.map((o) => [o.id, o]));
  const shown: ComponentView[] = [];
  for (const component of components) {
    const place = places.get(component.id);
    if (!place) continue;
    const owner = ownerById.get(component.linkedId);
    const ownerPlace = owner && places.get(owner.id);
    shown.push({
      component,
      projectSlug: place.projectSlug,
      path: place.path,
      linkedPath: ownerPlace ? `${ownerPlace.projectSlug}/${ownerPlace.path}` : '',
      owner: owner ?? component,
      addonIds: addons.get(component.id) ?? [],
    });
  }
  const codes = new Set(shown.map((v) => v.component.sourceLanguage));
  const languages = [...codes].flatMap((code) => directory.byCode.get(code) ?? []);
  return { components: shown, projects: views, languages };
}

/** The addresses of a repository with their credentials. */
export function fullAddresses(parts: Pick<Parts, 'secrets'>, owner: Component): { repo: string; push: string } {
  const open = (sealed: string) => (sealed ? parts.secrets.open(sealed) : '');
  return {
    repo: joinCredentials({ shown: owner.settings.repo, credentials: open(owner.repoSecret) }),
    push: joinCredentials({ shown: owner.settings.push, credentials: open(owner.pushSecret) }),
  };
}
