/** Other spellings that engines use for languages, the best first. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  'zh-hans': ['zh-Hans', 'zh-CN', 'zh'],
  'zh-hant': ['zh-Hant', 'zh-TW', 'zt'],
  'zh-hant-hk': ['yue', 'zh-HK', 'zh-Hant', 'zh-TW'],
  zh: ['zh-Hans', 'zh-CN'],
  'nb-no': ['nb', 'no'],
  nb: ['no'],
  he: ['iw'],
  jv: ['jw'],
  fil: ['tl'],
  en: ['en-US', 'en-GB'],
  pt: ['pt-PT', 'pt-BR'],
  'pt-br': ['pt-BR', 'pb', 'pt'],
  'sr-latn': ['sr-Latn'],
  sr: ['sr-Cyrl'],
};

const normal = (code: string): string => code.toLowerCase().replaceAll('_', '-');

/** How an engine spells a language; undefined: it does not know it. */
export function engineLanguage(known: readonly string[], code: string): string | undefined {
  const wanted = normal(code).split('@', 1)[0]!;
  const base = wanted.split('-', 1)[0]!;
  for (const spelling of [wanted, ...(spellings[wanted] ?? []), base, ...(spellings[base] ?? [])]) {
    const found = known.find((candidate) => normal(candidate) === normal(spelling));
    if (found) return found;
  }
  return undefined;
}
