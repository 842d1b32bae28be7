import type { FormatCheckId } from './table';

/** One placeholder found in a text. */
export interface Placeholder {
  /** Name or explicit position; undefined for one that counts on its order. */
  name?: string;
  /** What makes two placeholders of the same name different, e.g. the conversion. */
  type: string;
}

/** A placeholder syntax. */
export interface FormatSyntax {
  extract(text: string): Placeholder[];
  /** Without this character no text has a placeholder. */
  sign: string;
  /** Unnamed placeholders are a problem when there are several. */
  printf: boolean;
}

/** Conversions that mean the same for a translator. */
const SAME_CONVERSION: Readonly<Record<string, string>> = { i: 'd', D: 'd', U: 'u', O: 'o' };

/**
 * A syntax from a global regular expression with the groups `name`, `key` or `brace` (a name or position), `type` or
 * `keytype`, and `escape` (a literal sign, no placeholder). All of them run in linear time: bounded repeats, none nested.
 */
function syntax(sign: string, regex: RegExp, printf: boolean): FormatSyntax {
  return {
    sign,
    printf,
    extract(text) {
      const found: Placeholder[] = [];
      if (!text.includes(sign)) return found;
      for (const { groups = {} } of text.matchAll(regex) as Iterable<{ groups?: Record<string, string | undefined> }>) {
        if (groups['escape'] !== undefined) continue;
        const type = groups['type'] ?? groups['keytype'] ?? '';
        found.push({ name: groups['name'] ?? groups['key'] ?? groups['brace'], type: SAME_CONVERSION[type] ?? type });
      }
      return found;
    },
  };
}

const printf = (regex: RegExp): FormatSyntax => syntax('%', regex, true);
const named = (sign: string, regex: RegExp): FormatSyntax => syntax(sign, regex, false);

/** Fields of `str.format`, with doubled braces as literals and one level of fields within a format. */
function pythonBraces(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if ((char === '{' || char === '}') && text[index + 1] === char) index++;
    else if (char === '{') {
      const match = /^\{([^{}!:]{0,200})(?:![rsa])?(?::(?:[^{}]|\{[^{}]{0,100}\}){0,200})?\}/.exec(
        text.slice(index, index + 800),
      );
      if (!match) continue;
      found.push({ name: match[1]!.trim() || undefined, type: '' });
      index += match[0].length - 1;
    }
  }
  return found;
}

/** Arguments of java.text.MessageFormat; text in single quotes is literal, two quotes are one. */
function messageFormat(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "'") {
      if (text[index + 1] === "'") {
        index++;
        continue;
      }
      const end = text.indexOf("'", index + 1);
      // A single quote before no brace is an apostrophe in text that was not written for MessageFormat.
      if (end > 0 && /[{}]/.test(text[index + 1] ?? '')) index = end;
      continue;
    }
    if (text[index] !== '{') continue;
    const match = /^\{\s{0,9}(\w{1,60})\s{0,9}(?:,\s{0,9}(\w{1,20})[^{}]{0,200})?\}/.exec(
      text.slice(index, index + 320),
    );
    if (!match) continue;
    found.push({ name: match[1], type: match[2] ?? '' });
    index += match[0].length - 1;
  }
  return found;
}

