import { formatOf } from '../formats';

const declared = (body: string, charset = 'ISO-8859-1'): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="${charset}"?>\n${body}`, 'latin1');
const android = (text: string): Buffer => declared(`<resources><string name="a">${text}</string></resources>`);

describe('characters outside the charset of an XML file', () => {
  it.each([
    ['in text', 'é ž 😀', '\xe9 &#382; &#128512;'],
    ['in markup and its attributes', '<a title="é ž">ž</a>', '<a title="\xe9 &#382;">&#382;</a>'],
    ['beside CDATA', 'ž<![CDATA[é]]>', '&#382;<![CDATA[\xe9]]>'],
    [
      'in CDATA',
      '<![CDATA[aé ž€ b &#382; €]]>',
      '<![CDATA[a\xe9 ]]>&#382;&#8364;<![CDATA[ b &#382; ]]>&#8364;<![CDATA[]]>',
    ],
  ])('characters outside the charset of an XML file are written as references %s', (_, text, written) => {
    const format = formatOf('aresource');
    const bytes = format.parse(android('z <b>b</b>')).apply([{ op: 'set', index: 0, target: [text] }]);
    expect(bytes.toString('latin1')).toBe(android(written).toString('latin1'));
    const again = format.parse(bytes);
    expect(again.units[0]?.target).toEqual([text]);
    expect(again.apply([{ op: 'set', index: 0, target: [text] }])).toEqual(bytes);
  });

  it.each(['<b ž="a">b</b>', '<b>a</b><!-- ž -->'])(
    'characters outside the charset of an XML file are rejected where references are not allowed: %s',
    (text) => {
      const file = formatOf('aresource').parse(android('z <b>b</b>'));
      expect(() => file.apply([{ op: 'set', index: 0, target: [text] }])).toThrow(
        'the text has characters that do not exist in ISO-8859-1',
      );
    },
  );

  it('characters outside the charset of an XML file are written as references in keys', () => {
    const format = formatOf('flatxml');
    const bytes = format
      .parse(declared('<root>\n</root>\n', 'GB2312'))
      .apply([{ op: 'add', context: '镕', source: [], target: ['中'] }]);
    expect(bytes.toString('latin1')).toContain('<str key="&#38229;">\xd6\xd0</str>');
    expect(format.parse(bytes).units[0]).toMatchObject({ context: '镕', target: ['中'] });
  });

  it.each([
    ['xliff', 'a <g id="1">ž</g>'],
    ['xliff2', 'a <pc id="1">ž</pc>'],
    ['plainxliff', 'a <g> ž'],
  ])('characters outside the charset of an XML file are written as references in %s', (id, text) => {
    const body =
      id === 'xliff2'
        ? '<xliff version="2.0" srcLang="en" xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f"><unit id="u"><segment><source>a</source></segment></unit></file></xliff>'
        : '<xliff version="1.2"><file original="f" source-language="en"><body><trans-unit id="u"><source>a</source></trans-unit></body></file></xliff>';
    const format = formatOf(id);
    const bytes = format.parse(declared(body)).apply([{ op: 'set', index: 0, target: [text] }]);
    expect(bytes.toString('latin1')).toContain('&#382;');
    expect(format.parse(bytes).units[0]?.target).toEqual([text]);
  });
});

describe('characters outside the charset of an HTML page', () => {
  const page = (text: string, title: string): string =>
    `<html><head><meta charset="iso-8859-2"></head><body><p title="${title}">${text}</p></body></html>`;

  it('characters outside the charset of an HTML page are written as references in texts and attributes', () => {
    const html = formatOf('html');
    const file = html.parse(Buffer.from(page('text', 'title')));
    const bytes = file.apply([
      { op: 'set', index: 0, target: ['"日" & &#26085;'] },
      { op: 'set', index: 1, target: ['<em title="é€">日本</em>'] },
    ]);
    expect(bytes.toString('latin1')).toBe(
      page('<em title="\xe9&#8364;">&#26085;&#26412;</em>', '&quot;&#26085;&quot; &amp; &amp;#26085;'),
    );
    const again = html.parse(bytes);
    expect(again.units.map(({ target }) => target)).toEqual([['"日" & &#26085;'], ['<em title="é€">日本</em>']]);
    expect(again.apply([])).toEqual(bytes);
  });

  it('characters outside the charset of an HTML page are rejected where references are not allowed', () => {
    const file = formatOf('html').parse(Buffer.from(page('text', 'title')));
    for (const text of ['a <!-- € --> b', 'a <b €="a">b</b>'])
      expect(() => file.apply([{ op: 'set', index: 1, target: [text] }])).toThrow('do not exist in ISO-8859-2');
  });
});
