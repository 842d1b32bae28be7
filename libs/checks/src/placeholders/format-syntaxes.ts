import type { FormatCheckId } from '../check-definitions';

/** A placeholder occurrence. */
export interface Placeholder {
  /** Name or explicit position; undefined if the order of occurrence selects the argument. */
  name?: string;
  /**
   * Flags, width, precision and conversion: the properties that must match besides the name. Digit grouping and local
   * digits (`'` and `I` in C) are excluded, because translators may choose them.
   */
  type: string;
  /** UTF-16 offsets in the text; `end` is exclusive. */
  start: number;
  end: number;
}

/** A placeholder syntax. */
export interface FormatSyntax {
  extract(text: string): Placeholder[];
  /** Character that every placeholder contains; empty if there is none. Texts without it are skipped. */
  marker: string;
  /** Placeholders may be unnamed, which prevents reordering if there are several. */
  printf: boolean;
  /** Whether a marker occurs outside placeholders and escapes. */
  hasStrayMarker?(text: string): boolean;
  /** Number of the first argument; set if unnamed placeholders count on from the last explicit position. */
  continuesFrom?: number;
  /** Type that a translation may add to an untyped placeholder. */
  mayAdd?: string;
  /** Separator between variants of the text. Each variant repeats the placeholders. */
  variants?: string;
}

const extentOf = (match: RegExpMatchArray): { start: number; end: number } => ({
  start: match.index!,
  end: match.index! + match[0].length,
});

/** Synonymous conversions. */
const CONVERSION_ALIASES: Readonly<Record<string, string>> = { i: 'd', D: 'd', U: 'u', O: 'o' };

/** Part of a printf placeholder that selects the argument. */
const ARGUMENT_NAME = /\d{1,3}[$:]|\([^()]{1,200}\)|<\w{1,100}>|\{\w{1,100}\}/;

type Groups = Record<string, string | undefined>;

/**
 * Builds a printf-like syntax from a global regular expression with the groups `name`, `key` or `brace` (name or position),
 * `type` or `keytype`, `escape` (literal marker) and `break` (line break: takes no argument but must be kept).
 * The expressions run in linear time: repeats are bounded and never nested.
 *
 * @param localDigits flags that only change how digits are written
 */
function printf(regex: RegExp, marker = '%', localDigits?: RegExp): FormatSyntax {
  return {
    marker,
    printf: true,
    extract(text) {
      const found: Placeholder[] = [];
      if (!text.includes(marker)) return found;
      for (const match of text.matchAll(regex)) {
        const groups = (match.groups ?? {}) as Groups;
        if (groups['escape'] !== undefined) continue;
        if (groups['break'] !== undefined) {
          found.push({ name: match[0], type: '', ...extentOf(match) });
          continue;
        }
        const conversion = groups['type'] ?? groups['keytype'] ?? '';
        let details = '';
        // Fast path: most placeholders consist of a marker and a conversion.
        if (match[0].length > conversion.length + 1) {
          details = match[0].slice(1, match[0].length - conversion.length).replace(ARGUMENT_NAME, '');
          if (localDigits) details = details.replace(localDigits, '');
        }
        found.push({
          name: groups['name'] ?? groups['key'] ?? groups['brace'],
          type: details + (CONVERSION_ALIASES[conversion] ?? conversion),
          ...extentOf(match),
        });
      }
      return found;
    },
    hasStrayMarker: (text) => text.includes(marker) && text.replace(regex, '').includes(marker),
  };
}

/** Builds a syntax of named placeholders. The name is the group `name`, else the match without white space. */
function named(marker: string, regex: RegExp, options: Pick<FormatSyntax, 'mayAdd' | 'variants'> = {}): FormatSyntax {
  return {
    ...options,
    marker,
    printf: false,
    extract(text) {
      const found: Placeholder[] = [];
      if (!text.includes(marker)) return found;
      for (const match of text.matchAll(regex)) {
        const groups = (match.groups ?? {}) as Groups;
        if (groups['escape'] !== undefined) continue;
        const name = groups['name'] ?? match[0].replace(/\s+/g, '');
        found.push({ name, type: groups['type'] ?? '', ...extentOf(match) });
      }
      return found;
    },
  };
}

