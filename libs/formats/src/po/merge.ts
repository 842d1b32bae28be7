import { TextDocument } from '../core/document';
import { FormatError, type PluralInfo } from '../format';
import { GuessIndex } from '../upkeep/similar';
import { headerCharset, parseHeader, parsePluralForms } from './header';
import { po } from './po';
import { PoScanner, type PoEntry, type PoString } from './scan';
import { detectWrapStyle, quoteLines, type WrapStyle } from './text';
import { inUtf8 } from './utf8';

/** Options of a merge with the template. */
export interface MergeOptions {
  /** Keep the previous source of similar strings in `#|` comments. */
  previous: boolean;
  /** Omit source code locations. */
  noLocation: boolean;
  /** Use the translation of a similar string for new strings, marked fuzzy. */
  fuzzy: boolean;
  /** Line width as in `po_line_wrap`, if the translation does not show one. */
  lineWrap?: number;
  /** The language's plural forms; default: those of the file's header. */
  plural?: PluralInfo;
}

interface Catalog {
  document: TextDocument;
  header: PoEntry | undefined;
  entries: PoEntry[];
  obsolete: PoEntry[];
}

function open(bytes: Buffer): Catalog {
  const { charset, at } = headerCharset(bytes);
  const document = new TextDocument(bytes, { charset, charsetAt: at });
  const all = new PoScanner(document, document.limits).scan();
  const header = all.find((entry) => !entry.obsolete && !entry.context && entry.id?.text === '');
  return {
    document,
    header,
    entries: all.filter((entry) => !entry.obsolete && entry !== header && entry.id),
    obsolete: all.filter((entry) => entry.obsolete),
  };
}

const keyOf = (entry: PoEntry): string => `${entry.context?.text ?? '\0'}\x04${entry.id?.text ?? ''}`;
const isTranslated = (entry: PoEntry): boolean => entry.forms.some((form) => form.text !== '');

/** The comment lines of an entry, by kind. */
function commentLines(document: TextDocument, entry: PoEntry): Record<'translator' | '.' | ':' | ',' | '|', string[]> {
  const found: Record<'translator' | '.' | ':' | ',' | '|', string[]> = {
    translator: [],
    '.': [],
    ':': [],
    ',': [],
    '|': [],
  };
  for (const line of document.text.slice(entry.start, entry.keywordAt).split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue;
    const kind = line.trimStart()[1];
    found[kind === '.' || kind === ':' || kind === ',' || kind === '|' ? kind : 'translator'].push(line.trimEnd());
  }
  return found;
}

const flagsOf = (entry: PoEntry): string[] => (entry.flagLines ?? []).flatMap((line) => line.flags);
const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().join('\0') === [...b].sort().join('\0');

/** A translation that a template string may reuse. */
interface Found {
  document: TextDocument;
  entry: PoEntry;
}

class Merger {
  private readonly eol: string;
  private readonly style: WrapStyle;
  private readonly forms: number;
  private readonly used = new Set<PoEntry>();
  private readonly revived = new Set<PoEntry>();
  private readonly guessed = new Set<PoEntry>();
  private readonly revivable = new Map<string, Found & { from: PoEntry }>();
  private readonly known: ReadonlyMap<string, PoEntry>;
  private guesses: GuessIndex<Found> | undefined;

  constructor(
    private readonly old: Catalog,
    private readonly template: Catalog,
    private readonly options: MergeOptions,
  ) {
    this.eol = old.document.eol;
    this.style = detectWrapStyle(old.document.text, options.lineWrap);
    const declared = parsePluralForms(parseHeader(old.header?.forms[0]?.text ?? '').get('Plural-Forms') ?? '');
    this.forms = options.plural?.count ?? declared?.count ?? 2;
    this.known = new Map(old.entries.map((entry) => [keyOf(entry), entry]));
    for (const entry of old.obsolete) this.readObsolete(entry);
  }

