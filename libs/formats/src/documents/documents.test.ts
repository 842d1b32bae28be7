import * as iconv from 'iconv-lite';
import { xcstrings } from '../json/xcstrings';
import { rc } from '../lines/rc';
import { xwikiFullPage, xwikiJavaProperties, xwikiPageProperties } from '../lines/xwiki';
import { formatContract } from '../testing/contract';
import { html } from './html';
import { markdown } from './markdown';
import { dokuwiki, mediawiki, txt } from './text';

const common = { copies: true };
formatContract(txt, {
  ...common,
  samples: [
    {
      name: 'paragraphs',
      content: 'para one\nline two\n\npara two\n',
      targets: [['para one\nline two'], ['para two']],
    },
  ],
});
formatContract(dokuwiki, {
  ...common,
  samples: [
    {
      name: 'blocks',
      content:
        '====== Title ======\n\nA paragraph\nof two lines.\n\n  * item\n  - two\n\n<code>\nx\n</code>\n| a | b |\n',
      targets: [['Title'], ['A paragraph\nof two lines.'], ['item'], ['two'], ['a'], ['b']],
    },
  ],
});
formatContract(mediawiki, {
  ...common,
  samples: [
    {
      name: 'blocks',
      content: '== Title ==\nText\n* item\n{{template}}\n<nowiki>\nx\n</nowiki>\n',
      targets: [['Title'], ['Text'], ['item']],
    },
  ],
});
formatContract(markdown, {
  ...common,
  samples: [
    {
      name: 'blocks',
      content:
        '---\ntitle: x\n---\n\n# Title\n\nPara *em* [l](u)\ncont\n\n- item\n- two\n\n> quote\n> more\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| c | d |\n',
      targets: [['Title'], ['Para *em* [l](u)\ncont'], ['item'], ['two'], ['quote\nmore'], ['a'], ['b'], ['c'], ['d']],
    },
  ],
});
formatContract(html, {
  ...common,
  samples: [
    {
      name: 'a page',
      content:
        '<!DOCTYPE html>\n<html><head><title>T</title><meta name="description" content="D &amp; d"></head>\n<body><h1>H</h1><p>a <b>x</b>\n  &copy; c</p><img alt="A" src="x"><ul><li>i</li></ul>tail<div>x<p>y</p></div><script>no</script></body></html>\n',
      targets: [['T'], ['D & d'], ['H'], ['a <b>x</b>\n  &copy; c'], ['A'], ['i'], ['tail'], ['x'], ['y']],
    },
    {
      name: 'texts whose white space is shown',
      content:
        'q<pre>\n  if x:\n      y &lt; <b>z</b>\n\n  end  \n</pre><pre>{}</pre><textarea>t</textarea><PRE>v</PRE> w',
      targets: [['q'], ['if x:\n      y &lt; <b>z</b>\n\n  end'], ['v'], ['w']],
    },
    {
      name: 'misnested tags and tags around blocks',
      content:
        '<p>a <b>x <i>y</b></i><p><em>open</p><a href="#"><div>in</div> out</a>1 < 2<!-- c -->\n<b>s<!-- c -->t</b><svg><title>v</title></svg><TEXTAREA>w</p></TEXTAREA><td title=\'T "t"\'>z<',
      targets: [
        ['a <b>x <i>y</b></i>'],
        ['open'],
        ['in'],
        ['out'],
        ['1 < 2'],
        ['<b>s<!-- c -->t</b>'],
        ['T "t"'],
        ['z<'],
      ],
    },
  ],
});
formatContract(rc, {
  samples: [
    {
      name: 'resources',
      content:
        'STRINGTABLE\nBEGIN\n    IDS_A "x"\n    IDS_B, "y ""q"""\nEND\n\nIDD_X DIALOG 0, 0, 1, 1\nCAPTION "Cap"\nFONT 8, "MS Shell Dlg"\nBEGIN\n  LTEXT "t",IDC_S,1,1,1,1\n  PUSHBUTTON "OK",IDOK,1,1,1,1\nEND\n\nIDM MENU\nBEGIN\n POPUP "&File"\n BEGIN\n  MENUITEM "&Open", ID_O\n  MENUITEM SEPARATOR\n END\nEND\n',
      targets: [['x'], ['y "q"'], ['Cap'], ['t'], ['OK'], ['&File'], ['&Open']],
    },
  ],
  broken: [{ name: 'an open string', content: 'STRINGTABLE\nBEGIN\nA "x\nEND\n', line: 3 }],
});
describe('a text of a Windows resource script', () => {
  const table = (literals: string): string => `STRINGTABLE\nBEGIN\n  IDS_A \\\n  ${literals}\n  IDS_B "z"\nEND\n`;
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

  it.each([
    ['lines joined by backslashes', '"a \\\nb \\\r\nc"', 'a b c'],
    ['adjacent literals', '"a " "b"\n    /* c */ L"d" \\\n "e"', 'a bde'],
    ['octal escapes', '"\\101\\7\\1411"', 'A\x07a1'],
    ['hexadecimal escapes', '"\\x41\\x7e!\\x4aK"', 'A~!JK'],
    ['UTF-16 units in a wide literal', 'L"\\x010d\\xd83d\\xde00\\x41"', 'č😀A'],
    ['windows-1252 bytes in other literals', '"\\251 \\x80\\xE9"', '© €é'],
    ['NUL escapes, which become control pictures', '"Text\\0*.txt\\0\\0"', 'Text␀*.txt␀␀'],
    ['backslashes without an escape, which are kept', '"C:\\\\x41 \\q \\xyz L\\xd800"', 'C:\\x41 \\q \\xyz LØ00'],
  ])('a text of a Windows resource script is decoded from %s', (_, literals, expected) => {
    const bytes = latin1(table(literals));
    const file = rc.parse(bytes);
    const read = [
      ['STRINGTABLE.IDS_A', expected],
      ['STRINGTABLE.IDS_B', 'z'],
    ];
    expect(file.units.map(({ context, target }) => [context, target[0]])).toEqual(read);
    const same = file.units.map(({ index, target }) => ({ op: 'set', index, target }) as const);
    expect(file.apply(same)).toEqual(bytes);
    const written = file.apply([{ op: 'set', index: 0, target: [`${expected}!`] }]);
    expect(rc.parse(written).units[0]?.target).toEqual([`${expected}!`]);
    expect(written.toString('latin1').endsWith('\n  IDS_B "z"\nEND\n')).toBe(true);
  });

  it('a text of a Windows resource script is encoded in the code page of its script, with NUL as an escape', () => {
    const script = `#pragma code_page(1250)\n${table('"\\350\x9e"')}`;
    const file = rc.parse(latin1(script));
    expect(file.units[0]?.target).toEqual(['čž']);
    expect(file.apply([{ op: 'set', index: 0, target: ['ž␀1'] }])).toEqual(
      latin1(script.replace('\\350\x9e', '\x9e\\0001')),
    );
  });

  it('a text of a Windows resource script is not concatenated across a directive', () => {
    const script = 'STRINGTABLE\nBEGIN\n  IDS_A\n#ifdef A\n "a"\n#else\n "b"\n#endif\nEND\n';
    const file = rc.parse(Buffer.from(script));
    expect(file.units.map(({ target }) => target)).toEqual([['a']]);
    expect(file.apply([{ op: 'set', index: 0, target: ['c'] }]).toString()).toBe(script.replace('"a"', '"c"'));
  });
});
formatContract(xwikiJavaProperties, {
  samples: [{ name: 'lines', content: 'a=b\n# c\nd=e\n', targets: [['b'], ['e']] }],
});
const pageContent =
  '<?xml version="1.0" encoding="UTF-8"?>\n<xwikidoc>\n  <title>T</title>\n  <content># c\na=b &amp; c\nd=e</content>\n</xwikidoc>\n';
