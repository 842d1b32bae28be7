import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { FormatError, type ParseOptions } from '../format';
import { edit, listUnits, open, type EditRequest } from './commands';

/** Answers one request a line with one line, until the input ends. No request can end the process. */
export async function serve(input: Readable, output: Writable): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    output.write(`${JSON.stringify(answer(line))}\n`);
  }
}

function answer(line: string): object {
  try {
    const request: unknown = JSON.parse(line);
    if (typeof request !== 'object' || request === null) return { error: 'a request is an object' };
    const { op, format, file, lang, change } = request as Record<string, unknown>;
    if (typeof format !== 'string' || typeof file !== 'string') return { error: 'format and file must be strings' };
    const options: ParseOptions = typeof lang === 'string' ? { language: lang } : {};
    if (op === 'parse') return { units: listUnits(open(format, file, options)) };
    if (op !== 'edit') return { error: 'op must be parse or edit' };
    if (change !== undefined && (typeof change !== 'object' || change === null))
      return { error: 'change must be an object' };
    edit(format, file, options, (change ?? {}) as EditRequest);
    return {};
  } catch (error) {
    if (error instanceof FormatError)
      return { error: error.describe(), line: error.line, column: error.column, code: error.code };
    return { error: (error as Error).message };
  }
}
