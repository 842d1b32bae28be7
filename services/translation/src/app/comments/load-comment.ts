import { can, type Caller, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { accessTarget } from '../../domain/component';
import type { Comment, CommentStore } from '../../domain/ports';
import { deniedOn } from '../contributors';
import { loadVisibleUnit, type LoadedUnit, type LoadUnitDeps } from '../edit/load-unit';

/** A comment with its unit. */
export interface LoadedComment extends LoadedUnit {
  comment: Comment;
}

export interface LoadCommentDeps extends LoadUnitDeps {
  comments: Pick<CommentStore, 'get'>;
}

/** @throws NOT_FOUND, also for a comment of another unit and where the caller may not see the component */
export async function loadComment(
  deps: LoadCommentDeps,
  caller: Caller,
  ids: { unit: number; comment: number },
  generation: string,
): Promise<LoadedComment> {
  const loaded = await loadVisibleUnit(deps, caller, ids.unit, generation);
  const comment = await deps.comments.get(ids.comment);
  if (comment?.unit !== loaded.unit.id) throw new ServiceError('NOT_FOUND');
  return { ...loaded, comment };
}

/** Authors need comment.add only. @throws PERMISSION_DENIED */
export function requireOnComment(
  caller: Caller,
  permission: Permission,
  { comment, component, unit }: LoadedComment,
): void {
  const target = accessTarget(component, unit.language);
  const own = comment.user !== 0 && comment.user === caller.userId && can(caller, 'comment.add', target);
  if (!own && !can(caller, permission, target)) throw deniedOn(caller, component);
}
