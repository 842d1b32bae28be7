import { fieldErrors } from '@parlance/errors';
import { detectFormat, FormatError, formatInfo, formatOf, type FormatFile } from '@parlance/formats';
import { PluralFormulaError, SAMPLE_NUMBERS, validatePlural } from '@parlance/plurals';
import { extname } from 'node:path';
import type { Component, Language } from '../domain/component';
import type { Translation } from '../domain/translation';

/** A BOM says how the text is encoded only in UTF-16; in UTF-8 it is a remnant that not every format expects. */
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads an uploaded file: as the component's format where its name looks like one of the component's files, else as what the name
 * says, and then as the other.
 * @throws INVALID on field file: no format reads it, or its plural forms are those of another language
 */
export function readUpload(
  component: Component,
  translation: Translation,
  upload: { filename: string; bytes: Buffer },
  only?: 'component-format',
): FormatFile {
  if (upload.bytes.length === 0)
    throw fieldErrors([{ attr: 'file', code: 'empty', detail: 'The file that was sent is empty.' }]);
  const own = component.fileFormat;
  const guessed = detectFormat(upload.filename, upload.bytes);
  const extension = extname(upload.filename).toLowerCase();
  const looksOwn =
    !guessed ||
    extension === extname(translation.filename || component.newBase).toLowerCase() ||
    extension === `.${formatInfo(own)?.extension}`;
  const tried = only || !guessed || guessed === own ? [own] : looksOwn ? [own, guessed] : [guessed, own];
  const bytes = !only && upload.bytes.subarray(0, 3).equals(UTF8_BOM) ? upload.bytes.subarray(3) : upload.bytes;
  let first: FormatError | undefined;
  for (const format of tried) {
    try {
      const file = formatOf(format).parse(bytes, {
        language: translation.language.code,
        sourceLanguage: component.sourceLanguage.code,
        plural: { count: translation.language.pluralNumber, formula: translation.language.pluralFormula },
        params: component.fileFormatParams,
        // A file of another format is what that format usually is.
        ...(format === own ? { monolingual: component.template !== '' } : {}),
      });
      if (!translation.isSource) requirePlurals(file, translation.language);
      return file;
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      first ??= error;
    }
  }
  throw fieldErrors([{ attr: 'file', code: 'invalid', detail: first!.describe() }]);
}

/** Forms that mean something else in the file than in the language would end up at the wrong numbers. */
function requirePlurals(file: FormatFile, language: Language): void {
  const { plural } = file.metadata;
  if (!plural) return;
  if (plural.count === language.pluralNumber && sameFormula(plural.formula, language)) return;
  throw fieldErrors([
    {
      attr: 'file',
      code: 'invalid',
      detail: `The plural forms of the file are not those of ${language.name}: ${language.pluralNumber} forms by ${language.pluralFormula}.`,
    },
  ]);
}

function sameFormula(formula: string, language: Language): boolean {
  try {
    const [theirs, ours] = [formula, language.pluralFormula].map((text) => validatePlural(language.pluralNumber, text));
    return SAMPLE_NUMBERS.every((n) => theirs!.evaluate(n) === ours!.evaluate(n));
  } catch (error) {
    // A header that no program can evaluate says nothing but the number of forms.
    if (error instanceof PluralFormulaError) return true;
    throw error;
  }
}
