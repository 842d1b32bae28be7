import { TimeSlice } from '@parlance/workload';
import { Action } from '../../domain/change';
import type { Suggestion, SuggestionStore, UnitReader, UnitWriter } from '../../domain/ports';
import { sameTexts, State, type Unit } from '../../domain/unit';
import type { ParsedFile } from '../files/parsed-file';
import { changeOf, historyText } from '../history';
import { retryLost } from '../edit/contention';
import { formsOf } from '../edit/load-unit';
import type { Upload, UploadResult } from './upload';
import { byId, matchTexts } from './upload-texts';
import { mayVote, voteFor, type VoteDeps } from '../suggestions/vote-suggestions';
import { writeUnits, type WriteUnitsDeps } from '../edit/write-units';
import type { UnitCache } from '../caches/unit-cache';

export interface AddSuggestionsDeps extends WriteUnitsDeps {
  units: UnitReader & UnitWriter;
  suggestions: Pick<SuggestionStore, 'insertMany' | 'countNewer'>;
}

export interface SuggestTextsDeps extends VoteDeps {
  unitCache: Pick<UnitCache, 'ofTranslation'>;
}

export interface SuggestionRequest {
  unit: Unit;
  target: string[];
}

/**
 * Adds the texts of a file as suggestions where they differ from the targets. For an existing suggestion, the uploader votes if voting
 * is enabled.
 */
export async function suggestTexts(deps: SuggestTextsDeps, upload: Upload, file: ParsedFile): Promise<UploadResult> {
  const { translation } = upload;
  const result: UploadResult = { accepted: 0, skipped: 0, notFound: 0, total: file.count };
  const units = await deps.unitCache.ofTranslation(translation);
  const unitsById = await byId(units);
  const texts = await matchTexts(upload, file, units, result);
  const suggested = new Map<number, Suggestion[]>();
  const unitsWithSuggestions = texts.map((text) => text.unit).filter((id) => unitsById.get(id)!.suggestions > 0);
  for (const suggestion of await deps.suggestions.ofUnits(unitsWithSuggestions)) {
    const others = suggested.get(suggestion.unit);
    if (others) others.push(suggestion);
    else suggested.set(suggestion.unit, [suggestion]);
  }
  const requests: SuggestionRequest[] = [];
  const slice = new TimeSlice();
  for (const { unit: id, target } of texts) {
    if (slice.isOver()) await slice.next();
    const unit = unitsById.get(id)!;
    const isApplicable = unit.state !== State.readonly && target.length === formsOf(unit, translation);
    const same = suggested.get(id)?.find((suggestion) => sameTexts(suggestion.target, target));
    if (!isApplicable || sameTexts(unit.target, target)) result.skipped++;
    else if (!same) requests.push({ unit, target });
    else if (await voteFor(deps, upload, same)) result.accepted++;
    else result.skipped++;
  }
  await addSuggestions(deps, upload, requests, mayVote(upload));
  result.accepted += requests.length;
  return result;
}

/** Stores suggestions and counts them on their units. @param voted each gets the vote of its author */
export async function addSuggestions(
  deps: AddSuggestionsDeps,
  upload: Pick<Upload, 'author' | 'now' | 'caller' | 'translation'>,
  requests: readonly SuggestionRequest[],
  voted = false,
): Promise<void> {
  for (let at = 0; at < requests.length; at += BATCH)
    await addBatch(deps, upload, requests.slice(at, at + BATCH), voted);
}

/** Suggestions in one insert. */
const BATCH = 500;

async function addBatch(
  deps: AddSuggestionsDeps,
  upload: Pick<Upload, 'author' | 'now' | 'caller' | 'translation'>,
  requests: readonly SuggestionRequest[],
  voted: boolean,
): Promise<void> {
  const { author, now, translation } = upload;
  const ids = await deps.ids.range('suggestion', requests.length);
  await deps.suggestions.insertMany(
    requests.map(({ unit, target }, i) => ({
      id: ids[i]!,
      unit: unit.id,
      translation: unit.translation,
      component: unit.component,
      project: unit.project,
      target,
      user: author.userId,
      time: now,
      ...(voted ? { votes: [upload.caller.userId], author } : {}),
    })),
  );
  const targets = new Map(requests.map(({ unit, target }) => [unit.id, target]));
  // A concurrent write to the unit may have counted the new suggestion already.
  const countedOf = async ({ id, suggestions }: Unit, number: number) =>
    number === 1 ? suggestions + 1 : deps.suggestions.countNewer(id, 0);
  const count = async (todo: readonly Unit[], number: number) => {
    const counted = new Map<number, number>();
    for (const unit of todo) counted.set(unit.id, await countedOf(unit, number));
    const planned = todo.map((unit) => {
      const change = changeOf(
        unit,
        author,
        now,
        Action.suggestionAdded,
        historyText(targets.get(unit.id)!),
        historyText(unit.target),
        {
          state: unit.state,
          source: historyText(unit.source),
          context: unit.context,
        },
      );
      return {
        unit,
        patch: { suggestions: counted.get(unit.id)! },
        changes: [{ ...change, user: upload.caller.userId }],
      };
    });
    const { late } = await writeUnits(deps, translation.id, planned, { author, time: now });
    return late.length > 0 ? deps.units.many(late.map(({ unit }) => unit.id)) : [];
  };
  await retryLost(
    requests.map((request) => request.unit),
    count,
  );
}
