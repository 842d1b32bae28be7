import { can, type Permission, type Caller } from '@parlance/access';
import { fieldErrors, ServiceError, type FieldProblem } from '@parlance/errors';
import { formatInfo } from '@parlance/formats';
import { accessTarget, type Component } from '../../domain/component';
import type { Translation } from '../../domain/translation';
import { State, type Author } from '../../domain/unit';
import { authorOf } from '../author';
import { deniedOn } from '../contributors';

/** What a caller sends with a file, as it came. */
export interface UploadRequest {
  translation: number;
  filename: string;
  method: string;
  conflicts: string;
  fuzzy: string;
  authorName: string;
  authorEmail: string;
  bytes: Buffer;
  /** What is known to be wrong with the request. */
  problems: readonly FieldProblem[];
}

/** How an upload works on the strings that it finds; `state` is what their texts become. */
interface MethodRow {
  kind: 'texts' | 'suggestions' | 'strings' | 'file' | 'template';
  state: number;
  /** All that one of these lists names is needed. */
  permissions: readonly (readonly Permission[])[];
}

const wholeFile = [['component.edit'], ['unit.add', 'unit.delete', 'unit.edit']] as const;

const methods = {
  translate: { kind: 'texts', state: State.translated, permissions: [['unit.edit']] },
  approve: { kind: 'texts', state: State.approved, permissions: [['unit.review']] },
  fuzzy: { kind: 'texts', state: State.fuzzy, permissions: [['unit.edit']] },
  suggest: { kind: 'suggestions', state: State.translated, permissions: [['suggestion.add']] },
  add: { kind: 'strings', state: State.translated, permissions: [['unit.add']] },
  replace: { kind: 'file', state: State.translated, permissions: wholeFile },
  source: { kind: 'template', state: State.translated, permissions: wholeFile },
} as const satisfies Record<string, MethodRow>;

export type UploadMethod = keyof typeof methods;
/** Which translated strings an upload may replace. */
export type ConflictRule = '' | 'replace-translated' | 'replace-approved';
/** What becomes of strings that the file marks as needing editing: left out, taken as such, taken as good. */
export type FuzzyRule = '' | 'process' | 'approve';

/** An upload that is understood and allowed. */
export interface AllowedUpload {
  method: UploadMethod;
  kind: MethodRow['kind'];
  /** State of the texts that are taken. */
  state: number;
  conflicts: ConflictRule;
  fuzzy: FuzzyRule;
  /** Whose texts these are; the uploader, or whom the uploader names. */
  author: Author;
  /** Who uploads. */
  caller: Caller;
}

/** The permission that stands for another one in glossaries. */
const inGlossary: Partial<Record<Permission, Permission>> = {
  'upload.perform': 'glossary.upload',
  'unit.edit': 'glossary.edit',
  'unit.add': 'glossary.add',
  'unit.delete': 'glossary.delete',
};

const MAX_AUTHOR_NAME = 150;
const MAX_AUTHOR_EMAIL = 190;

/**
 * Decides whether an upload may happen, before anything of its file is looked at.
 * @throws LOCKED; INVALID naming method, conflicts, fuzzy, author_name or author_email; PERMISSION_DENIED
 */
