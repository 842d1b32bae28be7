import { fastestMs } from '@parlance/testing';
import { formatOf } from '../formats';
import { creditAuthor } from '../po/credit';
import { layoutXml } from '../upkeep/xml-layout';

/** Time ratio of a text of ten times the size: 10 for linear, 100 for quadratic time. */
function growth(work: (size: number) => void, size: number): number {
  const time = (some: number): number =>
    Math.max(
      fastestMs(() => work(some)),
      2,
    );
  return time(size * 10) / time(size);
}

const parsed = (id: string, text: string): void => {
  try {
    formatOf(id).parse(Buffer.from(text));
  } catch {
    // An early rejection is fast enough.
  }
};

it.each([
  ['a dokuwiki heading of blanks', (n: number) => parsed('dokuwiki', `== ${' '.repeat(n)}x\n`), 2_000],
  ['a mediawiki heading of blanks', (n: number) => parsed('mediawiki', `= ${' '.repeat(n)}x\n`), 2_000],
  ['empty lines of an INI file', (n: number) => parsed('ini', `${'\r'.repeat(n)};`), 20_000],
  ['open comments of an XML file', (n: number) => void layoutXml(Buffer.from(`<a>${'<!--'.repeat(n)}`), true), 5_000],
  [
    'the head of a gettext file',
    (n: number) => void creditAuthor(Buffer.from(`# ${'<a@x.org'.repeat(n)}\n`), { name: 'A', email: 'a@x.org' }, 2026),
    5_000,
  ],
])('parsing %s takes linear time', (_, work, size) => {
  expect(growth(work, size)).toBeLessThan(50);
});

it('strings can be added to an Apple strings file that begins with slashes and ends with a brace', () => {
  const file = formatOf('strings').parse(Buffer.from(`${'//'.repeat(40)}\n"a" = "b";\n// }`));
  const added = file.apply([{ op: 'add', context: 'new', source: [], target: ['x'] }]);
  expect(added.toString()).toContain('"new" = "x";');
});
