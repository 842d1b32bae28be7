import { can, canSee, type Caller } from '@parlance/access';
import { FlagError, parseFlags } from '@parlance/checks';
import { isServiceError, throwIfInvalid, ServiceError, type FieldProblem } from '@parlance/errors';
import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import { accessTarget, type Component } from '../../domain/component';
import type { ContentGenerations } from '../../domain/ports';
import { applyEdit } from '../../domain/edit';
import { sameTexts, State, timeAfter, type Author, type Unit } from '../../domain/unit';
import { authorOf } from '../author';
import type { RecentUnits } from '../caches/recent-units';
import type { UnitEvaluator } from '../checks/unit-evaluator';
import { applyFlags } from '../checks/rerun-checks';
import { deniedOn, mayContribute, requireContributor, type ContributorDeps } from '../contributors';
import { changeOf, historyText } from '../history';
import type { KeyedMutex } from '../keyed-mutex';
import { modifiedConcurrently } from './contention';
import { correctTexts } from './correct-texts';
import { formsOf, loadUnit, withContext, type LoadedUnit, type LoadUnitDeps } from './load-unit';
import { completePropagation, planPropagation, type Editor, type PropagateDeps } from '../effects/propagate';
import { applySourceFlags, type ApplySourceFlagsDeps } from '../effects/apply-source-flags';
import { applySourceTexts, type ApplySourceTextsDeps } from '../effects/apply-source-texts';
import { planTextEdit, type TextEdit } from './text-edit';
import { writeUnit, writtenUnit, type UnitUpdate } from './write-units';

export interface UpdateUnitDeps
  extends LoadUnitDeps, ContributorDeps, PropagateDeps, ApplySourceFlagsDeps, ApplySourceTextsDeps {
  units: PropagateDeps['units'];
  recentUnits: RecentUnits;
  contents: ContentGenerations;
  /** Serializes the edits of one unit in this process, instead of letting them race in the store. */
  unitMutex: KeyedMutex<number>;
}

/**
 * A request to edit a unit. An edit passes through these types: `UnitEditRequest` (the request of the caller), `TextEdit` (its validated
 * text), `UnitUpdate` (the planned patch with its history), `UnitWrite` (the conditional write of the store, with a `UnitPatch` of fields
 * to set).
 */
export interface UnitEditRequest {
  id: number;
  target?: string[];
  state?: number;
  explanation?: string;
  extraFlags?: string;
  labels?: number[];
  /** 0: any. */
  expectedVersion: number;
  addon?: AddonEdit;
  accepts?: AcceptedSuggestion;
  /** Problems found while the request was parsed. */
  problems?: readonly FieldProblem[];
}

/** An edit by an add-on. */
export interface AddonEdit {
  name: string;
  /** Action of the history entry; 0: derived from the edit. */
  action: number;
  author: Author;
  /** A read-only string takes the text and stays read-only. */
  readOnly: boolean;
}

/** A suggestion that an edit makes the translation. */
export interface AcceptedSuggestion {
  suggestion: number;
  /** 0: no user. */
  suggestedBy: number;
  /** Author of the text. */
  author: Author;
}

/** Attempts before an edit fails; edits through this process do not compete with each other. */
const MAX_ATTEMPTS = 20;

const authorFor = (caller: Caller, request: UnitEditRequest): Author =>
  request.addon?.author ?? request.accepts?.author ?? authorOf(caller);

/**
 * Saves an edit with read-your-writes: unit, history, checks and counters show it once the promise resolves. Edits of one unit
 * through this process run in call order.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED, CONFLICT (expectedVersion), INVALID naming the field, UNAVAILABLE under contention
 */
export function updateUnit(
  deps: UpdateUnitDeps,
  caller: Caller,
  request: UnitEditRequest,
  generation: string,
): Promise<Unit> {
  const editor = new UnitEditor(deps, caller, request, generation);
  return deps.unitMutex.take(
    request.id,
    async () =>
      (await editor.saveCached()) ??
      optimisticUpdate(() => editor.saveStored(), { attempts: MAX_ATTEMPTS, exhausted: modifiedConcurrently }),
  );
}

class UnitEditor {
  constructor(
    private readonly deps: UpdateUnitDeps,
    private readonly caller: Caller,
    private readonly request: UnitEditRequest,
    private readonly generation: string,
  ) {}