/** Fields of Python's `str.format`: doubled braces are literals, format specifications may nest one level of fields. */
function pythonBraces(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if ((char === '{' || char === '}') && text[index + 1] === char) index++;
    else if (char === '{') {
      const match = /^\{([^{}!:]{0,200})((?:![rsa])?(?::(?:[^{}]|\{[^{}]{0,100}\}){0,200})?)\}/.exec(
        text.slice(index, index + 800),
      );
      if (!match) continue;
      found.push({ name: match[1] || undefined, type: match[2]!, start: index, end: index + match[0].length });
      index += match[0].length - 1;
    }
  }
  return found;
}

/** Whether all quotes of a java.text.MessageFormat pattern are closed. */
export function hasBalancedQuotes(text: string): boolean {
  let quotes = 0;
  for (let index = text.indexOf("'"); index >= 0; index = text.indexOf("'", index + 1)) quotes++;
  return quotes % 2 === 0;
}

/**
 * Arguments of a java.text.MessageFormat pattern. Text in single quotes is literal; two quotes stand for one.
 *
 * @param lenient treat quotes as apostrophes unless they enclose braces, for texts that were not written as patterns
 */
export function messageFormat(text: string, lenient = false): Placeholder[] {
  const found: Placeholder[] = [];
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "'") {
      if (text[index + 1] === "'") {
        index++;
        continue;
      }
      if (lenient && !/[{}]/.test(text[index + 1] ?? '')) continue;
      const end = text.indexOf("'", index + 1);
      if (end > 0) index = end;
      else if (!lenient) break;
      continue;
    }
    if (text[index] !== '{') continue;
    const match = /^\{\s{0,9}(\w{1,60})\s{0,9}(?:,\s{0,9}(\w{1,20})[^{}]{0,200})?\}/.exec(
      text.slice(index, index + 320),
    );
    if (!match) continue;
    found.push({ name: match[1], type: match[2] ?? '', start: index, end: index + match[0].length });
    index += match[0].length - 1;
  }
  return found;
}

