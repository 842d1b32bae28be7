import type { FormatFile } from '@parlance/formats';
import { Action } from '../domain/change';
import type { OutboxItem, UnitWrite } from '../domain/ports';
import { sameTexts, State, type Unit } from '../domain/unit';
import { PLURAL_SEPARATOR } from './conflicts';
import type { Parts } from './parts';
import { changeOf, numberChanges, outboxItem } from './text-edit';
import { formsOf } from './update-unit';
import type { Upload, UploadResult } from './upload-file';
import { matchTexts } from './upload-texts';

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
  const text = (forms: readonly string[]) => forms.join(PLURAL_SEPARATOR);
  const changes = await numberChanges(
    parts,
    wishes.map(({ unit, target }) => ({
      ...changeOf(unit, author, now, Action.suggestionAdded, text(target), text(unit.target), {
        state: unit.state,
        source: text(unit.source),
        context: unit.context,
      }),
      user: upload.principal.userId,
    })),
  );
  const changeOfUnit = new Map(wishes.map(({ unit }, i) => [unit.id, changes[i]!]));
  for (let todo = wishes.map((wish) => wish.unit); todo.length > 0;) {
    const writes: (UnitWrite & { outbox: OutboxItem })[] = todo.map((unit) => {
      const patch = { suggestions: unit.suggestions + 1 };
      return {
        unit: unit.id,
        version: unit.version,
        patch,
        outbox: outboxItem(unit, patch, [changeOfUnit.get(unit.id)!], now),
      };
    });
    const late = new Set(await parts.units.writeMany(writes));
    await parts.effects.settleMany(
      translation.id,
      writes.filter((w) => !late.has(w.unit)).map((w) => ({ unit: w.unit, item: w.outbox })),
      { time: now, author: author.fullName || author.username, authorId: author.userId },
    );
    todo = late.size > 0 ? await parts.units.many([...late]) : [];
  }
}
