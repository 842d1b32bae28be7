import { renderTemplate } from '@parlance/contracts';
import {
  followBase,
  formatOf,
  layoutJson,
  layoutXml,
  layoutYaml,
  removeBlank,
  removeUnknownStrings,
  sortProperties,
  type ParseOptions,
} from '@parlance/formats';
import { isRepositoryPath } from '@parlance/git';
import { flagOf, numberOf, textOf } from '../../domain/addon';
import type { Component } from '../../domain/component';
import { formatParams } from '../files/format-params';
import { baseFiles, codeOfFile } from '../import/plan-import';
import type { Effect, EffectContext, TranslationFile } from './effect';

/**
 * A path that an add-on may write; null, with a log line, for files of the component, paths outside of the repository, and paths
 * that are not regular files.
 */
export async function resolveWritablePath(
  { component, files, log }: Pick<EffectContext, 'component' | 'files' | 'log'>,
  path: string,
): Promise<string | null> {
  const clean = path.trim().replace(/^\.?\//, '');
  const problem = !isRepositoryPath(clean)
    ? 'is not a path in the repository'
    : baseFiles(component).includes(clean) || codeOfFile(component, clean) !== undefined
      ? 'is a file of the component and is not overwritten'
      : await files.findObstacle(clean);
  if (problem === null) return clean;
  log(`${clean.slice(0, 200)}: ${problem}`);
  return null;
}

function parseOptions(component: Component, file: TranslationFile): ParseOptions {
  const { settings, sourceLanguage } = component;
  return {
    language: file.language,
    sourceLanguage: sourceLanguage.code,
    plural: file.plural,
    monolingual: settings.template !== '',
    params: formatParams(component),
  };
}

/** The file that defines the strings. */
const readBaseFile = ({ component, files }: EffectContext): Promise<Buffer | null> => {
  const path = component.settings.template || component.settings.newBase;
  return path ? files.read(path) : Promise.resolve(null);
};

export const generate: Effect = {
  changeCommit: (context) => generateFile(context, context.file),
  async maintainFiles(context) {
    for (const file of context.translations) await generateFile(context, file);
  },
};

async function generateFile(context: EffectContext, file: TranslationFile): Promise<void> {
  const { addon, files, scope } = context;
  const values = await scope(file);
  const path = await resolveWritablePath(context, renderTemplate(textOf(addon, 'filename'), values));
  if (path !== null) await files.write(path, Buffer.from(renderTemplate(textOf(addon, 'template'), values)));
}

/** File maintenance that aligns every file of the component with the file that defines its strings. */
const changeWithBase = (change: typeof removeUnknownStrings | typeof followBase): Effect => ({
  async maintainFiles(context) {
    const base = await readBaseFile(context);
    if (!base) return;
    const { component, files, translations } = context;
    const format = formatOf(component.settings.fileFormat);
    for (const file of translations)
      await files.change(file.path, (bytes) => change(format, bytes, base, parseOptions(component, file)));
  },
});

export const cleanup = changeWithBase(removeUnknownStrings);
export const followTemplate = changeWithBase(followBase);

const withoutBlank = async ({ component, files }: EffectContext, file: TranslationFile): Promise<void> =>
  files.change(file.path, (bytes) =>
    removeBlank(formatOf(component.settings.fileFormat), bytes, parseOptions(component, file)),
  );

export const blank: Effect = {
  changeCommit: (context) => withoutBlank(context, context.file),
  async maintainFiles(context) {
    for (const file of context.translations) await withoutBlank(context, file);
  },
};

export const sortedProperties: Effect = {
  async changeCommit({ addon, component, files, file }) {
    await files.change(file.path, (bytes) =>
      sortProperties(bytes, component.settings.fileFormat, flagOf(addon, 'case_sensitive')),
    );
  },
};

export const jsonLayout: Effect = {
  async changeCommit({ addon, files, file }) {
    const width = numberOf(addon, 'indent', 4);
    const indent = textOf(addon, 'style') === 'tabs' ? '\t'.repeat(Math.min(width, 1)) : ' '.repeat(width);
    await files.change(file.path, (bytes) => layoutJson(bytes, { sortKeys: flagOf(addon, 'sort_keys'), indent }));
  },
};

export const yamlLayout: Effect = {
  async changeCommit({ addon, files, file }) {
    const lineBreak = textOf(addon, 'line_break');
    await files.change(file.path, (bytes) =>
      layoutYaml(bytes, {
        indent: numberOf(addon, 'indent', 2),
        width: numberOf(addon, 'width', 80),
        lineBreak: lineBreak === 'dos' || lineBreak === 'mac' ? lineBreak : 'unix',
      }),
    );
  },
};

export const xmlLayout: Effect = {
  async changeCommit({ addon, files, file }) {
    await files.change(file.path, (bytes) => layoutXml(bytes, flagOf(addon, 'closing_tags')));
  },
};