export function allowUpload(
  caller: Caller,
  request: Omit<UploadRequest, 'bytes' | 'problems'>,
  translation: Translation,
  component: Component,
): AllowedUpload {
  const target = accessTarget(component, translation.language.code);
  const holds = (permission: Permission): boolean =>
    can(caller, (component.isGlossary && inGlossary[permission]) || permission, target);
  if (component.locked) throw new ServiceError('LOCKED');
  if (!holds('upload.perform')) throw deniedOn(caller, component);

  const problems: FieldProblem[] = [];
  const wrong = (attr: string, detail: string, code = 'invalid') => problems.push({ attr, code, detail });
  const method = (request.method || 'translate') as UploadMethod;
  const row: MethodRow | undefined = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!row) wrong('method', `"${shown(request.method)}" is not a method of uploads.`, 'invalid_choice');
  else {
    const reason = unfit(method, row, translation, component);
    if (reason) wrong('method', reason);
  }
  const conflicts = request.conflicts === 'ignore' ? '' : request.conflicts;
  if (!isConflictRule(conflicts))
    wrong('conflicts', `"${shown(conflicts)}" is not a rule for conflicts.`, 'invalid_choice');
  else if (conflicts === 'replace-approved' && !reviewed(translation, component))
    wrong('conflicts', 'There are no approved strings: the review workflow is off here.');
  const { fuzzy } = request;
  if (!isFuzzyRule(fuzzy))
    wrong('fuzzy', `"${shown(fuzzy)}" is not a rule for strings that need editing.`, 'invalid_choice');
  if (request.authorName.length > MAX_AUTHOR_NAME || /[<>\p{Cc}]/u.test(request.authorName))
    wrong('author_name', `A name has at most ${MAX_AUTHOR_NAME} characters, and no angle brackets.`);
  if (request.authorEmail && !isAddress(request.authorEmail)) wrong('author_email', 'This is not a mail address.');
  if (problems.length > 0 || !row || !isConflictRule(conflicts) || !isFuzzyRule(fuzzy)) throw fieldErrors(problems);

  if (!row.permissions.some((all) => all.every(holds))) throw new ServiceError('PERMISSION_DENIED');
  if (conflicts !== '' && !holds('upload.overwrite')) throw new ServiceError('PERMISSION_DENIED');
  if (conflicts === 'replace-approved' && !holds('unit.review')) throw new ServiceError('PERMISSION_DENIED');
  if (row.kind === 'texts' && translation.isSource && !holds('unit.template'))
    throw new ServiceError('PERMISSION_DENIED');
  if (row.kind === 'texts' && votingDecides(component) && !holds('unit.override'))
    throw new ServiceError('PERMISSION_DENIED', { message: 'Texts are decided by voting on suggestions here.' });
  if (row.kind === 'suggestions' && !component.enableSuggestions)
    throw new ServiceError('PERMISSION_DENIED', { message: 'Suggestions are turned off here.' });
  const named = (request.authorName || request.authorEmail) && holds('upload.authorship');
  return {
    method,
    kind: row.kind,
    state: row.state,
    conflicts,
    fuzzy,
    author: named ? namedAuthor(request, caller) : authorOf(caller),
    caller: caller,
  };
}

/** Why a method does not fit the translation; null when it does. */
function unfit(method: UploadMethod, row: MethodRow, translation: Translation, component: Component): string | null {
  const monolingual = component.template !== '';
  const abilities = formatInfo(component.fileFormat)?.can;
  if (method === 'approve' && !reviewed(translation, component)) return 'The review workflow is off here.';
  switch (row.kind) {
    case 'texts':
    case 'suggestions':
      if (translation.isSource && !(monolingual && component.editTemplate))
        return 'The source strings of this component are not edited here.';
      return null;
    case 'strings':
      if (!component.manageUnits) return 'Strings are not managed here; see the setting manage_units.';
      if (!abilities?.addUnit) return 'Strings cannot be added to files of this format.';
      if (!monolingual) return null;
      if (!translation.isSource) return 'Strings of this component are added in its source language.';
      return component.editTemplate ? null : 'The source strings of this component are not edited here.';
    case 'file':
      return fileOf(translation, component) === '' ? 'This translation has no file.' : null;
    case 'template':
      if (!translation.isSource) return 'A source file is uploaded to the source language.';
      if (monolingual) return 'A source file belongs to a bilingual component; replace the base file instead.';
      if (!component.newBase || component.fileFormat !== 'po')
        return 'Only gettext components with a base file are updated from a source file.';
      return null;
  }
}

/** Path of the file that holds a translation's strings; '' when there is none. */
export function fileOf(translation: Translation, component: Component): string {
  return translation.filename || (translation.isSource ? component.newBase : '');
}

function reviewed(translation: Translation, component: Component): boolean {
  return translation.isSource ? component.sourceReview : component.translationReview;
}

function votingDecides(component: Component): boolean {
  return component.suggestionVoting && component.suggestionAutoaccept > 0;
}

function isConflictRule(text: string): text is ConflictRule {
  return text === '' || text === 'replace-translated' || text === 'replace-approved';
}

function isFuzzyRule(text: string): text is FuzzyRule {
  return text === '' || text === 'process' || text === 'approve';
}

/** Commits and mails hold the address: nothing but one plain address gets through. */
function isAddress(text: string): boolean {
  return text.length <= MAX_AUTHOR_EMAIL && /^[^\s<>@,;:"()[\]\\\p{Cc}]+@[^\s<>@,;:"()[\]\\\p{Cc}]+$/u.test(text);
}

/** A half that is not given is the uploader's. */
function namedAuthor(request: Pick<UploadRequest, 'authorName' | 'authorEmail'>, caller: Caller): Author {
  const own = authorOf(caller);
  if (
    (request.authorEmail || own.email).toLowerCase() === own.email.toLowerCase() &&
    (request.authorName || own.fullName) === own.fullName
  )
    return own;
  return {
    userId: 0,
    username: '',
    fullName: request.authorName || own.fullName || own.username,
    email: request.authorEmail || own.email,
  };
}

/** What the history says of an author who is no user. */
export function namedInHistory({ author }: Pick<AllowedUpload, 'author'>): Record<string, unknown> {
  return author.userId === 0 ? { author: author.fullName } : {};
}

function shown(text: string): string {
  return text.slice(0, 100);
}
