import { formatContract } from '../testing/contract';
import { csv, csvMultiUtf8, csvSimple, csvSimpleIso, csvSimpleUtf8, csvUtf8 } from './csv';

const headed =
  'location,source,target,ID,fuzzy,context,translator_comments,developer_comments\na.c:1,b,"c ""x""\ny",,True,ctx,,note\n,d,,,,,,\n';
const columns = '"a";"b";"c"\n"d";"e";""\n';
const broken = [{ name: 'an open quote', content: 'a,b\nc,"d\n', line: 2 }];
for (const format of [csv, csvUtf8]) {
  formatContract(format, {
    samples: [
      { name: 'headings', content: headed, targets: [['c "x"\ny'], ['']] },
      { name: 'semicolons', content: columns, targets: [['c'], ['']] },
      { name: 'two columns', content: 'a,b\nc\n', targets: [['b'], ['']] },
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
