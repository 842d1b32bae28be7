import fc from 'fast-check';
import { formatLanguageCode, LANGUAGE_CODE_STYLES, type LanguageCodeStyle } from './code-styles';
import { LanguageAliasError, LanguageIndex, parseLanguageAliases, resolveLanguageCode } from './codes';
import { LANGUAGES } from './languages';

describe('resolveLanguageCode', () => {
  test.each([
    ['cs', 'cs'],
    ['CS', 'cs'],
    ['cs_CZ', 'cs'],
    ['cs-cz', 'cs'],
    ['de_DE', 'de'],
    ['de-at', 'de_AT'],
    ['pt_BR', 'pt_BR'],
    ['pt-BR', 'pt_BR'],
    ['pt-rBR', 'pt_BR'],
    ['ptbr', 'pt_BR'],
    ['pt+BR', 'pt_BR'],
    ['b+sr+Latn', 'sr_Latn'],
    ['b+es+419', 'es_419'],
    ['zh', 'zh_Hans'],
    ['zh-CN', 'zh_Hans'],
    ['zh_chs', 'zh_Hans'],
    ['zh-rTW', 'zh_Hant'],
    ['zh-Hant', 'zh_Hant'],
    ['zh_Hant_TW', 'zh_Hant'],
    ['zh_HK', 'zh_Hant_HK'],
    ['no', 'nb'],
    ['nb_NO', 'nb'],
    ['nb-rNO', 'nb'],
    ['iw', 'he'],
    ['iw_IL', 'he'],
    ['in', 'id'],
    ['ji', 'yi'],
    ['cz', 'cs'],
    ['gr', 'el'],
    ['ua', 'uk'],
    ['jp', 'ja'],
    ['en_US', 'en_US'],
    ['kmr', 'kmr'],
    ['de@formal', 'de@formal'],
    ['sr@ijekavian', 'sr@ijekavian'],
    ['base', 'en'],
    ['be@latin', 'be_Latn'],
    ['sr@latin', 'sr_Latn'],
    ['sr_latin', 'sr_Latn'],
    ['sr_RS@latin', 'sr_Latn'],
    ['sr_Cyrl_RS', 'sr_Cyrl'],
    ['uz_Latn_UZ', 'uz_Latn'],
    ['en_Latn_GB', 'en_GB'],
    ['ca@valencia', 'ca@valencia'],
    ['ca-valencia', 'ca@valencia'],
    ['deu', 'de'],
    ['ger', 'de'],
    ['cs (2)', 'cs'],
    ['.cs.', 'cs'],
    [' cs ', 'cs'],
    ['Czech', 'cs'],
    ['czech', 'cs'],
    ['English (United Kingdom)', 'en_GB'],
    ['source', 'en'],
  ])('resolveLanguageCode resolves %j to %s', (raw, code) => {
    expect(resolveLanguageCode(raw)).toEqual({ code, isNew: false, base: null });
  });

  test.each([
    ['de_XX', 'de_XX', 'de'],
    ['de-xx', 'de_XX', 'de'],
    ['cs_CZ@brno', 'cs_CZ@brno', 'cs'],
    ['he_XX', 'he_XX', 'he'],
    ['cs-x-custom', 'cs-x-custom', 'cs'],
    ['cs_x_Custom', 'cs-x-custom', 'cs'],
    ['iw_XX', 'he_XX', 'he'],
    ['qqq', 'qqq', null],
    ['templates', 'templates', null],
    ['de_latn_xx', 'de_Latn_XX', 'de'],
  ])('resolveLanguageCode derives from %j the new language %s', (raw, code, base) => {
    expect(resolveLanguageCode(raw)).toEqual({ code, isNew: true, base });
  });

  test.each(['', '.', '()', '../etc', 'a/b', '$x', '日本', 'x'.repeat(51), 'x'.repeat(10_000), '@latin', '_'])(
    'resolveLanguageCode rejects %j',
    (raw) => expect(resolveLanguageCode(raw)).toBeNull(),
  );

  test('resolveLanguageCode resolves every predefined code and alias to its language', () => {
    for (const { code, aliases } of LANGUAGES) {
      expect(resolveLanguageCode(code)?.code).toBe(code);
      for (const alias of aliases) expect([alias, resolveLanguageCode(alias)?.code]).toEqual([alias, code]);
    }
  });

  test('resolveLanguageCode prefers aliases of the project and recognizes words for the source language', () => {
    const aliases = parseLanguageAliases('cs:sk, Foo_Bar:pt-BR,xx:qqq_one');
    expect(resolveLanguageCode('cs', { aliases })?.code).toBe('sk');
    expect(resolveLanguageCode('foo-bar', { aliases })?.code).toBe('pt_BR');
    expect(resolveLanguageCode('xx', { aliases })).toEqual({ code: 'qqq_one', isNew: true, base: null });
    for (const raw of ['source', 'src', 'Default'])
      expect(resolveLanguageCode(raw, { sourceLanguage: 'cs' })?.code).toBe('cs');
    expect(resolveLanguageCode('src', { aliases: parseLanguageAliases('src:fr'), sourceLanguage: 'cs' })?.code).toBe(
      'fr',
    );
  });

  test('resolveLanguageCode resolves only to the given languages', () => {
    const known = new LanguageIndex([{ code: 'cs', name: 'Czech' }, { code: 'he' }, { code: 'custom' }]);
    expect(resolveLanguageCode('cs_CZ', { known })?.code).toBe('cs');
    expect(resolveLanguageCode('cz', { known })?.code).toBe('cs');
    expect(resolveLanguageCode('iw_IL', { known })?.code).toBe('he');
    expect(resolveLanguageCode('Custom', { known })).toEqual({ code: 'custom', isNew: false, base: null });
    expect(resolveLanguageCode('de', { known })).toEqual({ code: 'de', isNew: true, base: null });
  });

  test('resolveLanguageCode resolves a resolved code to itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9_@+.() -]{1,20}$/), (raw) => {
        const code = resolveLanguageCode(raw)?.code;
        if (code !== undefined) expect(resolveLanguageCode(code)?.code).toBe(code);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('parseLanguageAliases', () => {
  test('parseLanguageAliases parses pairs of codes', () => {
    expect(parseLanguageAliases('')).toEqual(new Map());
    expect(parseLanguageAliases('A:b, c : d')).toEqual(
      new Map([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    );
  });
  test.each(['a', 'a:b:c', 'a:b,', ':b', 'a:', 'a:b,A:c'])('parseLanguageAliases rejects %j', (text) => {
    expect(() => parseLanguageAliases(text)).toThrow(LanguageAliasError);
  });
});

describe('formatLanguageCode', () => {
  test.each<[LanguageCodeStyle, Record<string, string>]>([
    ['', { zh_Hant: 'zh_Hant', pt_BR: 'pt_BR', cs: 'cs' }],
    ['posix', { zh_Hant: 'zh_Hant', pt_BR: 'pt_BR', 'ca@valencia': 'ca@valencia' }],
    ['posix_lowercase', { zh_Hant: 'zh_hant', pt_BR: 'pt_br' }],
    ['bcp', { zh_Hant: 'zh-Hant', pt_BR: 'pt-BR', 'ca@valencia': 'ca-valencia' }],
    ['bcp_lower', { zh_Hant: 'zh-hant', pt_BR: 'pt-br' }],
    ['posix_long', { cs: 'cs_CZ', de: 'de_DE', pt: 'pt_PT', pt_BR: 'pt_BR', zh_Hant: 'zh_Hant', xx: 'xx' }],
    ['posix_long_lowercase', { cs: 'cs_cz' }],
    ['bcp_long', { cs: 'cs-CZ' }],
    ['bcp_legacy', { zh_Hans: 'zh-CN', zh_Hant: 'zh-TW', zh_Hans_SG: 'zh-SG', zh_Hant_HK: 'zh-HK', pt_BR: 'pt-BR' }],
    ['linux', { zh_Hant: 'zh_TW', zh_Hans: 'zh_CN', cs: 'cs' }],
    ['linux_lowercase', { zh_Hant: 'zh_tw', zh_Hans: 'zh_cn' }],
    [
      'android',
      {
        he: 'iw',
        id: 'in',
        yi: 'ji',
        zh_Hant: 'zh-rTW',
        zh_Hans: 'zh-rCN',
        pt_BR: 'pt-rBR',
        sr_Latn: 'b+sr+Latn',
        es_419: 'b+es+419',
        cs: 'cs',
      },
    ],
    ['appstore', { ar: 'ar-SA', de: 'de-DE', fr: 'fr-FR', nl: 'nl-NL', pt: 'pt-PT', cs: 'cs', zh_Hant: 'zh-Hant' }],
    [
      'googleplay',
      { cs: 'cs-CZ', da: 'da-DK', ko: 'ko-KR', he: 'iw-IL', nb_NO: 'no-NO', nb: 'no-NO', es_MX: 'es-MX', uk: 'uk' },
    ],
  ])('formatLanguageCode formats codes in the style %j', (style, codes) => {
    for (const [code, text] of Object.entries(codes)) expect(formatLanguageCode(code, style)).toBe(text);
  });

  test('formatLanguageCode produces codes that resolve to the same language, unless the country has a separate entry', () => {
    for (const style of LANGUAGE_CODE_STYLES) {
      for (const code of [
        'cs',
        'pt_BR',
        'zh_Hans',
        'zh_Hant',
        'zh_Hant_HK',
        'sr_Latn',
        'el',
        'id',
        'yi',
        'nb',
        'es_419',
        'de',
        'ja',
      ]) {
        expect([style, code, resolveLanguageCode(formatLanguageCode(code, style))?.code]).toEqual([style, code, code]);
      }
    }
  });
});
