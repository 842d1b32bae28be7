import { EngineError, type Engine, type EngineDefinition, type EngineLanguages } from '../../domain/machinery/engine';
import { translateTexts } from './translate';

const en = { source: 'en', target: 'cs' };

/** An engine that puts texts in brackets and records its requests. */
function start(languages: EngineLanguages | null = null, limits: Partial<EngineDefinition> = {}) {
  const requests: { texts: readonly string[]; source: string; target: string }[] = [];
  const answers = { of: (text: string): string => `[${text}]` };
  const engine: Engine = {
    languages: async () => languages,
    translate: async (texts, source, target) => {
      requests.push({ texts, source, target });
      return texts.map(answers.of);
    },
  };
  const definition: EngineDefinition = {
    id: 'openai',
    markup: 'plain',
    quality: 90,
    maxTexts: 3,
    maxChars: 10,
    open: () => engine,
    ...limits,
  };
  const translate = (texts: string[], of = en) => translateTexts(definition, engine, texts, of);
  return { requests, answers, engine, translate };
}

describe('translateTexts', () => {
  it('texts are translated in their order, in requests of at most "maxTexts"', async () => {
    const { requests, translate } = start();
    expect(await translate(['a', 'b', 'c', 'd'])).toEqual(['[a]', '[b]', '[c]', '[d]']);
    expect(requests.map(({ texts }) => texts)).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('a request has at most "maxChars" characters, unless one text alone is longer', async () => {
    const { requests, translate } = start();
    await translate(['12345', '67890', 'x', 'a text that is longer', 'y']);
    expect(requests.map(({ texts }) => texts)).toEqual([['12345', '67890'], ['x'], ['a text that is longer'], ['y']]);
  });

  it('no text needs no request', async () => {
    const { requests, translate } = start();
    expect(await translate([])).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('the codes of the languages are those of the engine', async () => {
    const { requests, translate } = start({ sources: ['EN'], targets: ['CS', 'PT-BR'] });
    await translate(['a'], { source: 'en', target: 'pt_BR' });
    expect(requests).toMatchObject([{ source: 'EN', target: 'PT-BR' }]);
  });

  it('an engine without a list of languages is asked for any', async () => {
    const { requests, translate } = start();
    await translate(['a'], { source: 'en', target: 'tlh' });
    expect(requests).toMatchObject([{ source: 'en', target: 'tlh' }]);
  });

  it.each([[{ source: 'en', target: 'tlh' }], [{ source: 'tlh', target: 'cs' }]])(
    'no translation from and to %j is requested from an engine without the language',
    async (of) => {
      const { requests, translate } = start({ sources: ['en'], targets: ['cs'] });
      expect(await translate(['a', 'b'], of)).toEqual([null, null]);
      expect(requests).toEqual([]);
    },
  );

  it('a text whose placeholder the engine lost has no translation, and the others have', async () => {
    const { answers, translate } = start();
    answers.of = (text) => text.replace('%s', '').replace('%d', '%d!');
    expect(await translate(['a %s', '%d b', 'c'])).toEqual([null, '%d! b', 'c']);
  });

  it('markup protects placeholders, and special characters arrive as they are', async () => {
    const { requests, translate } = start(null, { markup: 'html', maxChars: 1_000 });
    expect(await translate(['Tom & %s'])).toEqual(['[Tom & %s]']);
    expect(requests[0]!.texts[0]).toMatch(/^Tom &amp; <span .*%s.*<\/span>$/);
  });

  it('white space around a text stays, although engines drop it', async () => {
    const { requests, translate } = start();
    expect(await translate(['  Hello\n'])).toEqual(['  [Hello]\n']);
    expect(requests[0]!.texts).toEqual(['Hello']);
  });

  it('a response with too few texts is an error, as no text can be assigned', async () => {
    const { engine, translate } = start();
    engine.translate = async () => ['only one'];
    const failure = await translate(['a', 'b']).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineError);
    expect(String(failure)).toContain('1 texts instead of 2');
  });
});
