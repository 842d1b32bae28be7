import { UnitMatcher, type FormatUnit } from '@parlance/formats';
import { eachInSlices, TimeSlice } from '@parlance/workload';
import { Action } from '../../domain/change';
import { isBlank, sameTexts, State, type Unit } from '../../domain/unit';
import type { ParsedFile } from '../files/parsed-file';
import { spreadSourceTexts, type SpreadSourceTextsDeps } from '../edit/spread-source-texts';
import { planTextEdit } from '../edit/text-edit';
import { formsOf } from '../edit/load-unit';
import { requireFit } from './read-upload';
import type { Upload, UploadResult } from './upload';
import { namedInHistory } from './upload-rules';
import { writeUnits, type UnitUpdate } from '../edit/write-units';
import type { UnitCache } from '../caches/unit-cache';
import type { SourceFlags } from '../caches/interfaces';

export interface UploadTextsDeps extends SpreadSourceTextsDeps {
  unitCache: Pick<UnitCache, 'ofTranslation'>;
  sourceFlags: SourceFlags;
}

/** A text of the file and the unit it is for. */
export interface MatchedText {
  unit: number;
  target: string[];
  state: number;
}

/** Rounds of reading again after units were edited at the same moment. */
const MAX_ROUNDS = 10;

/**
 * Finds the units that the entries of a file mean. Entries that say nothing are left out, those without a unit and those that mean
 * a unit which an earlier entry means already are counted.
 * @throws INVALID on field file where a text has characters that none may have
 */
export async function matchTexts(
  upload: Upload,
  file: ParsedFile,
  units: readonly Unit[],
  result: UploadResult,
): Promise<MatchedText[]> {
  const matcher = await matcherOf(units, upload.component.template !== '');
  const foreign = file.format !== upload.component.fileFormat;
  const taken = new Set<number>();
  const matched: MatchedText[] = [];
  const match = (entry: FormatUnit): void => {
    const state = stateFor(upload, entry);
    if (state === null) return;
    const unit = matcher.find(entry, file.metadata.monolingual, foreign);
    if (!unit) result.notFound++;
    else if (taken.has(unit.id)) result.skipped++;
    else {
      taken.add(unit.id);
      requireFit(entry, entry.target, [...unit.source, ...unit.target]);
      matched.push({ unit: unit.id, target: [...entry.target], state });
    }
  };
  for await (const entries of file.batches()) await eachInSlices(entries, match);
  return matched;
}

/** Finds the units of a translation, however many. */
export async function matcherOf(units: readonly Unit[], monolingual: boolean): Promise<UnitMatcher<Unit>> {
  const matcher = new UnitMatcher<Unit>([], monolingual);
  await eachInSlices(units, (unit) => matcher.add(unit));
  return matcher;
}

/** State that an entry leads to; null when it is left out. */
function stateFor(upload: Upload, entry: FormatUnit): number | null {
  if (isBlank(entry.target)) return null;
  if (entry.state !== 'fuzzy') return upload.state;
  if (upload.fuzzy === '') return null;
  return upload.fuzzy === 'process' ? State.fuzzy : upload.state;
}

/** Puts the texts of a file into their units, as the rules for conflicts allow. */
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

/** Units by their ids. */
export async function byId(units: readonly Unit[]): Promise<Map<number, Unit>> {
  const found = new Map<number, Unit>();
  await eachInSlices(units, (unit) => found.set(unit.id, unit));
  return found;
}

/** One pass; answers what has to be done again because somebody edited the unit meanwhile. */
async function writeTexts(
  deps: UploadTextsDeps,
  upload: Upload,
  texts: readonly MatchedText[],
  units: ReadonlyMap<number, Unit>,
  result: UploadResult,
): Promise<MatchedText[]> {
  const { component, translation, author, now } = upload;
  const judge = deps.judges.for(component, translation.language);
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
      judge,
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
    await spreadSourceTexts(
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
