import type { Flags } from './flags/flags';
import { sanitizeHtml } from './markup/html';
import { LANGUAGES_WITHOUT_SPACES } from './wording/characters';

/** Names of the corrections in order of application. */
export const AUTOFIXES = [
  'end-whitespace',
  'ellipsis',
  'zero-width-space',
  'control-characters',
  'punctuation-spacing',
  'safe-html',
  'line-ends',
] as const;
export type AutofixId = (typeof AUTOFIXES)[number];

export interface AutofixResult {
  target: string[];
  /** Corrections that changed at least one form. */
  fixed: AutofixId[];
}

type Fix = (target: string, source: string, flags: Flags, targetLanguage: string) => string;

/** Leading and trailing white space. */
function margins(text: string): [start: string, end: string] {
  const solid = text.trim();
  if (solid === '') return ['', ''];
  const from = text.indexOf(solid[0]!);
  return [text.slice(0, from), text.slice(from + solid.length)];
}

const isControl = (code: number): boolean =>
  (code < 32 && code !== 9 && code !== 10 && code !== 13) || (code >= 0x7f && code < 0xa0 && code !== 0x85);

/** Removes control characters except tabs, line ends, and those of the source. */
export function stripControlCharacters(target: string, source: string): string {
  let result = '';
  for (const char of target) {
    if (!isControl(char.charCodeAt(0)) || source.includes(char)) result += char;
  }
  return result;
}

const fixes: Record<AutofixId, Fix> = {
  'end-whitespace': (target, source, flags) => {
    const [start, end] = margins(target);
    const [sourceStart, sourceEnd] = margins(source);
    const solid = target.slice(start.length, target.length - end.length);
    if (source.trim() === '') return target;
    // The ignore flags cover spaces. Line breaks always follow the source.
    const keepStart = flags.has('ignore-begin-space') && !/[\r\n]/.test(start + sourceStart);
    const keepEnd = flags.has('ignore-end-space') && !/[\r\n]/.test(end + sourceEnd);
    return (keepStart ? start : sourceStart) + solid + (keepEnd ? end : sourceEnd);
  },
  ellipsis: (target, source, flags) =>
    source.includes('…') && !source.includes('...') && !flags.has('ignore-end-ellipsis')
      ? target.replace(/(?<!\.)\.\.\.(?!\.)/g, '…')
      : target,
  'zero-width-space': (target, source, flags, language) =>
    source.includes('\u200b') ||
    flags.has('ignore-zero-width-space') ||
    LANGUAGES_WITHOUT_SPACES.has(/^[a-z]*/i.exec(language)![0].toLowerCase())
      ? target
      : target.replaceAll('\u200b', ''),
  'control-characters': stripControlCharacters,
  'punctuation-spacing': (target, _source, flags, language) => {
    if (!/^fr(?![A-Za-z])(?![_-]CA)/i.test(language) || flags.has('ignore-punctuation-spacing')) return target;
    return target.replace(/ ([!?;:])(?=\s|$)/g, (_, mark: string) =>
      mark === ':' ? `\u00a0${mark}` : `\u202f${mark}`,
    );
  },
  'safe-html': (target, _source, flags) =>
    flags.has('safe-html') && !flags.has('ignore-safe-html') ? sanitizeHtml(target, flags.has('md-text')) : target,
  'line-ends': (target, _source, flags) => (flags.has('dos-eol') ? target.replace(/\r\n|\r|\n/g, '\r\n') : target),
};

/**
 * Applies automatic corrections to a translation on save: leading and trailing white space as in the source, `…` for
 * `...`, zero-width spaces, control characters, French punctuation spacing, unsafe HTML, line ends. A flag that ignores a
 * check also disables its correction. Blank forms are unchanged.
 */
export function autofix(
  source: readonly string[],
  target: readonly string[],
  flags: Flags,
  targetLanguage = '',
): AutofixResult {
  const fixed = new Set<AutofixId>();
  const result = target.map((text, index) => {
    if (text.trim() === '') return text;
    const from = source[Math.min(index, source.length - 1)] ?? '';
    let current = text;
    for (const id of AUTOFIXES) {
      const next = fixes[id](current, from, flags, targetLanguage);
      if (next !== current) fixed.add(id);
      current = next;
    }
    return current;
  });
  return { target: result, fixed: AUTOFIXES.filter((id) => fixed.has(id)) };
}
