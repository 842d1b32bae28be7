import { sameList } from './markup';
import type { Pair } from './unit';

interface RstParts {
  /** Roles with their targets, links, substitutions, footnotes. */
  references: string[];
  /** What is wrong with the inline markup. */
  broken: boolean;
}

/** `text <target>` gives the target, plain text stands for itself. */
const targetOf = (text: string): string | undefined => /<([^<>]{1,500})>\s*$/.exec(text)?.[1];

function readRst(text: string): RstParts {
  const references: string[] = [];
  let rest = text.replace(/\\[^]/g, '  ');
  const take = (regex: RegExp, use: (match: RegExpMatchArray) => void): void => {
    for (const match of rest.matchAll(regex)) use(match);
    rest = rest.replace(regex, (part) => ' '.repeat(part.length));
  };
  take(/``(?!\s)[^\n]{1,1000}?``/g, () => undefined);
  take(/:([A-Za-z][\w:+.-]{0,60}):`([^`]{1,1000})`/g, (match) => {
    const [, role, content] = match as unknown as [string, string, string];
    // The text of these is translated; only that they are there can be compared.
    const isText = /^(?:guilabel|menuselection|title|strong|emphasis|sub|sup|abbr|term)$/.test(role);
    references.push(`:${role}:${targetOf(content) ?? (isText ? '' : content)}`);
  });
  take(/`([^`]{1,1000})`(__?)/g, (match) => references.push(`\`${targetOf(match[1]!) ?? ''}\`_`));
  take(/\[(#?[\w-]{0,60}|\*)\]_/g, (match) => references.push(`[${match[1]}]_`));
  take(/\|([^|\s][^|\n]{0,200})\|_{0,2}/g, (match) => references.push(`|${match[1]}|`));
  take(/`([^`\s](?:[^`]{0,1000}[^`\s])?)`/g, () => references.push('`'));
  take(/\*\*(?=\S)[^*\n]{1,1000}\*\*/g, () => undefined);
  take(/\*(?=\S)[^*\n]{1,1000}\*/g, () => undefined);
  const broken =
    rest.includes('`') ||
    /(?<![\w*])\*\*?(?=[^\s*])/.test(rest.replace(/^[ \t]{0,40}\*\s/gm, '')) ||
    /:[a-z][a-z-]{1,30}:\s+`/.test(text);
  return { references, broken };
}

const partsOf = (facts: Pair['source']): RstParts => facts.remember('rst', readRst);

export const rstReferences = ({ source, target }: Pair): boolean =>
  !sameList(partsOf(source).references, partsOf(target).references);

/** A source that is broken itself says nothing about its translation. */
export const rstSyntax = ({ source, target }: Pair): boolean => partsOf(target).broken && !partsOf(source).broken;
