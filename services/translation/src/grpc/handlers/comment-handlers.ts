import type { translation as proto } from '@parlance/contracts';
import { pageOf, requireId, type Implementation } from '@parlance/grpc-kit';
import { changeComment, type ChangeCommentDeps } from '../../app/comments/change-comment';
import { deleteComment, type DeleteCommentDeps } from '../../app/comments/delete-comment';
import { listComments, type ListCommentsDeps, type ScopedComment } from '../../app/comments/list-comments';

export type CommentMethod = 'listComments' | 'updateComment' | 'deleteComment';

export interface CommentHandlerDeps extends ListCommentsDeps, ChangeCommentDeps, DeleteCommentDeps {
  units: ChangeCommentDeps['units'];
  comments: ListCommentsDeps['comments'] & ChangeCommentDeps['comments'] & DeleteCommentDeps['comments'];
}

const commentToProto = (c: ScopedComment): proto.Comment => ({
  id: c.id,
  unitId: c.unit,
  text: c.text,
  scope: c.scope,
  userId: c.user,
  timeMs: c.time,
  resolved: c.resolved ?? false,
});

const idsOf = (request: { unitId: number; commentId: number }) => ({
  unit: requireId(request.unitId, 'unit_id'),
  comment: requireId(request.commentId, 'comment_id'),
});

export function makeCommentHandlers(deps: CommentHandlerDeps): Pick<Implementation<'translation'>, CommentMethod> {
  return {
    async listComments(request, { caller, catalogGeneration }) {
      const unit = requireId(request.unitId, 'unit_id');
      const found = await listComments(deps, caller, unit, pageOf(request.page), catalogGeneration);
      const { items, total, component } = found;
      return { comments: items.map(commentToProto), total, componentId: component };
    },
    async updateComment(request, { caller, problems, catalogGeneration }) {
      const { text, resolved } = request;
      const change = {
        ...idsOf(request),
        ...(text === undefined ? {} : { text }),
        ...(resolved === undefined ? {} : { resolved }),
        problems,
      };
      return { comment: commentToProto(await changeComment(deps, caller, change, catalogGeneration)) };
    },
    async deleteComment(request, { caller, catalogGeneration }) {
      await deleteComment(deps, caller, idsOf(request), catalogGeneration);
      return {};
    },
  };
}