  /**
   * Saves the edit on top of the cached unit, which spares a read. The cached unit may be stale: only a successful write proves that it was
   * not. A rejected edit, or an edit without effect, is decided again.
   * @returns null when the edit has to be decided on the stored unit
   */
  async saveCached(): Promise<Unit | null> {
    const { deps, request, generation } = this;
    const cached = deps.recentUnits.get(request.id);
    if (!cached) return null;
    let loaded: LoadedUnit;
    let update: UnitUpdate;
    try {
      loaded = await withContext(deps, cached, generation);
      update = await this.plan(loaded);
    } catch {
      return null;
    }
    return hasEffect(update) ? this.save(loaded, update) : null;
  }

  async saveStored(): Promise<Unit | typeof LOST_RACE> {
    const loaded = await loadUnit(this.deps, this.request.id, this.generation);
    const update = await this.plan(loaded);
    if (!hasEffect(update)) {
      // The attempt before may have ended after its write and before the end of its effects.
      await this.deps.contents.changed([loaded.unit]);
      return loaded.unit;
    }
    return (await this.save(loaded, update)) ?? LOST_RACE;
  }

  private async plan(loaded: LoadedUnit): Promise<UnitUpdate> {
    const { deps, caller, request } = this;
    if (!canSee(caller, accessTarget(loaded.component))) throw new ServiceError('NOT_FOUND');
    if (request.expectedVersion && request.expectedVersion !== loaded.unit.version) throw new ServiceError('CONFLICT');
    return planUpdate(deps, caller, request, loaded).catch((error: unknown) => {
      // Validation errors take precedence over state and permission errors.
      if (!isServiceError(error, 'INVALID')) throwIfInvalid(request.problems ?? [], []);
      throw error;
    });
  }

  /** @returns null when another writer changed the unit first */
  private async save({ unit, component }: LoadedUnit, planned: UnitUpdate): Promise<Unit | null> {
    const { deps, caller, request, generation } = this;
    const time = deps.now();
    const patch = { ...planned.patch, updated: timeAfter(unit, time) };
    const saved = writtenUnit({ unit, patch });
    const propagation =
      patch.target === undefined
        ? null
        : await planPropagation(deps, editorOf(deps, caller, authorFor(caller, request)), saved, component, generation);
    const by = { author: authorFor(caller, request), time, contributes: !caller.isBot && !request.addon };
    const update = { ...planned, patch, ...(propagation ? { propagation: propagation.intent } : {}) };
    const finish = propagation ? () => completePropagation(deps, propagation) : undefined;
    const afterWrite = async () => {
      deps.recentUnits.record([saved]);
      if (patch.contentHash !== undefined) await applySourceTexts(deps, component, [unit], authorOf(caller));
      if (patch.extraFlags !== undefined) await applySourceFlags(deps, component, saved);
    };
    if (!(await writeUnit(deps, update, by, finish))) return null;
    await afterWrite();
    return saved;
  }
}

const hasEffect = ({ patch }: UnitUpdate): boolean => Object.keys(patch).length > 0;

