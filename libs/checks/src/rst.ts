import { ownRegExp } from '@parlance/patterns';
import { sameList } from './markup';
import type { Pair } from './unit';

interface RstParts {
  /** Roles with their targets, links, substitutions, footnotes, and the marks of literals and emphasis. */
  references: string[];
  directives: string[];
  /** Whether the inline markup or a title is broken. */
  broken: boolean;
}

/** `text <target>` gives the target, plain text stands for itself. */
const targetOf = (text: string): string | undefined => /<([^<>]{1,500})>\s*$/.exec(text)?.[1];

/** Roles whose content is text to translate; those of the others name something. */
const TEXT_ROLE =
  /^(?:guilabel|menuselection|title|title-reference|strong|emphasis|sub|subscript|sup|superscript|abbr|kbd|file|samp|command|dfn|regexp|mailheader|mimetype|newsgroup|makevar)$/;

// Inline markup begins after and ends before white space or one of these signs.
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

/** A title needs an underline as long as itself. */
function hasShortUnderline(text: string): boolean {
  const lines = text.split('\n');
  return lines.some((line, index) => {
    const title = lines[index - 1]?.trimEnd() ?? '';
    return title !== '' && /^([=\-~^"#*+])\1{2,}\s*$/.test(line) && widthOf(line.trimEnd()) < widthOf(title);
  });
}

function readRst(text: string): RstParts {
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
  // Where a link leads to may differ by language.
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

const partsOf = (facts: Pair['source']): RstParts => facts.remember('rst', readRst);

export const rstReferences = ({ source, target }: Pair): boolean =>
  !sameList(partsOf(source).references, partsOf(target).references);

/** A source that is broken itself says nothing about its translation. */
export function rstSyntax({ source, target }: Pair): boolean {
  const [expected, actual] = [partsOf(source), partsOf(target)];
  if (actual.directives.some((name) => !expected.directives.includes(name))) return true;
  return actual.broken && !expected.broken;
}