formatContract(xwikiPageProperties, {
  samples: [{ name: 'a page', content: pageContent, targets: [['b & c'], ['e']] }],
});
formatContract(xwikiFullPage, {
  samples: [{ name: 'a page', content: pageContent, targets: [['T'], ['# c\na=b & c\nd=e']] }],
});
/** A string unit of a catalog. */
const value = (text: string): string => `{ "stringUnit" : { "state" : "translated", "value" : "${text}" } }`;
/** A catalog with Czech texts. */
const catalog = (...texts: string[]): string =>
  `{ "sourceLanguage" : "en", "strings" : { ${texts.map((text, i) => `"k${i}" : { "localizations" : { "cs" : ${text} } }`).join(', ')} } }\n`;
formatContract(xcstrings, {
  samples: [
    {
      // A key without texts comes from the source code.
      name: 'a catalog',
      bound: true,
      options: { language: 'cs' },
      content: `{
  "sourceLanguage" : "en",
  "strings" : {
    "Hello" : {
      "comment" : "why",
      "localizations" : {
        "cs" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "Ahoj"
          }
        }
      }
    },
    "files" : {
      "localizations" : {
        "cs" : { "variations" : { "plural" : {
          "one" : { "stringUnit" : { "state" : "new", "value" : "soubor" } },
          "other" : { "stringUnit" : { "state" : "new", "value" : "souborů" } }
        } } }
      }
    },
    "new" : { }
  },
  "version" : "1.0"
}
`,
      targets: [['Ahoj'], ['soubor', 'souborů'], ['']],
    },
    {
      name: 'variations by device',
      bound: true,
      options: { language: 'cs' },
      content: catalog(
        `{ "variations" : { "device" : { "iphone" : ${value('Klepni')}, "other" : ${value('Klikni')} } } }`,
        `{ "variations" : { "device" : { "ipad" : ${value('Klepni')}, "mac" : ${value('Klikni')} } } }`,
        `{ "variations" : { "device" : { "other" : { "variations" : { "plural" : { "one" : ${value('soubor')}, "other" : ${value('souborů')} } } } } } }`,
        `{ "variations" : { "plural" : { "one" : { "variations" : { "device" : { "mac" : ${value('okno')} } } }, "other" : ${value('oken')} } } }`,
      ),
      targets: [['Klikni'], ['Klepni'], ['Klepni'], ['Klikni'], ['soubor', 'souborů'], ['okno', 'oken']],
      goesWith: (removed, other) => other.context.startsWith(`${removed.context}:`),
    },
    {
      name: 'substitutions',
      bound: true,
      options: { language: 'cs' },
      content: catalog(
        `{ "stringUnit" : { "state" : "translated", "value" : "%#@n@ v %#@m@" }, "substitutions" : { "n" : { "argNum" : 1, "formatSpecifier" : "lld", "variations" : { "plural" : { "one" : ${value('%arg soubor')}, "other" : ${value('%arg souborů')} } } }, "m" : { "argNum" : 2, "variations" : { "device" : { "mac" : ${value('okně')}, "other" : ${value('místě')} } } } } }`,
        `{ "variations" : { "plural" : { "one" : { "variations" : { "device" : { "mac" : ${value('okno')}, "other" : ${value('kus')} } } }, "other" : { "variations" : { "device" : { "mac" : ${value('oken')}, "other" : ${value('kusů')} } } } } } }`,
      ),
      targets: [
        ['%#@n@ v %#@m@'],
        ['%arg soubor', '%arg souborů'],
        ['místě'],
        ['okně'],
        ['kus', 'kusů'],
        ['okno', 'oken'],
      ],
      goesWith: (removed, other) =>
        /^[:@]/.test(other.context.slice(removed.context.length)) && other.context.startsWith(removed.context),
    },
  ],
  inverse: false,
  slack: 200,
});

