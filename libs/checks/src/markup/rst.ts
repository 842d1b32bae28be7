import { ownRegExp } from '@parlance/patterns';
import { haveSameItems } from '../text/measures';
import type { AnalyzedText } from '../text/analyzed-text';
import type { FormPair } from '../check-input';

interface RstMarkup {
  /** Roles with their targets, links, substitutions, footnotes, and the delimiters of literals and emphasis. */
  references: string[];
  directives: string[];
  /** Whether the inline markup or a title is broken. */
  broken: boolean;
}

/** The target in `text <target>`; undefined for plain text. */
const targetOf = (text: string): string | undefined => /<([^<>]{1,500})>\s*$/.exec(text)?.[1];

/** Roles with translatable content. The content of other roles is an identifier. */
const TEXT_ROLE =
  /^(?:guilabel|menuselection|title|title-reference|strong|emphasis|sub|subscript|sup|superscript|abbr|kbd|file|samp|command|dfn|regexp|mailheader|mimetype|newsgroup|makevar)$/;

// Inline markup starts after and ends before white space or one of these characters.
const BEFORE = '(?<![^\\s\'"(\\[{<\\-/:‘“’«¡¿„‚‐‑‒–—])';
const AFTER = '(?![^\\s\'")\\]}>\\-/:.,;!?‘“”’»‐‑‒–—…。、，；：！？）」』])';
const inline = (source: string): RegExp => ownRegExp([BEFORE, source, AFTER], 'gu');

const LITERAL = inline('``(?!\\s)[^\\n]{1,1000}?``');
const ROLE = inline(':([A-Za-z][\\w:+.-]{0,60}):`([^`]{1,1000})`');
const LINK = inline('`([^`]{1,1000})`__?');
const FOOTNOTE = inline('\\[(#?[\\w-]{0,60}|\\*)\\]_');
const SUBSTITUTION = inline('\\|([^|\\s][^|\\n]{0,200})\\|_{0,2}');
const TITLE_REFERENCE = inline('`([^`\\s](?:[^`]{0,1000}[^`\\s])?)`');
const STRONG = inline('\\*\\*(?=\\S)[^*\\n]{1,1000}\\*\\*');
const EMPHASIS = inline('\\*(?=\\S)[^*\\n]{1,1000}\\*');
const NAME = inline('(?<![\\p{L}\\p{N}_.:+-])[\\p{L}\\p{N}]{1,60}(?:[-_.:+][\\p{L}\\p{N}]{1,60}){0,10}__?');

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

const widthOf = (line: string): number => {
  let width = 0;
  for (const char of line) width += WIDE.test(char) ? 2 : 1;
  return width;
};

/** Whether a title is longer than its underline. */
function hasShortUnderline(text: string): boolean {
  const lines = text.split('\n');
  return lines.some((line, index) => {
    const title = lines[index - 1]?.trimEnd() ?? '';
    return title !== '' && /^([=\-~^"#*+])\1{2,}\s*$/.test(line) && widthOf(line.trimEnd()) < widthOf(title);
  });
}

function readRst(text: string): RstMarkup {
  const references: string[] = [];
  let rest = text.replace(/\\[^]/g, '  ');
  const take = (regex: RegExp, use: (match: readonly string[]) => string): void => {
    rest = rest.replace(regex, (...match: string[]) => {
      references.push(use(match));
      return ' '.repeat(match[0]!.length);
    });
  };
  take(LITERAL, () => '``');
  take(ROLE, ([, role, content]) => {
    const target = targetOf(content!);
    return `:${role}:${target ?? (TEXT_ROLE.test(role!) ? '' : content)}`;
  });
  // The target of a link may differ by language.
  take(LINK, ([, content]) => (targetOf(content!) === undefined ? '`link`_' : '`link <>`_'));
  take(FOOTNOTE, ([, label]) => `[${label}]_`);
  take(SUBSTITUTION, ([, name]) => `|${name}|`);
  take(TITLE_REFERENCE, () => '`');
  take(STRONG, () => '**');
  take(EMPHASIS, () => '*');
  take(NAME, () => 'name_');
  const broken =
    rest.includes('`') ||
    /(?<![\p{L}\p{N}_*])\*\*?(?=[^\s*])/u.test(rest.replace(/^[ \t]{0,40}\*\s/gm, '')) ||
    /(?<![\w|])\|(?=[^\s|])/.test(rest) ||
    /:[a-z][a-z-]{1,30}:\s+`/.test(text) ||
    hasShortUnderline(text);
  const directives = [...text.matchAll(/^[ \t]{0,40}\.\. ([\w:-]{1,60})::/gm)].map((match) => match[1]!);
  return { references, directives, broken };
}

const markupOf = (text: AnalyzedText): RstMarkup => text.memoize('rst', readRst);

export const rstReferences = ({ source, target }: FormPair): boolean =>
  !haveSameItems(markupOf(source).references, markupOf(target).references);

/** `rst-syntax`: the translation uses other directives, or its markup is broken and that of the source is not. */
export function rstSyntax({ source, target }: FormPair): boolean {
  const [expected, actual] = [markupOf(source), markupOf(target)];
  if (actual.directives.some((name) => !expected.directives.includes(name))) return true;
  return actual.broken && !expected.broken;
}