  /** Uncomments an obsolete entry whose string is used again. */
  private readObsolete(entry: PoEntry): void {
    const text = this.old.document.text
      .slice(entry.start, entry.end)
      .split(/\r\n|\n|\r/)
      .map((line) => line.replace(/^#~\|/, '#|').replace(/^#~ ?/, ''))
      .join(this.eol);
    try {
      const document = new TextDocument(Buffer.from(text, 'utf8'));
      for (const revived of new PoScanner(document, document.limits).scan())
        if (revived.id && !revived.obsolete)
          this.revivable.set(keyOf(revived), { document, entry: revived, from: entry });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
  }

  /** @returns undefined if nothing changes */
  run(): string | undefined {
    const pieces: string[] = [];
    let kept = 0;
    for (const wanted of this.template.entries) {
      const known = this.known.get(keyOf(wanted));
      if (known) this.used.add(known);
    }
    for (const wanted of this.template.entries) {
      const known = this.known.get(keyOf(wanted));
      if (known && this.isCurrent(wanted, known)) {
        pieces.push(this.raw(this.old.document, known.start, known.end));
        kept += this.old.entries[kept] === known ? 1 : 0;
      } else pieces.push(this.entry(wanted, known && { document: this.old.document, entry: known }));
    }
    if (kept === this.old.entries.length && kept === this.template.entries.length && this.revived.size === 0)
      return undefined;
    const { header } = this.old;
    const head = header ? [this.raw(this.old.document, header.start, header.end)] : [];
    const stale = this.old.entries.filter(
      (entry) => !this.used.has(entry) && !this.guessed.has(entry) && isTranslated(entry),
    );
    const tail = this.old.obsolete
      .filter((entry) => !this.revived.has(entry))
      .map((entry) => this.raw(this.old.document, entry.start, entry.end));
    return [...head, ...pieces, ...stale.map((entry) => this.obsolete(entry)), ...tail].join(this.eol);
  }

  private raw(document: TextDocument, start: number, end: number): string {
    const text = document.text.slice(start, end).replace(/\r\n|\n|\r/g, this.eol);
    return text.endsWith(this.eol) ? text : text + this.eol;
  }

  private isCurrent(wanted: PoEntry, known: PoEntry): boolean {
    return (
      (wanted.idPlural?.text ?? null) === (known.idPlural?.text ?? null) &&
      (!known.idPlural || known.forms.length === this.forms || !isTranslated(known)) &&
      sameSet(wanted.extractedComments ?? [], known.extractedComments ?? []) &&
      sameSet(this.options.noLocation ? [] : (wanted.references ?? []), known.references ?? []) &&
      sameSet(
        flagsOf(wanted).filter((flag) => flag !== 'fuzzy'),
        flagsOf(known).filter((flag) => flag !== 'fuzzy'),
      )
    );
  }

  private entry(wanted: PoEntry, known: Found | undefined): string {
    const key = keyOf(wanted);
    let source = known;
    let guessed = false;
    if (!source) {
      const back = this.revivable.get(key);
      if (back) {
        source = back;
        this.revived.add(back.from);
      } else if (this.options.fuzzy) {
        source = this.guess(wanted);
        guessed = source !== undefined;
        if (source) this.guessed.add(source.entry);
      }
    }
    const ownComments = source && commentLines(source.document, source.entry);
    const templateComments = commentLines(this.template.document, wanted);
    const changedKind =
      source !== undefined && (source.entry.idPlural === undefined) !== (wanted.idPlural === undefined);
    const changedPlural = source?.entry.idPlural !== undefined && source.entry.idPlural.text !== wanted.idPlural?.text;
    const translated = source !== undefined && isTranslated(source.entry);
    const fuzzy = translated && (guessed || changedKind || changedPlural || flagsOf(source!.entry).includes('fuzzy'));
    const flags = flagsOf(wanted).filter((flag) => flag !== 'fuzzy');
    const lines = [
      ...(ownComments?.translator ?? templateComments.translator),
      ...templateComments['.'],
      ...(this.options.noLocation ? [] : templateComments[':']),
      ...(fuzzy || flags.length > 0 ? [`#, ${[...(fuzzy ? ['fuzzy'] : []), ...flags].join(', ')}`] : []),
      ...this.previous(source, ownComments?.['|'] ?? [], guessed || changedPlural || changedKind),
    ];
    const ids = this.raw(this.template.document, wanted.keywordAt, wanted.forms[0]!.start);
    return lines.map((line) => line + this.eol).join('') + ids + this.targets(wanted, source?.entry);
  }

  private previous(source: Found | undefined, present: readonly string[], changed: boolean): string[] {
    if (!source || !isTranslated(source.entry) || !this.options.previous) return [];
    if (!changed) return flagsOf(source.entry).includes('fuzzy') ? [...present] : [];
    const { context, id, idPlural } = source.entry;
    const lines = (keyword: string, string: PoString | undefined) =>
      string
        ? quoteLines(string.text, keyword.length + 4, this.style).map((line, i) =>
            i === 0 ? `#| ${keyword} ${line}` : `#| ${line}`,
          )
        : [];
    return [...lines('msgctxt', context), ...lines('msgid', id), ...lines('msgid_plural', idPlural)];
  }

  private targets(wanted: PoEntry, source: PoEntry | undefined): string {
    const statement = (keyword: string, text: string) =>
      `${keyword} ${quoteLines(text, keyword.length + 1, this.style).join(this.eol)}${this.eol}`;
    if (!wanted.idPlural) return statement('msgstr', source?.forms[0]?.text ?? '');
    const texts = source?.forms.map((form) => form.text) ?? [];
    return Array.from({ length: this.forms }, (_, i) => {
      // A string that gains plural forms has its text in every form, marked fuzzy.
      const text = source && !source.idPlural ? (texts[0] ?? '') : (texts[i] ?? '');
      return statement(`msgstr[${i}]`, text);
    }).join('');
  }

  private guess(wanted: PoEntry): Found | undefined {
    if (!this.guesses) {
      const stale = this.old.entries.filter((entry) => !this.used.has(entry) && isTranslated(entry));
      const found: Found[] = [
        ...stale.map((entry) => ({ document: this.old.document, entry })),
        ...[...this.revivable.values()].filter(({ entry }) => isTranslated(entry)),
      ];
      this.guesses = new GuessIndex(found, ({ entry }) => entry.id!.text);
    }
    return this.guesses.best(wanted.id!.text);
  }

  private obsolete(entry: PoEntry): string {
    const { document } = this.old;
    const comments = commentLines(document, entry);
    const fuzzy = flagsOf(entry).includes('fuzzy') ? ['#, fuzzy'] : [];
    const statements = document.text
      .slice(entry.keywordAt, entry.end)
      .split(/\r\n|\n|\r/)
      .filter((line) => line.trim() !== '');
    return [
      ...comments.translator,
      ...fuzzy,
      ...comments['|'].map((line) => line.replace(/^#\|/, '#~|')),
      ...statements.map((line) => `#~ ${line}`),
    ]
      .map((line) => line + this.eol)
      .join('');
  }
}

/**
 * Merges a gettext translation with its template: strings, order and comments of the template, existing translations, and removed
 * strings as obsolete entries. Entries that are up to date keep their bytes.
 * @throws FormatError
 */
export function mergeTemplate(translation: Buffer, template: Buffer, options: MergeOptions): Buffer {
  const old = open(translation);
  const base = open(template);
  const text = new Merger(old, base, options).run();
  if (text === undefined) return translation;
  if (!old.document.canEncode(text)) return mergeTemplate(inUtf8(old.document), template, options);
  const merged = old.document.splice([{ start: 0, end: old.document.text.length, text }]);
  const created = parseHeader(base.header?.forms[0]?.text ?? '').get('POT-Creation-Date');
  const hadDate = parseHeader(old.header?.forms[0]?.text ?? '').has('POT-Creation-Date');
  if (!created || !hadDate || /[\r\n]/.test(created)) return merged;
  return po
    .parse(merged, options.plural ? { plural: options.plural } : {})
    .apply([{ op: 'header', fields: { 'POT-Creation-Date': created } }]);
}
