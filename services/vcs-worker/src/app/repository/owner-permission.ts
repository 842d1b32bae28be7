import { can, type AccessTarget, type Permission, type Caller } from '@parlance/access';
import { accessTarget, type Component } from '../../domain/component';
import type { Deps } from '../deps';

/** Components by whether somebody holds a permission on the owner of the repository that each works in. */
export interface ByOwner {
  allowed: Component[];
  denied: Component[];
}

/**
 * What is done to a repository concerns its owner, whichever component it is asked of. The index decides who that is, not the
 * settings: a component whose link was revoked a moment ago still works in the repository of its former owner. A repository without
 * a known owner is denied.
 * @param anyOf permissions of which one is enough
 * @param readsOnly nothing is changed: the second factor that a project requires is not asked for
 */
export async function partitionByOwnerPermission(
  deps: Pick<Deps, 'catalog' | 'index' | 'repositories'>,
  caller: Caller,
  anyOf: readonly Permission[],
  components: readonly Component[],
  readsOnly = false,
): Promise<ByOwner> {
  const repositories = await deps.index.repositoriesOf(components.map(({ settings }) => settings.id));
  const used = await Promise.all([...new Set(repositories.values())].map((id) => deps.repositories.get(id)));
  const ownerOf = new Map(used.map((repository) => [repository?.id, repository?.owner]));
  const targets = new Map<number, AccessTarget>(components.map((c) => [c.settings.id, accessTarget(c)]));
  const missing = used.flatMap((repository) => repository?.owner ?? []).filter((id) => !targets.has(id));
  for (const owner of missing.length === 0 ? [] : await deps.catalog.components([...new Set(missing)]))
    targets.set(owner.settings.id, accessTarget(owner));
  const split: ByOwner = { allowed: [], denied: [] };
  for (const component of components) {
    const repository = repositories.get(component.settings.id);
    // A component that is not imported yet has no repository that anything could be done to.
    const owner = repository === undefined ? component.settings.id : ownerOf.get(repository);
    const found = owner ? targets.get(owner) : undefined;
    const target = found && readsOnly ? { ...found, enforced2fa: false } : found;
    const isAllowed = target !== undefined && anyOf.some((permission) => can(caller, permission, target));
    split[isAllowed ? 'allowed' : 'denied'].push(component);
  }
  return split;
}
