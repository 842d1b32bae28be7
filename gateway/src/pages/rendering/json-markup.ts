import { escaped } from './escape';

/** Longest JSON with colours and links, in characters; the markup of a longer text would block the event loop. */
const MAX_MARKED = 100_000;

const tokens = /("(?:[^"\\]|\\.)*")(:?)|(-?\d[\d.eE+-]*)|(true|false|null)/g;

const isAddress = (text: string): boolean => /^https?:\/\/[^\s"<>\\]+$/.test(text);

function stringMarkup(token: string, base: string): string {
  const value = JSON.parse(token) as string;
  const text = escaped(token);
  if (!isAddress(value)) return `<span class="string">${text}</span>`;
  const own = value === base || value.startsWith(`${base}/`);
  const relation = own ? '' : ' rel="nofollow noopener noreferrer ugc"';
  return `<span class="string"><a href="${escaped(value)}"${relation}>${text}</a></span>`;
}

/**
 * Marks up JSON: colours for its tokens, and links for addresses.
 * @param json valid JSON, with or without indentation
 * @param base addresses below it belong to this site
 */
export function jsonMarkup(json: string, base: string): string {
  if (json.length > MAX_MARKED) return escaped(json);
  // Between tokens, JSON has only brackets, commas and white space.
  return json.replace(
    tokens,
    (_, text: string | undefined, colon: string, number: string | undefined, word: string | undefined) => {
      if (text !== undefined) return colon ? `<span class="key">${escaped(text)}</span>:` : stringMarkup(text, base);
      return number === undefined ? `<span class="word">${word}</span>` : `<span class="number-value">${number}</span>`;
    },
  );
}
