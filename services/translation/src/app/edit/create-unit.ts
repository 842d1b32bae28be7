import { can, type Caller } from '@parlance/access';
import { fieldErrors, throwIfInvalid, ServiceError, type FieldProblem } from '@parlance/errors';
import { formatInfo, keyAncestors, keySeparators } from '@parlance/formats';
import { accessTarget, type Component } from '../../domain/component';
import { findTextProblem } from '../../domain/text-rules';
import type { Translation } from '../../domain/translation';
import { idHash, isBlank, State, type Unit } from '../../domain/unit';
import { deniedOn, requireContributor, type ContributorDeps } from '../contributors';
import { KeyFilterError, matchKeys } from '../import/key-filter';
import { insertStrings, type InsertStringsDeps } from './insert-strings';
import { loadTranslation, type LoadTranslationDeps } from '../load-translation';
import { authorOf } from '../author';
import type { TranslationReader, TranslationWriter, UnitKeys } from '../../domain/ports';

export interface CreateUnitDeps extends InsertStringsDeps, LoadTranslationDeps, ContributorDeps {
  translations: TranslationReader & TranslationWriter;
}

export interface CreateUnit {
  translation: number;
  context: string;
  source: string[];
  target: string[];
  state?: number;
  /** Problems found while the request was parsed. */
  problems?: readonly FieldProblem[];
}

/** @throws LOCKED; PERMISSION_DENIED when the component or the caller's permissions do not allow it */
export function checkManageRights(
  caller: Caller,
  component: Component,
  translation: Translation,
  what: 'add' | 'delete',
): void {
  if (component.locked) throw new ServiceError('LOCKED');
  if (!component.manageUnits)
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'The component does not allow adding and removing strings; see its setting manage_units.',
    });
  const monolingual = component.template !== '';
  if (monolingual && (!translation.isSource || !component.editTemplate))
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'Strings of a monolingual component must be added and removed in its source language.',
    });
  const permission = component.isGlossary ? (`glossary.${what}` as const) : (`unit.${what}` as const);
  if (!can(caller, permission, accessTarget(component, translation.language.code))) throw deniedOn(caller, component);
  const abilities = formatInfo(component.fileFormat)?.can;
  if (what === 'add' ? !abilities?.addUnit : !abilities?.removeUnit)
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'The file format does not support adding or removing strings.',
    });
}

/**
 * Adds a string to a translation of a bilingual component, with its source string. A string that is added to the source translation is
 * added to every translation: with the given text in a bilingual component, without a text in a monolingual component.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, INVALID naming the field
 */
export async function createUnit(
  deps: CreateUnitDeps,
  caller: Caller,
  given: CreateUnit,
  generation: string,
): Promise<Unit> {
  // White space around a key is invisible and unintended.
  const request = { ...given, context: given.context.trim() };
  const { translation, component } = await loadTranslation(deps, request.translation, generation);
  checkManageRights(caller, component, translation, 'add');
  await requireContributor(deps, caller, component);
  const monolingual = component.template !== '';
  await validate(request, component, translation, monolingual);
  const source = monolingual ? request.target : request.source;
  const { target } = request;
  const key = idHash(monolingual, request.context, monolingual ? [] : source);
  if (await deps.units.byKey(translation.id, key)) throw exists();
  if (monolingual) await requireFreeKey(deps, component, translation, request.context);
  const [unit] = await insertStrings(
    deps,
    component,
    translation,
    [
      {
        context: request.context,
        source,
        target,
        state: isBlank(target) ? State.empty : (request.state ?? State.translated),
      },
    ],
    authorOf(caller),
  );
  if (!unit) throw exists();
  return unit;
}

async function acceptsKey({ keyFilter }: Component, key: string): Promise<boolean> {
  if (keyFilter === '') return true;
  try {
    return (await matchKeys([key], keyFilter))[0]!;
  } catch (error) {
    if (error instanceof KeyFilterError) return false;
    throw error;
  }
}

/** In formats with nested keys, a key has either a text or child keys. @throws INVALID on field key */
async function requireFreeKey(
  deps: { units: UnitKeys },
  component: Component,
  translation: Translation,
  key: string,
): Promise<void> {
  const ancestors = keyAncestors(component.fileFormat, key);
  const childPrefixes = keySeparators(component.fileFormat).map((separator) => key + separator);
  if (childPrefixes.length === 0) return;
  const other = await deps.units.findContext(translation.id, ancestors, childPrefixes);
  if (other === null) return;
  const detail = `The key conflicts with the key "${other.slice(0, 200)}": a key cannot have both a text and child keys.`;
  throw fieldErrors([{ attr: 'key', code: 'invalid', detail }]);
}

