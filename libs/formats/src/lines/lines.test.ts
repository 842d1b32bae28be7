import * as iconv from 'iconv-lite';
import { formatContract } from '../testing/contract';
import { catkeys } from './catkeys';
import { dtd } from './dtd';
import { ini, islu, joomla, mi18nLang } from './ini';
import { gwt, gwtIso, properties, propertiesUtf16, propertiesUtf8 } from './properties';
import { lang } from './lang';
import { strings, stringsUtf8 } from './strings';

const content = '# why\na = b\n\n! other\nc : d\\\n   e\nf g\nempty=\nuni=\\u00e9\nsp\\ ace=1\\n2\n';
const targets = [['b'], ['de'], ['g'], [''], ['é'], ['1\n2']];
const continued =
  'c\\\n  ont = x\nb\\\n\t= y\nd \\\n  : z\ne = \\\n  f\nkey\\\n  alone\n\\\n  g h\nl\\\no\\\n n\\ g\\\n  =i\\\n  j\n';
const latin = Buffer.from('a=caf\xe9\nb=x\n', 'latin1');
formatContract(properties, {
  samples: [
    { name: 'kinds of lines', content, targets },
    { name: 'ISO-8859-1', content: latin, targets: [['café'], ['x']] },
    { name: 'keys over several lines', content: continued, targets: [['x'], ['y'], ['z'], ['f'], [''], ['h'], ['ij']] },
  ],
});
formatContract(propertiesUtf8, {
  samples: [{ name: 'UTF-8', content: 'a=é\nb=x', targets: [['é'], ['x']] }],
  broken: [{ name: 'ISO-8859-1', content: latin, line: 1 }],
  inverse: false,
});
formatContract(propertiesUtf16, {
  samples: [{ name: 'UTF-16', content: Buffer.from('\uFEFFa=é\nb=x\n', 'utf16le'), targets: [['é'], ['x']] }],
});
const plural = 'a=b\nk[one]=x\nk=y\n';
formatContract(gwt, { samples: [{ name: 'forms', content: plural, targets: [['b'], ['x', 'y']] }] });
formatContract(gwtIso, { samples: [{ name: 'forms', content: plural, targets: [['b'], ['x', 'y']] }] });

const apple = '/* why */\n"a" = "b\\n";\n\n// two\nk = "v"; "z" = "w";\n"q" = "a \\"x\\" \\U00e9";\n"e" = "";\n';
const appleTargets = [['b\n'], ['v'], ['w'], ['a "x" é'], ['']];
const brokenStrings = [
  { name: 'a missing semicolon', content: '"a" = "b"\n"c" = "d";\n', line: 2 },
  { name: 'an open string', content: '"a" = "b;\n', line: 1 },
];
formatContract(stringsUtf8, {
  samples: [{ name: 'UTF-8', content: apple, targets: appleTargets }],
  broken: brokenStrings,
});
formatContract(strings, {
  samples: [
    { name: 'UTF-16', content: Buffer.from(`\uFEFF${apple}`, 'utf16le'), targets: appleTargets },
    { name: 'UTF-16 without mark', content: Buffer.from(apple, 'utf16le'), targets: appleTargets },
    { name: 'braces', content: '{\n  "a" = "b";\n}\n', targets: [['b']] },
  ],
  broken: brokenStrings,
});

