import { keyAncestors, type FormatUnit } from '@parlance/formats';
import { eachInSlices } from '@parlance/workload';
import { isBlank, State } from '../../domain/unit';
import { insertStrings, type InsertStringsDeps, type NewString } from '../edit/insert-strings';
import type { ParsedFile } from '../files/parsed-file';
import { requireFit } from './read-upload';
import type { Upload, UploadResult } from './upload';
import { matcherOf } from './upload-texts';
import type { UnitCache } from '../caches/unit-cache';

export interface AddStringsDeps extends InsertStringsDeps {
  unitCache: Pick<UnitCache, 'ofTranslation'>;
}

/** Adds the strings of a file that the translation does not have; those that it has stay as they are. */
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
  const keys = new Keys(monolingual ? component.fileFormat : '');
  await eachInSlices(units, (unit) => keys.add(unit.context));
  const take = (entry: FormatUnit): void => {
    if (entry.state === 'fuzzy' && fuzzy === '') return;
    const context = monolingual || !keyed ? entry.context : '';
    // A file of keys names only the key: in a bilingual component that is the source text.
    const source = monolingual ? (keyed ? entry.target : entry.source) : keyed ? [entry.context] : entry.source;
    const name = JSON.stringify(monolingual ? [context] : [context, source]);
    const usable = monolingual ? context !== '' : !isBlank(source);
    if (matcher.find(entry, keyed, foreign) || seen.has(name) || !usable || !keys.takes(context)) {
      result.skipped++;
      return;
    }
    seen.add(name);
    for (const texts of [[context], source, entry.target, [entry.note]]) requireFit(entry, texts);
    keys.add(context);
    // What stands beside the sources of a file in the source language is no translation into the others.
    const given = translation.isSource ? [] : [...entry.target];
    const target = monolingual ? [...source] : fitting(given, source.length, translation.language.pluralNumber);
    const taken = entry.state === 'fuzzy' && fuzzy === 'process' ? State.fuzzy : State.translated;
    added.push({
      context,
      source: [...source],
      target,
      state: isBlank(target) ? State.empty : entry.state === 'readonly' ? State.readonly : taken,
      note: entry.note,
      location: entry.location,
      flags: entry.flags.join(', '),
    });
  };
  for await (const entries of file.batches()) await eachInSlices(entries, take);
  const inserted = await insertStrings(deps, component, translation, added, upload.author, upload.caller.userId);
  result.accepted = inserted.length;
  result.skipped += added.length - result.accepted;
  return result;
}

/** The keys of a file. Where they lie in each other, one leads to a text or to other keys. */
class Keys {
  private readonly texts = new Set<string>();
  private readonly branches = new Set<string>();

  /** @param format '': keys are just names */
  constructor(private readonly format: string) {}

  add(key: string): void {
    this.texts.add(key);
    for (const above of keyAncestors(this.format, key)) this.branches.add(above);
  }

  takes(key: string): boolean {
    return !this.branches.has(key) && !keyAncestors(this.format, key).some((above) => this.texts.has(above));
  }
}

/** Texts for each plural form of a string; blank where the file has others. */
function fitting(target: string[], sources: number, forms: number): string[] {
  const wanted = sources > 1 ? forms : 1;
  return target.length === wanted ? target : new Array<string>(wanted).fill('');
}
