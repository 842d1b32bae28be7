import { Action } from '../domain/change';
import type { Component } from '../domain/component';
import type { OutboxItem, UnitPatch, UnitWrite } from '../domain/ports';
import type { Translation } from '../domain/translation';
import { isBlank, sameTexts, State, type Author, type Unit } from '../domain/unit';
import { PLURAL_SEPARATOR } from './conflicts';
import type { Parts } from './parts';
import { changeOf, numberChanges, outboxItem } from './text-edit';

/**
 * Lets changed source texts of a monolingual component take effect on their translations: a text that was good for the old source
 * needs editing, with the old source kept beside it; when the source comes back to that, the text is good again.
 * @param sources source units as they are now
 */
export async function spreadSourceTexts(
  parts: Parts,
  component: Component,
  sources: readonly Unit[],
  author: Author,
): Promise<void> {
  if (sources.length === 0) return;
  const byId = new Map(sources.map((unit) => [unit.id, unit]));
  for (const translation of await parts.translations.ofComponent(component.id)) {
    if (translation.isSource) continue;
    let todo = await parts.units.all({ translation: translation.id, sourceUnit: { $in: [...byId.keys()] } });
    while (todo.length > 0) todo = await spreadTo(parts, component, translation, todo, byId, author);
  }
}

/** One pass; answers the units that somebody wrote meanwhile. */
async function spreadTo(
  parts: Parts,
  component: Component,
  translation: Translation,
  units: readonly Unit[],
  sources: ReadonlyMap<number, Unit>,
  author: Author,
): Promise<Unit[]> {
  const time = parts.now();
  const judge = parts.judge(component, translation.language);
  const text = (forms: readonly string[]) => forms.join(PLURAL_SEPARATOR);
  const touched = units.filter((unit) => !sameTexts(unit.source, sources.get(unit.sourceUnit)!.source));
  const patches = touched.map((unit): UnitPatch => {
    const { source, contentHash, words, chars, extraFlags } = sources.get(unit.sourceUnit)!;
    const patch: UnitPatch = { source, contentHash, words, chars, updated: time, ...stateAfterSource(unit, source) };
    const judged = { ...unit, ...patch, sourceExtraFlags: extraFlags };
    return { ...patch, checks: judge.checks(judged) };
  });
  const changes = await numberChanges(
    parts,
    touched.map((unit, i) =>
      changeOf(unit, author, time, Action.sourceChanged, text(patches[i]!.source!), text(unit.source), {
        state: patches[i]!.state ?? unit.state,
        old_state: unit.state,
        source: text(patches[i]!.source!),
        context: unit.context,
      }),
    ),
  );
  const writes: (UnitWrite & { outbox: OutboxItem })[] = touched.map((unit, i) => ({
    unit: unit.id,
    version: unit.version,
    patch: patches[i]!,
    outbox: outboxItem(unit, patches[i]!, [changes[i]!], time),
  }));
  const late = new Set(writes.length > 0 ? await parts.units.writeMany(writes) : []);
  await parts.effects.settleMany(
    translation.id,
    writes.filter((w) => !late.has(w.unit)).map((w) => ({ unit: w.unit, item: w.outbox })),
    { time, author: author.fullName || author.username, authorId: author.userId },
  );
  return late.size > 0 ? parts.units.many([...late]) : [];
}

/** State and previous source of a translation once its source is another one. */
export function stateAfterSource(
  unit: Pick<Unit, 'target' | 'state' | 'source' | 'previousSource'>,
  source: readonly string[],
): Pick<UnitPatch, 'state' | 'previousSource'> {
  if (isBlank(unit.target) || unit.state === State.readonly) return {};
  if (unit.state >= State.translated) return { state: State.fuzzy, previousSource: unit.source };
  return sameTexts(unit.previousSource, source) ? { state: State.translated, previousSource: [] } : {};
}
