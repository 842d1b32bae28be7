import { can, type AccessTarget, type Permission, type Caller } from '@parlance/access';
import { accessTarget, type Component } from '../../domain/component';
import type { Repository } from '../../domain/repository';
import type { Deps } from '../deps';

/** Components by whether the caller has a permission on the owner of their repository. */
export interface ByOwner {
  allowed: Component[];
  denied: Component[];
  /** Repositories by component. */
  repositories: ReadonlyMap<number, Repository>;
}

/**
 * Repository operations require permissions on the repository's owner, whichever component they are requested for. The index
 * identifies the owner, not the settings: after its link is revoked, a component uses the former owner's repository until it
 * moves. Operations on a repository without a known owner are denied.
 * @param anyOf permissions of which one is enough
 * @param read undefined for changes; a read does not require the second factor that a project enforces, and its catalog generation bounds
 * which settings of owners it sees
 */
export async function partitionByOwnerPermission(
  deps: Pick<Deps, 'catalog' | 'index' | 'repositories'>,
  caller: Caller,
  anyOf: readonly Permission[],
  components: readonly Component[],
  read?: { generation: string },
): Promise<ByOwner> {
  const indexed = await deps.index.repositoriesOf(components.map(({ settings }) => settings.id));
  const used = await deps.repositories.byIds([...new Set(indexed.values())]);
  const byId = new Map(used.map((repository) => [repository.id, repository]));
  const repositories = new Map<number, Repository>();
  for (const [component, id] of indexed) if (byId.has(id)) repositories.set(component, byId.get(id)!);
  const targets = new Map<number, AccessTarget>(components.map((c) => [c.settings.id, accessTarget(c)]));
  const missing = used.flatMap((repository) => repository.owner ?? []).filter((id) => !targets.has(id));
  const owners = missing.length === 0 ? [] : await deps.catalog.components([...new Set(missing)], read?.generation);
  for (const owner of owners) targets.set(owner.settings.id, accessTarget(owner));
  const split: ByOwner = { allowed: [], denied: [], repositories };
  for (const component of components) {
    const { id } = component.settings;
    // A component without an import has no repository yet.
    const owner = indexed.has(id) ? repositories.get(id)?.owner : id;
    const found = owner ? targets.get(owner) : undefined;
    const target = found && read ? { ...found, enforced2fa: false } : found;
    const isAllowed = target !== undefined && anyOf.some((permission) => can(caller, permission, target));
    split[isAllowed ? 'allowed' : 'denied'].push(component);
  }
  return split;
}
