/** Plural forms of the file's language. */
export interface PluralInfo {
  /** Number of forms. */
  count: number;
  /** Gettext formula in `n`, without `plural=` and the closing semicolon. */
  formula: string;
  /** CLDR category of each form (`one`, `few`, `other`, ...), as many as `count`. Default: derived from the language or the formula. */
  names?: readonly string[];
}

/** Limits on the cost of hostile files. */
export interface Limits {
  /** Bytes of the file, and of all unpacked files of an archive. Default 64 MiB. */
  maxBytes: number;
  /** Units in one file. Default 1 000 000. */
  maxUnits: number;
  /** Nesting of elements, objects, lists. Default 200. */
  maxDepth: number;
  /** Characters of a text including its plural forms, and of a key, a note or a location. Default 1 000 000. */
  maxText: number;
}

export const defaultLimits: Limits = {
  maxBytes: 64 * 1024 * 1024,
  maxUnits: 1_000_000,
  maxDepth: 200,
  maxText: 1_000_000,
};

/** The component setting `file_format_params`; which key fits which format is in the registry. */
export interface FormatParams {
  json_sort_keys?: boolean;
  json_indent?: number;
  json_indent_style?: 'spaces' | 'tabs';
  json_use_compact_separators?: boolean;
  po_line_wrap?: number;
  po_keep_previous?: boolean;
  po_no_location?: boolean;
  po_fuzzy_matching?: boolean;
  yaml_indent?: number;
  yaml_line_wrap?: number;
  yaml_line_break?: 'dos' | 'unix' | 'mac';
  xml_closing_tags?: boolean;
  flatxml_root_name?: string;
  flatxml_value_name?: string;
  flatxml_key_name?: string;
}

export type FormatParamName = keyof FormatParams;

export interface ParseOptions {
  /** Code of the file's language, as the platform names it. */
  language?: string;
  sourceLanguage?: string;
  /**
   * The language's plural forms. If set, the `target` of a plural unit has one item per form (missing ones ''), unless the file declares its own forms in
   * `metadata.plural`. Otherwise it has the forms of the file in file order.
   */
  plural?: PluralInfo;
  params?: FormatParams;
  /**
   * For formats of both kinds: true reads the file as one half of a monolingual pair (`context` is the key).
   * Default: the usual kind of the format.
   */
  monolingual?: boolean;
  limits?: Partial<Limits>;
}

export type UnitState = 'empty' | 'fuzzy' | 'translated' | 'approved' | 'readonly';

/** One string of a file. */
export interface FormatUnit {
  /** Index in `FormatFile.units`. */
  readonly index: number;
  /** Gettext context, or the key of a monolingual format. */
  readonly context: string;
  /** Source text: one item, or two for a plural. The key in a monolingual file. */
  readonly source: readonly string[];
  /** Text in the file: the translation (bilingual) or the value (monolingual). One item per plural form. */
  readonly target: readonly string[];
  readonly state: UnitState;
  /** `target` has plural forms, even if it is only one. */
  readonly plural: boolean;
  /** Comment by the developers. */
  readonly note: string;
  /** Comment by the translators. */
  readonly comment: string;
  /** Source code locations, separated by `, `. */
  readonly location: string;
  /** Flags of the file (`c-format`), without `fuzzy`. */
  readonly flags: readonly string[];
  /** Previous source if the file stores it, else ''. */
  readonly previousSource: string;
  /** 1-based position of the unit in the file. */
  readonly line: number;
  readonly column: number;
}

/** Metadata of a file. */
export interface FileMetadata {
  charset: string;
  bom: boolean;
  eol: '\n' | '\r\n' | '\r';
  /** The file has keys and values, but no source texts. */
  monolingual: boolean;
  /** Header fields in file order (gettext), else empty. */
  headers: ReadonlyMap<string, string>;
  /** Plural forms that the file declares. */
  plural?: PluralInfo;
  /** Languages that the file declares, as written. */
  sourceLanguage?: string;
  targetLanguage?: string;
}

export interface SetChange {
  op: 'set';
  index: number;
  /** One item per plural form of the language, else one. */
  target: readonly string[];
  /** Undefined: the state markers of the file are unchanged. */
  state?: UnitState;
}

export interface AddChange {
  op: 'add';
  context: string;
  source: readonly string[];
  target: readonly string[];
  state?: UnitState;
  note?: string;
  location?: string;
  flags?: readonly string[];
}

export interface RemoveChange {
  op: 'remove';
  index: number;
}

/** Sets header fields (gettext); a format without headers ignores it. */
export interface HeaderChange {
  op: 'header';
  fields: Readonly<Record<string, string>>;
}

export type Change = SetChange | AddChange | RemoveChange | HeaderChange;

/** A parsed file: its units, and a method that applies changes. */
export interface FormatFile {
  readonly format: string;
  readonly units: readonly FormatUnit[];
  readonly metadata: FileMetadata;
  /**
   * The file's bytes after the changes. Bytes outside the changed strings are copied; no change returns the same bytes. Indexes refer to `units`, independently of additions and removals in the same call.
   * Throws FormatError: `unknown-unit`, `duplicate`, `unsupported`, `unrepresentable` (the text cannot be kept in this
   * format or charset), `invalid-change`.
   * @param base bytes of the file that the component's strings come from (its template, or what new languages start from), in the same
   *   format. A string that is added and has an entry there becomes a copy of that with its own text: placeholders, types, attributes and
   *   the kind of markup come along. A base that cannot be read, and an entry that cannot stand in this file, count as absent.
   */
  apply(changes: readonly Change[], base?: Buffer): Buffer;
}

export interface CreateOptions {
  language: string;
  /** Translator for headers: a name and an address. Default: as in the base. */
  team?: string;
  plural?: PluralInfo;
  sourceLanguage?: string;
  params?: FormatParams;
  monolingual?: boolean;
  limits?: Partial<Limits>;
}

/** The reader and writer of one format. */
export interface FileFormat {
  readonly id: string;
  /** Throws FormatError if the bytes are not a file of this format. */
  parse(bytes: Buffer, options?: ParseOptions): FormatFile;
  /**
   * The file of a new language: the base (`new_base`, or the template of a monolingual component) with blank targets, or the
   * built-in empty file. Throws FormatError `base-required` if the format has none.
   */
  createTranslation(base: Buffer | undefined, options: CreateOptions): Buffer;
}

export type FormatErrorCode =
  | 'syntax'
  | 'charset'
  | 'limit'
  | 'base-required'
  | 'unknown-format'
  | 'unknown-unit'
  | 'duplicate'
  | 'unsupported'
  | 'unrepresentable'
  | 'invalid-change';

/** A file or change is invalid. The message is one sentence without the location. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  constructor(
    readonly code: FormatErrorCode,
    message: string,
    /** 1-based; 0 if unknown. */
    readonly line = 0,
    readonly column = 0,
  ) {
    super(message);
  }

  /** The message with its location, for logs and terminals. */
  describe(): string {
    return this.line > 0 ? `line ${this.line}, column ${this.column}: ${this.message}` : this.message;
  }
}
