import { EngineError, type EngineRequest } from '../../domain/machinery/engine';
import { azure } from './azure';

/** An engine whose server gives one answer to every request. */
function start(answer: unknown, settings: Record<string, string> = {}) {
  const requests: EngineRequest[] = [];
  const engine = azure.open({ base_url: 'https://t.example.com', key: 'k-1', ...settings }, async (request) => {
    requests.push(request);
    return answer;
  });
  return { engine, requests };
}

describe('azure', () => {
  it('the region is sent only if it is set, because a global key is rejected with one', async () => {
    for (const [settings, region] of [
      [{ region: 'westeurope' }, { 'ocp-apim-subscription-region': 'westeurope' }],
      [{ region: '' }, {}],
      [{}, {}],
    ] as const) {
      const { engine, requests } = start([{ translations: [{ text: 'Ahoj' }] }], settings);
      expect(await engine.translate(['Hello'], 'en', 'cs')).toEqual(['Ahoj']);
      expect(requests[0]!.headers).toEqual({ 'ocp-apim-subscription-key': 'k-1', ...region });
    }
  });

  it('codes of languages are escaped in the address', async () => {
    const { engine, requests } = start([]);
    await engine.translate([], 'en', 'zh-Hans&x=1');
    expect(requests[0]!.url).toBe(
      'https://t.example.com/translate?api-version=3.0&from=en&to=zh-Hans%26x%3D1&textType=html',
    );
  });

  it('every language of the list can be translated from and to', async () => {
    const { engine, requests } = start({ translation: { en: {}, cs: {} } });
    expect(await engine.languages()).toEqual({ sources: ['en', 'cs'], targets: ['en', 'cs'] });
    expect(requests[0]!.url).toBe('https://t.example.com/languages?api-version=3.0&scope=translation');
  });

  it.each([null, {}, { translation: null }, { translation: 'en' }])(
    'the list of languages %j is an error, not an engine without languages',
    async (answer) => {
      await expect(start(answer).engine.languages()).rejects.toBeInstanceOf(EngineError);
    },
  );
});
