import { toCsv } from '../convert/tables';
import { formatContract } from '../testing/contract';
import { EXPORT_COLUMNS } from './columns';
import { csv, csvMultiUtf8, csvSimple, csvSimpleIso, csvSimpleUtf8, csvUtf8 } from './csv';

const headed =
  'location,source,target,ID,fuzzy,context,translator_comments,developer_comments\na.c:1,b,"c ""x""\ny",,True,ctx,,note\n,d,,,,,,\n';
const columns = '"a";"b";"c"\n"d";"e";""\n';
const broken = [{ name: 'an open quote', content: 'a,b\nc,"d\n', line: 2 }];
const limits = {
  name: 'columns of its own',
  content: 'key;source;target;Max;context\n1;a;"b";20;x\n2;"c; d";e;"30";y\n',
};
for (const format of [csv, csvUtf8]) {
  formatContract(format, {
    carries: { files: [limits], whole: (text) => new Set(text.split('\n')) },
    samples: [
      { name: 'headings', content: headed, targets: [['c "x"\ny'], ['']] },
      { name: 'semicolons', content: columns, targets: [['c'], ['']] },
      { name: 'two columns', content: 'a,b\nc\n', targets: [['b'], ['']] },
      {
        name: 'columns of plural forms',
        bound: true,
        content: 'source,target,context,target[1],target[2]\na,x,k,"y, y",z\nb,w,,,\nc,v,,\n',
        targets: [['x', 'y, y', 'z'], ['w'], ['v']],
      },
    ],
    broken,
  });
}
for (const format of [csvSimple, csvSimpleUtf8, csvSimpleIso]) {
  formatContract(format, {
    samples: [{ name: 'two columns', content: 'a,b\nc,"d, e"\n', targets: [['b'], ['d, e']] }],
    broken,
  });
}
formatContract(csvMultiUtf8, {
  samples: [{ name: 'values', content: 'source,target\na,b\na,c\nd,e\n', targets: [['b', 'c'], ['e']] }],
});

it('CSV plural forms are written to their columns, even if the row ends before them', () => {
  const options = { language: 'cs', plural: { count: 3, formula: 'n==1 ? 0 : n>=2 && n<=4 ? 1 : 2' } };
  const file = csv.parse(Buffer.from('source,target,target[1],target[2]\na,x,y\n'), options);
  expect(file.units[0]?.target).toEqual(['x', 'y', '']);
  const written = file.apply([{ op: 'set', index: 0, target: ['x', 'q', 'r, s'] }]);
  expect(written.toString()).toBe('source,target,target[1],target[2]\na,x,q,"r, s"\n');
});

it.each([...'=+-@|%＝＋－＠｜％\t'])(
  'exported CSV tables guard texts that start with %j, and parsing restores them',
  (sign) => {
    const text = `${sign}1+1`;
    const head = EXPORT_COLUMNS.join(',');
    const file = csv.parse(Buffer.from(`${head}\n,a,b,,,,,\n`));
    const written = file.apply([{ op: 'set', index: 0, target: [text] }]);
    expect(written.toString()).toBe(`${head}\n,a,${'\t|'.includes(sign) ? `"'${text}"` : `'${text}`},,,,,\n`);
    expect(csv.parse(written).units[0]?.target).toEqual([text]);
    const [unit] = csv.parse(written).units;
    const converted = toCsv(unit ? [{ ...unit, context: text, note: text }] : [], {
      language: 'cs',
      sourceLanguage: 'en',
      name: 'x',
    }).toString();
    expect(converted.split('\n')[1]).not.toMatch(new RegExp(`(?:^|,"?)[${sign === '-' ? '\\-' : sign}]`));
  },
);

describe('the line ends of a CSV file', () => {
  const head = 'id,source,target\r\n';
  const set = (text: string, index: number, target: string): string =>
    csv
      .parse(Buffer.from(text))
      .apply([{ op: 'set', index, target: [target] }])
      .toString();
  const add = (text: string, target: string): string =>
    csv
      .parse(Buffer.from(text))
      .apply([{ op: 'add', context: 'n', source: ['s'], target: [target] }])
      .toString();

  it('line ends inside a CSV field are those of the surrounding fields', () => {
    const text = `${head}1,a,"b\nc"\r\n2,d,e\r\n`;
    expect(set(text, 0, 'x\ny')).toBe(text.replace('b\nc', 'x\ny'));
    expect(set(text, 1, 'x\ny')).toBe(text.replace(',e', ',"x\ny"'));
    expect(add(text, 'x\ny')).toBe(`${text}n,s,"x\ny"\r\n`);
  });

  it('a new CSV row has the line ends of the preceding row', () => {
    const text = `${head}1,a,b\n`;
    expect(add(text, 'x')).toBe(`${text}n,s,x\n`);
    expect(add(text, 'x\ny')).toBe(`${text}n,s,"x\ny"\n`);
    expect(set(`${text}2,c,d\r\n`, 1, 'x\ny')).toBe(`${text}2,c,"x\r\ny"\r\n`);
  });
});
