import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metricsText } from '@parlance/telemetry';
import { EngineError } from '../../domain/machinery/engine';
import { engines } from './engines';
import { engineHttp } from './http';
import { translateTexts } from './translate';

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown> & Record<number, unknown>;
}
type Responder = (request: Received, response: ServerResponse) => void;

let respond: Responder;
let received: Received[];
let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = (text ? JSON.parse(text) : {}) as Received['body'];
      const one = { method: request.method!, url: request.url!, headers: request.headers, body };
      received.push(one);
      respond(one, response);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => (received = []));

const json = (response: ServerResponse, value: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
};
const pauses: number[] = [];
beforeEach(() => (pauses.length = 0));
/** Counted characters or tokens of an engine. */
async function counted(metric: 'characters' | 'tokens', engine: string, direction?: string): Promise<number> {
  const labels = [`engine="${engine}"`, ...(direction === undefined ? [] : [`direction="${direction}"`])];
  const line = (await metricsText())
    .split('\n')
    .find((text) => text.startsWith(`parlance_machinery_${metric}_total{`) && labels.every((l) => text.includes(l)));
  return Number(line?.split(' ').at(-1) ?? 0);
}
const http = () => engineHttp({ allowPrivate: true, pause: async (ms) => void pauses.push(ms) });

/** The API of each vendor, as documented. */
const vendors: Record<
  string,
  { settings: (base: string) => Record<string, string>; respond: Responder; check: () => void }
> = {
  libretranslate: {
    settings: (url) => ({ url, key: 'k-1' }),
    respond({ url, body }, response) {
      if (url === '/languages') return json(response, [{ code: 'en', name: 'English', targets: ['en', 'cs'] }]);
      if (body['api_key'] !== 'k-1') return json(response, { error: 'Invalid API key' }, 403);
      json(response, { translatedText: (body['q'] as string[]).map((text) => `[${text}]`) });
    },
    check() {
      expect(received.at(-1)).toMatchObject({
        method: 'POST',
        url: '/translate',
        body: { source: 'en', target: 'cs', format: 'html' },
      });
    },
  },
  deepl: {
    settings: (url) => ({ url: `${url}/v2/`, key: 'k-1' }),
    respond({ url, headers, body }, response) {
      if (headers.authorization !== 'DeepL-Auth-Key k-1') return json(response, {}, 403);
      if (url === '/v2/languages?type=source') return json(response, [{ language: 'EN', name: 'English' }]);
      if (url === '/v2/languages?type=target') return json(response, [{ language: 'CS', name: 'Czech' }]);
      json(response, { translations: (body['text'] as string[]).map((text) => ({ text: `[${text}]` })) });
    },
    check() {
      expect(received.at(-1)).toMatchObject({
        url: '/v2/translate',
        body: { source_lang: 'EN', target_lang: 'CS', tag_handling: 'xml', ignore_tags: ['x'] },
      });
    },
  },
  'google-translate': {
    settings: (url) => ({ url: `${url}/language/translate/v2/`, key: 'k-1' }),
    respond({ url, headers, body }, response) {
      if (headers['x-goog-api-key'] !== 'k-1') return json(response, {}, 403);
      if (url.endsWith('/languages'))
        return json(response, { data: { languages: [{ language: 'en' }, { language: 'cs' }] } });
      json(response, {
        data: { translations: (body['q'] as string[]).map((text) => ({ translatedText: `[${text}]` })) },
      });
    },
    check() {
      expect(received.at(-1)).toMatchObject({
        method: 'POST',
        url: '/language/translate/v2',
        body: { source: 'en', target: 'cs', format: 'html' },
      });
    },
  },
  'microsoft-translator': {
    settings: (url) => ({ base_url: url, key: 'k-1', region: 'westeurope' }),
    respond({ url, headers, body }, response) {
      if (url.startsWith('/languages')) return json(response, { translation: { en: {}, cs: {} } });
      if (headers['ocp-apim-subscription-key'] !== 'k-1') return json(response, {}, 401);
      json(
        response,
        (body as unknown as { Text: string }[]).map(({ Text }) => ({
          translations: [{ text: `[${Text}]`, to: 'cs' }],
        })),
      );
    },
    check() {
      expect(received.at(-1)!.url).toBe('/translate?api-version=3.0&from=en&to=cs&textType=html');
      expect(received.at(-1)!.headers['ocp-apim-subscription-region']).toBe('westeurope');
    },
  },
  openai: {
    settings: (url) => ({ base_url: `${url}/v1/`, key: 'k-1', model: 'm', persona: '', style: 'Be brief.' }),
    respond({ url, headers, body }, response) {
      if (headers.authorization !== 'Bearer k-1') return json(response, {}, 401);
      if (url === '/v1/models') return json(response, { data: [] });
      const texts = JSON.parse((body['messages'] as { content: string }[])[1]!.content) as string[];
      const content = `\`\`\`json\n${JSON.stringify({ translations: texts.map((text) => `[${text}]`) })}\n\`\`\``;
      json(response, {
        choices: [{ message: { role: 'assistant', content } }],
        usage: { prompt_tokens: 120, completion_tokens: 15, total_tokens: 135 },
      });
    },
    check() {
      expect(received.at(-1)).toMatchObject({ url: '/v1/chat/completions', body: { model: 'm', temperature: 0 } });
      expect(JSON.stringify(received.at(-1)!.body['messages'])).toContain('Be brief.');
    },
  },
};

