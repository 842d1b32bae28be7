import { IRREGULAR, type TokenTest } from './tokens';

/** Whether a test selects a regular token, and another one. */
export function selectTokens(test: TokenTest, tokens: readonly string[]): [boolean, boolean] {
  let [regular, other] = [false, false];
  const { at, text, orAll } = test;
  if (text !== null)
    for (const token of tokens) {
      const isIrregular = token.startsWith(IRREGULAR);
      const word = isIrregular ? token.slice(1) : token;
      const selected =
        at === 'anywhere'
          ? word.includes(text)
          : at === 'start'
            ? word.startsWith(text)
            : at === 'end'
              ? word.endsWith(text)
              : word === text;
      if (!selected) continue;
      if (isIrregular) other = true;
      else regular = true;
    }
  if (!regular && !other && orAll.length > 0)
    other = orAll.every((token) => tokens.includes(token) || tokens.includes(IRREGULAR + token));
  return [regular, other];
}
