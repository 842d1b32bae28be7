import { NO_FLAGS, parseFlags } from '../flags/flags';
import { highlight } from './highlights';

/** Kinds and texts of the highlighted parts. */
const parts = (source: string, target: string, flags = ''): string[] =>
  highlight({ source: [source], target: [target], flags: flags === '' ? NO_FLAGS : parseFlags(flags) }).map(
    ({ kind, side, form, start, end }) => {
      expect(form).toBe(0);
      return `${side} ${kind} ${JSON.stringify((side === 'source' ? source : target).slice(start, end))}`;
    },
  );

describe('highlights', () => {
  it('highlights are the placeholders of the syntaxes that the flags select', () => {
    expect(parts('%(name)s has %d {x}', '%d', 'python-format')).toEqual([
      'source placeholder "%(name)s"',
      'source placeholder "%d"',
      'target placeholder "%d"',
    ]);
    expect(parts('%d', '%d')).toEqual([]);
    expect(parts('{0} of {1}', '', 'auto-java-messageformat')).toEqual([
      'source placeholder "{0}"',
      'source placeholder "{1}"',
    ]);
  });

  it('highlights are the arguments of ICU messages, also inside branches', () => {
    const source = "{name} has {n, plural, offset:1 one {# file in {dir}} other {# files}}, '{'quoted'}'";
    expect(parts(source, '{name', 'icu-message-format')).toEqual([
      'source placeholder "{name}"',
      'source placeholder "{n, plural,"',
      'source placeholder "#"',
      'source placeholder "{dir}"',
      'source placeholder "#"',
      'source placeholder "}"',
    ]);
    expect(parts('{who, select, male {He} other {They}} at {t, time, short}', '', 'icu-message-format')).toEqual([
      'source placeholder "{who, select,"',
      'source placeholder "male"',
      'source placeholder "other"',
      'source placeholder "}"',
      'source placeholder "{t, time, short}"',
    ]);
    expect(parts('<b>{name}</b>', '', 'icu-message-format,icu-flags:xml')).toEqual([
      'source markup "<b>"',
      'source placeholder "{name}"',
      'source markup "</b>"',
    ]);
    expect(parts('{name}', '')).toEqual([]);
  });

  it('highlights are placeholders of the flag, texts and patterns', () => {
    expect(parts('Hi $NAME, #12', 'Ahoj $NAME', 'placeholders:$NAME:r"#\\d+"')).toEqual([
      'source placeholder "$NAME"',
      'source placeholder "#12"',
      'target placeholder "$NAME"',
    ]);
  });

  it('highlights are tags where the source is well-formed markup or the flags say so', () => {
    expect(parts('<b>Hi</b>', '<b>Ahoj')).toEqual([
      'source markup "<b>"',
      'source markup "</b>"',
      'target markup "<b>"',
    ]);
    expect(parts('a < b > c', 'x')).toEqual([]);
    expect(parts('[b]Hi[/b]', '', 'bbcode-text')).toEqual(['source markup "[b]"', 'source markup "[/b]"']);
  });

  it('highlights are white space that is easily overlooked', () => {
    expect(parts(' a  b\n', 'c\u00a0\u202fd\t ')).toEqual([
      'source whitespace " "',
      'source whitespace "  "',
      'source whitespace "\\n"',
      `target whitespace ${JSON.stringify('\u00a0\u202f')}`,
      'target whitespace "\\t"',
      'target whitespace " "',
    ]);
  });

  it('highlights take linear time', () => {
    const text = '  <a '.repeat(40_000);
    const found = highlight({
      source: [text],
      target: [text],
      flags: parseFlags('c-format,python-brace-format,icu-message-format,xml-text'),
    });
    expect(found.length).toBeGreaterThan(40_000);
  });
});