/** The syntax of each format check. */
export const SYNTAXES: Readonly<Record<FormatCheckId, FormatSyntax>> = {
  python_format: printf(
    /%(?:\((?<name>[^()]{1,200})\))?[#0\- +]{0,5}(?:\*|\d{1,9})?(?:\.(?:\*|\d{1,9})?)?[hlL]?(?:(?<type>[diouxXeEfFgGcrsab])|(?<escape>%))/g,
  ),
  python_brace_format: { sign: '{', printf: true, extract: (text) => (text.includes('{') ? pythonBraces(text) : []) },
  php_format: printf(
    /%(?:(?<name>\d{1,3})\$)?[+-]{0,2}(?:[ 0]|'.)?-?\d{0,9}(?:\.\d{1,9})?(?:(?<type>[bcdeEfFgGosuxXhH])|(?<escape>%))/g,
  ),
  c_format: printf(
    /%(?:(?<name>\d{1,3})\$)?[ #+\-0'I]{0,6}(?:\*(?:\d{1,3}\$)?|\d{1,9})?(?:\.(?:\*(?:\d{1,3}\$)?|\d{1,9})?)?(?:(?:hh|h|ll|l|L|q|j|z|t)?(?<type>[diouxXeEfFgGaAcsCSpnm@]|<[A-Za-z0-9]{1,20}>)|(?<escape>%))/g,
  ),
  perl_format: printf(
    /%(?:(?<name>\d{1,3})\$)?[ +\-0#]{0,5}v?(?:\*(?:\d{1,3}\$)?|\d{1,9})?(?:\.(?:\*|\d{1,9})?)?(?:(?:hh|h|ll|l|q|L|V|z|t)?(?<type>[csduoxefgXEGbBpniDUOF])|(?<escape>%))/g,
  ),
  perl_brace_format: named('{', /\{(?<name>\w{1,100})\}/g),
  javascript_format: printf(
    /%(?:(?<name>\d{1,3})\$|\((?<key>[\w.[\]]{1,100})\))?\+?(?:0|'.)?-?\d{0,9}(?:\.\d{1,9})?(?:(?<type>[bcdieufgosxXjTtvV])|(?<escape>%))/g,
  ),
  lua_format: printf(/%[\-0 +#]{0,5}\d{0,2}(?:\.\d{0,2})?(?:(?<type>[cdiouxXeEfgGaAqsp])|(?<escape>%))/g),
  object_pascal_format: printf(
    /%(?:(?<name>\d{1,3}):)?-?(?:\*|\d{1,9})?(?:\.(?:\*|\d{1,9}))?(?:(?<type>[duefgnmpsxDUEFGNMPSX])|(?<escape>%))/g,
  ),
  scheme_format: syntax(
    '~',
    /~(?:(?:[-+]?\d{1,9}|'.|[vV#])?,?){0,7}[@:]{0,2}(?:(?<escape>[~%&\n])|(?<type>[A-Za-z*?;[\](){}<>|/_$^]))/g,
    true,
  ),
  c_sharp_format: named('{', /(?<escape>\{\{|\}\})|\{(?<name>\d{1,3})(?:,\s{0,9}-?\d{1,9})?(?::[^{}]{0,200})?\}/g),
  java_printf_format: printf(
    /%(?:(?<name>\d{1,3})\$|(?<key><))?[-#+ 0,(]{0,7}\d{0,9}(?:\.\d{1,9})?(?:(?<type>[bBhHsScCdoxXeEfgGaA]|[tT][A-Za-z])|(?<escape>[%n]))/g,
  ),
  java_format: { sign: '{', printf: false, extract: (text) => (text.includes('{') ? messageFormat(text) : []) },
  percent_placeholders: named('%', /%(?<name>\w{1,100})%/g),
  vue_format: named(
    '',
    /%?\{\s{0,9}(?<name>[^\s{}'][^{}']{0,100}?)\s{0,9}\}|(?<key>@(?:\.[a-z]{1,20})?:(?:\([\w.-]{1,200}\)|[\w.-]{1,200}))/g,
  ),
  i18next_interpolation: named(
    '',
    /\{\{\s{0,9}-?\s{0,9}(?<name>[^\s{},][^{},]{0,200}?)\s{0,9}(?:,[^{}]{0,200})?\}\}|(?<key>\$t\([^()]{1,300}\))/g,
  ),
  es_format: named('$', /\$\{\s{0,9}(?<name>[^\s{}][^{}]{0,200}?)\s{0,9}\}/g),
  automattic_components_format: named('{', /\{\{(?<name>\/?\s{0,9}\w{1,100}\s{0,9}\/?)\}\}/g),
  angularjs_format: named('{', /\{\{\s{0,9}(?<name>[^\s{}][^{}]{0,300}?)\s{0,9}\}\}/g),
  qt_format: named('%', /%L?(?<name>\d{1,2})/g),
  qt_plural_format: named('%', /%L?(?<name>n)/g),
  ruby_format: printf(
    /%(?:(?<name>\d{1,3})\$)?[-+ #0]{0,5}(?:<(?<key>\w{1,100})>[-+ #0]{0,5}\d{0,9}(?:\.\d{1,9})?(?<keytype>[a-zA-Z])|\{(?<brace>\w{1,100})\}|\d{0,9}(?:\.\d{1,9})?(?:(?<type>[bBdiouxXeEfgGaAcps])|(?<escape>%)))/g,
  ),
};
