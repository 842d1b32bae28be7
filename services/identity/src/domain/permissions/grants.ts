/** Reach of a team, with the permissions of its roles. */
export interface TeamReach<P extends string> {
  permissions: Iterable<P>;
  /** See Group.projectSelection. */
  projectSelection: number;
  projects: readonly number[];
  components: readonly { id: number; projectId: number }[];
  /** Projects of the team's component lists. */
  listedProjects: readonly number[];
  languageSelection: number;
  languages: readonly string[];
}

/** A set of permissions on a set of objects. */
export interface ResolvedGrant<P extends string> {
  permissions: P[];
  projects: 'all' | 'public' | 'protected' | number[];
  components?: number[];
  languages?: string[];
}

const wide: ReadonlyMap<number, 'all' | 'public' | 'protected'> = new Map([
  [1, 'all'],
  [3, 'public'],
  [4, 'protected'],
]);

/** Collects permissions per object and groups objects with equal permissions. */
class Reach<P extends string> {
  private readonly byObject = new Map<number, { project: number; languages: Map<string, Set<P>> }>();

  add(object: number, project: number, languages: string, permissions: readonly P[]): void {
    let entry = this.byObject.get(object);
    if (!entry) this.byObject.set(object, (entry = { project, languages: new Map() }));
    const set = entry.languages.get(languages) ?? new Set();
    for (const p of permissions) set.add(p);
    entry.languages.set(languages, set);
  }

  groups(): { permissions: P[]; languages: string; objects: number[]; projects: number[] }[] {
    const alike = new Map<string, { permissions: P[]; languages: string; objects: number[]; projects: Set<number> }>();
    for (const [object, { project, languages }] of this.byObject) {
      for (const [codes, set] of languages) {
        const permissions = [...set].sort();
        const key = `${codes}|${permissions.join()}`;
        let group = alike.get(key);
        if (!group) alike.set(key, (group = { permissions, languages: codes, objects: [], projects: new Set() }));
        group.objects.push(object);
        group.projects.add(project);
      }
    }
    return [...alike.values()].map((g) => ({
      ...g,
      objects: g.objects.sort((a, b) => a - b),
      projects: [...g.projects].sort((a, b) => a - b),
    }));
  }
}

const EVERY = '*';

/**
 * Merges teams into few grants. A team with components grants its permissions only on these, and lets its members see their
 * projects. Site permissions do not depend on a team's reach.
 * @param onSite distinguishes site permissions from project permissions
 */
export function resolveGrants<P extends string>(
  teams: readonly TeamReach<P>[],
  onSite: (permission: P) => boolean,
): ResolvedGrant<P>[] {
  const site = new Set<P>();
  const wideReach = new Map<string, { selection: 'all' | 'public' | 'protected'; languages: string; set: Set<P> }>();
  const projects = new Reach<P>();
  const components = new Reach<P>();
  for (const team of teams) {
    const permissions: P[] = [];
    for (const p of team.permissions) {
      if (onSite(p)) site.add(p);
      else permissions.push(p);
    }
    const languages = team.languageSelection === 1 ? EVERY : [...new Set(team.languages)].sort().join();
    if (team.components.length > 0) {
      for (const c of team.components) components.add(c.id, c.projectId, languages, permissions);
      continue;
    }
    const selection = wide.get(team.projectSelection);
    if (selection) {
      const key = `${selection}|${languages}`;
      const entry = wideReach.get(key) ?? { selection, languages, set: new Set<P>() };
      for (const p of permissions) entry.set.add(p);
      wideReach.set(key, entry);
    } else {
      for (const id of team.projectSelection === 2 ? team.listedProjects : team.projects) {
        projects.add(id, id, languages, permissions);
      }
    }
  }
  const codes = (languages: string) =>
    languages === EVERY ? {} : { languages: languages === '' ? [] : languages.split(',') };
  return [
    ...(site.size > 0 ? [{ permissions: [...site].sort(), projects: [] }] : []),
    ...[...wideReach.values()].map((w) => ({
      permissions: [...w.set].sort(),
      projects: w.selection,
      ...codes(w.languages),
    })),
    ...projects.groups().map((g) => ({ permissions: g.permissions, projects: g.objects, ...codes(g.languages) })),
    ...components.groups().map((g) => ({
      permissions: g.permissions,
      projects: g.projects,
      components: g.objects,
      ...codes(g.languages),
    })),
  ];
}
