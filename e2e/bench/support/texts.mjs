import { poHeader } from '../../support/repository.mjs';

const words =
  'the file could not be opened because another user changed its name while this window was busy with network printing of your document please try again later or ask somebody who knows'.split(
    ' ',
  );

/** Deterministic random number generator (mulberry32). */
function random(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * PO files with `count` strings in each language; one in ten is plural, one in five is untranslated.
 * @param {string[]} codes
 * @param {number} count
 * @param {number} [first] number in the first text: files with other numbers have other texts
 */
export function makeTexts(codes, count, first = 0) {
  const pick = random(7);
  const sources = Array.from({ length: count }, (_, i) => {
    const text = Array.from(
      { length: 3 + Math.floor(pick() * 12) },
      () => words[Math.floor(pick() * words.length)],
    ).join(' ');
    return { text: `${text[0].toUpperCase()}${text.slice(1)} ${first + i}.`, plural: i % 10 === 3 };
  });
  const entry = ({ text, plural }, i, translate) =>
    plural
      ? `#: src/file${i % 90}.c:${i}\n#, c-format\nmsgid "${text} %d"\nmsgid_plural "${text} %d pieces"\n${translate('plural', text, i)}\n`
      : `#: src/file${i % 90}.c:${i}\nmsgid "${text}"\n${translate('single', text, i)}\n`;
  const empty = (kind) => (kind === 'plural' ? 'msgstr[0] ""\nmsgstr[1] ""\n' : 'msgstr ""\n');
  const files = { 'po/bench.pot': `${poHeader('')}${sources.map((s, i) => entry(s, i, empty)).join('')}` };
  for (const code of codes) {
    const translate = (kind, text, i) => {
      if (i % 5 === 4) return empty(kind);
      const target = `${code}: ${text.split(' ').reverse().join(' ')}`;
      return kind === 'plural' ? `msgstr[0] "${target} %d"\nmsgstr[1] "${target} %d+"\n` : `msgstr "${target}"\n`;
    };
    files[`po/${code}.po`] =
      `${poHeader(code).replace(/nplurals=3.*?\\n/, 'nplurals=2; plural=n != 1;\\n')}${sources.map((s, i) => entry(s, i, translate)).join('')}`;
  }
  return files;
}
