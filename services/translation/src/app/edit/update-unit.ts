import { can, canSee, type Caller } from '@parlance/access';
import { autofix, FlagError, parseFlags, stripControlCharacters, type Flags } from '@parlance/checks';
import { isServiceError, throwIfInvalid, ServiceError, type FieldProblem } from '@parlance/errors';
import { pauseAfter } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import { accessTarget, type Component } from '../../domain/component';
import { applyEdit } from '../../domain/edit';
import type { UnitPatch } from '../../domain/ports';
import type { Translation } from '../../domain/translation';
import { sameTexts, State, timeAfter, type Author, type Unit } from '../../domain/unit';
import type { Deps } from '../deps';
import { deniedOn, mayContribute, requireContributor } from '../contributors';
import type { Judge } from '../checks/quality';
import { judgedAnew } from '../checks/rejudge';
import { propagate, type Editor } from './propagate';
import { spreadSourceFlags } from './spread-source-flags';
import { spreadSourceTexts } from './spread-source-texts';
import { changeOf, type ChangeDraft } from '../history';
import { planTextEdit } from './text-edit';
import { writeUnit } from './write-units';

export interface UpdateUnit {
  id: number;
  target?: string[];
  state?: number;
  explanation?: string;
  extraFlags?: string;
  labels?: number[];
  /** 0: any. */
  expectedVersion: number;
  addon?: AddonEdit;
  /** What is known to be wrong with the request; absent: nothing. */
  problems?: readonly FieldProblem[];
}

/** An edit that an add-on makes. */
export interface AddonEdit {
  name: string;
  /** Action of the history entry; 0: what kind of edit it is. */
  action: number;
  author: Author;
  /** A read-only string takes the text and stays read-only. */
  readOnly: boolean;
}

/** Tries after somebody else wrote the same unit at the same moment. Edits through this process wait for each other. */
const MAX_TRIES = 20;

export function authorOf(caller: Caller): Author {
  return {
    userId: caller.userId,
    username: caller.username,
    fullName: caller.fullName,
    email: caller.email,
  };
}

/** Whom an edit is attributed to. */
const authorFor = (caller: Caller, request: UpdateUnit): Author => request.addon?.author ?? authorOf(caller);

/** A unit with all that decides about it. */
export interface LoadedUnit {
  unit: Unit;
  translation: Translation;
  component: Component;
}

/** @throws NOT_FOUND */
export async function loadUnit(deps: Deps, id: number, generation: string): Promise<LoadedUnit> {
  const unit = await deps.units.get(id);
  if (!unit) throw new ServiceError('NOT_FOUND');
  return withSurroundings(deps, unit, generation);
}

async function withSurroundings(deps: Deps, unit: Unit, generation: string): Promise<LoadedUnit> {
  const [component, translation] = await Promise.all([
    deps.catalog.component(unit.component, generation),
    deps.facts(unit.translation),
  ]);
  if (!component || !translation) throw new ServiceError('NOT_FOUND');
  return { unit, translation, component };
}

/** Count of texts that a unit's target has. */
export function formsOf(unit: Unit, translation: Translation): number {
  return unit.source.length > 1 && !unit.isSource ? translation.language.pluralNumber : unit.source.length;
}

/**
 * Saves an edit. When it is answered, the unit, its history, its checks and the counters show it. Edits of one unit are saved one
 * after the other, in the order in which they came.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, CONFLICT (expectedVersion), INVALID naming the field, UNAVAILABLE when others write
 * the unit all the time
 */
export function updateUnit(deps: Deps, caller: Caller, request: UpdateUnit, generation: string): Promise<Unit> {
  return deps.unitTurns.take(request.id, () => saveEdit(deps, caller, request, generation));
}

