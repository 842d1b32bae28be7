/** A path mask in which `*` stands for text without a slash. Matching takes linear time. */
export interface PathMask {
  /** Text of the first `*`, as long as possible; null when the path does not match. */
  first(path: string): string | null;
  test(path: string): boolean;
  /** Text of the first `*` if all further `*` stand for the same non-empty text; null otherwise. */
  repeated(path: string): string | null;
}

/** Matches one path segment from the right, so that the first `*` gets the longest text. */
function matchSegment(pieces: readonly string[], text: string): { first: string } | null {
  const head = pieces[0]!;
  if (pieces.length === 1) return text === head ? { first: '' } : null;
  const tail = pieces.at(-1)!;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return null;
  let end = text.length - tail.length;
  for (let at = pieces.length - 2; at > 0; at--) {
    const piece = pieces[at]!;
    const from = end - piece.length;
    const start = from < head.length ? -1 : text.lastIndexOf(piece, from);
    if (start < head.length) return null;
    end = start;
  }
  return { first: text.slice(head.length, end) };
}

/** Compiles a mask such as `locale/*` + `/app.po`. */
export function compileMask(mask: string): PathMask {
  const segments = mask.split('/').map((segment) => segment.split('*'));
  const starred = segments.findIndex((pieces) => pieces.length > 1);
  const pieces = mask.split('*');
  const fixed = mask.length - (pieces.length - 1);

  const first = (path: string): string | null => {
    const texts = path.split('/');
    if (texts.length !== segments.length) return null;
    let found = '';
    for (let at = 0; at < segments.length; at++) {
      const match = matchSegment(segments[at]!, texts[at]!);
      if (!match) return null;
      if (at === starred) found = match.first;
    }
    return found;
  };
  return {
    first,
    test: (path) => first(path) !== null,
    repeated(path) {
      // The number of stars and the length of the path decide the length of the text.
      const length = (path.length - fixed) / (pieces.length - 1);
      if (!Number.isInteger(length) || length < 1) return null;
      const text = path.slice(pieces[0]!.length, pieces[0]!.length + length);
      return !text.includes('/') && pieces.join(text) === path ? text : null;
    },
  };
}

/** The path of a mask with every `*` replaced by a text. */
export const fillMask = (mask: string, text: string): string => mask.replaceAll('*', () => text);
