/** What the service knows about the plural forms of a file's language. */
export interface PluralInfo {
  /** Number of forms. */
  count: number;
  /** Gettext formula in `n`, without `plural=` and the closing semicolon. */
  formula: string;
  /** CLDR category of each form (`one`, `few`, `other`, ...), as many as `count`. Default: what the language or the formula says. */
  names?: readonly string[];
}

/** Bounds that keep a hostile file from costing more than its size suggests. */
export interface Limits {
  /** Bytes of the file, and of all files unpacked from an archive together. Default 64 MiB. */
  maxBytes: number;
  /** Units in one file. Default 1 000 000. */
  maxUnits: number;
  /** Nesting of elements, objects, lists. Default 200. */
  maxDepth: number;
  /** Characters of one text, all its plural forms together, and of a key, a note or a place. Default 1 000 000. */
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
   * The language's plural forms. Given, a plural unit's `target` has one item for each of them, in their order
   * (absent ones ''), save where the file declares its own in `metadata.plural`; not given, one item for each form of the file, in
   * file order.
   */
  plural?: PluralInfo;
  params?: FormatParams;
  /**
   * Formats that exist in both kinds: true reads the file as one half of a monolingual pair (`context` is the key).
   * Default: what the format usually is.
   */
  monolingual?: boolean;
  limits?: Partial<Limits>;
}

export type UnitState = 'empty' | 'fuzzy' | 'translated' | 'approved' | 'readonly';

/** One string of a file. */
export interface FormatUnit {
  /** Place in `FormatFile.units`. */
  readonly index: number;
  /** Gettext context, or the key of a monolingual format. */
  readonly context: string;
  /** Source text, one or (plural) two items. In a monolingual file the key. */
  readonly source: readonly string[];
  /** The file's text: the translation in a bilingual format, the value in a monolingual one; one item a plural form. */
  readonly target: readonly string[];
  readonly state: UnitState;
  /** True where `target` holds plural forms, however many. */
  readonly plural: boolean;
  /** Note of the developers to the translators. */
  readonly note: string;
  /** Note of the translators. */
  readonly comment: string;
  /** Places in the program, separated by a comma and a space. */
  readonly location: string;
  /** Flags of the file (`c-format`), without `fuzzy`. */
  readonly flags: readonly string[];
  /** Source before it changed, where the file keeps it, else ''. */
  readonly previousSource: string;
  /** 1-based place of the unit in the file. */
  readonly line: number;
  readonly column: number;
}

/** Facts about the file as a whole. */
export interface FileMetadata {
  charset: string;
  bom: boolean;
  eol: '\n' | '\r\n' | '\r';
  /** True where the file holds values of keys, and no source texts. */
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
  /** As many items as the language has forms for a plural unit, else one. */
  target: readonly string[];
  /** Not given: the state marks of the file stay as they are. */
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

/** A file that was read: its units, and a way to write it with changes. */
export interface FormatFile {
  readonly format: string;
  readonly units: readonly FormatUnit[];
  readonly metadata: FileMetadata;
  /**
   * The file's bytes with the changes made. Bytes outside the changed strings are copied, never written anew; no change
   * gives the same bytes. Indexes are those of `units`, whatever else the list of changes adds or removes.
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
  /** Who translates into the language, for formats that say so in a header: a name and an address. Absent: as the base has it. */
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
  /** Throws FormatError for everything that is no file of this format. */
  parse(bytes: Buffer, options?: ParseOptions): FormatFile;
  /**
   * The file of a new language: the base (`new_base`, or the template of a monolingual component) with blank targets, or the
   * built-in empty file. Throws FormatError `base-required` where the format has none.
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

/** Everything that can be wrong with a file or a change. The message is one sentence and does not repeat the place. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  constructor(
    readonly code: FormatErrorCode,
    message: string,
    /** 1-based; 0 where no place can be named. */
    readonly line = 0,
    readonly column = 0,
  ) {
    super(message);
  }

  /** The message with its place, for logs and terminals. */
  describe(): string {
    return this.line > 0 ? `line ${this.line}, column ${this.column}: ${this.message}` : this.message;
  }
}
