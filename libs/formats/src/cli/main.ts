import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { convert, leftOut } from '../convert/convert';
import { printable } from '../core/document';
import { FormatError, type ParseOptions } from '../format';
import { formatOf } from '../formats';
import { registry } from '../registry';
import { edit, findUnit, listUnits, open, toEditRequest, type EditRequest } from './commands';
import { serve } from './serve';

interface LanguageOption {
  lang?: string;
}

function parseOptions(options: LanguageOption): ParseOptions {
  return options.lang === undefined ? {} : { language: options.lang };
}

function changeFromInput(): EditRequest {
  const input = readFileSync(0);
  let value: unknown;
  try {
    value = JSON.parse(input.toString('utf8').trim() || '{}');
  } catch (error) {
    // Our parser reports the location of the error.
    formatOf('json').parse(input);
    throw error;
  }
  return toEditRequest(value);
}

/** The command `parlance-formats`. Standard output is machine-readable. */
export function program(): Command {
  const command = new Command('parlance-formats').description(
    'Reads and writes translation files without changing other bytes',
  );
  command
    .command('parse')
    .description('print the strings of a file as JSON')
    .argument('<format>')
    .argument('<file>')
    .option('--lang <code>', 'language of the file')
    .action((format: string, file: string, options: LanguageOption) => {
      process.stdout.write(`${JSON.stringify({ units: listUnits(open(format, file, parseOptions(options))) })}\n`);
    });
  addEditCommand(command);
  addConvertCommand(command);
  command
    .command('check')
    .description('check whether writing a file without a change returns the same bytes')
    .argument('<format>')
    .argument('<file>')
    .option('--lang <code>', 'language of the file')
    .action((format: string, file: string, options: LanguageOption) => {
      const same = open(format, file, parseOptions(options)).apply([]).equals(readFileSync(file));
      process.stdout.write(same ? 'identical\n' : 'different\n');
      if (!same) process.exitCode = 1;
    });
  command
    .command('serve')
    .description('serve JSON requests from standard input, one per line')
    .action(() => serve(process.stdin, process.stdout));
  command
    .command('formats')
    .description('list the formats as JSON')
    .action(() => {
      process.stdout.write(`${JSON.stringify(registry, null, 2)}\n`);
    });
  return command;
}

function addEditCommand(command: Command): void {
  command
    .command('edit')
    .description('change one string in place: described by options, or as JSON on standard input')
    .argument('<format>')
    .argument('<file>')
    .option('--lang <code>', 'language of the file')
    .option('--context <text>', 'context or key of the string')
    .option('--source <text>', 'source text of the string')
    .option('--target <text...>', 'new text, one for each plural form')
    .action(
      (
        format: string,
        file: string,
        options: LanguageOption & { context?: string; source?: string; target?: string[] },
      ) => {
        const parsing = parseOptions(options);
        if (options.target === undefined) {
          edit(format, file, parsing, changeFromInput());
          return;
        }
        const index = findUnit(open(format, file, parsing), options.context, options.source);
        edit(format, file, parsing, { index, target: options.target });
      },
    );
}

function addConvertCommand(command: Command): void {
  command
    .command('convert')
    .description('write the strings of one file as another format')
    .argument('<from>')
    .argument('<file>')
    .argument('<to>')
    .argument('<output>')
    .option('--lang <code>', 'language of the file')
    .action((from: string, file: string, to: string, output: string, options: LanguageOption) => {
      const opened = open(from, file, parseOptions(options));
      const languages = {
        language: options.lang ?? opened.metadata.targetLanguage ?? 'und',
        sourceLanguage: opened.metadata.sourceLanguage ?? 'en',
      };
      const plural = opened.metadata.plural;
      const converting = { ...languages, ...(plural ? { plural } : {}), name: file, allForms: true };
      writeFileSync(output, convert(to, opened.units, converting));
      const [first, ...others] = leftOut(to, opened.units);
      if (!first) return;
      const what = `string "${printable(first.context || (first.source[0] ?? ''))}"`;
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      process.stderr.write(`parlance-formats: left out for lack of a finished translation: ${what}${more}\n`);
    });
}

/** Runs the command; every error is one line on standard error and exit status 1. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync([...argv]);
  } catch (error) {
    const message = error instanceof FormatError ? error.describe() : (error as Error).message;
    process.stderr.write(`parlance-formats: ${message}\n`);
    process.exitCode = 1;
  }
}
