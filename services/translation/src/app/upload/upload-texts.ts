import { UnitMatcher, type FormatUnit } from '@parlance/formats';
import { eachInSlices, TimeSlice } from '@parlance/workload';
import { Action } from '../../domain/change';
import { isBlank, sameTexts, State, type Unit } from '../../domain/unit';
import type { ParsedFile } from '../files/parsed-file';
import { applySourceTexts, type ApplySourceTextsDeps } from '../effects/apply-source-texts';
import { planTextEdit } from '../edit/text-edit';
import { formsOf } from '../edit/load-unit';
import { requireValidTexts } from './read-upload';
import type { Upload, UploadResult } from './upload';
import { namedInHistory } from './upload-rules';
import { writeUnits, type UnitUpdate } from '../edit/write-units';
import type { UnitCache } from '../caches/unit-cache';
import type { SourceFlags } from '../caches/interfaces';

export interface UploadTextsDeps extends ApplySourceTextsDeps {
  unitCache: Pick<UnitCache, 'ofTranslation'>;
  sourceFlags: SourceFlags;
}

/** A text of the file with its unit. */
export interface MatchedText {
  unit: number;
  target: string[];
  state: number;
}

/** Retries of units that were edited concurrently. */
const MAX_ROUNDS = 10;

/**
 * Matches the entries of a file with units. Blank entries are omitted. Entries without a unit, and further entries of the same unit, are
 * counted in `result`.
 * @throws INVALID on field file when a text contains invalid characters
 */
export async function matchTexts(
  upload: Upload,
  file: ParsedFile,
  units: readonly Unit[],
  result: UploadResult,
): Promise<MatchedText[]> {
  const matcher = await matcherOf(units, upload.component.template !== '');
  const foreign = file.format !== upload.component.fileFormat;
  const matchedUnits = new Set<number>();
  const matched: MatchedText[] = [];
  const match = (entry: FormatUnit): void => {
    const state = stateFor(upload, entry);
    if (state === null) return;
    const unit = matcher.find(entry, file.metadata.monolingual, foreign);
    if (!unit) result.notFound++;
    else if (matchedUnits.has(unit.id)) result.skipped++;
    else {
      matchedUnits.add(unit.id);
      requireValidTexts(entry, entry.target, [...unit.source, ...unit.target]);
      matched.push({ unit: unit.id, target: [...entry.target], state });
    }
  };
  for await (const entries of file.batches()) await eachInSlices(entries, match);
  return matched;
}

/** Builds a matcher of the units of a translation, yielding to the event loop. */
export async function matcherOf(units: readonly Unit[], monolingual: boolean): Promise<UnitMatcher<Unit>> {
  const matcher = new UnitMatcher<Unit>([], monolingual);
  await eachInSlices(units, (unit) => matcher.add(unit));
  return matcher;
}

/** State of an entry's text; null: the entry is skipped. */
function stateFor(upload: Upload, entry: FormatUnit): number | null {
  if (isBlank(entry.target)) return null;
  if (entry.state !== 'fuzzy') return upload.state;
  if (upload.fuzzy === '') return null;
  return upload.fuzzy === 'process' ? State.fuzzy : upload.state;
}

/** Writes the texts of a file to their units, as far as the conflict rule allows. */
export async function uploadTexts(deps: UploadTextsDeps, upload: Upload, file: ParsedFile): Promise<UploadResult> {
  const result: UploadResult = { accepted: 0, skipped: 0, notFound: 0, total: file.count };
  let units = await deps.unitCache.ofTranslation(upload.translation);
  let todo = await matchTexts(upload, file, units, result);
  for (let round = 0; todo.length > 0; round++) {
    if (round === MAX_ROUNDS) {
      result.skipped += todo.length;
      break;
    }
    if (round > 0) units = await deps.units.many(todo.map((text) => text.unit));
    todo = await writeTexts(deps, upload, todo, await byId(units), result);
  }
  return result;
}

export async function byId(units: readonly Unit[]): Promise<Map<number, Unit>> {
  const found = new Map<number, Unit>();
  await eachInSlices(units, (unit) => found.set(unit.id, unit));
  return found;
}

/** @returns the texts whose units were edited concurrently */
async function writeTexts(
  deps: UploadTextsDeps,
  upload: Upload,
  texts: readonly MatchedText[],
  units: ReadonlyMap<number, Unit>,
  result: UploadResult,
): Promise<MatchedText[]> {
  const { component, translation, author, now } = upload;
  const evaluator = deps.evaluators.for(component, translation.language);
  const planned: (UnitUpdate & { text: MatchedText })[] = [];
  const slice = new TimeSlice();
  for (const text of texts) {
    if (slice.isOver()) await slice.next();
    const unit = units.get(text.unit);
    const same = unit && sameTexts(unit.target, text.target) && unit.state === text.state;
    if (!unit || same || !mayReplace(upload, unit) || text.target.length !== formsOf(unit, translation)) {
      result.skipped++;
      continue;
    }
    const sourceExtraFlags = unit.isSource ? unit.extraFlags : await deps.sourceFlags.of(unit);
    const action = Action.targetUploaded;
    const { target, state } = text;
    const details = namedInHistory(upload);
    const plan = planTextEdit({
      unit,
      target,
      state,
      author,
      component,
      evaluator,
      sourceExtraFlags,
      now,
      action,
      details,
    });
    const changes = plan.changes.map((change) => ({ ...change, user: upload.caller.userId }));
    planned.push({ text, unit, patch: plan.patch, changes });
  }
  const by = { author, time: now, contributes: !upload.caller.isBot };
  const { done, late } = await writeUnits(deps, translation.id, planned, by);
  result.accepted += done.length;
  if (translation.isSource)
    await applySourceTexts(
      deps,
      component,
      done.filter(({ patch }) => patch.contentHash !== undefined).map(({ unit }) => unit),
      author,
    );
  return late.map(({ text }) => text);
}

function mayReplace({ conflicts }: Upload, unit: Unit): boolean {
  if (unit.state === State.readonly) return false;
  if (unit.state < State.translated) return true;
  if (unit.state === State.translated) return conflicts !== '';
  return conflicts === 'replace-approved';
}
