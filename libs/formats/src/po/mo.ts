import * as iconv from 'iconv-lite';
import { canEncode, decodeText, encodeText, missingCharacters } from '../core/charset';
import { checkChanges } from '../core/splice-file';
import {
  defaultLimits,
  FormatError,
  type Change,
  type FileFormat,
  type FormatFile,
  type FormatUnit,
  type ParseOptions,
  type SetChange,
} from '../format';
import { formatPluralForms, parseHeader, parsePluralForms, setHeaderFields } from './header';
import { canEncodeAll } from './utf8';

interface MoEntry {
  id: Buffer;
  text: Buffer;
  /** Offset of the table row with the length and offset of the text. */
  row?: number;
}

const MAGIC = 0x950412de;

const NAMED_CHARSET = /charset=([\w.:-]+)/i;

/** Reads the two tables of a catalog of either byte order. */
function readEntries(bytes: Buffer, maxUnits: number): { entries: MoEntry[]; little: boolean } {
  if (bytes.length < 28) throw broken('the file is too short');
  const little = bytes.readUInt32LE(0) === MAGIC;
  if (!little && bytes.readUInt32BE(0) !== MAGIC) throw broken('the magic number is missing');
  const u32 = (at: number): number => {
    if (at + 4 > bytes.length) throw broken('a table leads out of it');
    return little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  };
  const count = u32(8);
  if (count > maxUnits) throw new FormatError('limit', `more than ${maxUnits} strings`, 1, 1);
  const string = (at: number): Buffer => {
    const length = u32(at);
    const start = u32(at + 4);
    if (start + length > bytes.length) throw broken('a string leads out of it');
    return bytes.subarray(start, start + length);
  };
  const [ids, texts] = [u32(12), u32(16)];
  const entries = Array.from({ length: count }, (_, i) => ({
    id: string(ids + i * 8),
    text: string(texts + i * 8),
    row: texts + i * 8,
  }));
  return { entries, little };
}

function broken(reason: string): FormatError {
  return new FormatError('syntax', `not a valid MO catalog: ${reason}`, 1, 1);
}

class MoFile implements FormatFile {
  readonly format = 'mo';
  readonly units: readonly (FormatUnit & { entry: MoEntry })[];
  readonly metadata: FormatFile['metadata'];
  private readonly entries: readonly MoEntry[];
  private readonly little: boolean;
  readonly charset: string;

  constructor(
    private readonly bytes: Buffer,
    private readonly options: ParseOptions,
  ) {
    const limits = { ...defaultLimits, ...options.limits };
    if (bytes.length > limits.maxBytes)
      throw new FormatError('limit', `the file has more than ${limits.maxBytes} bytes`, 1, 1);
    const { entries, little } = readEntries(bytes, limits.maxUnits);
    this.entries = entries;
    this.little = little;
    const header = entries.find((entry) => entry.id.length === 0)?.text.toString('latin1') ?? '';
    this.charset = NAMED_CHARSET.exec(header)?.[1]?.toLowerCase() ?? 'utf-8';
    if (!iconv.encodingExists(this.charset))
      throw new FormatError('charset', 'the catalog declares an unknown charset', 1, 1);
    const headers = parseHeader(this.decode(entries.find((entry) => entry.id.length === 0)?.text ?? Buffer.alloc(0)));
    const plural = parsePluralForms(headers.get('Plural-Forms') ?? '');
    const targetLanguage = headers.get('Language');
    this.units = entries.filter((entry) => entry.id.length > 0).map((entry, index) => this.unit(entry, index));
    this.metadata = {
      ...{ charset: this.charset, bom: false, eol: '\n', monolingual: false, headers },
      ...(plural ? { plural } : {}),
      ...(targetLanguage ? { targetLanguage } : {}),
    };
  }

  private decode(bytes: Buffer): string {
    return decodeText(bytes, this.charset);
  }

  private unit(entry: MoEntry, index: number): FormatUnit & { entry: MoEntry } {
    const id = this.decode(entry.id);
    const split = id.indexOf('\x04');
    const source = id.slice(split + 1).split('\0');
    const target = this.decode(entry.text).split('\0');
    const state = target.every((text) => text === '') ? 'empty' : 'translated';
    const facts = { note: '', comment: '', location: '', flags: [], previousSource: '', line: 1, column: 1 };
    return {
      index,
      context: split < 0 ? '' : id.slice(0, split),
      source,
      target,
      state,
      plural: source.length > 1,
      ...facts,
      entry,
    };
  }

  apply(changes: readonly Change[]): Buffer {
    checkChanges(this, changes);
    const touched = changes.some((change) => {
      if (change.op !== 'set') return true;
      const unit = this.units[change.index] as FormatUnit;
      return change.target.length !== unit.target.length || change.target.some((text, i) => text !== unit.target[i]);
    });
    if (!touched) return Buffer.from(this.bytes);
    // As in PO files, texts outside the charset convert the whole file to UTF-8.
    if (!canEncodeAll(this, changes)) return this.inUtf8().rewritten(changes);
    return changes.every((change) => change.op === 'set') ? this.withTexts(changes) : this.rewritten(changes);
  }

