import { can, type AccessTarget, type Permission, type Caller } from '@parlance/access';
import { accessTarget, type Component } from '../../domain/component';
import type { Deps } from '../deps';

/** Components by whether the caller has a permission on the owner of their repository. */
export interface ByOwner {
  allowed: Component[];
  denied: Component[];
}

/**
 * Repository operations require permissions on the repository's owner, whichever component they are requested for. The index
 * identifies the owner, not the settings: after its link is revoked, a component uses the former owner's repository until it
 * moves. Operations on a repository without a known owner are denied.
 * @param anyOf permissions of which one is enough
 * @param readsOnly does not require the second factor that a project enforces
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
    // A component without an import has no repository yet.
    const owner = repository === undefined ? component.settings.id : ownerOf.get(repository);
    const found = owner ? targets.get(owner) : undefined;
    const target = found && readsOnly ? { ...found, enforced2fa: false } : found;
    const isAllowed = target !== undefined && anyOf.some((permission) => can(caller, permission, target));
    split[isAllowed ? 'allowed' : 'denied'].push(component);
  }
  return split;
}
