/** Language codes that engines use instead, in order of preference. */
const alternativeCodes: Readonly<Record<string, readonly string[]>> = {
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

const normalized = (code: string): string => code.toLowerCase().replaceAll('_', '-');

/** The engine's code of a language; undefined: not supported. */
export function engineLanguage(known: readonly string[], code: string): string | undefined {
  const wanted = normalized(code).split('@', 1)[0]!;
  const base = wanted.split('-', 1)[0]!;
  for (const spelling of [wanted, ...(alternativeCodes[wanted] ?? []), base, ...(alternativeCodes[base] ?? [])]) {
    const found = known.find((candidate) => normalized(candidate) === normalized(spelling));
    if (found) return found;
  }
  return undefined;
}
