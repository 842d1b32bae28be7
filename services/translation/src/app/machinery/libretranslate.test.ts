import { EngineError, type EngineRequest } from '../../domain/machinery/engine';
import { libretranslate } from './libretranslate';

/** An engine whose server gives one answer to every request. */
function start(answer: unknown, settings: Record<string, string> = {}) {
  const requests: EngineRequest[] = [];
  const engine = libretranslate.open({ url: 'https://t.example.com', ...settings }, async (request) => {
    requests.push(request);
    return answer;
  });
  return { engine, requests };
}

describe('libretranslate', () => {
  it('the targets of all languages are listed once; older servers without targets translate to every language', async () => {
    const recent = [
      { code: 'en', targets: ['cs', 'de'] },
      { code: 'cs', targets: ['en', 'de'] },
    ];
    expect(await start(recent).engine.languages()).toEqual({ sources: ['en', 'cs'], targets: ['cs', 'de', 'en'] });
    const older = [{ code: 'en' }, { code: 'cs' }];
    expect(await start(older).engine.languages()).toEqual({ sources: ['en', 'cs'], targets: ['en', 'cs'] });
  });

  it('a server without accounts gets an empty key', async () => {
    const { engine, requests } = start({ translatedText: ['Ahoj'] });
    expect(await engine.translate(['Hello'], 'en', 'cs')).toEqual(['Ahoj']);
    expect(requests[0]!.json).toMatchObject({ q: ['Hello'], api_key: '' });
  });

  it.each([{}, [{ targets: ['cs'] }], [{ code: 'en', targets: 'cs' }]])(
    'the list of languages %j is an error',
    async (answer) => {
      await expect(start(answer).engine.languages()).rejects.toBeInstanceOf(EngineError);
    },
  );
});
