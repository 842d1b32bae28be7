import { engineLanguage } from './languages';

describe('engineLanguage', () => {
  it.each([
    ['cs', ['en', 'cs'], 'cs'],
    ['PT_br', ['pt', 'pt-BR'], 'pt-BR'],
    ['cs_CZ', ['en', 'CS'], 'CS'],
    ['sr@latin', ['sr'], 'sr'],
    ['zh_Hant_HK', ['zh-TW', 'zh-HK'], 'zh-HK'],
    ['zh_Hans', ['zh-CN', 'zh'], 'zh-CN'],
    ['nb_NO', ['no'], 'no'],
    ['he_IL', ['iw'], 'iw'],
    ['en', ['en-GB', 'en-US'], 'en-US'],
    ['fil', ['tl', 'fil'], 'fil'],
  ])('the language %s of an engine that knows %j is %s', (code, known, spelling) => {
    expect(engineLanguage(known, code)).toBe(spelling);
  });

  it('a language that the engine does not know is not supported', () => {
    expect(engineLanguage(['en', 'de'], 'cs')).toBeUndefined();
    expect(engineLanguage([], 'en')).toBeUndefined();
    expect(engineLanguage(['de-AT'], 'de')).toBeUndefined();
  });
});
