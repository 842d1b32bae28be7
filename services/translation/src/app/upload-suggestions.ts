import type { FormatFile } from '@parlance/formats';
import { Action } from '../domain/change';
import { sameTexts, State, type Unit } from '../domain/unit';
import type { Parts } from './parts';
import { changeOf, historyText } from './history';
import { formsOf } from './update-unit';
import type { Upload, UploadResult } from './upload-file';
import { matchTexts } from './upload-texts';
import { writeUnits } from './write-units';

/** A text that is suggested for a unit, with its history entry. */
export interface Wish {
  unit: Unit;
  target: string[];
}

/** Suggests the texts of a file where they differ from what is there, and from what is suggested already. */
export async function suggestTexts(parts: Parts, upload: Upload, file: FormatFile): Promise<UploadResult> {
  const { translation } = upload;
  const result: UploadResult = { accepted: 0, skipped: 0, notFound: 0, total: file.units.length };
  const units = await parts.unitCache.ofTranslation(translation.id);
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const texts = matchTexts(upload, file, units, result);
  const suggested = new Map<number, string[][]>();
  const asked = texts.map((text) => text.unit).filter((id) => byId.get(id)!.suggestions > 0);
  for (const { unit, target } of await parts.suggestions.ofUnits(asked))
    suggested.set(unit, [...(suggested.get(unit) ?? []), target]);
  const wishes: Wish[] = [];
  for (const { unit: id, target } of texts) {
    const unit = byId.get(id)!;
    const known = [unit.target, ...(suggested.get(id) ?? [])].some((text) => sameTexts(text, target));
    if (known || unit.state === State.readonly || target.length !== formsOf(unit, translation)) result.skipped++;
    else wishes.push({ unit, target });
  }
  await addSuggestions(parts, upload, wishes);
  result.accepted = wishes.length;
  return result;
}

/** Stores suggestions, and counts them on their units. */
export async function addSuggestions(
  parts: Parts,
  upload: Pick<Upload, 'author' | 'now' | 'principal' | 'translation'>,
  wishes: readonly Wish[],
): Promise<void> {
  if (wishes.length === 0) return;
  const { author, now, translation } = upload;
  const ids = await parts.ids.range('suggestion', wishes.length);
  await parts.suggestions.insertMany(
    wishes.map(({ unit, target }, i) => ({
      id: ids[i]!,
      unit: unit.id,
      translation: unit.translation,
      component: unit.component,
      project: unit.project,
      target,
      user: author.userId,
      time: now,
    })),
  );
  const targets = new Map(wishes.map(({ unit, target }) => [unit.id, target]));
  for (let todo = wishes.map((wish) => wish.unit); todo.length > 0;) {
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
        patch: { suggestions: unit.suggestions + 1 },
        changes: [{ ...change, user: upload.principal.userId }],
      };
    });
    const { late } = await writeUnits(parts, translation.id, planned, { author, time: now });
    todo = late.length > 0 ? await parts.units.many(late.map(({ unit }) => unit.id)) : [];
  }
}
