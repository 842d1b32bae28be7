import fc from 'fast-check';
import { engineLanguage } from './languages';
import { protect } from './protect';

describe('texts for engines', () => {
  it.each(['html', 'xml', 'plain'] as const)('Restoring an unchanged %s text returns the original', (markup) => {
    const piece = fc.constantFrom(
      'Hello',
      ' ',
      '%s',
      '%(name)s',
      '{0}',
      '{{x}}',
      '<b>',
      '</b>',
      '&amp;',
      '&',
      '<',
      '"',
      '\n',
      'č',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const sent = protect(text, markup);
        const back = sent.restore(sent.text);
        // White space beside a line break may change.
        expect(back?.replace(/\s+/g, ' ').trim()).toBe(text.replace(/\s+/g, ' ').trim());
      }),
    );
  });

  it('Placeholders and tags are replaced by markup', () => {
    expect(protect('Hi %(name)s & <b>you</b>', 'html').text).toBe(
      'Hi <span class="notranslate" translate="no" id="0">%(name)s</span> &amp; <span class="notranslate" translate="no" id="1">&lt;b&gt;</span>you<span class="notranslate" translate="no" id="2">&lt;/b&gt;</span>',
    );
    expect(protect('{count} files', 'xml').text).toBe('<x id="0"/> files');
    expect(protect('100 percent, 5% done', 'xml').text).toBe('100 percent, 5% done');
  });

  it('A response may reorder protected parts, but not omit, repeat or invent them', () => {
    const { restore } = protect(' Copy %s to %s ', 'xml');
    expect(restore('Do <x id="1"/> zkopírovat <x id="0"></x>')).toBe(' Do %s zkopírovat %s ');
    expect(restore('Zkopírovat <x id="0"/>')).toBeNull();
    expect(restore('<x id="0"/><x id="0"/>')).toBeNull();
    expect(restore('<x id="0"/><x id="1"/><x id="7"/>')).toBeNull();
    const html = protect('See <a href="#">this</a>', 'html');
    expect(html.restore(`<SPAN id='0' translate=no>x</SPAN>Toto<span id=1></span> &#39;viz&#39;`)).toBe(
      `<a href="#">Toto</a> 'viz'`,
    );
    const plain = protect('%s of %s', 'plain');
    expect(plain.restore('z %s je %s')).toBe('z %s je %s');
    expect(plain.restore('z %s')).toBeNull();
  });
});

describe('languages of engines', () => {
  it.each([
    [['EN', 'PT-BR', 'PT-PT'], 'pt_BR', 'PT-BR'],
    [['en', 'pt'], 'pt_BR', 'pt'],
    [['zh-CN', 'zh-TW'], 'zh_Hans', 'zh-CN'],
    [['zh', 'zt'], 'zh_Hant', 'zt'],
    [['EN-US', 'EN-GB'], 'en', 'EN-US'],
    [['EN-US', 'EN-GB'], 'en_GB', 'EN-GB'],
    [['iw'], 'he', 'iw'],
    [['no'], 'nb_NO', 'no'],
    [['ca'], 'ca@valencia', 'ca'],
    [['de'], 'cs', undefined],
  ])('Among %j, the code of %s is %s', (known, code, found) => expect(engineLanguage(known, code)).toBe(found));
});
