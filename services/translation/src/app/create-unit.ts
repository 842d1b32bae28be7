import { can, type Principal } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { formatInfo } from '@parlance/formats';
import { randomUUID } from 'node:crypto';
import { Action } from '../domain/change';
import { accessTarget, type Component } from '../domain/component';
import { deltaBetween } from '../domain/counters';
import { withEdit } from '../domain/pending';
import type { Translation } from '../domain/translation';
import { idHash, isBlank, State, type Author, type Unit } from '../domain/unit';
import { PLURAL_SEPARATOR } from './conflicts';
import { blankUnit } from './file-entry';
import type { Parts } from './parts';
import { measure } from './quality';
import { changeOf, numberChanges } from './text-edit';
import { authorOf } from './update-unit';

export interface CreateUnit {
  translation: number;
  context: string;
  source: string[];
  target: string[];
  state?: number;
}

/** @throws PERMISSION_DENIED, LOCKED when strings are not added here or not by this caller */
export function checkManageRights(
  principal: Principal,
  component: Component,
  translation: Translation,
  what: 'add' | 'delete',
): void {
  if (component.locked) throw new ServiceError('LOCKED');
  if (!component.manageUnits)
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'Strings are not managed here; see the setting manage_units.',
    });
  const monolingual = component.template !== '';
  if (monolingual && (!translation.isSource || !component.editTemplate))
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'Strings of this component are managed in its source language.',
    });
  const permission = component.isGlossary ? (`glossary.${what}` as const) : (`unit.${what}` as const);
  if (!can(principal, permission, accessTarget(component, translation.language.code)))
    throw new ServiceError('PERMISSION_DENIED');
  const abilities = formatInfo(component.fileFormat)?.can;
  if (what === 'add' ? !abilities?.addUnit : !abilities?.removeUnit)
    throw new ServiceError('PERMISSION_DENIED', { message: 'The file format does not allow this.' });
}

/**
 * Adds a string: in a bilingual component to one translation (with its source string), in a monolingual one to the source
 * translation and, without a text, to every other.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, INVALID naming the field
 */
export async function createUnit(
  parts: Parts,
  principal: Principal,
  request: CreateUnit,
  generation: string,
): Promise<Unit> {
  const translation = await parts.translations.get(request.translation);
  const component = translation && (await parts.catalog.component(translation.component, generation));
  if (!translation || !component) throw new ServiceError('NOT_FOUND');
  checkManageRights(principal, component, translation, 'add');
  const monolingual = component.template !== '';
  validate(request, component, translation, monolingual);
  const source = monolingual || translation.isSource ? (monolingual ? request.target : request.source) : request.source;
  const target = translation.isSource ? source : request.target;
  const key = idHash(monolingual, request.context, monolingual ? [] : source);
  if (await parts.units.byKey(translation.id, key)) {
    throw fieldErrors([{ attr: 'non_field_errors', code: 'unique', detail: 'This string exists already.' }]);
  }
  const author = authorOf(principal);
  const all = await parts.translations.ofComponent(component.id);
  const sourceTranslation = all.find((t) => t.isSource)!;
  const sourceUnit =
    (await parts.units.byKey(sourceTranslation.id, key)) ??
    (await insert(
      parts,
      component,
      sourceTranslation,
      {
        key,
        context: request.context,
        source,
        target: source,
        state: monolingual ? (request.state ?? State.translated) : State.readonly,
      },
      author,
      null,
    ));
  if (translation.isSource) {
    if (monolingual) {
      for (const other of all.filter((t) => !t.isSource)) {
        await insert(
          parts,
          component,
          other,
          { key, context: request.context, source, target: source.map(() => ''), state: State.empty },
          author,
          sourceUnit,
        );
      }
    }
    return sourceUnit;
  }
  const state = isBlank(target) ? State.empty : (request.state ?? State.translated);
  return insert(
    parts,
    component,
    translation,
    { key, context: request.context, source, target, state },
    author,
    sourceUnit,
  );
}

