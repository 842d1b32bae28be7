import { printable, type TextDocument } from '../core/document';
import { defaultLimits, FormatError, type Limits } from '../format';
import { unescapePo } from './text';

/** A quoted string over one or more lines. */
export interface PoString {
  /** Start of the keyword. */
  start: number;
  /** From the first quote to after the last one. */
  valueStart: number;
  valueEnd: number;
  text: string;
}

export interface PoEntry {
  /** From the first comment line to the end of the last string's line, line end included. */
  start: number;
  end: number;
  /** Line of the first keyword. */
  line: number;
  keywordAt: number;
  obsolete: boolean;
  context: PoString | undefined;
  id: PoString | undefined;
  idPlural: PoString | undefined;
  forms: PoString[];
  translatorComments: string[] | undefined;
  extractedComments: string[] | undefined;
  references: string[] | undefined;
  flagLines: { start: number; end: number; flags: string[] }[] | undefined;
  previous: { start: number; end: number; text: string } | undefined;
}

const QUOTE = 34;
const HASH = 35;
const BACKSLASH = 92;
const KEYWORD = /(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d{1,3})\])?[ \t]*(?=")/y;

/** Splits a PO file into entries with source ranges. */
export class PoScanner {
  readonly entries: PoEntry[] = [];
  private readonly text: string;
  private current: PoEntry | undefined;
  private open: PoString | undefined;
  private line = 0;
  private previousKeyword = '';

  constructor(
    private readonly document: Pick<TextDocument, 'text' | 'error'>,
    private readonly limits: Limits,
  ) {
    this.text = document.text;
  }

  scan(): PoEntry[] {
    const { text } = this;
    for (let at = 0; at < text.length;) {
      this.line += 1;
      const feed = text.indexOf('\n', at);
      const end = feed < 0 ? text.length : feed + 1;
      this.scanLine(at, end);
      at = end;
    }
    this.finish();
    return this.entries;
  }

  private scanLine(start: number, end: number): void {
    const { text } = this;
    let at = start;
    while (at < end && isBlank(text.charCodeAt(at))) at += 1;
    if (at === end) return;
    const code = text.charCodeAt(at);
    if (code === HASH) this.scanComment(start, at, end);
    else if (code === QUOTE) {
      if (!this.open) throw this.document.error('a string without a keyword before it', at);
      this.scanStrings(at, end, this.open);
      if (this.current) this.current.end = end;
    } else this.scanKeyword(start, at, end);
  }

  private scanKeyword(start: number, at: number, end: number): void {
    const { text } = this;
    KEYWORD.lastIndex = at;
    const match = KEYWORD.exec(text);
    if (!match) {
      const found = printable(text.slice(at, end).trim(), 30);
      throw this.document.error(`expected a keyword, a string or a comment, found "${found}"`, at);
    }
    const keyword = match[1] as string;
    const formNumber = match[2];
    const opening = keyword === 'msgctxt' || keyword === 'msgid';
    if (this.current?.obsolete || (opening && this.current && this.current.forms.length > 0)) this.finish();
    const entry = this.entry(start);
    if (!entry.id && !entry.context) {
      entry.line = this.line;
      entry.keywordAt = start;
    }
    const string: PoString = { start: at, valueStart: KEYWORD.lastIndex, valueEnd: KEYWORD.lastIndex, text: '' };
    this.place(entry, keyword, formNumber, string);
    this.open = string;
    this.scanStrings(string.valueStart, end, string);
    entry.end = end;
  }

  private place(entry: PoEntry, keyword: string, formNumber: string | undefined, string: PoString): void {
    if (formNumber !== undefined && keyword !== 'msgstr') {
      throw this.document.error(`${keyword} must not have an index`, string.start);
    }
    if (keyword === 'msgctxt') {
      if (entry.context || entry.id) throw this.document.error('msgctxt must come first and once', string.start);
      entry.context = string;
    } else if (keyword === 'msgid') {
      if (entry.id) throw this.document.error('msgid without a msgstr before it', string.start);
      entry.id = string;
    } else if (keyword === 'msgid_plural') {
      if (!entry.id || entry.idPlural || entry.forms.length > 0) {
        throw this.document.error('msgid_plural must follow msgid', string.start);
      }
      entry.idPlural = string;
    } else {
      if (!entry.id) throw this.document.error('msgstr without a msgid', string.start);
      const number = formNumber === undefined ? 0 : Number(formNumber);
      if (number !== entry.forms.length) {
        throw this.document.error(
          formNumber === undefined ? 'a second msgstr' : `expected msgstr[${entry.forms.length}]`,
          string.start,
        );
      }
      if (formNumber !== undefined && !entry.idPlural) {
        throw this.document.error('a plural msgstr without msgid_plural', string.start);
      }
      entry.forms.push(string);
    }
  }

  /** Reads the quoted strings of one line into `string`. */
  private scanStrings(from: number, end: number, string: PoString): void {
    const { text } = this;
    let at = from;
    for (;;) {
      const open = at;
      at += 1;
      let code = text.charCodeAt(at);
      while (code !== QUOTE) {
        if (at >= end || code === 10) throw this.document.error('a string is not closed', open);
        at += code === BACKSLASH ? 2 : 1;
        code = text.charCodeAt(at);
      }
      const raw = text.slice(open + 1, at);
      at += 1;
      string.text = string.text === '' ? unescapePo(raw) : string.text + unescapePo(raw);
      string.valueEnd = at;
      while (at < end && isBlank(text.charCodeAt(at))) at += 1;
      if (at >= end) return;
      if (text.charCodeAt(at) !== QUOTE) throw this.document.error('text after the closing quote', at);
    }
  }

  private scanComment(start: number, at: number, end: number): void {
    const { text } = this;
    const kind = text[at + 1] ?? '\n';
    this.open = undefined;
    if (kind === '~') {
      if (this.current && this.current.forms.length > 0) this.finish();
      const entry = this.entry(start);
      entry.obsolete = true;
      entry.end = end;
      return;
    }
    if (this.current && (this.current.forms.length > 0 || this.current.obsolete)) this.finish();
    const entry = this.entry(start);
    entry.end = end;
    const body = text.slice(at + (kind === '.' || kind === ':' || kind === ',' || kind === '|' ? 2 : 1), end).trim();
    if (kind === '.') (entry.extractedComments ??= []).push(body);
    else if (kind === ':') for (const place of splitReferences(body)) (entry.references ??= []).push(place);
    else if (kind === ',') {
      const flags = body.split(',').flatMap((flag) => flag.trim() || []);
      (entry.flagLines ??= []).push({ start, end, flags });
    } else if (kind === '|') this.scanPrevious(entry, start, end, body);
    else if (body !== '') (entry.translatorComments ??= []).push(body);
  }

  /** Only the previous msgid is exposed, but the range includes the lines of its plural and context. */
  private scanPrevious(entry: PoEntry, start: number, end: number, body: string): void {
    entry.previous ??= { start, end, text: '' };
    entry.previous.end = end;
    const match = /^(msgid_plural|msgid|msgctxt)?\s*"((?:[^"\\]|\\.)*)"/.exec(body);
    if (!match) return;
    if (match[1] !== undefined) this.previousKeyword = match[1];
    if (this.previousKeyword === 'msgid') entry.previous.text += unescapePo(match[2] ?? '');
  }

  private entry(start: number): PoEntry {
    if (this.current) return this.current;
    if (this.entries.length >= this.limits.maxUnits) {
      throw this.document.error(`more than ${this.limits.maxUnits} strings`, start, 'limit');
    }
    this.current = {
      start,
      end: start,
      line: this.line,
      keywordAt: start,
      obsolete: false,
      context: undefined,
      id: undefined,
      idPlural: undefined,
      forms: [],
      translatorComments: undefined,
      extractedComments: undefined,
      references: undefined,
      flagLines: undefined,
      previous: undefined,
    };
    return this.current;
  }

  private finish(): void {
    const entry = this.current;
    this.current = undefined;
    this.open = undefined;
    if (!entry) return;
    if (!entry.obsolete && (entry.context || entry.id) && entry.forms.length === 0) {
      throw new FormatError('syntax', 'the entry has no msgstr', entry.line, 1);
    }
    this.entries.push(entry);
  }
}

/** The entries of a part of a file; none if it is invalid. */
export function scanAlone(text: string): PoEntry[] {
  const error = (message: string): FormatError => new FormatError('syntax', message);
  try {
    return new PoScanner({ text, error }, defaultLimits).scan();
  } catch (failure) {
    if (failure instanceof FormatError) return [];
    throw failure;
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10 || code === 12 || code === 11;
}

/** File names with spaces are enclosed in U+2068 and U+2069. */
function splitReferences(body: string): string[] {
  if (!body.includes('\u2068')) return body === '' ? [] : body.includes(' ') ? body.split(/\s+/) : [body];
  return (body.match(/\u2068[^\u2068\u2069]*\u2069\S*|\S+/g) ?? []).map((part) => part.replace(/[\u2068\u2069]/g, ''));
}
