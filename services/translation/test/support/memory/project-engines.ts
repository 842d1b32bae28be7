import type { MachineryDeps } from '../../../src/app/machinery/settings';
import type { EngineHttp, EngineRequest } from '../../../src/domain/machinery/engine';

/** Translates a text, or throws as a request to the engine does. */
type Answer = (text: string) => string;

/** A project with machine translation: servers of LibreTranslate (quality 89) and OpenAI (quality 90), where an answer is given. */
export function projectEngines(answers: { libretranslate?: Answer; openai?: Answer }) {
  /** Texts of each request for translations. */
  const asked: { engine: string; texts: string[] }[] = [];
  const translated = (engine: 'libretranslate' | 'openai', texts: string[]): string[] => {
    asked.push({ engine, texts });
    return texts.map(answers[engine]!);
  };
  const servers: Record<string, (request: EngineRequest) => unknown> = {
    'https://libre.example.com/languages': () => [{ code: 'en', targets: ['en', 'cs'] }],
    'https://libre.example.com/translate': ({ json }) => ({
      translatedText: translated('libretranslate', (json as { q: string[] }).q),
    }),
    'https://openai.example.com/models': () => ({}),
    'https://openai.example.com/chat/completions': ({ json }) => {
      const [, { content }] = (json as { messages: [unknown, { content: string }] }).messages;
      const translations = translated('openai', JSON.parse(content) as string[]);
      return { choices: [{ message: { content: JSON.stringify({ translations }) } }] };
    },
  };
  const http: EngineHttp = async (request) => servers[request.url]!(request);
  const settings = {
    libretranslate: { url: 'https://libre.example.com', key: '' },
    openai: { base_url: 'https://openai.example.com', key: 'k', model: 'm', persona: '', style: '' },
  };
  const services = Object.fromEntries(
    Object.entries(settings)
      .filter(([engine]) => engine in answers)
      .map(([engine, values]) => [engine, JSON.stringify(values)]),
  );
  const unused = async () => {
    throw new Error('unused');
  };
  const machinery: MachineryDeps = {
    store: { get: async () => ({ services, version: 1 }), put: unused, remove: unused },
    secrets: { seal: String, open: String },
    http: () => http,
  };
  return { machinery, asked };
}
