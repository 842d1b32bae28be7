import { can, type Caller } from '@parlance/access';
import { throwIfInvalid, ServiceError, type FieldProblem } from '@parlance/errors';
import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import { accessTarget } from '../../domain/component';
import type { Clock, Comment, CommentStore, UnitReader, UnitWriter, UserLookup } from '../../domain/ports';
import { findTextProblem } from '../../domain/text-rules';
import type { Unit } from '../../domain/unit';
import { changeOf } from '../history';
import { updateSerially, type SerialUpdateDeps } from '../edit/contention';
import { loadVisibleUnit, type LoadUnitDeps } from '../edit/load-unit';
import { writeUnit, type WriteUnitsDeps } from '../edit/write-units';
import { deniedOn } from '../contributors';
import { authorOf } from '../author';

export interface AddCommentDeps extends LoadUnitDeps, WriteUnitsDeps, Clock {
  unitMutex: SerialUpdateDeps['unitMutex'];
  units: UnitReader & UnitWriter;
  comments: Pick<CommentStore, 'insert' | 'countNewer'>;
  entities: Pick<UserLookup, 'userWithEmail'>;
}

/** Longest comment, in characters. */
const MAX_LENGTH = 1000;
const scopes = ['translation', 'global', 'report'];

export interface AddComment {
  unit: number;
  /** translation: on the string itself; global or report: on its source string. */
  scope: string;
  text: string;
  /** Author of an imported comment; '': the caller. */
  email: string;
  /** Milliseconds since the epoch; absent: now. */
  time?: number;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

/**
 * Adds a comment with read-your-writes on unit and counters. Callers who may edit the project may set another author and time; the
 * history entry has the caller and the current time.
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID naming scope or comment
 */
export async function addComment(
  deps: AddCommentDeps,
  caller: Caller,
  request: AddComment,
  generation: string,
): Promise<{ comment: Comment; username: string }> {
  const loaded = await loadVisibleUnit(deps, caller, request.unit, generation);
  const target = accessTarget(loaded.component, loaded.unit.language);
  if (!can(caller, 'comment.add', target)) throw deniedOn(caller, loaded.component);
  if ((request.email || request.time !== undefined) && !can(caller, 'project.edit', target))
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'Setting the author or time of a comment requires the permission project.edit.',
    });
  checkComment(request, loaded.unit);
  const id = request.scope === 'translation' ? loaded.unit.id : loaded.unit.sourceUnit;
  const first = id === loaded.unit.id ? loaded.unit : undefined;
  const [other, commentId, before] = await Promise.all([
    request.email === '' ? null : deps.entities.userWithEmail(request.email),
    deps.ids.next('comment'),
    first ? deps.comments.countNewer(id, 0) : 0,
  ]);
  const now = deps.now();
  const author = authorOf(caller);
  let comment: Comment | undefined;
  const add = async (unit: Unit): Promise<Comment | typeof LOST_RACE> => {
    if (!comment) {
      const { translation, component, project } = unit;
      comment = {
        id: commentId,
        unit: id,
        translation,
        component,
        project,
        text: request.text,
        user: other?.id ?? author.userId,
        time: request.time ?? now,
        ...(request.scope === 'report' ? { report: true } : {}),
      };
      await deps.comments.insert(comment);
    }
    const changes = [changeOf(unit, author, now, Action.commentAdded, request.text, '', { scope: request.scope })];
    // The others were counted after this unit was read, so a writer that counts one in between wins the race for the unit.
    const count = unit === first ? before + 1 : await deps.comments.countNewer(unit.id, 0);
    const patch = { comments: count };
    return (await writeUnit(deps, { unit, patch, changes }, { author, time: now })) ? comment : LOST_RACE;
  };
  const saved = await updateSerially(deps, id, add, first);
  if (!saved) throw new ServiceError('NOT_FOUND');
  return { comment: saved, username: other?.username ?? author.username };
}

function checkComment({ scope, text, problems: known }: AddComment, { isSource }: Unit): void {
  const problems: FieldProblem[] = [];
  if (scope === '') problems.push({ attr: 'scope', code: 'required', detail: 'This field is required.' });
  else if (!scopes.includes(scope)) {
    problems.push({
      attr: 'scope',
      code: 'invalid_choice',
      detail: `"${scope.slice(0, 40)}" is not valid. Use ${scopes.join(', ')}.`,
    });
  } else if (isSource && scope === 'translation') {
    problems.push({
      attr: 'scope',
      code: 'invalid',
      detail: 'The scope "translation" is not available for source strings. Use global or report.',
    });
  }
  problems.push(...commentProblems(text));
  throwIfInvalid(known, problems);
}

/** Problems of a comment's text. */
export function commentProblems(text: string): FieldProblem[] {
  if (text.trim() === '') return [{ attr: 'comment', code: 'required', detail: 'This field is required.' }];
  if ([...text].length > MAX_LENGTH)
    return [
      { attr: 'comment', code: 'max_length', detail: `"comment" must not be longer than ${MAX_LENGTH} characters.` },
    ];
  const fault = findTextProblem([text]);
  return fault ? [{ attr: 'comment', code: fault.code, detail: fault.detail }] : [];
}
