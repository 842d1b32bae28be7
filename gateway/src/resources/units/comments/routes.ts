import { field, type translation as proto } from '@parlance/contracts';
import { z } from 'zod';
import { idParam, readValues } from '../../../bodies/input';
import { timestamp } from '../../../responses/links';
import { list } from '../../../responses/lists';
import { pageSchema } from '../../../responses/schema';
import type { Call } from '../../../routing/call';
import { noContent, ok, type Endpoint } from '../../../routing/endpoint';
import { pages } from '../../shared';
import { commentOnUnitSchema } from './schema';

const changeFields = z.object({
  comment: field.text('The remark.', { filled: true, maxLength: 1000 }).optional(),
  resolved: field.boolean('Whether it is settled; then it does not count.').optional(),
});

async function presentComments(
  call: Call,
  comments: readonly proto.Comment__Output[],
): Promise<z.infer<typeof commentOnUnitSchema>[]> {
  const users = await call.directory.usersById(comments.map((c) => c.userId));
  return comments.map((c) => {
    const user = users.get(c.userId);
    const unit = call.links.unit(c.unitId);
    return {
      id: c.id,
      unit,
      comment: c.text,
      scope: c.scope as 'translation' | 'global' | 'report',
      user: user ? call.links.user(user.username) : null,
      timestamp: timestamp(c.timeMs),
      resolved: c.resolved,
      url: `${unit}comments/${c.id}/`,
    };
  });
}

const idsOf = (call: Call) => ({ unitId: idParam(call, 'unit'), commentId: idParam(call, 'comment') });

const path = '/api/units/:unit/comments/';

export const unitCommentEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path,
    shows: 'unit',
    response: pageSchema(commentOnUnitSchema),
    access: 'anyone',
    doc: 'Lists the comments on a string and on its source string.',
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const request = { page, unitId: idParam(call, 'unit') };
          const answer = await call.clients.translation.listComments(request, call.options);
          call.contents.show(`component:${answer.componentId}`);
          return { items: answer.comments, total: answer.total };
        },
        (items) => presentComments(call, items),
      ),
  },
  {
    method: 'PATCH',
    path: `${path}:comment/`,
    response: commentOnUnitSchema,
    access: {
      cases: [
        { does: 'text', body: { comment: '…' }, all: ['comment.delete'], author: 'comment.add' },
        { does: 'resolved', body: { resolved: true }, all: ['comment.resolve'], author: 'comment.add' },
      ],
    },
    doc: 'Changes the text of a comment, resolves or reopens it.',
    body: { fields: changeFields },
    async handle(call) {
      const { values, problems } = await readValues(call, changeFields, 'update');
      call.problems.push(...problems);
      const { comment: text, resolved } = values;
      const { comment } = await call.clients.translation.updateComment(
        {
          ...idsOf(call),
          ...(text === undefined ? {} : { text }),
          ...(resolved === undefined ? {} : { resolved }),
        },
        call.options,
      );
      return ok((await presentComments(call, [comment!]))[0]);
    },
  },
  {
    method: 'DELETE',
    path: `${path}:comment/`,
    access: { cases: [{ does: 'any', all: ['comment.delete'], author: 'comment.add' }] },
    doc: 'Removes a comment; its text stays in the history.',
    async handle(call) {
      await call.clients.translation.deleteComment(idsOf(call), call.options);
      return noContent;
    },
  },
];