formatContract(ini, {
  samples: [
    { name: 'sections', content: '; top\n[s]\na=b\nc : d ; note\n\n[t]\ne=\n', targets: [['b'], ['d'], ['']] },
    {
      name: 'texts over several lines',
      content: '[s]\r\na = 1 ; note\r\n   2 = 3\r\n#c\r\n\t4\r\n\r\n# d\r\nb:\r\n\r\n  [z]  \r\n c=\r\n d=e',
      targets: [['1\n2 = 3\n4'], ['\n\n[z]\nc=\nd=e']],
    },
  ],
  broken: [{ name: 'a line without a separator', content: '[s]\nhello\n', line: 2 }],
});
formatContract(islu, { samples: [{ name: 'messages', content: '[Messages]\nA=x%ny\n', targets: [['x\ny']] }] });
formatContract(joomla, {
  samples: [
    {
      name: 'quotes',
      content: '; top\nKEY="value"\nK2="a \\"q\\" b"\nE=""\n',
      targets: [['value'], ['a "q" b'], ['']],
    },
  ],
});
formatContract(mi18nLang, { samples: [{ name: 'lines', content: '# x\na = b\nc=d\n', targets: [['b'], ['d']] }] });
formatContract(dtd, {
  samples: [
    {
      name: 'entities',
      content:
        '<!-- why -->\n<!ENTITY a "b &brand; &amp; c">\n<!ENTITY % x SYSTEM "u">\n%x;\n<!ENTITY c.label \'it\'>\n',
      targets: [['b &brand; & c'], ['it']],
    },
  ],
  broken: [{ name: 'other text', content: '<!ENTITY a "b">\nhello', line: 2 }],
});
formatContract(catkeys, {
  samples: [
    {
      name: 'entries',
      content: '1\tczech\tx-vnd.Haiku-App\t123\nOpen\tMenu\twhy\tOtevřít\nA\\tb\tMenu\t\t\n',
      targets: [['Otevřít'], ['']],
    },
  ],
  broken: [{ name: 'no header', content: 'Open\tMenu\n', line: 1 }],
});

const mozilla = `## active ##
## NOTE: a page


# HTML page title
# of the first page
;Download
Stáhnout


## TAG: promo
;Browser
Browser {ok}
;Tweet
 #tag


# still open
;Not <b>done</b>
Not <b>done</b>


;Gone


;Last
Poslední {OK}
`;
const annotated = `## active ##


# why
;a
b


## TAG: promo
## MAX_LENGTH: 20
# how
;Tweet
 #tag
;open
open
`;
formatContract(lang, {
  samples: [
    { name: 'strings', content: mozilla, targets: [['Stáhnout'], ['Browser'], ['#tag'], [''], [''], ['Poslední']] },
    { name: 'blank lines at the end', content: '\n\n;a\nb\n\n\n', targets: [['b']] },
    { name: 'only what is about the file', content: '## active ##\n', targets: [] },
  ],
  broken: [{ name: 'a text without a source', content: '# x\n;a\nb\nc\n', line: 4 }],
  carries: { files: [{ name: 'notes', content: annotated }], whole: mozillaStrings },
});