function editorOf(deps: ContributorDeps, caller: Caller, author: Author): Editor {
  return {
    author,
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
  deps: UpdateUnitDeps,
  caller: Caller,
  request: UnitEditRequest,
  loaded: LoadedUnit,
): Promise<UnitUpdate> {
  const { unit, translation, component } = loaded;
  if (component.locked) throw new ServiceError('LOCKED');
  const problems = [...(request.problems ?? [])];
  const editsText = request.target !== undefined || request.state !== undefined;
  const editsSource = [request.explanation, request.extraFlags, request.labels].some((value) => value !== undefined);
  if (editsSource) checkSourceRights(caller, unit, component);
  const author = authorFor(caller, request);
  const now = deps.now();
  const update = planSourceSettings(request, unit, author, now, problems);
  if (editsText) {
    checkTextRights(caller, unit, component);
    await requireContributor(deps, caller, component);
  }
  const evaluator = deps.evaluators.for(component, translation.language);
  const { extraFlags } = update.patch;
  const sourceExtraFlags = unit.isSource ? (extraFlags ?? unit.extraFlags) : await deps.sourceFlags.of(unit);
  const text = editsText ? resolveText(caller, request, loaded, evaluator, sourceExtraFlags, problems) : null;
  throwIfInvalid(problems, []);
  if (text) {
    const edit: TextEdit = {
      unit,
      ...text,
      author,
      component,
      evaluator,
      sourceExtraFlags,
      now,
      ...historyOf(request),
    };
    const { patch, changes } = planTextEdit(edit);
    Object.assign(update.patch, patch);
    update.changes.unshift(...changes);
  }
  if (request.accepts) recordAcceptance(update, caller, request.accepts, text !== null, now);
  if (extraFlags !== undefined)
    Object.assign(update.patch, applyFlags(evaluator, { ...unit, ...update.patch }, extraFlags, true));
  return update;
}

/** Completes the history entries of an accepted suggestion: the caller acts, the author is that of the text. */
function recordAcceptance(
  { unit, patch, changes }: UnitUpdate,
  caller: Caller,
  accepts: AcceptedSuggestion,
  changesText: boolean,
  now: number,
): void {
  if (!changesText) {
    const text = historyText(unit.target);
    patch.updated = timeAfter(unit, now);
    changes.push(changeOf(unit, accepts.author, now, Action.suggestionAccepted, text, text, acceptanceOf(accepts)));
  }
  for (const change of changes) change.user = caller.userId;
}

const acceptanceOf = ({ suggestion, suggestedBy }: AcceptedSuggestion) => ({ suggestion, suggested_by: suggestedBy });

/** Action and details of the history entry of an add-on or of an accepted suggestion. */
function historyOf({ addon, accepts }: UnitEditRequest): Pick<TextEdit, 'action' | 'details'> {
  if (accepts) return { action: Action.suggestionAccepted, details: acceptanceOf(accepts) };
  if (!addon) return {};
  return { ...(addon.action ? { action: addon.action } : {}), details: { addon: addon.name } };
}

/** @throws PERMISSION_DENIED unless the caller may change explanation, flags and labels here */
function checkSourceRights(caller: Caller, unit: Unit, component: Component): void {
  if (!unit.isSource)
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'Explanation, flags and labels belong to the source string.',
    });
  if (!can(caller, 'source.edit', accessTarget(component, unit.language))) throw deniedOn(caller, component);
}

/** Plans explanation, extra flags and labels, which belong to source units. Adds problems to the list. */
function planSourceSettings(
  request: UnitEditRequest,
  unit: Unit,
  author: Author,
  now: number,
  problems: FieldProblem[],
): UnitUpdate {
  const update: UnitUpdate = { unit, patch: {}, changes: [] };
  const { patch, changes } = update;
  if (request.extraFlags !== undefined) {
    // Stored as written; normalization happens when flags are parsed.
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
  return update;
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

/** @returns the text and state after the edit; null when nothing changes. @throws INVALID, with the known problems */
function resolveText(
  caller: Caller,
  request: UnitEditRequest,
  { unit, translation, component }: LoadedUnit,
  evaluator: UnitEvaluator,
  sourceExtraFlags: string,
  known: readonly FieldProblem[],
): { target: string[]; state: number } | null {
  const forms = formsOf(unit, translation);
  const { target, addon } = request;
  const isComplete = target?.length === forms;
  if (addon?.readOnly && unit.state === State.readonly && isComplete)
    return sameTexts(target, unit.target) ? null : { target, state: State.readonly };
  const rules = {
    forms,
    review: unit.isSource ? component.sourceReview : component.translationReview,
    mayReview: can(caller, 'unit.review', accessTarget(component, unit.language)),
  };
  const corrected = isComplete ? correctTexts(unit, target, evaluator.flags(unit.flags, sourceExtraFlags)) : target;
  const edited = applyEdit(unit, corrected ? { ...request, target: corrected } : request, rules, known);
  return sameTexts(edited.target, unit.target) && edited.state === unit.state ? null : edited;
}

/** @throws PERMISSION_DENIED */
function checkTextRights(caller: Caller, unit: Pick<Unit, 'isSource' | 'language'>, component: Component): void {
  const target = accessTarget(component, unit.language);
  if (unit.isSource) {
    if (component.template === '' || !component.editTemplate)
      throw new ServiceError('PERMISSION_DENIED', {
        message: 'The source strings of this component cannot be edited; see its setting edit_template.',
      });
    if (!can(caller, 'unit.template', target)) throw deniedOn(caller, component);
  } else if (!can(caller, component.isGlossary ? 'glossary.edit' : 'unit.edit', target))
    throw deniedOn(caller, component);
  if (component.suggestionVoting && component.suggestionAutoaccept > 0 && !can(caller, 'unit.override', target)) {
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'Votes on suggestions decide about translations of this component. Add a suggestion instead.',
    });
  }
}
