import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../format';
import { formats } from '../formats';

const folder = join(__dirname, '../../corpus');
const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
const megabyte = 'x'.repeat(1_000_000);
const generated = [
  ['open blocks', Buffer.from('<nowiki>\n{|\n/*\n<code>\n'.repeat(2_000))],
  ['many opening brackets', Buffer.from('<'.repeat(40_000))],
  ['many comments', Buffer.from(`${'# x\n'.repeat(15_000)}a=b\n`)],
  ['many bars', Buffer.from('|'.repeat(60_000))],
  ['many short lines', Buffer.from('>\n'.repeat(15_000))],
  ['a line of a megabyte', Buffer.from(megabyte)],
  ['a value of a megabyte', Buffer.from(`key = "${megabyte}"\n`)],
  ['many blank lines', Buffer.from('\n'.repeat(80_000))],
  ['many backslashes', Buffer.from(`key=${'\\'.repeat(80_000)}`)],
  ['many blanks', Buffer.from(`key${' '.repeat(80_000)}x`)],
  ['many blanks behind a source', Buffer.from(`;x${' '.repeat(80_000)}x\n${' '.repeat(80_000)}x{ok}\n`)],
  ['a key of 20 000 names', Buffer.from(`a${'.a'.repeat(20_000)} = "x"\n`)],
  ['block maps 1000 deep', Buffer.from(deepMaps())],
  ['block maps 1000 deep of YAML 1.1', Buffer.from(`%YAML 1.1\n---\n${deepMaps()}`)],
] as const;

function deepMaps(): string {
  return `${Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')} x\n`;
}

/** Every format parses every hostile file: the result is units or an error with its location. */
describe.each([...formats.values()])('the format $id survives', (format) => {
  it.each([...files, ...generated])('a format survives the hostile file %s', (_, bytes) => {
    let file;
    try {
      file = format.parse(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError);
      expect((error as FormatError).message).not.toContain('stack');
      expect((error as FormatError).line).toBeGreaterThan(0);
      expect((error as FormatError).column).toBeGreaterThan(0);
      return;
    }
    expect(file.apply([]).equals(bytes)).toBe(true);
  });
});
