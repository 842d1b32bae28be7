import type { Caller } from '@parlance/access';
import type { Comment, CommentStore, Page } from '../../domain/ports';
import { loadVisibleUnit, type LoadUnitDeps } from '../edit/load-unit';

export interface ListCommentsDeps extends LoadUnitDeps {
  comments: Pick<CommentStore, 'page'>;
}

/** Object of a comment. */
export type CommentScope = 'translation' | 'global' | 'report';

export interface ScopedComment extends Comment {
  scope: CommentScope;
}

/** Comments on a unit and, for a translation, on its source string, by id, and their component. @throws NOT_FOUND */
export async function listComments(
  deps: ListCommentsDeps,
  caller: Caller,
  id: number,
  { page, size }: { page: number; size: number },
  generation: string,
): Promise<Page<ScopedComment> & { component: number }> {
  const { unit } = await loadVisibleUnit(deps, caller, id, generation);
  const { items, total } = await deps.comments.page([...new Set([unit.id, unit.sourceUnit])], page, size);
  const scoped = items.map((comment) => ({ ...comment, scope: scopeOf(comment, unit.sourceUnit) }));
  return { items: scoped, total, component: unit.component };
}

export function scopeOf(comment: Comment, sourceUnit: number): CommentScope {
  if (comment.unit !== sourceUnit) return 'translation';
  return comment.report ? 'report' : 'global';
}
