import { formatOf, type FormatFile, type FormatUnit } from '@parlance/formats';
import { createHash } from 'node:crypto';
import type { Component, Language } from '../../domain/component';
import { idHash } from '../../domain/unit';
import { SizedCache } from '../caches/sized-cache';

/** Settings of a component that parsing depends on. */
export type FileSettings = Pick<Component, 'fileFormat' | 'fileFormatParams' | 'template'> & {
  sourceLanguage: Pick<Language, 'code'>;
};

/** Language data that parsing depends on. */
export type FileLanguage = Pick<Language, 'code' | 'pluralNumber' | 'pluralFormula'>;

function parseOptions(component: FileSettings, language: FileLanguage) {
  return {
    language: language.code,
    sourceLanguage: component.sourceLanguage.code,
    plural: { count: language.pluralNumber, formula: language.pluralFormula },
    params: component.fileFormatParams,
    monolingual: component.template !== '',
  };
}

/** @throws FormatError */
export function parseFile(component: FileSettings, language: FileLanguage, bytes: Buffer): FormatFile {
  return formatOf(component.fileFormat).parse(bytes, parseOptions(component, language));
}

/** The units of a file by the key of the stored unit. */
export function unitsByKey(file: FormatFile, monolingual: boolean): Map<string, FormatUnit> {
  const map = new Map<string, FormatUnit>();
  for (const unit of file.units) {
    const key = idHash(monolingual, unit.context, monolingual ? [] : unit.source);
    if (!map.has(key)) map.set(key, unit);
  }
  return map;
}

interface ParsedFile {
  file: FormatFile;
  byKey: ReadonlyMap<string, FormatUnit>;
}

/** Capacity in bytes of files; a parsed file occupies about ten times its bytes. Larger files than a quarter of it are not kept. */
const CACHED_BYTES = 4 * 1024 * 1024;

/**
 * Parses files that are rendered again and again: every download after an edit renders the file of the repository, which changes only
 * with commits. The key contains a hash of the bytes, so an entry is never stale.
 */
export class ParsedFileCache {
  private files = new SizedCache<ParsedFile>(CACHED_BYTES);

  /** @returns the file, whose bytes equal `bytes` but may be another buffer. @throws FormatError */
  parse(component: FileSettings, language: FileLanguage, bytes: Buffer): ParsedFile {
    // A large file needs the memory itself.
    if (bytes.length > CACHED_BYTES / 4) this.files = new SizedCache(CACHED_BYTES);
    const options = JSON.stringify([component.fileFormat, parseOptions(component, language)]);
    const key = `${createHash('sha1').update(bytes).digest('base64')} ${options}`;
    const cached = this.files.get(key);
    if (cached) return cached;
    const file = parseFile(component, language, bytes);
    const parsed = { file, byKey: unitsByKey(file, component.template !== '') };
    this.files.set(key, parsed, bytes.length);
    return parsed;
  }
}
