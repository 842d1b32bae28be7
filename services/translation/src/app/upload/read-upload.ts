import { fieldErrors } from '@parlance/errors';
import { detectFormat, FormatError, formatInfo, formatOf, type FormatFile, type FormatUnit } from '@parlance/formats';
import { SAMPLE_NUMBERS, validatePlural } from '@parlance/plurals';
import { extname } from 'node:path';
import type { Component } from '../../domain/component';
import { textFault } from '../../domain/text-rules';
import type { Translation } from '../../domain/translation';
import type { FileLanguage, FileSettings } from '../commit/apply-edits';
import type { ParsedFile } from '../files/parsed-file';
import { withDeclaredPlurals } from '../import/file-entry';

/** A BOM says how the text is encoded only in UTF-16; in UTF-8 it is a remnant that not every format expects. */
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** An uploaded file, and where it is to go. */
export interface UploadedFile {
  component: FileSettings & Pick<Component, 'newBase'>;
  translation: Pick<Translation, 'filename'> & { language: FileLanguage & { name: string } };
  filename: string;
  bytes: Buffer;
}

/**
 * Reads an uploaded file: as the component's format where its name looks like one of the component's files, else as what the name
 * says, and then as the other.
 * @throws INVALID on field file when no format reads it
 */
export function readUpload(upload: UploadedFile, only?: 'component-format'): FormatFile {
  const { component, translation } = upload;
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
      // A format that takes nearly everything makes no translation out of a file that is damaged.
      if (!first || file.units.length > 0) return file;
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      first ??= error;
    }
    if (first.code === 'limit') break;
  }
  throw fieldErrors([{ attr: 'file', code: 'invalid', detail: first!.describe() }]);
}

/**
 * Refuses an entry that brings what no text may have. What the unit has already, as the texts of terminal programs have control
 * characters, an entry may have, too.
 * @throws INVALID on field file, naming the entry
 */
export function requireFit(entry: FormatUnit, texts: readonly string[], known: readonly string[] = []): void {
  const fault = textFault(texts, known);
  if (!fault) return;
  const name = (entry.context || (entry.source[0] ?? '')).replace(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, 100);
  const place = entry.line > 0 ? `line ${entry.line}, column ${entry.column}, ` : '';
  throw fieldErrors([{ attr: 'file', code: 'invalid', detail: `${place}string "${name}": ${fault.detail}` }]);
}

/**
 * Forms that mean something else in the file than in the translation would end up at the wrong numbers.
 * @throws INVALID on field file
 */
export function requirePlurals({ language }: Translation, file: ParsedFile): void {
  const given = withDeclaredPlurals(language, file.metadata.plural);
  if (given.pluralNumber === language.pluralNumber && samePlaces(given, language)) return;
  throw fieldErrors([
    {
      attr: 'file',
      code: 'invalid',
      detail: `The plural forms of the file are not those of ${language.name}: ${language.pluralNumber} forms by ${language.pluralFormula}.`,
    },
  ]);
}

/** Whether numbers have the same forms by both formulas. */
function samePlaces(...languages: readonly [FileLanguage, FileLanguage]): boolean {
  const [one, other] = languages.map((language) => validatePlural(language.pluralNumber, language.pluralFormula));
  return SAMPLE_NUMBERS.every((n) => one!.evaluate(n) === other!.evaluate(n));
}