async function saveEdit(deps: Deps, caller: Caller, request: UpdateUnit, generation: string): Promise<Unit> {
  const prepare = async (loaded: LoadedUnit) => {
    const { unit, component } = loaded;
    if (!canSee(caller, accessTarget(component))) throw new ServiceError('NOT_FOUND');
    if (request.expectedVersion && request.expectedVersion !== unit.version) throw new ServiceError('CONFLICT');
    const plan = await planUpdate(deps, caller, request, loaded).catch((error: unknown) => {
      // What is wrong by itself is said before that this string takes no such edit, or none by this caller.
      if (!isServiceError(error, 'INVALID')) throwIfInvalid(request.problems ?? [], []);
      throw error;
    });
    return { unit, component, plan };
  };
  const recent = deps.recentUnits.get(request.id);
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const remembered = attempt === 0 ? recent : undefined;
    if (attempt > 1) await pauseAfter(attempt - 1);
    // What is remembered may be old. A write proves that it was not; a refusal, or that nothing changes, proves nothing.
    const prepared = remembered
      ? await withSurroundings(deps, remembered, generation)
          .then(prepare)
          .catch(() => null)
      : await prepare(await loadUnit(deps, request.id, generation));
    if (!prepared) continue;
    const { unit, component, plan } = prepared;
    if (Object.keys(plan.patch).length === 0) {
      if (remembered) continue;
      return unit;
    }
    const now = deps.now();
    const patch = { ...plan.patch, updated: timeAfter(unit, now) };
    const contributes = !caller.isBot && !request.addon;
    const by = { author: authorFor(caller, request), time: now, contributes };
    if (!(await writeUnit(deps, { unit, patch, changes: plan.changes }, by))) continue;
    const saved = { ...unit, ...patch, version: unit.version + 1 };
    deps.recentUnits.note([saved]);
    if (patch.contentHash !== undefined) await spreadSourceTexts(deps, component, [unit], authorOf(caller));
    if (patch.extraFlags !== undefined) await spreadSourceFlags(deps, component, saved);
    if (patch.target !== undefined) await propagate(deps, editorOf(deps, caller), saved, component, generation);
    return saved;
  }
  throw new ServiceError('UNAVAILABLE', { message: 'Others write this string all the time. Try again in a moment.' });
}

function editorOf(deps: Deps, caller: Caller): Editor {
  return {
    author: authorOf(caller),
    async mayEdit(unit, component) {
      try {
        checkTextRights(caller, unit, component);
      } catch (error) {
        if (isServiceError(error, 'PERMISSION_DENIED')) return false;
        throw error;
      }
      return mayContribute(deps, caller, component);
    },
    mayReview: (unit, component) => can(caller, 'unit.review', accessTarget(component, unit.language)),
  };
}

async function planUpdate(
  deps: Deps,
  caller: Caller,
  request: UpdateUnit,
  { unit, translation, component }: LoadedUnit,
) {
  if (component.locked) throw new ServiceError('LOCKED');
  const problems = [...(request.problems ?? [])];
  const aboutText = request.target !== undefined || request.state !== undefined;
  const aboutSource = [request.explanation, request.extraFlags, request.labels].some((value) => value !== undefined);
  const author = authorFor(caller, request);
  const now = deps.now();
  if (aboutSource) checkSourceRights(caller, unit, component);
  const { patch, changes } = planSourceSettings(request, unit, author, now, problems);
  if (aboutText) {
    checkTextRights(caller, unit, component);
    await requireContributor(deps, caller, component);
  }

  const judge = deps.judge(component, translation.language);
  const sourceExtraFlags = unit.isSource ? (patch.extraFlags ?? unit.extraFlags) : await deps.sourceFlags(unit);
  const text = aboutText
    ? decideText(caller, request, { unit, translation, component }, judge, sourceExtraFlags, problems)
    : null;
  throwIfInvalid(problems, []);
  if (text) {
    const planned = planTextEdit({
      unit,
      ...text,
      author,
      component,
      judge,
      sourceExtraFlags,
      now,
      ...(request.addon?.action ? { action: request.addon.action } : {}),
      ...(request.addon ? { details: { addon: request.addon.name } } : {}),
    });
    Object.assign(patch, planned.patch);
    changes.unshift(...planned.changes);
  }
  if (patch.extraFlags !== undefined)
    Object.assign(patch, judgedAnew(judge, { ...unit, ...patch }, patch.extraFlags, true));
  return { patch, changes };
}

