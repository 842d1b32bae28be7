import type { Caller } from '@parlance/access';
import { throwIfInvalid, type FieldProblem } from '@parlance/errors';
import { Action } from '../../domain/change';
import type { CommentStore } from '../../domain/ports';
import { authorOf } from '../author';
import { commentProblems } from './add-comment';
import { countRemarks, type CountRemarksDeps } from './count-remarks';
import { changeOf, type ChangeDraft } from '../history';
import { scopeOf, type ScopedComment } from './list-comments';
import { loadComment, requireOnComment, type LoadCommentDeps } from './load-comment';

export interface ChangeCommentDeps extends LoadCommentDeps, CountRemarksDeps {
  units: CountRemarksDeps['units'];
  comments: Pick<CommentStore, 'get' | 'update' | 'countNewer'>;
}

export interface ChangeComment {
  unit: number;
  comment: number;
  text?: string;
  resolved?: boolean;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

/**
 * Changes the text of a comment, resolves or reopens it. The history entry with the former text is stored before the comment changes.
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID naming comment
 */
export async function changeComment(
  deps: ChangeCommentDeps,
  caller: Caller,
  request: ChangeComment,
  generation: string,
): Promise<ScopedComment> {
  const loaded = await loadComment(deps, caller, request, generation);
  const { comment, unit } = loaded;
  const { text = comment.text, resolved = comment.resolved ?? false } = request;
  if (request.text !== undefined) requireOnComment(caller, 'comment.delete', loaded);
  if (request.resolved !== undefined) requireOnComment(caller, 'comment.resolve', loaded);
  throwIfInvalid(request.problems, request.text === undefined ? [] : commentProblems(text));
  const author = authorOf(caller);
  const entry = (action: number, now: string, old: string): ChangeDraft =>
    changeOf(unit, author, deps.now(), action, now, old, { comment: comment.id });
  const count = (change: ChangeDraft) => countRemarks(deps, 'comments', deps.comments, unit.id, [change]);
  if (text !== comment.text) {
    await count(entry(Action.commentEdited, text, comment.text));
    await deps.comments.update(comment, { text });
  }
  if (resolved !== (comment.resolved ?? false)) {
    await deps.comments.update(comment, { resolved });
    await count(entry(resolved ? Action.commentResolved : Action.commentReopened, text, ''));
  }
  return { ...comment, text, resolved, scope: scopeOf(comment, unit.sourceUnit) };
}
