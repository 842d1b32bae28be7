import type { MachineryId } from '@parlance/contracts';

/** Why an engine gave no translation. Its message is for people and holds no secrets. */
export class EngineError extends Error {
  constructor(
    message: string,
    /** The same request may go through later. */
    readonly temporary = false,
  ) {
    super(message);
  }
}

/** How a text has to be written so that an engine leaves parts of it alone. */
export type Markup =
  /** HTML with spans that are not to be translated. */
  | 'html'
  /** XML with empty elements. */
  | 'xml'
  /** As it is: the engine is told in words. */
  | 'plain';

/** Language codes as an engine spells them. */
export interface EngineLanguages {
  sources: readonly string[];
  targets: readonly string[];
}

/** A machine translation engine, opened with its settings. */
export interface Engine {
  /** Null: it does not say; whatever is asked for is tried. @throws EngineError */
  languages(): Promise<EngineLanguages | null>;
  /**
   * Translates texts, one answer each in the same order; languages are codes of the engine.
   * @throws EngineError
   */
  translate(texts: readonly string[], source: string, target: string): Promise<string[]>;
}

/** What an engine sends and gets. */
export interface EngineRequest {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
}

/** Sends a request and answers the JSON that came back. @throws EngineError */
export type EngineHttp = (request: EngineRequest) => Promise<unknown>;

export type EngineSettings = Readonly<Record<string, string>>;

/** One row of the table of engines. */
export interface EngineDefinition {
  /** Name and settings stand in the table of the contracts under this id. */
  id: MachineryId;
  markup: Markup;
  /** How far its translations are trusted, in percent. */
  quality: number;
  /** Most texts and characters of a request. */
  maxTexts: number;
  maxChars: number;
  open(settings: EngineSettings, http: EngineHttp): Engine;
}
