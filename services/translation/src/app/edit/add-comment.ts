import { can, canSee, type Principal } from '@parlance/access';
import { refuse, ServiceError, type FieldProblem } from '@parlance/errors';
import { Action } from '../../domain/change';
import { accessTarget } from '../../domain/component';
import type { Comment } from '../../domain/ports';
import { textFault } from '../../domain/text-rules';
import type { Unit } from '../../domain/unit';
import type { Parts } from '../parts';
import { changeOf } from '../history';
import { authorOf, loadUnit } from './update-unit';
import { writeUnit } from './write-units';
import { deniedOn } from '../contributors';

/** Longest comment, in characters. */
const MAX_LENGTH = 1000;
const scopes = ['translation', 'global', 'report'];

export interface AddComment {
  unit: number;
  /** translation: on the string itself; global or report: on its source string. */
  scope: string;
  text: string;
  /** Whose comment it is, when that is not the caller; '': the caller's. */
  email: string;
  /** When it was made, milliseconds since the epoch; absent: now. */
  time?: number;
  /** What is known to be wrong with the request. */
  problems: readonly FieldProblem[];
}

/**
 * Adds a comment; when it is answered, the unit and the counters show it. Who may edit the project may bring comments from elsewhere:
 * of another user, of another time. The history has it now, by the caller.
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID naming scope or comment
 */
export async function addComment(
  parts: Parts,
  principal: Principal,
  request: AddComment,
  generation: string,
): Promise<{ comment: Comment; username: string }> {
  const loaded = await loadUnit(parts, request.unit, generation);
  const target = accessTarget(loaded.component, loaded.unit.language);
  if (!canSee(principal, target)) throw new ServiceError('NOT_FOUND');
  if (!can(principal, 'comment.add', target)) throw deniedOn(principal, loaded.component);
  if ((request.email || request.time !== undefined) && !can(principal, 'project.edit', target))
    throw new ServiceError('PERMISSION_DENIED', { message: 'Only who may edit the project makes comments of others.' });
  checkComment(request, loaded.unit);
  const other = request.email === '' ? null : await parts.directory.userWithEmail(request.email);
  const id = request.scope === 'translation' ? loaded.unit.id : loaded.unit.sourceUnit;
  const now = parts.now();
  const author = authorOf(principal);
  let comment: Comment | undefined;
  for (let unit: Unit | null = await parts.units.get(id); unit; unit = await parts.units.get(id)) {
    if (!comment) {
      const { translation, component, project } = unit;
      comment = {
        id: await parts.ids.next('comment'),
        unit: id,
        translation,
        component,
        project,
        text: request.text,
        user: other?.id ?? author.userId,
        time: request.time ?? now,
      };
      await parts.comments.insert(comment);
    }
    const changes = [changeOf(unit, author, now, Action.commentAdded, request.text, '', { scope: request.scope })];
    const patch = { comments: unit.comments + 1 };
    if (await writeUnit(parts, { unit, patch, changes }, { author, time: now }))
      return { comment, username: other?.username ?? author.username };
  }
  throw new ServiceError('NOT_FOUND');
}

function checkComment({ scope, text, problems: known }: AddComment, { isSource }: Unit): void {
  const problems: FieldProblem[] = [];
  if (scope === '') problems.push({ attr: 'scope', code: 'required', detail: 'This field is required.' });
  else if (!scopes.includes(scope)) {
    problems.push({ attr: 'scope', code: 'invalid_choice', detail: `"${scope.slice(0, 40)}" is not a scope.` });
  } else if (isSource && scope === 'translation') {
    problems.push({ attr: 'scope', code: 'invalid', detail: 'A source string has no translation to comment on.' });
  }
  if (text.trim() === '') problems.push({ attr: 'comment', code: 'required', detail: 'A text is needed.' });
  else if ([...text].length > MAX_LENGTH) {
    problems.push({ attr: 'comment', code: 'max_length', detail: `A comment has at most ${MAX_LENGTH} characters.` });
  } else {
    const fault = textFault([text]);
    if (fault) problems.push({ attr: 'comment', code: fault.code, detail: fault.detail });
  }
  refuse(known, problems);
}
