import { findLanguage } from './languages';

/** The values of a component's `language_code_style`; the empty one leaves the choice to the file format. */
export const LANGUAGE_CODE_STYLES = [
  '',
  'posix',
  'posix_lowercase',
  'bcp',
  'bcp_lower',
  'posix_long',
  'posix_long_lowercase',
  'bcp_long',
  'bcp_legacy',
  'linux',
  'linux_lowercase',
  'android',
  'appstore',
  'googleplay',
] as const;

export type LanguageCodeStyle = (typeof LANGUAGE_CODE_STYLES)[number];

/** Chinese codes with countries instead of scripts, for systems without script subtags. */
const CHINESE_BY_COUNTRY: Record<string, string> = {
  zh_Hans: 'zh_CN',
  zh_Hant: 'zh_TW',
  zh_Hans_SG: 'zh_SG',
  zh_Hant_HK: 'zh_HK',
  zh_Hant_MO: 'zh_MO',
};

/** Android keeps the codes that Java once had. */
const ANDROID_LANGUAGES: Record<string, string> = { he: 'iw', id: 'in', yi: 'ji' };

/** Locales that the App Store lists with a country. */
const APP_STORE: Record<string, string> = { ar: 'ar-SA', de: 'de-DE', fr: 'fr-FR', nl: 'nl-NL', pt: 'pt-PT' };

/** Locales that Google Play lists otherwise than BCP 47 would write our codes. */
const GOOGLE_PLAY: Record<string, string> = {
  az: 'az-AZ',
  bn: 'bn-BD',
  cs: 'cs-CZ',
  da: 'da-DK',
  de: 'de-DE',
  el: 'el-GR',
  en: 'en-US',
  es: 'es-ES',
  eu: 'eu-ES',
  fi: 'fi-FI',
  fr: 'fr-FR',
  gl: 'gl-ES',
  he: 'iw-IL',
  hi: 'hi-IN',
  hu: 'hu-HU',
  hy: 'hy-AM',
  is: 'is-IS',
  it: 'it-IT',
  ja: 'ja-JP',
  ka: 'ka-GE',
  km: 'km-KH',
  kn: 'kn-IN',
  ko: 'ko-KR',
  ky: 'ky-KG',
  lo: 'lo-LA',
  mk: 'mk-MK',
  ml: 'ml-IN',
  mn: 'mn-MN',
  mr: 'mr-IN',
  my: 'my-MM',
  nb: 'no-NO',
  nb_NO: 'no-NO',
  ne: 'ne-NP',
  nl: 'nl-NL',
  pl: 'pl-PL',
  pt: 'pt-PT',
  ru: 'ru-RU',
  si: 'si-LK',
  sv: 'sv-SE',
  ta: 'ta-IN',
  te: 'te-IN',
  tr: 'tr-TR',
  zh_Hans: 'zh-CN',
  zh_Hant: 'zh-TW',
  zh_Hant_HK: 'zh-HK',
};

const bcp = (code: string): string => code.replace(/[_@]/g, '-');

function long(code: string): string {
  const country = findLanguage(code)?.defaultCountry;
  return country && /^[a-z]{2,8}$/.test(code) ? `${code}_${country}` : code;
}

function android(code: string): string {
  const name = CHINESE_BY_COUNTRY[code] ?? code;
  const [language, ...rest] = name.split(/[_@-]/) as [string, ...string[]];
  const spoken = ANDROID_LANGUAGES[language] ?? language;
  if (rest.length === 0) return spoken;
  if (rest.length === 1 && /^[A-Z]{2}$/.test(rest[0]!)) return `${spoken}-r${rest[0]}`;
  return ['b', language, ...rest].join('+');
}

/**
 * Writes a language code (posix form, as the languages have it) in the way of a `language_code_style`, for the name of a
 * new file. The empty style is `posix`: a caller replaces it by the default of the file format first.
 */
export function formatLanguageCode(code: string, style: LanguageCodeStyle): string {
  switch (style) {
    case '':
    case 'posix':
      return code;
    case 'posix_lowercase':
      return code.toLowerCase();
    case 'bcp':
      return bcp(code);
    case 'bcp_lower':
      return bcp(code).toLowerCase();
    case 'posix_long':
      return long(code);
    case 'posix_long_lowercase':
      return long(code).toLowerCase();
    case 'bcp_long':
      return bcp(long(code));
    case 'bcp_legacy':
      return bcp(CHINESE_BY_COUNTRY[code] ?? code);
    case 'linux':
      return CHINESE_BY_COUNTRY[code] ?? code;
    case 'linux_lowercase':
      return (CHINESE_BY_COUNTRY[code] ?? code).toLowerCase();
    case 'android':
      return android(code);
    case 'appstore':
      return APP_STORE[code] ?? bcp(code);
    case 'googleplay':
      return GOOGLE_PLAY[code] ?? bcp(code);
  }
}
