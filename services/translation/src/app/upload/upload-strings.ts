import { keyAncestors, type FormatUnit } from '@parlance/formats';
import { eachInSlices } from '@parlance/workload';
import { isBlank, State } from '../../domain/unit';
import { insertStrings, type InsertStringsDeps, type NewString } from '../edit/insert-strings';
import type { ParsedFile } from '../files/parsed-file';
import { requireValidTexts } from './read-upload';
import type { Upload, UploadResult } from './upload';
import { matcherOf } from './upload-texts';
import type { UnitCache } from '../caches/unit-cache';

export interface AddStringsDeps extends InsertStringsDeps {
  unitCache: Pick<UnitCache, 'ofTranslation'>;
}

/** Adds the strings of a file that are missing in the translation. Existing strings stay unchanged. */
export async function addStrings(deps: AddStringsDeps, upload: Upload, file: ParsedFile): Promise<UploadResult> {
  const { component, translation, fuzzy } = upload;
  const monolingual = component.template !== '';
  const keyed = file.metadata.monolingual;
  const foreign = file.format !== component.fileFormat;
  const result: UploadResult = { accepted: 0, skipped: 0, notFound: 0, total: file.count };
  const units = await deps.unitCache.ofTranslation(translation);
  const matcher = await matcherOf(units, monolingual);
  const added: NewString[] = [];
  const seen = new Set<string>();
  const keys = new KeyTree(monolingual ? component.fileFormat : '');
  await eachInSlices(units, (unit) => keys.add(unit.context));
  const collect = (entry: FormatUnit): void => {
    if (entry.state === 'fuzzy' && fuzzy === '') return;
    const context = monolingual || !keyed ? entry.context : '';
    // A monolingual file has keys only; in a bilingual component, the key is the source text.
    const source = monolingual ? (keyed ? entry.target : entry.source) : keyed ? [entry.context] : entry.source;
    const name = JSON.stringify(monolingual ? [context] : [context, source]);
    const usable = monolingual ? context !== '' : !isBlank(source);
    if (matcher.find(entry, keyed, foreign) || seen.has(name) || !usable || !keys.accepts(context)) {
      result.skipped++;
      return;
    }
    seen.add(name);
    for (const texts of [[context], source, entry.target, [entry.note]]) requireValidTexts(entry, texts);
    keys.add(context);
    // Targets in a file of the source language are not translations into other languages.
    const given = translation.isSource ? [] : [...entry.target];
    const target = monolingual ? [...source] : targetWithForms(given, source.length, translation.language.pluralNumber);
    const translatedState = entry.state === 'fuzzy' && fuzzy === 'process' ? State.fuzzy : State.translated;
    added.push({
      context,
      source: [...source],
      target,
      state: isBlank(target) ? State.empty : entry.state === 'readonly' ? State.readonly : translatedState,
      note: entry.note,
      location: entry.location,
      flags: entry.flags.join(', '),
    });
  };
  for await (const entries of file.batches()) await eachInSlices(entries, collect);
  const inserted = await insertStrings(deps, component, translation, added, upload.author, upload.caller.userId);
  result.accepted = inserted.length;
  result.skipped += added.length - result.accepted;
  return result;
}

/** The keys of a file. In nested formats, a key has either a text or child keys. */
class KeyTree {
  private readonly texts = new Set<string>();
  private readonly branches = new Set<string>();

  /** @param format '': keys are not nested */
  constructor(private readonly format: string) {}

  add(key: string): void {
    this.texts.add(key);
    for (const ancestor of keyAncestors(this.format, key)) this.branches.add(ancestor);
  }

  accepts(key: string): boolean {
    return !this.branches.has(key) && !keyAncestors(this.format, key).some((ancestor) => this.texts.has(ancestor));
  }
}

/** The target, or a blank one if it has another number of plural forms. */
function targetWithForms(target: string[], sources: number, forms: number): string[] {
  const expectedForms = sources > 1 ? forms : 1;
  return target.length === expectedForms ? target : new Array<string>(expectedForms).fill('');
}
