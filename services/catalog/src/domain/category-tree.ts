/** The position of a category in the tree. */
export interface CategoryNode {
  /** 0: not stored yet. */
  id: number;
  /** 0: directly in the project. */
  categoryId: number;
}

/** The category and its nested categories, outermost first; each once, even if the stored tree contains a cycle. */
export function nestedIn<C extends CategoryNode>(all: readonly C[], root: C): C[] {
  const found = new Set([root]);
  if (root.id === 0) return [root];
  for (const outer of found) for (const c of all) if (c.categoryId === outer.id && c.id !== root.id) found.add(c);
  return [...found];
}

/** Whether the category or one of its parents is being deleted. */
export function isBeingDeleted(all: readonly (CategoryNode & { deleting?: true })[], id: number): boolean {
  const byId = new Map(all.map((c) => [c.id, c]));
  const passed = new Set<CategoryNode>();
  for (let c = byId.get(id); c && !passed.has(c); c = byId.get(c.categoryId)) {
    if (c.deleting) return true;
    passed.add(c);
  }
  return false;
}

/** Depth of a category, counted from 1. */
export function levelOf(all: readonly CategoryNode[], id: number): number {
  const byId = new Map(all.map((c) => [c.id, c]));
  const passed = new Set<CategoryNode>();
  for (let c = byId.get(id); c && !passed.has(c); c = byId.get(c.categoryId)) passed.add(c);
  return passed.size;
}

/** Number of levels of a category including nested ones. */
export function heightOf(all: readonly CategoryNode[], root: CategoryNode): number {
  const depths = new Map<number, number>([[root.id, 1]]);
  for (const c of nestedIn(all, root)) if (c.id !== root.id) depths.set(c.id, depths.get(c.categoryId)! + 1);
  return Math.max(...depths.values());
}
