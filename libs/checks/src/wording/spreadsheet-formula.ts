import type { FormPair } from '../check-input';

/**
 * Characters that start a formula or a command. Some spreadsheets drop leading spaces; those of East Asian locales
 * accept full-width characters.
 */
const RISKY_START = /^ {0,100}[=+\-@|%＝＋－＠\t\r]/;

/** Guards against formula injection: a spreadsheet that opens an exported glossary would run the term. */
export function prohibitedInitialCharacter({ target, source, unit }: FormPair): boolean {
  return (unit.input.isGlossary ?? false) && (RISKY_START.test(target.text) || RISKY_START.test(source.text));
}
