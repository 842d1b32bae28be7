import type { Setting, SettingsTable } from './types';

/** A machine translation engine and what it has to be told. */
export interface MachineryDefinition {
  /** As clients know it. */
  readonly id: string;
  readonly name: string;
  /** Its settings; `secret` marks the credentials. */
  readonly settings: SettingsTable;
}

/** Longest description of voice or style, in characters. */
const MAX_PROMPT = 2_000;

/** Address of an interface. */
function address(doc: string, standard?: string, name = 'url'): Setting {
  const common = { name, type: 'string', maxLength: 500, shape: 'http-url', filled: true, doc } as const;
  return standard === undefined ? { ...common, required: true } : { ...common, default: standard };
}

/** The credential of an engine, which is sent to the address in the setting `sentTo`. */
function key(required: boolean, doc: string, sentTo = 'url'): Setting {
  const secret = { sentTo: [sentTo] };
  const common = { name: 'key', type: 'string', maxLength: 1_000, access: 'write-only', secret, doc } as const;
  return required ? { ...common, required: true, filled: true } : { ...common, default: '' };
}

/** Names under which the translation memory is asked like an engine; it is there in every project. */
export const MEMORY_ENGINES: readonly string[] = ['weblate-translation-memory', 'weblate'];

/** The machine translation engines, by the identifiers that clients know. */
export const machineryDefinitions = [
  {
    id: 'libretranslate',
    name: 'LibreTranslate',
    settings: [address('Address of the server.'), key(false, 'Key, where the server needs one.')],
  },
  {
    id: 'deepl',
    name: 'DeepL',
    settings: [
      address('Address of the interface, such as https://api.deepl.com/v2/.'),
      key(true, 'Authentication key.'),
    ],
  },
  {
    id: 'google-translate',
    name: 'Google Cloud Translation',
    settings: [
      key(true, 'Key of the interface.'),
      address('Address of the interface.', 'https://translation.googleapis.com/language/translate/v2/'),
    ],
  },
  {
    id: 'microsoft-translator',
    name: 'Azure AI Translator',
    settings: [
      key(true, 'Key of the resource.', 'base_url'),
      address('Address of the interface.', 'https://api.cognitive.microsofttranslator.com/', 'base_url'),
      { name: 'region', type: 'string', default: '', maxLength: 100, doc: 'Region of the resource; empty: global.' },
    ],
  },
  {
    id: 'openai',
    name: 'OpenAI',
    settings: [
      key(true, 'Key of the interface.', 'base_url'),
      { name: 'model', type: 'string', required: true, filled: true, maxLength: 200, doc: 'Name of the model.' },
      address('Address of the interface.', 'https://api.openai.com/v1/', 'base_url'),
      { name: 'persona', type: 'text', default: '', maxLength: MAX_PROMPT, doc: 'Who the translator is to be.' },
      { name: 'style', type: 'text', default: '', maxLength: MAX_PROMPT, doc: 'How it is to translate.' },
    ],
  },
] as const satisfies readonly MachineryDefinition[];

export type MachineryId = (typeof machineryDefinitions)[number]['id'];