it('a string catalog has no units for blank texts', () => {
  const content = '{ "sourceLanguage" : "en", "strings" : { "" : {}, "a" : { "extractionState" : "manual" } } }\n';
  const file = xcstrings.parse(Buffer.from(content), { language: 'cs' });
  expect(file.units.map(({ context }) => context)).toEqual(['a']);
  const written = file.apply([{ op: 'set', index: 0, target: ['A'] }]).toString();
  expect(written).toContain('"" : {}, "a" : { "extractionState"');
});

it('a device variant of a string catalog is written only to its own position', () => {
  const content = (text: string) =>
    catalog(
      `{ "variations" : { "device" : { "iphone" : ${value('Klepni')}, "other" : ${value(text)} } } }`,
      `{ "variations" : { "plural" : { "one" : { "variations" : { "device" : { "mac" : ${value(text)} } } } } } }`,
    );
  const file = xcstrings.parse(Buffer.from(content('Klikni')), { language: 'cs' });
  expect(file.units.map(({ context, source, state }) => [context, source, state])).toEqual([
    ['k0', ['k0'], 'translated'],
    ['k0:iphone', ['k0'], 'translated'],
    ['k1', ['k1'], 'translated'],
  ]);
  const main = file.units.filter(({ context }) => !context.includes(':'));
  const changes = main.map(({ index }) => ({ op: 'set', index, target: ['Nový'] }) as const);
  expect(file.apply(changes).toString()).toBe(content('Nový'));
});