/** @throws PERMISSION_DENIED unless the caller may change explanation, flags and labels here */
function checkSourceRights(caller: Caller, unit: Unit, component: Component): void {
  if (!unit.isSource)
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'Explanation, flags and labels belong to the source string.',
    });
  if (!can(caller, 'source.edit', accessTarget(component, unit.language))) throw deniedOn(caller, component);
}

/** Explanation, flags and labels: they belong to source units. What is wrong with them is put among the problems. */
function planSourceSettings(
  request: UpdateUnit,
  unit: Unit,
  author: Author,
  now: number,
  problems: FieldProblem[],
): { patch: UnitPatch; changes: ChangeDraft[] } {
  const patch: UnitPatch = {};
  const changes: ChangeDraft[] = [];
  if (request.extraFlags !== undefined) {
    // Flags are shown as they were written; only their meaning is normalized.
    const flags = request.extraFlags.trim();
    if (areFlags(flags, problems) && flags !== unit.extraFlags) {
      patch.extraFlags = flags;
      changes.push(changeOf(unit, author, now, Action.extraFlagsChanged, flags, unit.extraFlags, {}));
    }
  }
  if (request.explanation !== undefined && request.explanation !== unit.explanation) {
    patch.explanation = request.explanation;
    changes.push(changeOf(unit, author, now, Action.explanationChanged, request.explanation, unit.explanation, {}));
  }
  const { labels } = request;
  if (labels !== undefined && (labels.length !== unit.labels.length || !labels.every((l) => unit.labels.includes(l))))
    patch.labels = [...labels];
  return { patch, changes };
}

function areFlags(text: string, problems: FieldProblem[]): boolean {
  try {
    parseFlags(text);
    return true;
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    problems.push({ attr: 'extra_flags', code: 'invalid', detail: error.message });
    return false;
  }
}

/** Text and state that the request leads to; null when nothing changes. @throws INVALID with the known problems, too */
function decideText(
  caller: Caller,
  request: UpdateUnit,
  { unit, translation, component }: LoadedUnit,
  judge: Judge,
  sourceExtraFlags: string,
  known: readonly FieldProblem[],
): { target: string[]; state: number } | null {
  const forms = formsOf(unit, translation);
  if (request.addon?.readOnly && unit.state === State.readonly && request.target?.length === forms)
    return sameTexts(request.target, unit.target) ? null : { target: request.target, state: State.readonly };
  const flags = judge.flags(unit.flags, sourceExtraFlags);
  const target = request.target?.length === forms ? corrected(unit, request.target, flags) : request.target;
  const edited = applyEdit(
    unit,
    { ...(target ? { target } : {}), ...(request.state === undefined ? {} : { state: request.state }) },
    {
      forms,
      review: unit.isSource ? component.sourceReview : component.translationReview,
      mayReview: can(caller, 'unit.review', accessTarget(component, unit.language)),
    },
    known,
  );
  return sameTexts(edited.target, unit.target) && edited.state === unit.state ? null : edited;
}

/** What is saved of texts that somebody gave: obvious slips are put right. A source has none beside which they would show. */
export function corrected(unit: Unit, texts: readonly string[], flags: Flags): string[] {
  if (unit.isSource) return texts.map((text) => stripControlCharacters(text, ''));
  return autofix(unit.source, texts, flags, unit.language).target;
}

/** @throws PERMISSION_DENIED */
function checkTextRights(caller: Caller, unit: Pick<Unit, 'isSource' | 'language'>, component: Component): void {
  const target = accessTarget(component, unit.language);
  if (unit.isSource) {
    if (component.template === '' || !component.editTemplate)
      throw new ServiceError('PERMISSION_DENIED', { message: 'Source strings are not edited here.' });
    if (!can(caller, 'unit.template', target)) throw deniedOn(caller, component);
  } else if (!can(caller, component.isGlossary ? 'glossary.edit' : 'unit.edit', target))
    throw deniedOn(caller, component);
  if (component.suggestionVoting && component.suggestionAutoaccept > 0 && !can(caller, 'unit.override', target)) {
    throw new ServiceError('PERMISSION_DENIED', { message: 'Texts are decided by voting on suggestions here.' });
  }
}