/** The syntax of each format check. */
export const SYNTAXES: Readonly<Record<FormatCheckId, FormatSyntax>> = {
  python_format: printf(
    /%(?:\((?<name>[^()]{1,200})\))?[#0\- +]{0,5}(?:\*|\d{1,9})?(?:\.(?:\*|\d{1,9})?)?[hlL]?(?:(?<type>[diouxXeEfFgGcrsab])|(?<escape>%))/g,
  ),
  python_brace_format: { marker: '{', printf: true, extract: (text) => (text.includes('{') ? pythonBraces(text) : []) },
  php_format: printf(
    /%(?:(?<name>\d{1,3})\$)?[+-]{0,2}(?:[ 0]|'.)?-?\d{0,9}(?:\.\d{1,9})?(?:(?<type>[bcdeEfFgGosuxXhH])|(?<escape>%))/g,
  ),
  c_format: printf(
    /%(?:(?<name>\d{1,3})\$)?[ #+\-0'I]{0,6}(?:\*(?:\d{1,3}\$)?|\d{1,9})?(?:\.(?:\*(?:\d{1,3}\$)?|\d{1,9})?)?(?:(?:hh|h|ll|l|L|q|j|z|t)?(?<type>[diouxXeEfFgGaAcsCSpnm@]|<[A-Za-z0-9]{1,20}>)|(?<escape>%))/g,
    '%',
    /['I]/g,
  ),
  perl_format: printf(
    /%(?:(?<name>\d{1,3})\$)?[ +\-0#]{0,5}v?(?:\*(?:\d{1,3}\$)?|\d{1,9})?(?:\.(?:\*|\d{1,9})?)?(?:(?:hh|h|ll|l|q|L|V|z|t)?(?<type>[csduoxefgXEGbBpniDUOF])|(?<escape>%))/g,
  ),
  perl_brace_format: named('{', /\{(?<name>\w{1,100})\}/g),
  javascript_format: printf(
    /%(?:(?<name>\d{1,3})\$|\((?<key>[\w.[\]]{1,100})\))?\+?(?:0|'.)?-?\d{0,9}(?:\.\d{1,9})?(?:(?<type>[bcdieufgosxXjTtvV])|(?<escape>%))/g,
  ),
  lua_format: printf(/%[\-0 +#]{0,5}\d{0,2}(?:\.\d{0,2})?(?:(?<type>[cdiouxXeEfgGaAqsp])|(?<escape>%))/g),
  object_pascal_format: {
    ...printf(
      /%(?:(?<name>\d{1,3}):)?-?(?:\*|\d{1,9})?(?:\.(?:\*|\d{1,9}))?(?:(?<type>[duefgnmpsxDUEFGNMPSX])|(?<escape>%))/g,
    ),
    continuesFrom: 0,
  },
  scheme_format: printf(
    /~(?:(?:[-+]?\d{1,9}|'.|[vV#])?,?){0,7}[@:]{0,2}(?:(?<escape>[~\n])|(?<break>[%&])|(?<type>[A-Za-z*?;[\](){}<>|/_$^]))/g,
    '~',
  ),
  c_sharp_format: named('{', /(?<escape>\{\{|\}\})|\{(?<name>\d{1,3})(?:,\s{0,9}-?\d{1,9})?(?::[^{}]{0,200})?\}/g),
  java_printf_format: printf(
    /%(?:(?<name>\d{1,3})\$|(?<key><))?[-#+ 0,(]{0,7}\d{0,9}(?:\.\d{1,9})?(?:(?<type>[bBhHsScCdoxXeEfgGaA]|[tT][A-Za-z])|(?<escape>%)|(?<break>n))/g,
  ),
  java_format: { marker: '{', printf: false, extract: (text) => (text.includes('{') ? messageFormat(text) : []) },
  percent_placeholders: named('%', /%\w{1,100}%/g),
  vue_format: named(
    '',
    /\{'[^'\n]{1,50}'\}|%?\{\s{0,9}[^\s{}'][^{}']{0,100}?\s{0,9}\}|@(?:\.[a-z]{1,20})?:(?:\([\w.-]{1,200}\)|[\w.-]{1,200})/g,
    { variants: '|' },
  ),
  i18next_interpolation: named('', /\{\{\s{0,9}-?\s{0,9}[^\s{},][^{}]{0,400}\}\}|\$t\([^()]{1,300}\)/g),
  es_format: named('$', /\$\{\s{0,9}[^\s{}][^{}]{0,200}\}/g),
  automattic_components_format: named('{', /\{\{\/?\s{0,9}\w{1,100}\s{0,9}\/?\}\}/g),
  angularjs_format: named('{', /\{\{\s{0,9}[^\s{}][^{}]{0,300}\}\}/g),
  qt_format: named('%', /%(?<type>L?)(?<name>\d{1,2})/g, { mayAdd: 'L' }),
  qt_plural_format: named('%', /%(?<type>L?)(?<name>n)/g, { mayAdd: 'L' }),
  ruby_format: printf(
    /%(?:(?<name>\d{1,3})\$)?[-+ #0]{0,5}(?:<(?<key>\w{1,100})>[-+ #0]{0,5}\d{0,9}(?:\.\d{1,9})?(?<keytype>[a-zA-Z])|\{(?<brace>\w{1,100})\}|\d{0,9}(?:\.\d{1,9})?(?:(?<type>[bBdiouxXeEfgGaAcps])|(?<escape>%)))/g,
  ),
};
