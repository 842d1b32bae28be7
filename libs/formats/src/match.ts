import type { FormatFile, FormatUnit } from './format';

/** A string that an entry of another file may match. */
export interface MatchCandidate {
  context: string;
  source: readonly string[];
}

/**
 * Matches entries of an uploaded file to strings: by context in a monolingual component, by context and source in a
 * bilingual one. Files of other kinds match by the data that they have: entries without source by key, entries without context
 * by a source text that is unique.
 */
export class UnitMatcher<T extends MatchCandidate> {
  private readonly byContext = new Map<string, T>();
  private readonly byBoth = new Map<string, T>();
  /** Undefined if several strings have the source. */
  private readonly bySource = new Map<string, T | undefined>();

  constructor(
    candidates: Iterable<T>,
    private readonly monolingual: boolean,
  ) {
    for (const candidate of candidates) this.add(candidate);
  }

  /** Adds a string. Callers with many strings yield to the event loop between calls. */
  add(candidate: T): void {
    const source = candidate.source[0] ?? '';
    if (!this.byContext.has(candidate.context)) this.byContext.set(candidate.context, candidate);
    const both = `${candidate.context}\0${source}`;
    if (!this.byBoth.has(both)) this.byBoth.set(both, candidate);
    this.bySource.set(source, this.bySource.has(source) ? undefined : candidate);
  }

  /**
   * @param keyed the entry comes from a file of keys and values, so its source repeats the key
   * @param foreign the file has another format, whose contexts may be entry numbers
   */
  find(entry: MatchCandidate, keyed: boolean, foreign = false): T | undefined {
    const source = entry.source[0] ?? '';
    if (this.monolingual) {
      return (
        (entry.context === '' ? undefined : this.byContext.get(entry.context)) ??
        (keyed ? undefined : this.bySource.get(source))
      );
    }
    const exact = this.byBoth.get(`${entry.context}\0${source}`);
    if (exact) return exact;
    if (keyed) return this.byContext.get(entry.context) ?? this.bySource.get(entry.context);
    if (foreign) return this.byBoth.get(`\0${source}`) ?? this.bySource.get(source);
    return entry.context === '' ? this.bySource.get(source) : undefined;
  }
}

/** One string of a monolingual pair: its source from the template, its text from the translation. */
export interface PairedUnit {
  context: string;
  source: readonly string[];
  /** Blank forms if the translation does not contain the key. */
  target: readonly string[];
  template: FormatUnit;
  /** The key's unit in the translation, if it exists. */
  translation: FormatUnit | undefined;
}

/**
 * The units of a translation in the order of its template (the monolingual base file). The texts of an intermediate file replace the source.
 */
export function pairWithTemplate(
  template: FormatFile,
  translation: FormatFile,
  intermediate?: FormatFile,
  forms = 1,
): PairedUnit[] {
  const byKey = (file: FormatFile): Map<string, FormatUnit> => new Map(file.units.map((unit) => [unit.context, unit]));
  const translated = byKey(translation);
  const shown = intermediate ? byKey(intermediate) : undefined;
  return template.units.map((unit): PairedUnit => {
    const found = translated.get(unit.context);
    const source = shown?.get(unit.context)?.target ?? unit.target;
    const target = found?.target ?? new Array<string>(unit.plural ? forms : 1).fill('');
    return { context: unit.context, source, target, template: unit, translation: found };
  });
}
