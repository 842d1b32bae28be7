import { codePoints } from './text/measures';

/** Languages whose characters are counted as words. */
const CJK_LANGUAGES = new Set(['zh', 'ja', 'ko', 'yue', 'nan', 'hak', 'lzh', 'wuu', 'cmn']);

const CJK =
  /[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9d]|[\u{20000}-\u{3ffff}]/u;

function countTokens(text: string): number {
  let count = 0;
  let inside = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const white =
      code <= 32
        ? code === 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31)
        : code >= 0x85 && /\s|\u0085/.test(text[index]!);
    if (white) inside = false;
    else if (!inside) {
      inside = true;
      count++;
    }
  }
  return count;
}

function countCjk(text: string): number {
  let characters = 0;
  let rest = '';
  for (const char of text) {
    if (CJK.test(char)) {
      characters++;
      rest += ' ';
    } else rest += char;
  }
  return characters + countTokens(rest);
}

/** Prefix of singular forms that no language uses, as written by resource compilers. */
const UNUSED = '<unused singular';

/**
 * Number of words of a source, summed over its plural forms. A word is a token between white space. In Chinese, Japanese
 * and Korean sources, every character of those scripts is a word as well.
 */
export function countWords(text: string | readonly string[], sourceLanguage: string): number {
  const forms = typeof text === 'string' ? [text] : text;
  const language = /^[^_@-]+/.exec(sourceLanguage)?.[0].toLowerCase() ?? '';
  const count = CJK_LANGUAGES.has(language) ? countCjk : countTokens;
  let words = 0;
  for (const form of forms) if (!form.startsWith(UNUSED)) words += count(form);
  return words;
}

/** Number of code points of a source. Each plural form after the first adds two, for the separator of stored forms. */
export function countChars(text: string | readonly string[]): number {
  const forms = typeof text === 'string' ? [text] : text;
  let characters = 2 * Math.max(0, forms.length - 1);
  for (const form of forms) characters += codePoints(form);
  return characters;
}