  /** Same strings in the same order, which is no longer sorted for binary search. */
  private inUtf8(): MoFile {
    const recoded = (bytes: Buffer): Buffer => Buffer.from(this.decode(bytes), 'utf8');
    const entries = this.entries.map(({ id, text }) => {
      if (id.length > 0) return { id: recoded(id), text: recoded(text) };
      return { id, text: Buffer.from(this.decode(text).replace(NAMED_CHARSET, 'charset=UTF-8'), 'utf8') };
    });
    return new MoFile(layOut(entries, this.little), this.options);
  }

  private rewritten(changes: readonly Change[]): Buffer {
    const entries = [...this.entries];
    const places = new Map(entries.map((entry, at) => [entry, at]));
    const replace = (at: number, text: string): void => {
      entries[at] = { id: (entries[at] as MoEntry).id, text: this.encode(text) };
    };
    const removed = new Set<MoEntry>();
    const entryOf = (index: number): MoEntry => (this.units[index] as (typeof this.units)[number]).entry;
    for (const change of changes) {
      if (change.op === 'set') replace(places.get(entryOf(change.index)) as number, change.target.join('\0'));
      else if (change.op === 'remove') removed.add(entryOf(change.index));
      else if (change.op === 'add') entries.push(this.newEntry(change, entries));
      else {
        const at = entries.findIndex((entry) => entry.id.length === 0);
        const old = entries[at];
        const text = setHeaderFields(
          old ? this.decode(old.text) : 'Content-Type: text/plain; charset=UTF-8\n',
          change.fields,
        );
        if (old) replace(at, text);
        else entries.push({ id: Buffer.alloc(0), text: this.encode(text) });
      }
    }
    return writeMo(
      entries.filter((entry) => !removed.has(entry)),
      this.little,
    );
  }

  /** Appends new texts to the file, so that other data including the hash table keeps its offsets. */
  private withTexts(changes: readonly SetChange[]): Buffer {
    const head = Buffer.from(this.bytes);
    const parts: Buffer[] = [head];
    let end = this.bytes.length;
    for (const { index, target } of changes) {
      const { entry } = this.units[index] as (typeof this.units)[number];
      const text = this.encode(target.join('\0'));
      if (text.equals(entry.text)) continue;
      const row = entry.row as number;
      for (const [at, value] of [[row, text.length] as const, [row + 4, end] as const])
        if (this.little) head.writeUInt32LE(value, at);
        else head.writeUInt32BE(value, at);
      parts.push(text, Buffer.alloc(1));
      end += text.length + 1;
    }
    return Buffer.concat(parts);
  }

  private newEntry(change: Change & { op: 'add' }, entries: readonly MoEntry[]): MoEntry {
    const id = this.encode((change.context === '' ? '' : `${change.context}\x04`) + change.source.join('\0'));
    if (id.length === 0) throw new FormatError('invalid-change', 'a new string requires a source text');
    if (entries.some((entry) => entry.id.equals(id)))
      throw new FormatError('duplicate', 'the file already has this string');
    return { id, text: this.encode(change.target.join('\0')) };
  }

  canEncode(text: string): boolean {
    return canEncode(this.charset, text);
  }

  private encode(text: string): Buffer {
    if (!this.canEncode(text)) throw new FormatError('unrepresentable', missingCharacters(this.charset, text));
    return encodeText(text, this.charset);
  }
}

/** A catalog without a hash table, sorted for binary search. */
export function writeMo(entries: readonly MoEntry[], little = true): Buffer {
  return layOut(
    [...entries].sort((a, b) => Buffer.compare(a.id, b.id)),
    little,
  );
}

function layOut(entries: readonly MoEntry[], little: boolean): Buffer {
  const head = Buffer.alloc(28 + entries.length * 16);
  const u32 = (value: number, at: number): number =>
    little ? head.writeUInt32LE(value, at) : head.writeUInt32BE(value, at);
  u32(MAGIC, 0);
  u32(entries.length, 8);
  u32(28, 12);
  u32(28 + entries.length * 8, 16);
  u32(28 + entries.length * 16, 24);
  const parts: Buffer[] = [head];
  let offset = head.length;
  const place = (data: Buffer, at: number): void => {
    u32(data.length, at);
    u32(offset, at + 4);
    parts.push(data, Buffer.alloc(1));
    offset += data.length + 1;
  };
  entries.forEach((entry, i) => place(entry.id, 28 + i * 8));
  entries.forEach((entry, i) => place(entry.text, 28 + entries.length * 8 + i * 8));
  return Buffer.concat(parts);
}

/** Compiled gettext catalogs. Additions and removals rewrite the file, because strings are sorted. */
export const mo: FileFormat = {
  id: 'mo',
  parse: (bytes, options = {}) => new MoFile(bytes, options),
  createTranslation(base, options) {
    if (!base) throw new FormatError('base-required', 'a new catalog requires a base file');
    const file = new MoFile(base, {});
    const fields = {
      Language: options.language,
      ...(options.plural ? { 'Plural-Forms': formatPluralForms(options.plural) } : {}),
    };
    const blank = file.units.map((unit) => ({ op: 'set', index: unit.index, target: [''] }) as const);
    return file.apply([...blank, { op: 'header', fields }]);
  },
};
