import type { MachineryId } from '@parlance/contracts';

/** Failure of an engine. The message is shown to users and contains no secrets. */
export class EngineError extends Error {
  constructor(
    message: string,
    /** A retry may succeed. */
    readonly temporary = false,
  ) {
    super(message);
  }
}

/** Syntax that protects placeholders from translation. */
export type Markup =
  /** HTML with untranslatable spans. */
  | 'html'
  /** XML with empty elements. */
  | 'xml'
  /** No markup: the prompt instructs the engine. */
  | 'plain';

/** Language codes as an engine spells them. */
export interface EngineLanguages {
  sources: readonly string[];
  targets: readonly string[];
}

/** A machine translation engine, opened with its settings. */
export interface Engine {
  /** Null: unknown; any language may be requested. @throws EngineError */
  languages(): Promise<EngineLanguages | null>;
  /**
   * Translates texts. The result has the same order; language codes are those of the engine.
   * @throws EngineError
   */
  translate(texts: readonly string[], source: string, target: string): Promise<string[]>;
}

export interface EngineRequest {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
}

/** Sends a request. @returns the parsed JSON response @throws EngineError */
export type EngineHttp = (request: EngineRequest) => Promise<unknown>;

export type EngineSettings = Readonly<Record<string, string>>;

/** Implementation of an engine. */
export interface EngineDefinition {
  /** Key of the engine's name and settings in the contracts. */
  id: MachineryId;
  markup: Markup;
  /** Quality of its translations, in percent. */
  quality: number;
  /** Limits of one request. */
  maxTexts: number;
  maxChars: number;
  open(settings: EngineSettings, http: EngineHttp): Engine;
}
