import { formatContract } from '../testing/contract';
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

it('writes plural forms into their columns, also of a row that ends before them', () => {
  const options = { language: 'cs', plural: { count: 3, formula: 'n==1 ? 0 : n>=2 && n<=4 ? 1 : 2' } };
  const file = csv.parse(Buffer.from('source,target,target[1],target[2]\na,x,y\n'), options);
  expect(file.units[0]?.target).toEqual(['x', 'y', '']);
  const written = file.apply([{ op: 'set', index: 0, target: ['x', 'q', 'r, s'] }]);
  expect(written.toString()).toBe('source,target,target[1],target[2]\na,x,q,"r, s"\n');
});
