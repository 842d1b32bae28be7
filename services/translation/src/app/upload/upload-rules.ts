import { can, type Permission, type Caller } from '@parlance/access';
import { fieldErrors, ServiceError, type FieldProblem } from '@parlance/errors';
import { formatInfo } from '@parlance/formats';
import { accessTarget, type Component } from '../../domain/component';
import type { Translation } from '../../domain/translation';
import { State, type Author } from '../../domain/unit';
import { authorOf } from '../author';
import { deniedOn } from '../contributors';

/** Request as received, not validated. */
export interface UploadRequest {
  translation: number;
  filename: string;
  method: string;
  conflicts: string;
  fuzzy: string;
  authorName: string;
  authorEmail: string;
  bytes: Buffer;
  /** Problems found while the request was parsed. */
  problems: readonly FieldProblem[];
}

interface MethodRow {
  kind: 'texts' | 'suggestions' | 'strings' | 'file' | 'template';
  /** State of uploaded texts. */
  state: number;
  /** Alternatives: the caller needs all permissions of one list. */
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
/** Treatment of entries that need editing: '' skips them, process keeps that state, approve uses the state of the method. */
export type FuzzyRule = '' | 'process' | 'approve';

/** A validated and authorized upload. */
export interface AllowedUpload {
  method: UploadMethod;
  kind: MethodRow['kind'];
  /** State of uploaded texts. */
  state: number;
  conflicts: ConflictRule;
  fuzzy: FuzzyRule;
  /** The uploader, or the author that the uploader names. */
  author: Author;
  caller: Caller;
}

/** Permissions that replace others in glossaries. */
const inGlossary: Partial<Record<Permission, Permission>> = {
  'upload.perform': 'glossary.upload',
  'unit.edit': 'glossary.edit',
  'unit.add': 'glossary.add',
  'unit.delete': 'glossary.delete',
};

const MAX_AUTHOR_NAME = 150;
const MAX_AUTHOR_EMAIL = 190;

/**
 * Validates and authorizes an upload, before its file is parsed.
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

  const { method, row, conflicts, fuzzy } = validRules(request, translation, component);
  requireRights(row, conflicts, translation, component, holds);
  const named = (request.authorName || request.authorEmail) && holds('upload.authorship');
  return {
    method,
    kind: row.kind,
    state: row.state,
    conflicts,
    fuzzy,
    author: named ? namedAuthor(request, caller) : authorOf(caller),
    caller,
  };
}

/** The rules of an upload. @throws INVALID naming method, conflicts, fuzzy, author_name or author_email */
function validRules(
  request: Omit<UploadRequest, 'bytes' | 'problems'>,
  translation: Translation,
  component: Component,
): Pick<AllowedUpload, 'method' | 'conflicts' | 'fuzzy'> & { row: MethodRow } {
  const problems: FieldProblem[] = [];
  const addProblem = (attr: string, detail: string, code = 'invalid') => problems.push({ attr, code, detail });
  const method = (request.method || 'translate') as UploadMethod;
  const row: MethodRow | undefined = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!row)
    addProblem(
      'method',
      `"${shortened(request.method)}" is not an upload method. Use one of: ${Object.keys(methods).join(', ')}.`,
      'invalid_choice',
    );
  else {
    const reason = notApplicable(method, row, translation, component);
    if (reason) addProblem('method', reason);
  }
  const conflicts = request.conflicts === 'ignore' ? '' : request.conflicts;
  if (!isConflictRule(conflicts))
    addProblem(
      'conflicts',
      `"${shortened(conflicts)}" is not valid. Use ignore, replace-translated or replace-approved.`,
      'invalid_choice',
    );
  else if (conflicts === 'replace-approved' && !hasReview(translation, component))
    addProblem('conflicts', '"replace-approved" requires the review workflow, which is disabled.');
  const { fuzzy } = request;
  if (!isFuzzyRule(fuzzy))
    addProblem(
      'fuzzy',
      `"${shortened(fuzzy)}" is not valid. Use process or approve, or omit the field.`,
      'invalid_choice',
    );
  if (request.authorName.length > MAX_AUTHOR_NAME || /[<>\p{Cc}]/u.test(request.authorName))
    addProblem(
      'author_name',
      `"author_name" must not be longer than ${MAX_AUTHOR_NAME} characters or contain angle brackets or control characters.`,
    );
  if (request.authorEmail && !isAddress(request.authorEmail))
    addProblem('author_email', '"author_email" must be a valid email address.');
  if (problems.length > 0 || !row || !isConflictRule(conflicts) || !isFuzzyRule(fuzzy)) throw fieldErrors(problems);
  return { method, row, conflicts, fuzzy };
}