/** Whether only blank texts were given; a missing list is reported by its length. */
function hasNoText(target: readonly string[]): boolean {
  return target.length > 0 && isBlank(target);
}

function exists(): ServiceError {
  return fieldErrors([{ attr: 'non_field_errors', code: 'unique', detail: 'This string exists already.' }]);
}

/** Problem of a missing or blank list of texts. */
function missingText(attr: string, texts: readonly string[]): FieldProblem {
  return texts.length === 0
    ? { attr, code: 'required', detail: 'This field is required.' }
    : { attr: `${attr}.0`, code: 'blank', detail: 'This text must not be empty.' };
}

async function validate(
  request: CreateUnit,
  component: Component,
  translation: Translation,
  monolingual: boolean,
): Promise<void> {
  const problems: FieldProblem[] = [];
  const checkTexts = (texts: readonly string[], attr: (form: number) => string) => {
    const fault = findTextProblem(texts);
    if (fault) problems.push({ attr: attr(fault.form), code: fault.code, detail: fault.detail });
  };
  checkTexts([request.context], () => (monolingual ? 'key' : 'context'));
  checkTexts(request.source, (form) => `source.${form}`);
  checkTexts(request.target, (form) => `${monolingual ? 'value' : 'target'}.${form}`);
  if (monolingual && request.context === '')
    problems.push({ attr: 'key', code: 'blank', detail: 'A key must not be empty.' });
  else if (monolingual && !(await acceptsKey(component, request.context)))
    problems.push({ attr: 'key', code: 'invalid', detail: 'The key does not match the key_filter of the component.' });
  if (monolingual && isBlank(request.target)) problems.push(missingText('value', request.target));
  if (!monolingual && isBlank(request.source)) problems.push(missingText('source', request.source));
  if (request.source.length > 2)
    problems.push({ attr: 'source', code: 'invalid', detail: 'A source must have one or two texts.' });
  const plural = (monolingual ? request.target : request.source).length > 1;
  if (plural && !formatInfo(component.fileFormat)?.can.plurals)
    problems.push({ attr: 'non_field_errors', code: 'invalid', detail: 'The file format does not support plurals.' });
  problems.push(
    ...formProblems(request, translation, monolingual, plural),
    ...stateProblems(request, component, translation, monolingual),
  );
  throwIfInvalid(request.problems ?? [], problems);
}

/** Problems of the number of target texts of a bilingual string. */
function formProblems(
  request: CreateUnit,
  translation: Translation,
  monolingual: boolean,
  plural: boolean,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (!monolingual && !translation.isSource) {
    const forms = plural ? translation.language.pluralNumber : 1;
    if (request.target.length !== forms)
      problems.push({
        attr: 'target',
        code: request.target.length === 0 ? 'required' : 'invalid',
        detail: `This string has ${forms} text${forms === 1 ? '' : 's'}.`,
      });
  }
  if (!monolingual && translation.isSource && !plural && request.target.length > 1)
    problems.push({ attr: 'target', code: 'invalid', detail: 'This string has 1 text.' });
  return problems;
}

/** Problems of the state, and of a state that does not fit the texts. */
function stateProblems(
  request: CreateUnit,
  component: Component,
  translation: Translation,
  monolingual: boolean,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const { state } = request;
  if (state !== undefined && ![State.empty, State.fuzzy, State.translated, State.approved].includes(state as 0)) {
    problems.push({
      attr: 'state',
      code: state === State.readonly ? 'invalid' : 'invalid_choice',
      detail: `"${state}" is not a valid state. Use 0, 10, 20 or 30.`,
    });
  } else if (state === State.approved && !component.translationReview)
    problems.push({
      attr: 'state',
      code: 'invalid',
      detail: 'Approving requires the review workflow, which is disabled.',
    });
  else if (
    state !== undefined &&
    state > State.empty &&
    hasNoText(request.target) &&
    !monolingual &&
    !translation.isSource
  )
    problems.push({ attr: 'target', code: 'blank', detail: 'A string without a text can only be untranslated.' });
  else if (state === State.empty && !isBlank(request.target))
    problems.push({ attr: 'state', code: 'invalid', detail: 'A string with a text cannot be untranslated.' });
  return problems;
}
