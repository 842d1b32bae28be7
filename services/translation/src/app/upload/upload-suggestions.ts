import { TimeSlice } from '@parlance/workload';
import { Action } from '../../domain/change';
import type { Suggestion, SuggestionStore, UnitReader, UnitWriter } from '../../domain/ports';
import { sameTexts, State, type Unit } from '../../domain/unit';
import type { ParsedFile } from '../files/parsed-file';
import { changeOf, historyText } from '../history';
import { retryLate } from '../edit/contention';
import { formsOf } from '../edit/load-unit';
import type { Upload, UploadResult } from './upload';
import { byId, matchTexts } from './upload-texts';
import { mayVote, voteFor, type VoteDeps } from '../edit/vote-suggestions';
import { writeUnits, type WriteUnitsDeps } from '../edit/write-units';
import type { UnitCache } from '../caches/unit-cache';

export interface AddSuggestionsDeps extends WriteUnitsDeps {
  units: UnitReader & UnitWriter;
  suggestions: Pick<SuggestionStore, 'insertMany' | 'countNewer'>;
}

export interface SuggestTextsDeps extends VoteDeps {
  unitCache: Pick<UnitCache, 'ofTranslation'>;
}

/** A text that is suggested for a unit, with its history entry. */
export interface SuggestionRequest {
  unit: Unit;
  target: string[];
}

/**
 * Suggests the texts of a file where they differ from what is there. What is suggested already is not suggested again; where
 * suggestions are voted on, it gets the uploader's vote.
 */
export async function suggestTexts(deps: SuggestTextsDeps, upload: Upload, file: ParsedFile): Promise<UploadResult> {
  const { translation } = upload;
  const result: UploadResult = { accepted: 0, skipped: 0, notFound: 0, total: file.count };
  const units = await deps.unitCache.ofTranslation(translation);
  const known = await byId(units);
  const texts = await matchTexts(upload, file, units, result);
  const suggested = new Map<number, Suggestion[]>();
  const asked = texts.map((text) => text.unit).filter((id) => known.get(id)!.suggestions > 0);
  for (const suggestion of await deps.suggestions.ofUnits(asked)) {
    const others = suggested.get(suggestion.unit);
    if (others) others.push(suggestion);
    else suggested.set(suggestion.unit, [suggestion]);
  }
  const wishes: SuggestionRequest[] = [];
  const slice = new TimeSlice();
  for (const { unit: id, target } of texts) {
    if (slice.isOver()) await slice.next();
    const unit = known.get(id)!;
    const fits = unit.state !== State.readonly && target.length === formsOf(unit, translation);
    const same = suggested.get(id)?.find((suggestion) => sameTexts(suggestion.target, target));
    if (!fits || sameTexts(unit.target, target)) result.skipped++;
    else if (!same) wishes.push({ unit, target });
    else if (await voteFor(deps, upload, same)) result.accepted++;
    else result.skipped++;
  }
  await addSuggestions(deps, upload, wishes, mayVote(upload));
  result.accepted += wishes.length;
  return result;
}

/** Stores suggestions, and counts them on their units. @param voted each has the vote of who suggests it */
export async function addSuggestions(
  deps: AddSuggestionsDeps,
  upload: Pick<Upload, 'author' | 'now' | 'caller' | 'translation'>,
  wishes: readonly SuggestionRequest[],
  voted = false,
): Promise<void> {
  for (let at = 0; at < wishes.length; at += PORTION)
    await addPortion(deps, upload, wishes.slice(at, at + PORTION), voted);
}

/** Suggestions that are stored together. */
const PORTION = 500;

async function addPortion(
  deps: AddSuggestionsDeps,
  upload: Pick<Upload, 'author' | 'now' | 'caller' | 'translation'>,
  wishes: readonly SuggestionRequest[],
  voted: boolean,
): Promise<void> {
  const { author, now, translation } = upload;
  const ids = await deps.ids.range('suggestion', wishes.length);
  await deps.suggestions.insertMany(
    wishes.map(({ unit, target }, i) => ({
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
  const targets = new Map(wishes.map(({ unit, target }) => [unit.id, target]));
  // A unit that was written meanwhile may count the new suggestion already.
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
  await retryLate(
    wishes.map((wish) => wish.unit),
    count,
  );
}
