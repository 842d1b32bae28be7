import type { Setting, SettingsTable } from './types';

/** A machine translation engine and its settings. */
export interface MachineryDefinition {
  /** Identifier in the API. */
  readonly id: string;
  readonly name: string;
  /** `secret` marks credentials. */
  readonly settings: SettingsTable;
}

/** Longest persona or style, in characters. */
const MAX_PROMPT = 2_000;

/** Address of an engine's API. */
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

/** Engine names of the translation memory, which is available in every project. */
export const MEMORY_ENGINES: readonly string[] = ['weblate-translation-memory', 'weblate'];

/** The machine translation engines. */
export const machineryDefinitions = [
  {
    id: 'libretranslate',
    name: 'LibreTranslate',
    settings: [address('URL of the server.'), key(false, 'API key, if the server requires one.')],
  },
  {
    id: 'deepl',
    name: 'DeepL',
    settings: [address('URL of the API, such as https://api.deepl.com/v2/.'), key(true, 'Authentication key.')],
  },
  {
    id: 'google-translate',
    name: 'Google Cloud Translation',
    settings: [
      key(true, 'API key.'),
      address('URL of the API.', 'https://translation.googleapis.com/language/translate/v2/'),
    ],
  },
  {
    id: 'microsoft-translator',
    name: 'Azure AI Translator',
    settings: [
      key(true, 'Key of the resource.', 'base_url'),
      address('URL of the API.', 'https://api.cognitive.microsofttranslator.com/', 'base_url'),
      { name: 'region', type: 'string', default: '', maxLength: 100, doc: 'Region of the resource; empty: global.' },
    ],
  },
  {
    id: 'openai',
    name: 'OpenAI',
    settings: [
      key(true, 'API key.', 'base_url'),
      { name: 'model', type: 'string', required: true, filled: true, maxLength: 200, doc: 'Name of the model.' },
      address('URL of the API.', 'https://api.openai.com/v1/', 'base_url'),
      {
        name: 'persona',
        type: 'text',
        default: '',
        maxLength: MAX_PROMPT,
        doc: 'Role of the translator in the prompt.',
      },
      { name: 'style', type: 'text', default: '', maxLength: MAX_PROMPT, doc: 'Style of translations in the prompt.' },
    ],
  },
] as const satisfies readonly MachineryDefinition[];

export type MachineryId = (typeof machineryDefinitions)[number]['id'];
