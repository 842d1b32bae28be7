import type { Caller } from '@parlance/access';
import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import type { CommentStore } from '../../domain/ports';
import { timeAfter } from '../../domain/unit';
import { authorOf } from '../author';
import { updateSerially } from '../edit/contention';
import { countRemarks, type CountRemarksDeps } from './count-remarks';
import { writeUnit } from '../edit/write-units';
import { changeOf } from '../history';
import { loadComment, requireOnComment, type LoadCommentDeps } from './load-comment';

export interface DeleteCommentDeps extends LoadCommentDeps, CountRemarksDeps {
  units: CountRemarksDeps['units'];
  comments: Pick<CommentStore, 'get' | 'remove' | 'countNewer'>;
}

/** Deletes a comment; its text stays in the history, whose entry is stored first. @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteComment(
  deps: DeleteCommentDeps,
  caller: Caller,
  ids: { unit: number; comment: number },
  generation: string,
): Promise<void> {
  const loaded = await loadComment(deps, caller, ids, generation);
  requireOnComment(caller, 'comment.delete', loaded);
  const { comment } = loaded;
  await updateSerially(deps, ids.unit, async (unit) => {
    const now = deps.now();
    const details = { comment: comment.id };
    const change = changeOf(unit, authorOf(caller), now, Action.commentRemoved, comment.text, '', details);
    // Two processes that delete it at the same time leave one entry.
    const changes = [{ ...change, once: `comment ${comment.id} deleted` }];
    const patch = { updated: timeAfter(unit, now) };
    return (await writeUnit(deps, { unit, patch, changes }, { author: null, time: now })) ? undefined : LOST_RACE;
  });
  await deps.comments.remove([comment]);
  await countRemarks(deps, 'comments', deps.comments, ids.unit, []);
}
