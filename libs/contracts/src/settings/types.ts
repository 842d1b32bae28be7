/** Type of a setting's value. */
export type SettingType =
  /** A single line. */
  | 'string'
  /** Several lines. */
  | 'text'
  | 'integer'
  /** A number with or without fraction. */
  | 'number'
  | 'boolean'
  /** A list of strings; forms may send it as JSON. */
  | 'list'
  /** A list of whole numbers. */
  | 'integers'
  /** A JSON object; forms may send it as JSON. */
  | 'object'
  /** A list of JSON objects. */
  | 'objects'
  /** A language code, or an object with the member `code`. */
  | 'language'
  /** A time: ISO 8601 in requests, milliseconds since the epoch as value. */
  | 'time'
  /** The id of another object. */
  | 'id'
  /** The URL of another object. */
  | 'relation'
  /** URLs or ids of other objects. */
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

/** Definition of a setting for validation, OpenAPI and documentation. */
export interface Setting {
  /** Name in the public API. */
  readonly name: string;
  readonly type: SettingType;
  /** Default on creation. Absent: the setting is required, or the service decides (see `doc`). */
  readonly default?: SettingValue;
  /** Required for POST and PUT. */
  readonly required?: boolean;
  /** Null is allowed. */
  readonly nullable?: boolean;
  /** An empty string or list is not allowed. */
  readonly filled?: boolean;
  /** Maximum length of a string, in code points. */
  readonly maxLength?: number;
  /** Maximum number of items of a list. */
  readonly maxItems?: number;
  readonly min?: number;
  readonly max?: number;
  /** Allowed values. */
  readonly choices?: readonly (string | number)[];
  /** Allowed values are the ids of a table in another library. Users of that library validate them. */
  readonly vocabulary?: 'file-format' | 'check' | 'add-on';
  /** Syntax of a string. */
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
  /** Variables of a template; absent: the variables of commit messages. */
  readonly variables?: readonly string[];
  /** read-only: ignored in requests. write-only: absent in responses. */
  readonly access?: 'read-only' | 'write-only';
  /**
   * The value is a credential: stored encrypted and never returned in clear text. Responses contain `SECRET_MASK` instead. A client that
   * sends the mask keeps the stored value, unless a setting in `sentTo` changes. See `restoreSecrets`.
   */
  readonly secret?: {
    /** Settings of the same table that decide where the secret is sent; empty: it never leaves the system. */
    readonly sentTo: readonly string[];
  };
  /** One sentence for the documentation. */
  readonly doc: string;
  /** gRPC field, if it differs from the name in camel case. */
  readonly field?: string;
}

export type SettingsTable = readonly Setting[];

/** A problem with a setting, in the form of a field error. */
export interface SettingProblem {
  attr: string;
  code: string;
  detail: string;
}

/** POST: required settings and defaults apply. PUT: required settings apply. PATCH: any subset. */
export type SettingsMode = 'create' | 'replace' | 'update';
