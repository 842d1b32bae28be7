import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { FormatError, type ParseOptions } from '../format';
import { edit, listUnits, open, toEditRequest } from './commands';

/** Reads one request per line and writes one response line each, until the input ends. No request can end the process. */
export async function serve(input: Readable, output: Writable): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    output.write(`${JSON.stringify(answer(line))}\n`);
  }
}

function answer(line: string): object {
  try {
    const request: unknown = JSON.parse(line);
    if (typeof request !== 'object' || request === null || Array.isArray(request))
      return { error: 'a request is an object' };
    const { op, format, file, lang, change } = request as Record<string, unknown>;
    if (typeof format !== 'string' || typeof file !== 'string') return { error: 'format and file must be strings' };
    if (lang !== undefined && typeof lang !== 'string') return { error: 'lang must be a string' };
    const options: ParseOptions = lang === undefined ? {} : { language: lang };
    if (op === 'parse') return { units: listUnits(open(format, file, options)) };
    if (op !== 'edit') return { error: 'op must be parse or edit' };
    edit(format, file, options, change === undefined ? {} : toEditRequest(change));
    return {};
  } catch (error) {
    if (error instanceof FormatError)
      return { error: error.describe(), line: error.line, column: error.column, code: error.code };
    return { error: (error as Error).message };
  }
}
