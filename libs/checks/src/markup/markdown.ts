import { haveSameItems } from '../text/measures';
import type { AnalyzedText } from '../text/analyzed-text';
import type { FormPair } from '../check-input';

/** Maximum length of a link's label or target. */
const MAX_PART = 1000;
/** Maximum number of brackets that are searched for links. */
const MAX_BRACKETS = 2000;

interface MarkdownMarkup {
  /** Inline links with their anchors, images (`!`) and links in angle brackets. */
  links: string[];
  /** Ids of reference links, lower-cased. */
  references: string[];
  /** Emphasis and code marks. */
  marks: string[];
}

/** Replaces all matches by spaces of the same length. */
const blank = (text: string, regex: RegExp): string => text.replace(regex, (part) => ' '.repeat(part.length));

/** Position of the bracket that closes the one at `start`; -1 if there is none. */
function closing(text: string, start: number, close: string): number {
  const open = text[start]!;
  let depth = 0;
  const end = Math.min(text.length, start + MAX_PART);
  for (let index = start; index < end; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === open) depth++;
    else if (text[index] === close && --depth === 0) return index;
  }
  return -1;
}

function readMarkdown(text: string): MarkdownMarkup {
  const links: string[] = [];
  const references: string[] = [];
  const marks: string[] = [];
  const code = [...text.matchAll(/(`{1,3})(?!`)[^`]{1,2000}\1(?!`)/g)];
  for (const match of code) marks.push(match[1]!);
  const prose = blank(text, /(`{1,3})(?!`)[^`]{1,2000}\1(?!`)/g);
  let brackets = 0;
  for (let index = prose.indexOf('['); index >= 0; index = prose.indexOf('[', index + 1)) {
    if (++brackets > MAX_BRACKETS) break;
    if (prose[index - 1] === '\\') continue;
    const end = closing(prose, index, ']');
    if (end < 0) continue;
    const image = prose[index - 1] === '!' ? '!' : '';
    if (prose[end + 1] === '(') {
      const last = closing(prose, end + 1, ')');
      // Anchors are identifiers of headings on the same page. Translations keep them.
      const anchor = prose[end + 2] === '#' ? prose.slice(end + 2, last).split(/\s/, 1)[0] : '';
      if (last > 0) links.push(`${image}link${anchor}`);
    } else if (prose[end + 1] === '[') {
      const last = prose.indexOf(']', end + 2);
      if (last < 0 || last - end > MAX_PART) continue;
      const id = prose.slice(end + 2, last).trim() || prose.slice(index + 1, end);
      references.push(image + id.toLowerCase());
      index = last;
    }
  }
  for (const _ of prose.matchAll(/<(?:[a-z]{2,10}:[^\s<>]{1,1000}|[\w.+-]{1,64}@[\w.-]{1,200})>/gi)) links.push('auto');
  const plain = blank(prose, /\\.|\]\([^()]{0,1000}\)|[a-z]{2,10}:\/\/[^\s)>]{1,1000}|^\s{0,3}[*+-]\s/gm);
  for (const match of plain.matchAll(
    /\*\*\*|\*\*|~~|(?<![\p{L}\d_])_{1,2}(?=\S)|(?<=\S)_{1,2}(?![\p{L}\d_])|(?<=\S)\*|\*(?=\S)/gu,
  )) {
    marks.push(match[0]);
  }
  for (const match of plain.matchAll(/^\s{0,3}(#{1,6})\s/gm)) marks.push(match[1]!);
  return { links, references, marks };
}

const markupOf = (text: AnalyzedText): MarkdownMarkup => text.memoize('markdown', readMarkdown);

export const mdLink = ({ source, target }: FormPair): boolean =>
  !haveSameItems(markupOf(source).links, markupOf(target).links);

export const mdReflink = ({ source, target }: FormPair): boolean =>
  !haveSameItems(markupOf(source).references, markupOf(target).references);

export const mdSyntax = ({ source, target }: FormPair): boolean =>
  !haveSameItems(markupOf(source).marks, markupOf(target).marks);
