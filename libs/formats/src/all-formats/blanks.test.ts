import { formatOf } from '../index';

/** Formats with files in which `«` and `»` represent a wide space. */
const FILES: readonly (readonly [string, string])[] = [
  ['fluent', 'a = «x»\nb = «y»\n'],
  ['ini', '[s]\na = «x»\nb=«y»\n'],
  ['islu', '[s]\na=«x»\nb = «y»\n'],
  ['mi18n-lang', 'a = «x»\nb=«y»\n'],
  ['dokuwiki', '====== «x» ======\n\n«y»\n\n  * «z»\n\n| «t» | «u» |\n'],
  ['mediawiki', '== «x» ==\n\n«y»\n\n* «z»\n'],
  ['markdown', '# «x»\n\n«y»\n\n| «z» | a |\n| --- | --- |\n| «t» | b |\n'],
  ['html', '<!DOCTYPE html><body><p> «x» </p><ul><li>«y»</li></ul></body>'],
];

describe.each(FILES)('the format %s', (id, content) => {
  it.each(['\u00a0', '\u3000', '\u2003', '\ufeff'])('the format reads and writes %j around a text', (space) => {
    const file = formatOf(id).parse(Buffer.from(content.replace(/[«»]/g, space)));
    const texts = file.units.map(({ target }) => target[0] as string).filter((found) => found.includes(space));
    expect(texts).toEqual([...content.matchAll(/«(.)»/g)].map(([, name]) => space + (name as string) + space));
    for (const unit of file.units) {
      const written = file.apply([{ op: 'set', index: unit.index, target: [`${space}n${space}`] }]);
      expect(formatOf(id).parse(written).units[unit.index]?.target).toEqual([`${space}n${space}`]);
    }
  });
});
