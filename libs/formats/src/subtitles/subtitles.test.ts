import { formatContract } from '../testing/contract';
import { ass, srt, ssa, sub } from './subtitles';

const newKey = '00:01:00,000-->00:01:01,000';
formatContract(srt, {
  newKey,
  inverse: false,
  samples: [
    {
      name: 'two lines',
      content:
        '1\n00:00:01,000 --> 00:00:02,000\nHello\nworld\n\n2\n00:00:03,000 --> 00:00:04,000\n<i>Two</i>\n\n3\n00:00:05,000 --> 00:00:06,000\nEnd',
      targets: [['Hello\nworld'], ['<i>Two</i>'], ['End']],
    },
  ],
  broken: [{ name: 'no times', content: '1\nhello\n', line: 2 }],
});
formatContract(sub, {
  newKey: '100-->200',
  samples: [{ name: 'frames', content: '{1}{10}Hello|world\n{20}{30}Two\n', targets: [['Hello\nworld'], ['Two']] }],
  broken: [{ name: 'other text', content: '{1}{10}a\nhello\n', line: 2 }],
});
const script =
  '[Script Info]\nTitle: x\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hello, {\\i1}you\\Nthere\nComment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,no\nDialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,Two\n';
for (const format of [ass, ssa]) {
  formatContract(format, {
    newKey: '0:01:00.00-->0:01:01.00',
    samples: [{ name: 'dialogue', content: script, targets: [['Hello, {\\i1}you\nthere'], ['Two']] }],
    broken: [{ name: 'no script', content: 'hello\n', line: 1 }],
  });
}
