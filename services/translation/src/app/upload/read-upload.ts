import { fieldErrors } from '@parlance/errors';
import { detectFormat, FormatError, formatInfo, formatOf, type FormatFile, type FormatUnit } from '@parlance/formats';
import { SAMPLE_NUMBERS, validatePlural } from '@parlance/plurals';
import { extname } from 'node:path';
import type { Component } from '../../domain/component';
import { findTextProblem } from '../../domain/text-rules';
import type { Translation } from '../../domain/translation';
import type { FileLanguage, FileSettings } from '../commit/parsed-files';
import type { ParsedFile } from '../files/parsed-file';
import { withDeclaredPlurals } from '../import/file-entry';

/** Removed before parsing: in UTF-8 it carries no information, and some formats reject it. */
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);

export interface UploadedFile {
  component: FileSettings & Pick<Component, 'newBase'>;
  translation: Pick<Translation, 'filename'> & { language: FileLanguage & { name: string } };
  filename: string;
  bytes: Buffer;
}

/**
 * Parses an uploaded file. The component's format is tried first if the file name fits it, else the detected format; then the other one.
 * @throws INVALID on field file when neither format can parse it
 */
export function readUpload(upload: UploadedFile, only?: 'component-format'): FormatFile {
  const { component, translation } = upload;
  if (upload.bytes.length === 0)
    throw fieldErrors([{ attr: 'file', code: 'empty', detail: 'The uploaded file is empty.' }]);
  const componentFormat = component.fileFormat;
  const detected = detectFormat(upload.filename, upload.bytes);
  const extension = extname(upload.filename).toLowerCase();
  const fitsComponent =
    !detected ||
    extension === extname(translation.filename || component.newBase).toLowerCase() ||
    extension === `.${formatInfo(componentFormat)?.extension}`;
  const candidates =
    only || !detected || detected === componentFormat
      ? [componentFormat]
      : fitsComponent
        ? [componentFormat, detected]
        : [detected, componentFormat];
  const bytes = !only && upload.bytes.subarray(0, 3).equals(UTF8_BOM) ? upload.bytes.subarray(3) : upload.bytes;
  let firstError: FormatError | undefined;
  for (const format of candidates) {
    try {
      const file = formatOf(format).parse(bytes, {
        language: translation.language.code,
        sourceLanguage: component.sourceLanguage.code,
        plural: { count: translation.language.pluralNumber, formula: translation.language.pluralFormula },
        params: component.fileFormatParams,
        // Other formats use their default.
        ...(format === componentFormat ? { monolingual: component.template !== '' } : {}),
      });
      // A lenient format that finds no units does not hide the parse error of the first format.
      if (!firstError || file.units.length > 0) return file;
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      firstError ??= error;
    }
    if (firstError.code === 'limit') break;
  }
  throw fieldErrors([{ attr: 'file', code: 'invalid', detail: firstError!.describe() }]);
}

/**
 * Validates the texts of an entry.
 * @param known texts of the unit; control characters that they contain are allowed, as in terminal programs
 * @throws INVALID on field file, naming the entry
 */
export function requireValidTexts(entry: FormatUnit, texts: readonly string[], known: readonly string[] = []): void {
  const problem = findTextProblem(texts, known);
  if (!problem) return;
  const name = (entry.context || (entry.source[0] ?? '')).replace(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, 100);
  const place = entry.line > 0 ? `line ${entry.line}, column ${entry.column}, ` : '';
  throw fieldErrors([{ attr: 'file', code: 'invalid', detail: `${place}string "${name}": ${problem.detail}` }]);
}

/**
 * Requires the plural forms of the file to be those of the translation: others would be stored under wrong forms.
 * @throws INVALID on field file
 */
export function requirePlurals({ language }: Translation, file: ParsedFile): void {
  const declared = withDeclaredPlurals(language, file.metadata.plural);
  if (declared.pluralNumber === language.pluralNumber && haveSameForms(declared, language)) return;
  throw fieldErrors([
    {
      attr: 'file',
      code: 'invalid',
      detail: `The file must declare the plural forms of ${language.name}: ${language.pluralNumber} forms with the formula ${language.pluralFormula}.`,
    },
  ]);
}

/** Whether both formulas select the same form for all sample numbers. */
function haveSameForms(...languages: readonly [FileLanguage, FileLanguage]): boolean {
  const [one, other] = languages.map((language) => validatePlural(language.pluralNumber, language.pluralFormula));
  return SAMPLE_NUMBERS.every((n) => one!.evaluate(n) === other!.evaluate(n));
}
