import { z } from 'zod';
import * as field from './field';
import type { RequestSchema } from './request';

/** A machine translation engine and its settings. */
export interface MachineryDefinition {
  /** Identifier in the API. */
  readonly id: string;
  readonly name: string;
  /** `secret` marks credentials. */
  readonly settings: RequestSchema;
}

/** Longest persona or style, in characters. */
const MAX_PROMPT = 2_000;

/** Address of an engine's API. */
const address = (doc: string) => field.line(doc, { filled: true, maxLength: 500, shape: 'http-url' });

/** The credential of an engine, which is sent to the address in the setting `sentTo`. */
const key = (doc: string, sentTo: string, filled: boolean) =>
  field.line(doc, { filled, maxLength: 1_000, access: 'write-only', secret: { sentTo: [sentTo] } });
const requiredKey = (doc: string, sentTo = 'url') => key(doc, sentTo, true);
const optionalKey = (doc: string, sentTo = 'url') => key(doc, sentTo, false).default('');

/** Engine names of the translation memory, which is available in every project. */
export const MEMORY_ENGINES: readonly string[] = ['weblate-translation-memory', 'weblate'];

/** The machine translation engines. */
export const machineryDefinitions = [
  {
    id: 'libretranslate',
    name: 'LibreTranslate',
    settings: z.object({
      url: address('URL of the server.'),
      key: optionalKey('API key, if the server requires one.'),
    }),
  },
  {
    id: 'deepl',
    name: 'DeepL',
    settings: z.object({
      url: address('URL of the API, such as https://api.deepl.com/v2/.'),
      key: requiredKey('Authentication key.'),
    }),
  },
  {
    id: 'google-translate',
    name: 'Google Cloud Translation',
    settings: z.object({
      key: requiredKey('API key.'),
      url: address('URL of the API.').default('https://translation.googleapis.com/language/translate/v2/'),
    }),
  },
  {
    id: 'microsoft-translator',
    name: 'Azure AI Translator',
    settings: z.object({
      key: requiredKey('Key of the resource.', 'base_url'),
      base_url: address('URL of the API.').default('https://api.cognitive.microsofttranslator.com/'),
      region: field.line('Region of the resource; empty: global.', { maxLength: 100 }).default(''),
    }),
  },
  {
    id: 'openai',
    name: 'OpenAI',
    settings: z.object({
      key: requiredKey('API key.', 'base_url'),
      model: field.line('Name of the model.', { filled: true, maxLength: 200 }),
      base_url: address('URL of the API.').default('https://api.openai.com/v1/'),
      persona: field.text('Role of the translator in the prompt.', { maxLength: MAX_PROMPT }).default(''),
      style: field.text('Style of translations in the prompt.', { maxLength: MAX_PROMPT }).default(''),
    }),
  },
] as const satisfies readonly MachineryDefinition[];

export type MachineryId = (typeof machineryDefinitions)[number]['id'];
