import { listedLanguages } from '../languages/languages';
import type { RequestContext, Deps } from '../deps';
import { hiddenFrom } from '../visibility';

/** A search result. */
export interface NamedMatch {
  /** Names of the project, parent categories and the object, joined by slashes. */
  name: string;
  /** Slugs from the project on, joined by slashes; for a language, its code. */
  path: string;
}

export type Matches = Record<'projects' | 'categories' | 'components' | 'languages', NamedMatch[]>;

/**
 * Finds visible objects whose name, slug or code contains a text, case-insensitive: at most `limit` of each kind, sorted by name.
 */
export async function search(
  deps: Pick<Deps, 'snapshot'>,
  context: RequestContext,
  { text, limit }: { text: string; limit: number },
): Promise<Matches> {
  const snapshot = await deps.snapshot.at(context.generation);
  const hidden = hiddenFrom(context, snapshot);
  const find = <T extends { id: number; name: string }>(
    items: Iterable<T>,
    slugOf: (item: T) => string,
    isHidden: (item: T) => boolean,
  ) => {
    const wanted = text.toLowerCase();
    const found = new SmallestKeys<T>(limit);
    for (const item of items) {
      const name = item.name.toLowerCase();
      if ((name.includes(wanted) || slugOf(item).toLowerCase().includes(wanted)) && !isHidden(item))
        found.add(name, item);
    }
    return found.items();
  };
  const slugOf = (item: { slug: string }) => item.slug;
  const nodes = (items: Iterable<{ id: number; projectId: number; categoryId: number; slug: string; name: string }>) =>
    find(items, slugOf, (node) => hidden.projects.has(node.projectId) || hidden.components.has(node.id)).map((node) => {
      const project = snapshot.projects.get(node.projectId)!;
      return {
        name: `${project.name}/${snapshot.fullName(node.name, node.categoryId)}`,
        path: `${project.slug}/${snapshot.path(node.slug, node.categoryId)}`,
      };
    });
  return {
    projects: find(snapshot.projects.values(), slugOf, ({ id }) => hidden.projects.has(id)).map(({ name, slug }) => ({
      name,
      path: slug,
    })),
    categories: nodes(snapshot.categories.values()),
    components: nodes(snapshot.components.values()),
    languages: find(
      listedLanguages(context, snapshot),
      ({ code }) => code,
      () => false,
    ).map(({ name, code }) => ({ name, path: code })),
  };
}

/** Keeps the items with the smallest keys; for equal keys, the lower id. */
class SmallestKeys<T extends { id: number }> {
  private readonly kept: { key: string; item: T }[] = [];

  constructor(private readonly limit: number) {}

  add(key: string, item: T): void {
    let at = this.kept.length;
    while (at > 0 && precedes(key, item.id, this.kept[at - 1]!)) at--;
    if (at === this.limit) return;
    this.kept.splice(at, 0, { key, item });
    if (this.kept.length > this.limit) this.kept.pop();
  }

  items(): T[] {
    return this.kept.map(({ item }) => item);
  }
}

const precedes = (key: string, id: number, other: { key: string; item: { id: number } }): boolean =>
  key < other.key || (key === other.key && id < other.item.id);