const languages = { source: 'en', target: 'cs' };

describe.each(engines.map((engine) => [engine.id, engine] as const))('%s', (id, definition) => {
  const vendor = vendors[id]!;
  const open = (change: Record<string, string> = {}) =>
    definition.open({ ...vendor.settings(base), ...change }, http());

  it('The request follows the documented API and protects placeholders', async () => {
    respond = vendor.respond;
    const found = await translateTexts(definition, open(), ['Hello %s & <b>you</b>', 'Bye'], languages);
    expect(found).toEqual(['[Hello %s & <b>you</b>]', '[Bye]']);
    vendor.check();
  });

  it('Texts are split into requests within the limits of the engine', async () => {
    respond = vendor.respond;
    const texts = Array.from({ length: definition.maxTexts * 2 + 1 }, (_, i) => `Text ${i}`);
    const found = await translateTexts(definition, open(), texts, languages);
    expect(found).toEqual(texts.map((text) => `[${text}]`));
    const before = received.length;
    await translateTexts(definition, open(), ['x'.repeat(definition.maxChars), 'y'], languages);
    expect(received.slice(before).filter((r) => r.method === 'POST')).toHaveLength(2);
  });

  it('Characters of successful requests are counted, and those of failed requests are not', async () => {
    const before = await counted('characters', id);
    respond = vendor.respond;
    await translateTexts(definition, open(), ['Hello', 'Bye'], languages);
    expect((await counted('characters', id)) - before).toBe(8);
    const opened = { ...open({ key: 'wrong-key' }), languages: async () => null };
    await expect(translateTexts(definition, opened, ['Hello'], languages)).rejects.toBeInstanceOf(EngineError);
    respond = (_, response) => json(response, {}, 500);
    await expect(translateTexts(definition, opened, ['Hello'], languages)).rejects.toBeInstanceOf(EngineError);
    expect((await counted('characters', id)) - before).toBe(8);
  });

  it('Tokens are counted if the engine reports them in its responses', async () => {
    const used = () => Promise.all(['prompt', 'completion', 'other'].map((kind) => counted('tokens', id, kind)));
    const before = await used();
    respond = vendor.respond;
    await translateTexts(definition, open(), ['Hello', 'Bye'], languages);
    const after = await used();
    expect(after.map((value, i) => value - before[i]!)).toEqual(id === 'openai' ? [120, 15, 0] : [0, 0, 0]);
    await expect(open({ key: 'wrong-key' }).translate(['a'], 'en', 'cs')).rejects.toBeInstanceOf(EngineError);
    expect(await used()).toEqual(after);
  });

  it('An invalid key is reported without disclosing it', async () => {
    respond = vendor.respond;
    const asked = open({ key: 'wrong-key' });
    const error = await asked.translate(['a'], 'en', 'cs').then(
      () => undefined,
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(EngineError);
    expect(String(error)).toMatch(/rejected the key/);
    expect(String(error)).not.toContain('wrong-key');
    expect(pauses).toEqual([]);
  });

  it.each([{}, [], null, { translations: 5 }, { choices: [{}] }])(
    'The undocumented response %j is an error',
    async (answer) => {
      respond = (_, response) => json(response, answer);
      await expect(
        translateTexts(definition, { ...open(), languages: async () => null }, ['a'], languages),
      ).rejects.toBeInstanceOf(EngineError);
    },
  );
});
