import * as iconv from 'iconv-lite';
import { FormatError } from '../format';
import { formatOf } from '../index';
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
    {
      name: 'blank lines in, before and between texts, and none between cues',
      content:
        '\n1\n\n00:00:01,000 --> 00:00:02,000\n\nHello\n\nworld\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n\n\n\n3\n \n00:00:05,000 --> 00:00:06,000\n4\n00:00:07,000 --> 00:00:08,000\nEnd',
      targets: [['Hello\n\nworld'], ['Two'], [''], ['End']],
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

describe('SubRip cues', () => {
  const cue = (times: number): string => `00:00:0${times},000 --> 00:00:0${times},500`;
  const targets = (text: string): (string | undefined)[] =>
    srt.parse(Buffer.from(text)).units.map(({ target }) => target[0]);

  it.each([
    ['no numbers', `${cue(1)}\na\n\n${cue(2)}\nb\n`, ['a', 'b']],
    ['a number as text', `1\n${cue(1)}\n42\n\n2\n${cue(2)}\nb\n`, ['42', 'b']],
    ['a number as text and no cue number after it', `7\n${cue(1)}\n42\n\n${cue(2)}\nb\n`, ['42', 'b']],
    ['no blank line between cues', `${cue(1)}\na\n${cue(2)}\nb`, ['a', 'b']],
    ['CRLF line ends', `1\r\n${cue(1)}\r\n\r\na\r\n\r\nc\r\n2\r\n${cue(2)}\r\nb`, ['a\n\nc', 'b']],
    ['no text', `1\n${cue(1)}\n2\n${cue(2)}\n`, ['', '']],
  ])('SubRip cues begin at their times with %s', (_, text, expected) => {
    expect(targets(text)).toEqual(expected);
    const file = srt.parse(Buffer.from(text));
    for (const index of expected.keys()) {
      const written = file.apply([{ op: 'set', index, target: ['new'] }]);
      expect(targets(written.toString())).toEqual(expected.with(index, 'new'));
      expect(targets(file.apply([{ op: 'remove', index }]).toString())).toEqual(expected.toSpliced(index, 1));
    }
  });

  it('SubRip cues reject texts that look like times or like the number of the next cue', () => {
    const file = srt.parse(Buffer.from(`1\n${cue(1)}\na\n\n${cue(2)}\nb\n`));
    for (const target of [`a\n${cue(3)}\nc`, 'a\n2', 'a\n\nb'])
      expect(() => file.apply([{ op: 'set', index: 0, target: [target] }])).toThrow(FormatError);
  });
});

describe('subtitles in 8-bit charsets', () => {
  /** All bytes that are allowed in a text. */
  const all = Buffer.from(Array.from({ length: 128 }, (_, i) => 128 + i));
  const files: [string, string, string][] = [
    ['srt', '1\n00:00:01,000 --> 00:00:02,000\n', '\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n'],
    ['sub', '{1}{10}', '\n{20}{30}Two\n'],
    ...['ass', 'ssa'].map((id): [string, string, string] => {
      const [head, tail] = script.split('Hello, {\\i1}you\\Nthere') as [string, string];
      return [id, head, tail];
    }),
    ['csv', 'id,source,target\n1,a,', '\n2,b,Two\n'],
    ['csv-simple', 'a,', '\nb,Two\n'],
  ];

  it.each(files)(
    'subtitles in 8-bit charsets are decoded as windows-1252 with a character for every byte (%s)',
    (id, head, tail) => {
      const bytes = Buffer.concat([Buffer.from(head), all, Buffer.from(tail)]);
      const file = formatOf(id).parse(bytes);
      expect(file.metadata.charset).toBe('windows-1252');
      expect(file.units[0]?.target[0]).toMatch(/^€\u0081‚.*…†.*\u008d.*ÿ$/);
      const written = file.apply([{ op: 'set', index: 1, target: ['Œuvre “ÿ”'] }]);
      const expected = tail.replace('Two', '\x8cuvre \x93\xff\x94');
      expect(written).toEqual(Buffer.concat([Buffer.from(head), all, Buffer.from(expected, 'latin1')]));
      expect(() => file.apply([{ op: 'set', index: 1, target: ['žluť kůň'] }])).toThrow(
        'do not exist in WINDOWS-1252: "ť" (U+0165), "ů" (U+016F), "ň" (U+0148)',
      );
    },
  );

  it.each(files)(
    'subtitles in 8-bit charsets are decoded as UTF-8 if the bytes are valid or have a byte order mark (%s)',
    (id, head, tail) => {
      for (const mark of ['', '\ufeff']) {
        const file = formatOf(id).parse(Buffer.from(`${mark}${head}žluť €${tail}`));
        expect(file.metadata.charset).toBe('utf-8');
        expect(file.units[0]?.target).toEqual(['žluť €']);
      }
      for (const charset of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be']) {
        const file = formatOf(id).parse(iconv.encode(`${head}žluť €${tail}`, charset, { addBOM: true }));
        expect(file.metadata).toMatchObject({ charset, bom: true });
        const written = file.apply([{ op: 'set', index: 0, target: ['kůň 😀'] }]);
        expect(written).toEqual(iconv.encode(`${head}kůň 😀${tail}`, charset, { addBOM: true }));
        expect(() => formatOf(id).parse(written.subarray(0, -1))).toThrow(FormatError);
      }
      const broken = Buffer.concat([Buffer.from(`\ufeff${head}`), all, Buffer.from(tail)]);
      expect(() => formatOf(id).parse(broken)).toThrow('no UTF-8 text');
    },
  );
});
