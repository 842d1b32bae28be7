import { renderTemplate } from '@parlance/contracts';
import { compilePo, creditAuthor, mergeTemplate, rewrapPo } from '@parlance/formats';
import { flagOf, numberOf, textOf } from '../../domain/addon';
import { mergeOptions } from '../files/format-params';
import { resolveWritablePath } from './files';
import type { Effect, MaintenanceContext } from './effect';

/** Sorted codes of the languages that have a file. */
const codes = ({ translations }: MaintenanceContext): string[] =>
  [...new Set(translations.map((file) => file.code))].sort((a, b) => (a < b ? -1 : 1));

/** Folder of the translation files, up to the first part that depends on the language. */
export function folderOf(filemask: string): string {
  const folder = filemask.includes('/') ? filemask.slice(0, filemask.lastIndexOf('/')) : '';
  return folder.split('*', 1)[0]!.replace(/\/$/, '');
}

/** Replaces the languages of a LINGUAS file; keeps comments and the layout (one line, or one line for each language). */
export function updateLinguas(text: string, wanted: readonly string[]): string {
  const lines = text.split(/\r?\n/);
  const listed = lines.flatMap((line) => line.replace(/#.*/, '').split(/\s+/).filter(Boolean));
  if ([...listed].sort().join(' ') === [...wanted].sort().join(' ')) return text;
  const comments = lines.filter((line) => line.trimStart().startsWith('#'));
  const oneLine = listed.length > 1 && lines.some((line) => listed.every((code) => line.split(/\s+/).includes(code)));
  return [...comments, ...(oneLine ? [wanted.join(' ')] : wanted)].join('\n') + '\n';
}

export const linguas: Effect = {
  async maintainFiles(context) {
    const folder = folderOf(context.component.settings.filemask);
    for (const path of new Set([`${folder}/LINGUAS`.replace(/^\//, ''), 'LINGUAS', 'po/LINGUAS'])) {
      if (!(await context.files.read(path))) continue;
      await context.files.change(path, (bytes) => Buffer.from(updateLinguas(bytes.toString('utf8'), codes(context))));
      return;
    }
  },
};

export const configure: Effect = {
  async maintainFiles(context) {
    for (const path of ['configure', 'configure.in', 'configure.ac']) {
      await context.files.change(path, (bytes) =>
        Buffer.from(
          bytes
            .toString('latin1')
            .replace(
              /^([ \t]*ALL_LINGUAS=)(["'])[^"'\n]*\2/m,
              (_, start: string, quote: string) => `${start}${quote}${codes(context).join(' ')}${quote}`,
            ),
          'latin1',
        ),
      );
    }
  },
};

export const mo: Effect = {
  async changeCommit(context) {
    const { addon, files, file, scope } = context;
    const wanted = renderTemplate(textOf(addon, 'path') || '{{ filename|stripext }}.mo', await scope(file));
    const path = await resolveWritablePath(context, wanted);
    const bytes = path === null ? null : await files.read(file.path);
    if (path !== null && bytes) await files.write(path, compilePo(bytes, flagOf(addon, 'fuzzy')));
  },
};

export const authors: Effect = {
  async changeCommit({ files, file, author }) {
    await files.change(file.path, (bytes) => creditAuthor(bytes, author, new Date(author.timeMs).getUTCFullYear()));
  },
};

export const wrapping: Effect = {
  async changeCommit({ addon, files, file }) {
    await files.change(file.path, (bytes) => rewrapPo(bytes, numberOf(addon, 'width', 77)));
  },
};

export const msgmerge: Effect = {
  async maintainFiles({ addon, component, files, translations, log }) {
    const base = component.settings.newBase;
    const template = base ? await files.read(base) : null;
    if (!template) return log(`${base || 'new_base'}: the template is missing`);
    for (const file of translations)
      await files.change(file.path, (bytes) =>
        mergeTemplate(bytes, template, mergeOptions(component, file.plural, addon.configuration)),
      );
  },
};
