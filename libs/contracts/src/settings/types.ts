/** What a setting holds. */
export type SettingType =
  /** One line of text. */
  | 'string'
  /** Text of several lines. */
  | 'text'
  | 'integer'
  /** A number with or without fraction. */
  | 'number'
  | 'boolean'
  /** A list of texts; forms may send it as a JSON text. */
  | 'list'
  /** A list of whole numbers. */
  | 'integers'
  /** A JSON object; forms may send it as a JSON text. */
  | 'object'
  /** A list of JSON objects. */
  | 'objects'
  /** A language's code, or an object with it under `code`. */
  | 'language'
  /** A point in time: ISO 8601 in, milliseconds since the epoch as value. */
  | 'time'
  /** The id of another object. */
  | 'id'
  /** The address of another object. */
  | 'relation'
  /** Addresses or ids of other objects. */
  | 'relations';

export type SettingValue =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | readonly number[]
  | Readonly<Record<string, unknown>>
  | readonly Readonly<Record<string, unknown>>[];

/** One setting of a kind of object: everything that input checks, the API's description and the documentation need to know. */
export interface Setting {
  /** As the public API spells it. */
  readonly name: string;
  readonly type: SettingType;
  /** What a create without it gets. Absent: required, or decided by the service (see `doc`). */
  readonly default?: SettingValue;
  /** Must be given on POST and PUT. */
  readonly required?: boolean;
  /** Null is a value. */
  readonly nullable?: boolean;
  /** An empty text or list is not allowed. */
  readonly filled?: boolean;
  /** Longest text, in characters. */
  readonly maxLength?: number;
  /** Most items of a list. */
  readonly maxItems?: number;
  readonly min?: number;
  readonly max?: number;
  /** The only values allowed. */
  readonly choices?: readonly (string | number)[];
  /** The values allowed are the ids of a table that another library keeps; its user checks them. */
  readonly vocabulary?: 'file-format' | 'check' | 'add-on';
  /** What a text must look like. */
  readonly shape?:
    | 'slug'
    | 'language-code'
    | 'http-url'
    | 'email'
    | 'date-time'
    | 'regex'
    | 'flags'
    | 'path'
    | 'mask'
    | 'message'
    | 'path-pattern'
    | 'path-template'
    | 'query';
  /** Variables of a template; absent: those of commit messages. */
  readonly variables?: readonly string[];
  /** Input is ignored, or never shown. */
  readonly access?: 'read-only' | 'write-only';
  /**
   * The value is a credential: stored encrypted, never returned in clear. Callers see and may send `SECRET_MASK` in its place, which
   * keeps the stored value only while none of the settings in `sentTo` changes. See `restoreSecrets`.
   */
  readonly secret?: {
    /** Names of the settings of the same table that decide where the secret is sent; empty: it never leaves the system. */
    readonly sentTo: readonly string[];
  };
  /** One sentence for the documentation. */
  readonly doc: string;
  /** Field of the gRPC message when it is not the name in camel case. */
  readonly field?: string;
}

export type SettingsTable = readonly Setting[];

/** What is wrong with one setting; has the form of a field error. */
export interface SettingProblem {
  attr: string;
  code: string;
  detail: string;
}

/** POST: required ones must be there, absent ones get defaults. PUT: required ones must be there. PATCH: any subset. */
export type SettingsMode = 'create' | 'replace' | 'update';
