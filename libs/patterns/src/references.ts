import { escapeLiteral } from './own';
import { compilePattern, PatternError, type Pattern, type PatternMatch } from './pattern';

/** A back reference to a named group. */
interface Reference {
  start: number;
  end: number;
  name: string;
}

interface Group {
  name: string;
  /** The expression inside the group. */
  start: number;
  end: number;
}

const GROUP = /\(\?P?<(\w+)>/y;
const REFERENCE = /\(\?P=(\w+)\)|\\k<(\w+)>/y;
const CLASS = /\[\^?\]?(?:\\[^]|\[:[a-z^]+:\]|[^\]\\])*\]/y;

function at(regex: RegExp, text: string, index: number): RegExpExecArray | null {
  regex.lastIndex = index;
  return regex.exec(text);
}

/** Named groups and references of a pattern. */
function partsOf(pattern: string): { groups: Group[]; references: Reference[] } {
  const groups: Group[] = [];
  const references: Reference[] = [];
  const open: (Group | undefined)[] = [];
  for (let index = 0; index < pattern.length;) {
    const reference = at(REFERENCE, pattern, index);
    const group = reference ? null : at(GROUP, pattern, index);
    if (reference) {
      const name = reference[1] ?? reference[2]!;
      references.push({ start: index, end: index + reference[0].length, name });
      index += reference[0].length;
    } else if (group) {
      const start = index + group[0].length;
      open.push({ name: group[1]!, start, end: start });
      index = start;
    } else if (pattern[index] === '\\') index += 2;
    else if (pattern[index] === '[') index += at(CLASS, pattern, index)?.[0].length ?? 1;
    else {
      if (pattern[index] === '(') open.push(undefined);
      else if (pattern[index] === ')') {
        const closed = open.pop();
        if (closed) groups.push({ ...closed, end: index });
      }
      index++;
    }
  }
  return { groups, references };
}

/** Replaces ranges of a text, which do not overlap. */
function splice(text: string, edits: readonly { start: number; end: number; text: string }[]): string {
  let result = text;
  for (const edit of [...edits].sort((a, b) => b.start - a.start))
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  return result;
}

const referenceName = (index: number): string => `reference${index}_`;

/**
 * Compiles a pattern in which `(?P=name)` or `\k<name>` stands for the text of a named group, which RE2 does not support. Each reference becomes a copy of its group. If a copy matches another text, the pattern is matched
 * again with the text of the group instead of the references. Time stays linear.
 * @throws {PatternError}
 */
export function compileWithReferences(pattern: string): Pick<Pattern, 'whole'> {
  const { groups, references } = partsOf(pattern);
  if (references.length === 0) return compilePattern(pattern);
  const copied = references.map(({ start, end, name }, index) => {
    const group = groups.find((one) => one.name === name);
    if (!group) throw new PatternError(`there is no group "${name}" for the reference`);
    if (references.some((inner) => inner.start >= group.start && inner.end <= group.end))
      throw new PatternError(`the group "${name}" contains a reference`);
    const inner = pattern.slice(group.start, group.end).replace(/\(\?P?<\w+>/g, '(?:');
    return { start, end, text: `(?P<${referenceName(index)}>${inner})` };
  });
  const relaxed = compilePattern(splice(pattern, copied));

  const exact = (match: PatternMatch): Pattern | null => {
    const texts = new Map(references.map(({ name }) => [name, match.group(name)]));
    const places = [...references, ...groups.filter(({ name }) => texts.has(name))];
    try {
      return compilePattern(
        splice(
          pattern,
          places.map(({ start, end, name }) => ({ start, end, text: escapeLiteral(texts.get(name) ?? '') })),
        ),
      );
    } catch (error) {
      // The text of the group is longer than a pattern may be.
      if (error instanceof PatternError) return null;
      throw error;
    }
  };
  return {
    whole(text) {
      const match = relaxed.whole(text);
      if (!match) return null;
      const same = references.every(({ name }, index) => match.group(referenceName(index)) === match.group(name));
      return same ? match : (exact(match)?.whole(text) ?? null);
    },
  };
}

/** Whether a pattern refers to a named group. */
export const refersTo = (pattern: string, name: string): boolean =>
  partsOf(pattern).references.some((reference) => reference.name === name);