/** The strings of a `.lang` file with their lines and notes, sorted by text. */
function mozillaStrings(text: string): string[] {
  return text
    .split(/\n+(?=;)|\n\n+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .sort();
}

describe('Mozilla .lang files', () => {
  const file = lang.parse(Buffer.from(mozilla));
  const written = (index: number, text: string): string =>
    file
      .apply([{ op: 'set', index, target: [text] }])
      .toString()
      .split('\n')
      .filter((line) => !mozilla.split('\n').includes(line))
      .join('|');

  it('Mozilla .lang files distinguish intentionally equal translations from untranslated strings', () => {
    expect(file.units.map(({ state }) => state)).toEqual([
      ...['translated', 'translated', 'translated', 'empty', 'empty', 'translated'],
    ]);
    expect(written(3, 'Not <b>done</b>')).toBe('Not <b>done</b> {ok}');
    expect(written(1, '')).toBe('Browser');
    expect(written(5, '')).toBe('Last');
    expect(written(5, '#x')).toBe(' #x');
    expect(written(4, 'Pryč')).toBe('Pryč');
  });

  it('Mozilla .lang files have notes per string, without the notes of the file', () => {
    expect(file.units.map(({ note }) => note)).toEqual([
      ...['HTML page title\nof the first page', '# TAG: promo', '', 'still open', '', ''],
    ]);
  });

  it.each([';x', ' x', 'x {ok}', 'a\nb'])('Mozilla .lang files cannot contain the text %j', (text) => {
    expect(() => written(0, text)).toThrow('cannot be kept in this format');
  });

  it('Mozilla .lang files get the notes of the base with an added string', () => {
    const add = { op: 'add', context: '', source: ['Tweet'], target: ['x'] } as const;
    const empty = lang.parse(Buffer.from('## active ##\n'));
    expect(empty.apply([add], Buffer.from(annotated)).toString()).toBe(
      '## active ##\n\n\n## TAG: promo\n## MAX_LENGTH: 20\n# how\n;Tweet\nx\n',
    );
  });

  it('Mozilla .lang files get a source only once, regardless of its context', () => {
    const add = { op: 'add', context: 'c', source: ['Download'], target: ['x'] } as const;
    expect(() => file.apply([add])).toThrow('already has this string');
    expect(() => file.apply([{ ...add, source: ['a\nb'] }])).toThrow('one line');
    const created = lang.createTranslation(Buffer.from(mozilla), { language: 'cs' }).toString();
    expect(created).toContain('\n;Download\nDownload\n\n\n## TAG: promo\n;Browser\nBrowser\n;Tweet\nTweet\n');
  });
});

it('DTD entities are valid in declarations and references', () => {
  const file = dtd.parse(Buffer.from('<!ENTITY a "x">\n'));
  const written = (text: string): string => file.apply([{ op: 'set', index: 0, target: [text] }]).toString();
  expect(written('a ]]> b > c')).toBe('<!ENTITY a "a ]]&gt; b > c">\n');
  expect(() => written('a\u0001b')).toThrow('control characters');
  const add = { op: 'add', context: 'b', source: ['b'], target: ['\u000b'] } as const;
  expect(() => file.apply([add])).toThrow('control characters');
});

it('a DTD entity can mix raw and escaped markup', () => {
  const entity = (value: string): string => `<!ENTITY a "${value}">\n`;
  const value = '<b>x</b> &lt;i&gt; &amp; &brand; &quot;&#60;&#8364;&#037;';
  const file = dtd.parse(Buffer.from(entity(value)));
  expect(file.units[0]?.target).toEqual(['<b>x</b> &lt;i&gt; &amp; &brand; "&#60;€%']);
  const set = (text: string): string => file.apply([{ op: 'set', index: 0, target: [text] }]).toString();
  expect(set('<b>y</b> &lt;u&gt; &amp; &brand; "%')).toBe(entity('<b>y</b> &lt;u&gt; &amp; &brand; &quot;&#037;'));
  expect(set('<b>y</b>')).toBe(entity('<b>y</b>'));
  expect(() => set('<b>y</b> & &lt;u&gt;')).toThrow('has &amp; for the sign &');
  expect(() => set('&lt;u&gt;')).toThrow('cannot be kept');
  const only = dtd.parse(Buffer.from(entity('&lt;i&gt; &amp; x') + '<!ENTITY b "<b>x</b> &amp; y">'));
  expect(only.units.map(({ target }) => target)).toEqual([['<i> & x'], ['<b>x</b> & y']]);
});

it('DTD files are decoded in their declared charset', () => {
  const text = (value: string): Buffer =>
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>\n<!ENTITY a "${value}">\n`, 'latin1');
  const file = dtd.parse(text('\xe9'));
  expect(file.units[0]?.target).toEqual(['é']);
  expect(file.apply([{ op: 'set', index: 0, target: ['è €'] }])).toEqual(text('\xe8 &#8364;'));
});

it.each([properties, propertiesUtf8, gwt])('the format $id reads keys with continuation lines like Java', (format) => {
  const file = format.parse(Buffer.from(continued));
  expect(file.units.map(({ context }) => context)).toEqual(['cont', 'b', 'd', 'e', 'keyalone', 'g', 'lon g']);
  const set = file.units.map(({ index }) => ({ op: 'set', index, target: ['N'] }) as const);
  expect(file.apply(set).toString()).toBe(
    'c\\\n  ont = N\nb\\\n\t= N\nd \\\n  : N\ne = \\\n  N\nkey\\\n  alone=N\n\\\n  g N\nl\\\no\\\n n\\ g\\\n  =N\n',
  );
});

it.each([ini, islu])('the format $id decodes files in their declared code page', (format) => {
  const text = (value: string) =>
    iconv.encode(`[LangOptions]\r\nLanguageCodePage=1250\r\n[Messages]\r\nA=${value}\r\n`, 'win1250');
  const file = format.parse(text('Zrušit'));
  expect(file.metadata.charset).toBe('cp1250');
  const unit = file.units.find(({ context }) => context === '[Messages]A');
  expect(unit?.target).toEqual(['Zrušit']);
  expect(file.apply([{ op: 'set', index: unit?.index ?? -1, target: ['Přerušit'] }])).toEqual(text('Přerušit'));
  expect(() => file.apply([{ op: 'set', index: unit?.index ?? -1, target: ['中'] }])).toThrow('do not exist');
});

it('a text that the format cannot represent is rejected, even if the change also adds strings', () => {
  const file = ini.parse(Buffer.from('[s]\na=x\n'));
  const set = { op: 'set', index: 0, target: [' blank before'] } as const;
  const add = { op: 'add', context: '[s]b', source: ['[s]b'], target: ['new'] } as const;
  for (const changes of [[set], [set, add]]) expect(() => file.apply(changes)).toThrow('cannot be kept in this format');
  expect(file.apply([{ ...set, target: ['y'] }, add]).toString()).toBe('[s]\na=y\nb=new\n');
});

describe('INI texts over several lines', () => {
  const set = (content: string, target: string): string =>
    ini
      .parse(Buffer.from(content))
      .apply([{ op: 'set', index: 0, target: [target] }])
      .toString();

  it.each([
    ['only lines that are indented further than the key', '[s]\n  a = 1\n  b = 2\n    z\n c = 3\n', ['1', '2\nz', '3']],
    ['no line after a section header', '[s]\n  a = 1\n[t]\n    b = 2\n', ['1', '2']],
    ['blank lines and comments between them', '[s]\na =\n  1\n\n  2\n; c\n   3\n\n; d\ny=z', ['\n1\n\n2\n3', 'z']],
    ['names of sections and keys', '[s]\nx = 1\n  ; com\n  2 ; in\n\t[b]\n  c = d\n', ['1\n2 ; in\n[b]\nc = d']],
  ])('INI texts over several lines are parsed with %s', (_, content, targets) => {
    expect(ini.parse(Buffer.from(content)).units.map(({ target }) => target[0])).toEqual(targets);
  });

  it.each([
    ['a changed line', '1\nZ\n3', '[s]\na = 1 ; n\n   Z\n; c\n\t3\nb=c\n'],
    ['an added line', '1\n2\n3\n\n4', '[s]\na = 1 ; n\n   2\n; c\n\t3\n\n\t4\nb=c\n'],
    ['a line after the first one', '1\nZ\n2\n3', '[s]\na = 1 ; n\n\tZ\n   2\n; c\n\t3\nb=c\n'],
    ['a removed line', '1\n3', '[s]\na = 1 ; n\n; c\n\t3\nb=c\n'],
    ['a single remaining line', 'Z', '[s]\na = Z ; n\n; c\nb=c\n'],
    ['an empty text', '', '[s]\na =  ; n\n; c\nb=c\n'],
  ])('INI texts over several lines are written line by line: %s', (_, target, written) => {
    expect(set('[s]\na = 1 ; n\n   2\n; c\n\t3\nb=c\n', target)).toBe(written);
  });

  it('INI texts over several lines can replace texts with one line or none', () => {
    expect(set('[s]\r\n a = 1\r\nb=c', 'x\n\ny')).toBe('[s]\r\n a = x\r\n\r\n     y\r\nb=c');
    expect(set('[s]\na =\n\n  1', '\nx\n1')).toBe('[s]\na =\n  x\n  1');
    const added = ini.parse(Buffer.from('[s]\na = 1\n  2\n[t]\n')).apply([
      { op: 'add', context: '[s]b', source: ['[s]b'], target: ['x\ny'] },
      { op: 'add', context: '[t]c', source: ['[t]c'], target: ['z'] },
    ]);
    expect(added.toString()).toBe('[s]\na = 1\n  2\nb = x\n    y\n[t]\nc = z\n');
  });

  it('INI texts over several lines are removed with their key', () => {
    const file = ini.parse(Buffer.from('[s]\na = 1\n  2\n; c\n  3\n; d\nb=c\n'));
    expect(file.apply([{ op: 'remove', index: 0 }]).toString()).toBe('[s]\n; d\nb=c\n');
  });

  it.each(['x\n', 'x\n y', 'x\ny ', 'x\n;y', 'x\n#y', 'x\ny\rz', 'x\n'])(
    'INI texts over several lines cannot be %j',
    (target) => {
      expect(() => set('[s]\na = 1\n', target)).toThrow('the lines of the text cannot be kept');
    },
  );
});
