import { SaxesParser } from 'saxes';
import { formatContract } from '../testing/contract';
import { wholeXml } from '../testing/readers';
import { stringsdict } from './stringsdict';

/** A property list with sorted dictionaries. */
const wholePlist = (text: string): unknown =>
  wholeXml(text.replace(/<key>([^<]*)<\/key>\s*<(\w+)>/g, '<$2 key="$1">').replace(/<!DOCTYPE[^>]*>/, ''));

/** A property list according to an independent parser. */
function plistData(text: string): unknown {
  interface Element {
    name: string;
    text: string;
    children: Element[];
  }
  const root: Element = { name: '', text: '', children: [] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    const element: Element = { name, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (piece) => ((open.at(-1) as Element).text += piece));
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  const shown = ({ name, text: value, children }: Element): unknown => {
    if (name !== 'dict') return value;
    const pairs = children.flatMap((key, i) =>
      i % 2 === 0 ? [[key.text, shown(children[i + 1] as Element)] as const] : [],
    );
    return Object.fromEntries(pairs.filter(([, inner]) => inner !== ''));
  };
  return shown((root.children[0] as Element).children[0] as Element);
}

const dict = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n${body}</dict>\n</plist>\n`;

const choices = dict(`    <key>v</key>
    <dict>
        <key>NSStringVariableWidthRuleType</key>
        <dict>
            <key>20</key>
            <string>sh</string>
            <key>50</key>
            <string>long</string>
        </dict>
    </dict>
    <key>w</key>
    <dict>
        <key>NSStringLocalizedFormatKey</key>
        <string>%#@n@</string>
        <key>NSStringDeviceSpecificRuleType</key>
        <dict>
            <key>iphone</key>
            <string>Tap</string>
            <key>mac</key>
            <string>Click</string>
        </dict>
    </dict>
`);

formatContract(stringsdict, {
  carries: {
    whole: wholePlist,
    files: [
      {
        name: 'types and widths',
        content: `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
    <key>files</key>
    <dict>
        <key>NSStringLocalizedFormatKey</key>
        <string>%#@n@ in %#@m@</string>
        <key>n</key>
        <dict>
            <key>NSStringFormatSpecTypeKey</key>
            <string>NSStringPluralRuleType</string>
            <key>NSStringFormatValueTypeKey</key>
            <string>lu</string>
            <key>one</key>
            <string>a file</string>
            <key>other</key>
            <string>%lu files</string>
        </dict>
        <key>m</key>
        <dict>
            <key>NSStringFormatSpecTypeKey</key>
            <string>NSStringPluralRuleType</string>
            <key>NSStringFormatValueTypeKey</key>
            <string>lld</string>
            <key>other</key>
            <string>folders</string>
        </dict>
    </dict>
</dict>
</plist>
`,
      },
      { name: 'texts for widths and devices', content: choices },
    ],
  },
  samples: [
    {
      name: 'plural rules',
      content: dict(
        '\t<key>k</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@v@</string>\n\t\t<key>v</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\t\t\t<string>NSStringPluralRuleType</string>\n\t\t\t<key>NSStringFormatValueTypeKey</key>\n\t\t\t<string>d</string>\n\t\t\t<key>one</key>\n\t\t\t<string>1</string>\n\t\t\t<key>other</key>\n\t\t\t<string></string>\n\t\t</dict>\n\t</dict>\n',
      ),
      targets: [['%#@v@'], ['1', '']],
    },
    {
      name: 'texts for widths and devices',
      content: choices,
      targets: [['sh'], ['long'], ['%#@n@'], ['Tap'], ['Click']],
      bound: true,
    },
  ],
  common: ['%#@v@', '%#@n@'],
  structure: (text) => plistData(text),
  bases: [
    {
      name: 'texts and plurals of several variables',
      content: dict(
        `<key>s</key><string>t</string><key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@v@ in %#@w@</string>${['v', 'w'].map((name) => `<key>${name}</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>ld</string><key>one</key><string>%ld ${name}</string><key>other</key><string>%ld ${name}s</string></dict>`).join('')}</dict>`,
      ),
    },
  ],
});

it('a stringsdict plural is written with its format, and a later format replaces that', () => {
  const empty = stringsdict.parse(Buffer.from(dict('')));
  const plural = { op: 'add', context: 'k:v', source: ['a', 'b'], target: ['%1$lu a', '%1$lu b'] } as const;
  const written = stringsdict.parse(empty.apply([plural]));
  expect(written.units.map(({ context, target }) => [context, target])).toEqual([
    ['k', ['%#@v@']],
    ['k:v', ['%1$lu a', '%1$lu b']],
  ]);
  expect(plistData(written.apply([]).toString())).toMatchObject({ k: { v: { NSStringFormatValueTypeKey: 'lu' } } });
  const taken = stringsdict.parse(Buffer.from(dict('<key>k</key><string>x</string>')));
  expect(() => taken.apply([plural])).toThrow('the file uses a part of "k:v" for something else');
});

it('a new stringsdict language keeps formats of only variables', () => {
  const format = (text: string): string =>
    dict(`<key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>${text}</string></dict>`);
  const created = (text: string): string =>
    stringsdict.createTranslation(Buffer.from(format(text)), { language: 'cs' }).toString();
  for (const text of ['%#@n@', '%1$#@n@ %2$#@m@']) expect(created(text)).toBe(format(text));
  for (const text of ['%#@n@ in %#@m@', 'none', '%@']) expect(created(text)).toBe(format(''));
});

it('stringsdict width variants are keyed by key and width', () => {
  const file = stringsdict.parse(Buffer.from(choices));
  expect(file.units.map(({ context }) => context)).toEqual(['v:20', 'v:50', 'w', 'w:iphone', 'w:mac']);
  const add = { op: 'add', context: 'v:90', source: ['v:90'], target: ['longer'] } as const;
  const written = file.apply([add]).toString();
  expect(plistData(written)).toMatchObject({
    v: { NSStringVariableWidthRuleType: { 20: 'sh', 50: 'long', 90: 'longer' } },
  });
  const plain = stringsdict.parse(Buffer.from(dict(''))).apply([add]);
  expect(plistData(plain.toString())).toEqual({ 'v:90': 'longer' });
});