describe('a string catalog without the language', () => {
  const plural = (one: string, other: string): string =>
    `{ "plural" : { "one" : ${value(one)}, "other" : ${value(other)} } }`;
  const english =
    `"en" : { "stringUnit" : { "state" : "translated", "value" : "%#@n@ left" }, "substitutions" : { "n" : ` +
    `{ "argNum" : 1, "formatSpecifier" : "lld", "variations" : ${plural('%arg file', '%arg files')} } } }`;
  const devices = `"en" : { "variations" : { "device" : { "iphone" : ${value('Tap')}, "other" : { "variations" : ${plural('Click', 'Clicks')} } } } }`;
  const content =
    `{ "sourceLanguage" : "en", "strings" : { "k" : { "localizations" : { ${english} } }, "d" : { "localizations" : { ${devices} } },` +
    ` "d:iphone" : {} } }\n`;
  const options = { language: 'cs', plural: { count: 2, formula: 'n != 1', names: ['one', 'other'] } };

  it('a string catalog without the language has units for the substitutions and devices of the source language', () => {
    const file = xcstrings.parse(Buffer.from(content), options);
    expect(file.units.map(({ context, source, target }) => [context, source, target])).toEqual([
      ['k', ['%#@n@ left'], ['']],
      ['k@n', ['%arg file', '%arg files'], ['', '']],
      ['d', ['Click', 'Clicks'], ['', '']],
      ['d:iphone:iphone', ['Tap'], ['']],
      ['d:iphone', ['d:iphone'], ['']],
    ]);
  });

  it('a string catalog without the language stores them together or one by one, with the arguments of the source language', () => {
    const targets = [['Zbývá %#@n@'], ['%arg soubor', '%arg souborů'], ['Klikni', 'Klikněte'], ['Klepni'], ['x']];
    const whole = xcstrings
      .parse(Buffer.from(content), options)
      .apply(targets.map((target, index) => ({ op: 'set', index, target })));
    let single: Buffer = Buffer.from(content);
    for (const index of [3, 1, 4, 0, 2])
      single = xcstrings.parse(single, options).apply([{ op: 'set', index, target: targets[index] as string[] }]);
    for (const bytes of [whole, single]) {
      expect(xcstrings.parse(bytes, options).units.map(({ target }) => target)).toEqual(targets);
      const { strings } = JSON.parse(bytes.toString()) as {
        strings: Record<string, { localizations: { cs: unknown } }>;
      };
      expect(strings['k']?.localizations.cs).toEqual({
        stringUnit: { state: 'translated', value: 'Zbývá %#@n@' },
        substitutions: {
          n: {
            argNum: 1,
            formatSpecifier: 'lld',
            variations: JSON.parse(plural('%arg soubor', '%arg souborů')) as unknown,
          },
        },
      });
      expect(strings['d']?.localizations.cs).toEqual({
        variations: {
          device: {
            iphone: JSON.parse(value('Klepni')) as unknown,
            other: { variations: JSON.parse(plural('Klikni', 'Klikněte')) as unknown },
          },
        },
      });
    }
  });

  it('a string catalog without the language has a unit for a substitution that only the source language has', () => {
    const own = content.replace(
      '"localizations" : { "en" : { "stringUnit"',
      `"localizations" : { "cs" : ${value('%#@n@')}, "en" : { "stringUnit"`,
    );
    const file = xcstrings.parse(Buffer.from(own), options);
    expect(file.units.map(({ context, target }) => [context, target])).toContainEqual(['k@n', ['', '']]);
    const written = file.apply([{ op: 'set', index: 1, target: ['%arg', '%arg'] }]).toString();
    expect(written).toContain('"argNum" : 1');
  });

  it('a string catalog without the language removes a substitution from all languages, and all substitutions with their key', () => {
    const file = xcstrings.parse(Buffer.from(content), options);
    const contexts = (bytes: Buffer): string[] => xcstrings.parse(bytes, options).units.map(({ context }) => context);
    expect(contexts(file.apply([{ op: 'remove', index: 1 }]))).toEqual(['k', 'd', 'd:iphone:iphone', 'd:iphone']);
    expect(
      contexts(
        file.apply([
          { op: 'remove', index: 0 },
          { op: 'set', index: 1, target: ['x', 'y'] },
        ]),
      ),
    ).toEqual(['d', 'd:iphone:iphone', 'd:iphone']);
  });
});

it('a device variant without a text in a string catalog can be set', () => {
  const content = (other: string) =>
    catalog(`{"variations":{"device":{"iphone":${value('Klepni')},"other":{${other}}}}}`);
  const file = xcstrings.parse(Buffer.from(content('')), { language: 'cs' });
  const written = JSON.parse(file.apply([{ op: 'set', index: 0, target: ['Nový'] }]).toString());
  expect(written).toEqual(JSON.parse(content(value('Nový').slice(1, -1))));
});

it('an HTML page is decoded in its declared charset unless it is valid UTF-8', () => {
  const page = (text: string) => `<html><head><meta charset="gbk"></head><body><p>${text}</p></body></html>`;
  const gbk = (text: string) => iconv.encode(page(text), 'gbk');
  const file = html.parse(gbk('你好'));
  expect(file.units[0]?.target).toEqual(['你好']);
  expect(file.apply([{ op: 'set', index: 0, target: ['再见'] }])).toEqual(gbk('再见'));
  expect(html.parse(gbk('ascii')).apply([{ op: 'set', index: 0, target: ['再见'] }])).toEqual(gbk('再见'));
  expect(html.parse(Buffer.from(page('你好'))).units[0]?.target).toEqual(['你好']);
  expect(html.parse(Buffer.from(page('x').replace('gbk', 'klingon'))).units[0]?.target).toEqual(['x']);
});