/** @throws PERMISSION_DENIED */
function requireRights(
  row: MethodRow,
  conflicts: AllowedUpload['conflicts'],
  translation: Translation,
  component: Component,
  holds: (permission: Permission) => boolean,
): void {
  if (!row.permissions.some((all) => all.every(holds))) throw new ServiceError('PERMISSION_DENIED');
  if (conflicts !== '' && !holds('upload.overwrite')) throw new ServiceError('PERMISSION_DENIED');
  if (conflicts === 'replace-approved' && !holds('unit.review')) throw new ServiceError('PERMISSION_DENIED');
  if (row.kind === 'texts' && translation.isSource && !holds('unit.template'))
    throw new ServiceError('PERMISSION_DENIED');
  if (row.kind === 'texts' && votingDecides(component) && !holds('unit.override'))
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'Votes on suggestions decide about translations of this component. Upload with the method "suggest".',
    });
  if (row.kind === 'suggestions' && !component.enableSuggestions)
    throw new ServiceError('PERMISSION_DENIED', { message: 'Suggestions are disabled for this component.' });
}

/** Why a method is not applicable to the translation; null: applicable. */
function notApplicable(
  method: UploadMethod,
  row: MethodRow,
  translation: Translation,
  component: Component,
): string | null {
  const monolingual = component.template !== '';
  const abilities = formatInfo(component.fileFormat)?.can;
  if (method === 'approve' && !hasReview(translation, component))
    return 'The method "approve" requires the review workflow, which is disabled.';
  switch (row.kind) {
    case 'texts':
    case 'suggestions':
      if (translation.isSource && !(monolingual && component.editTemplate)) return SOURCE_READ_ONLY;
      return null;
    case 'strings':
      if (!component.manageUnits)
        return 'The component does not allow adding strings; enable its setting manage_units.';
      if (!abilities?.addUnit) return 'The file format does not support adding strings.';
      if (!monolingual) return null;
      if (!translation.isSource) return 'Strings of a monolingual component must be added to its source language.';
      return component.editTemplate ? null : SOURCE_READ_ONLY;
    case 'file':
      return fileOf(translation, component) === '' ? 'This translation has no file.' : null;
    case 'template':
      if (!translation.isSource) return 'The method "source" is available for the source language only.';
      if (monolingual)
        return 'The method "source" is available for bilingual components only; upload the base file with "replace".';
      if (!component.newBase || component.fileFormat !== 'po')
        return 'The method "source" requires a gettext component with a base file.';
      return null;
  }
}

const SOURCE_READ_ONLY = 'The source strings of this component cannot be edited; see its setting edit_template.';

/** Path of the file with a translation's strings; '' if it has none. */
export function fileOf(translation: Translation, component: Component): string {
  return translation.filename || (translation.isSource ? component.newBase : '');
}

function hasReview(translation: Translation, component: Component): boolean {
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

/** Strict, because commits and emails contain the address. */
function isAddress(text: string): boolean {
  return text.length <= MAX_AUTHOR_EMAIL && /^[^\s<>@,;:"()[\]\\\p{Cc}]+@[^\s<>@,;:"()[\]\\\p{Cc}]+$/u.test(text);
}

/** A missing name or address defaults to the uploader's. */
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

/** History details for an author without an account. */
export function namedInHistory({ author }: Pick<AllowedUpload, 'author'>): Record<string, unknown> {
  return author.userId === 0 ? { author: author.fullName } : {};
}

function shortened(text: string): string {
  return text.slice(0, 100);
}
