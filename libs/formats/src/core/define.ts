import {
  FormatError,
  type CreateOptions,
  type FileFormat,
  type FileMetadata,
  type FormatFile,
  type FormatUnit,
  type ParseOptions,
  type RemoveChange,
  type SetChange,
  type UnitState,
} from '../format';
import { withCategories } from './plural-categories';
import { TextDocument, type DecodeOptions, type Edit } from './document';
import { SpliceFile, type Editor } from './splice-file';

/** Result of a format's reader. */
export interface Reading<U extends FormatUnit> {
  units: U[];
  editor: Editor<U>;
  metadata?: Partial<FileMetadata>;
}

/** Definition of a text format: decoding, reading, and its properties. */
export interface TextFormat<U extends FormatUnit> {
  id: string;
  /** Default of `options.monolingual`. */
  monolingual: boolean;
  /** Charset of files without byte order mark, fixed or detected. Default UTF-8. */
  charset?: string | ((bytes: Buffer) => Pick<DecodeOptions, 'charset' | 'charsetAt'>);
  /** A lone `\r` is not a line end. */
  carriageIsText?: boolean | undefined;
  /** `options.monolingual` is always set. */
  read(document: TextDocument, options: ParseOptions & { monolingual: boolean }): Reading<U>;
  /** Content of a new file without a base. Formats without it require a base. */
  empty?(options: CreateOptions): string;
  /** Removes strings instead of blanking them, because applications would show a blank value or it would change its type. */
  dropOnCreate?: boolean | ((unit: U, document: TextDocument) => boolean);
  /** Strings that a new language shares with the base. They are kept. */
  keepOnCreate?(unit: U): boolean;
  /** Plural forms are unnamed, so a new language's file gets the number of forms of its language. */
  countedForms?: boolean;
  /** A new language's file is a copy of the base: documents whose keys are positions. */
  copyOnCreate?: boolean;
  /** Applies the component's parameters to a new language's file. */
  layoutNew?(document: TextDocument, units: readonly U[], options: CreateOptions): Edit[];
}

export function textFormat<U extends FormatUnit>(definition: TextFormat<U>): FileFormat {
  const { id } = definition;
  const parse = (bytes: Buffer, given: ParseOptions = {}): SpliceFile<U> => {
    const options = { ...given, plural: withCategories(given.plural, given.language) };
    const { charset, carriageIsText } = definition;
    const found = typeof charset === 'function' ? charset(bytes) : { charset };
    const document = new TextDocument(bytes, { ...found, carriageIsText, limits: options.limits });
    const monolingual = options.monolingual ?? definition.monolingual;
    const { units, editor, metadata } = definition.read(document, { ...options, monolingual });
    if (units.length > document.limits.maxUnits) {
      const { line, column } = units[document.limits.maxUnits] as U;
      throw new FormatError('limit', `more than ${document.limits.maxUnits} strings`, line, column);
    }
    const { bom, fileEol: eol } = document;
    const meta = { charset: document.charset, bom, eol, monolingual, headers: new Map<string, string>(), ...metadata };
    // A change may remove the strings that the languages were detected from.
    const language = options.language ?? metadata?.targetLanguage;
    const sourceLanguage = options.sourceLanguage ?? metadata?.sourceLanguage;
    const same = { ...options, language, sourceLanguage };
    return new SpliceFile(id, document, units, meta, editor, (edited) => parse(edited, same));
  };
  return {
    id,
    parse,
    createTranslation: (base, options) => {
      if (!base) {
        if (!definition.empty) throw new FormatError('base-required', `a new ${id} file requires a base file`);
        return encodeNew(definition.empty(options), definition.charset);
      }
      if (definition.copyOnCreate) return parse(base, options).apply([]);
      const open = (bytes: Buffer): SpliceFile<U> =>
        parse(bytes, { ...options, language: undefined, plural: undefined });
      const { dropOnCreate = false, countedForms = false } = definition;
      const count = countedForms ? options.plural?.count : undefined;
      const blank = blankFile(open, base, options, (unit, { document }) => {
        if (definition.keepOnCreate?.(unit as U)) return undefined;
        const drop = typeof dropOnCreate === 'boolean' ? dropOnCreate : dropOnCreate(unit as U, document);
        return drop ? { op: 'remove', index: unit.index } : blanked(unit, count);
      });
      if (!definition.layoutNew || !options.params) return blank;
      const { document, units } = open(blank);
      return document.splice(definition.layoutNew(document, units, options));
    },
  };
}

function encodeNew(text: string, charset: TextFormat<FormatUnit>['charset']): Buffer {
  return charset === 'utf-16' ? Buffer.from(`\uFEFF${text}`, 'utf16le') : Buffer.from(text, 'utf8');
}

/** A copy of the base with blank or removed targets and the new language. */
export function blankFile<F extends FormatFile>(
  parse: (bytes: Buffer) => F,
  base: Buffer,
  options: CreateOptions,
  change: (unit: F['units'][number], file: F) => SetChange | RemoveChange | undefined = (unit) => blanked(unit),
): Buffer {
  const file = parse(base);
  const header = { op: 'header', fields: { Language: options.language } } as const;
  const units = file.units.filter((unit) => unit.state !== 'readonly');
  const changes = units.map((unit) => change(unit, file)).filter((edit) => edit !== undefined);
  return file.apply([...changes, header]);
}

/** @param count forms of a plural */
function blanked({ index, plural, target }: FormatUnit, count = target.length): SetChange {
  const forms = plural && target.length > 0 ? count : 1;
  return { op: 'set', index, target: new Array<string>(forms).fill(''), state: 'empty' };
}

/** The required properties of a unit. The others have defaults. */
export interface UnitParts {
  context: string;
  source?: readonly string[];
  target: readonly string[];
  /** Offset of the unit's key in the text. */
  offset: number;
  state?: UnitState;
  plural?: boolean;
  note?: string;
  comment?: string;
  location?: string;
  flags?: readonly string[];
  previousSource?: string;
}

const NO_FLAGS: readonly string[] = [];

/** A unit with data of its reader. */
export function makeUnit<E extends object>(
  document: TextDocument,
  index: number,
  parts: UnitParts,
  extra: E,
): FormatUnit & E {
  const { line, column } = document.position(parts.offset);
  const unit: FormatUnit = {
    index,
    context: parts.context,
    source: parts.source ?? [parts.context],
    target: parts.target,
    state: parts.state ?? (parts.target.every((form) => form === '') ? 'empty' : 'translated'),
    plural: parts.plural ?? false,
    note: parts.note ?? '',
    comment: parts.comment ?? '',
    location: parts.location ?? '',
    flags: parts.flags ?? NO_FLAGS,
    previousSource: parts.previousSource ?? '',
    line,
    column,
  };
  // Spreading both objects takes several times as long.
  return Object.assign(unit, extra);
}