function validate(request: CreateUnit, component: Component, translation: Translation, monolingual: boolean): void {
  const problems = [];
  if (monolingual && request.context === '')
    problems.push({ attr: 'key', code: 'required', detail: 'A key is needed.' });
  if (monolingual && isBlank(request.target))
    problems.push({ attr: 'value', code: 'required', detail: 'A text is needed.' });
  if (!monolingual && isBlank(request.source))
    problems.push({ attr: 'source', code: 'required', detail: 'A source text is needed.' });
  if (request.source.length > 2)
    problems.push({ attr: 'source', code: 'invalid', detail: 'A source has one or two texts.' });
  const plural = (monolingual ? request.target : request.source).length > 1;
  if (plural && !formatInfo(component.fileFormat)?.can.plurals)
    problems.push({ attr: 'non_field_errors', code: 'invalid', detail: 'The file format has no plurals.' });
  if (!monolingual && !translation.isSource) {
    const forms = plural ? translation.language.pluralNumber : 1;
    if (request.target.length !== forms)
      problems.push({
        attr: 'target',
        code: request.target.length === 0 ? 'required' : 'invalid',
        detail: `This string has ${forms} text${forms === 1 ? '' : 's'}.`,
      });
  }
  const { state } = request;
  if (state !== undefined && ![State.empty, State.fuzzy, State.translated, State.approved].includes(state as 0)) {
    problems.push({
      attr: 'state',
      code: state === State.readonly ? 'invalid' : 'invalid_choice',
      detail: `"${state}" is not a state that can be set.`,
    });
  } else if (state === State.approved && !component.translationReview)
    problems.push({
      attr: 'state',
      code: 'invalid',
      detail: 'Approving needs the review workflow, which is off here.',
    });
  else if (state === State.empty && !isBlank(request.target))
    problems.push({ attr: 'state', code: 'invalid', detail: 'A string with a text cannot be untranslated.' });
  if (problems.length > 0) throw fieldErrors(problems);
}

interface NewUnit {
  key: string;
  context: string;
  source: string[];
  target: string[];
  state: number;
}

async function insert(
  parts: Parts,
  component: Component,
  translation: Translation,
  fields: NewUnit,
  author: Author,
  sourceUnit: Unit | null,
): Promise<Unit> {
  const now = parts.now();
  const id = await parts.ids.next('unit');
  const judge = parts.judge(component, translation.language);
  const unit: Unit = {
    ...blankUnit(translation, { ...fields, note: '', location: '', flags: '', previousSource: [] }, id, now),
    ...measure(fields.source, component.sourceLanguage.code),
    sourceUnit: sourceUnit?.id ?? id,
    position: translation.counters.all.s + 1,
  };
  unit.checks = judge.checks({ ...unit, sourceExtraFlags: sourceUnit?.extraFlags ?? '' });
  const inFile =
    !(translation.isSource && component.template === '') && !(isBlank(unit.target) && component.template !== '');
  if (inFile)
    unit.edits = withEdit([], { id: randomUUID(), author, target: unit.target, state: unit.state, time: now });
  const text = unit.target.join(PLURAL_SEPARATOR);
  const changes = await numberChanges(parts, [
    changeOf(unit, author, now, translation.isSource ? Action.newSource : Action.stringAdded, text, '', {
      state: unit.state,
      source: unit.source.join(PLURAL_SEPARATOR),
      context: unit.context,
    }),
  ]);
  const item = {
    id: randomUUID(),
    time: now,
    translation: translation.id,
    delta: deltaBetween(null, unit, 1),
    changes,
  };
  if (!(await parts.units.add(unit)))
    throw fieldErrors([{ attr: 'non_field_errors', code: 'unique', detail: 'This string exists already.' }]);
  // The announcement follows the insertion as a write of its own: an interrupted one is counted by the next import.
  await parts.units.write({ unit: unit.id, version: unit.version, patch: {}, outbox: item });
  await parts.effects.settle(unit.id, item, {
    time: now,
    author: author.fullName || author.username,
    authorId: author.userId,
  });
  return { ...unit, version: unit.version + 1 };
}
