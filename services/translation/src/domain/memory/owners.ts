import type { VisibleEntries } from './ports';

/** Owners of an entry as numbers: all readers of the shared memory, a project, a user. */
const SHARED = 1;
const ofProject = (project: number): number => 2 + 2 * project;
const ofUser = (user: number): number => 3 + 2 * user;

export function ownersOf({ project, user, shared }: { project: number; user: number; shared: boolean }): number[] {
  return [...(shared ? [SHARED] : []), ...(project ? [ofProject(project)] : []), ...(user ? [ofUser(user)] : [])];
}

/** The owners whose entries a reader may use; null: all. */
export function visibleOwners(visible: VisibleEntries): ReadonlySet<number> | null {
  if (visible === 'everything') return null;
  return new Set(ownersOf({ project: visible.project ?? 0, user: visible.user ?? 0, shared: visible.shared === true }));
}
