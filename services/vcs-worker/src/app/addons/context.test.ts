import { TemplateError, type translation } from '@parlance/contracts';
import { FormatError } from '@parlance/formats';
import { addonFiles, fileOf, installed } from '../../../test/support/memory/addon-files';
import { componentOf } from '../../../test/support/memory/world';
import { logFileErrors, makeEffectContext, translationFileOf } from './context';

const addon = installed('weblate.gettext.linguas');
const { title } = addon.definition;

/** A context whose translation 1 has 4 strings, 1 of them translated. */
function start(author?: { name: string; email: string; timeMs: number }) {
  const log: string[] = [];
  const counters = { all: { strings: 4 }, translated: { strings: 1 } };
  const found = { id: 1, counters } as translation.Translation__Output;
  const translations = { get: async (id: number) => (id === 1 ? found : null) };
  const deps = { translations, site: { url: 'https://example.org/', title: 'Site' } } as unknown as Parameters<
    typeof makeEffectContext
  >[0];
  const { files } = addonFiles(addon, {});
  const context = makeEffectContext(deps, addon, componentOf(1), files, (line) => void log.push(line), author);
  return { log, context };
}

describe('the context of an add-on', () => {
  it('the context of an add-on names the add-on in each line of the log', () => {
    const { log, context } = start();
    context.log('one file changed');
    expect(log).toEqual([`${title}: one file changed`]);
  });

  it('the context of an add-on offers the translation, its numbers and its author to templates', async () => {
    const { context } = start({ name: 'Ann', email: 'ann@example.com', timeMs: 0 });
    expect(await context.scope(fileOf('cs'))).toMatchObject({
      language_code: 'cs',
      language_name: 'CS',
      filename: 'po/cs.po',
      addon_name: title,
      author: 'Ann <ann@example.com>',
      stats: { all: 4, translated: 1, translated_percent: 25 },
    });
  });

  it('the context of an add-on has neither numbers of a translation that was deleted meanwhile, nor an author of maintenance', async () => {
    const { context } = start();
    expect(await context.scope({ ...fileOf('cs'), translationId: 2 })).toMatchObject({
      author: '',
      stats: { all: 0, translated: 0 },
    });
  });
});

describe('logFileErrors', () => {
  const logOf = async (error?: Error) => {
    const log: string[] = [];
    await logFileErrors(
      (line) => void log.push(line),
      addon,
      async () => {
        if (error) throw error;
      },
    );
    return log;
  };

  it('logFileErrors logs a file that cannot be read with the line, so that the others are still processed', async () => {
    expect(await logOf(new FormatError('syntax', 'A quote is missing.', 3, 5))).toEqual([
      `${title}: line 3, column 5: A quote is missing.`,
    ]);
  });

  it('logFileErrors logs a template that cannot be filled', async () => {
    const [line] = await logOf(new TemplateError('Unknown filter.', 3));
    expect(line).toContain('Unknown filter.');
    expect(await logOf()).toEqual([]);
  });

  it('logFileErrors does not hide other failures', async () => {
    await expect(logOf(new TypeError('defect'))).rejects.toThrow('defect');
  });
});

describe('translationFileOf', () => {
  const found = {
    id: 5,
    filename: 'po/pt_BR.po',
    fileLanguageCode: 'pt-br',
    languageCode: 'pt_BR',
    language: { name: 'Portuguese (Brazil)', pluralNumber: 3, pluralFormula: 'n > 1' },
  } as translation.Translation__Output;

  it('translationFileOf keeps the code of the file beside that of the language', () => {
    expect(translationFileOf(found)).toEqual({
      translationId: 5,
      path: 'po/pt_BR.po',
      code: 'pt-br',
      language: 'pt_BR',
      languageName: 'Portuguese (Brazil)',
      plural: { count: 3, formula: 'n > 1' },
    });
  });

  it('translationFileOf falls back to the code of the language and to two forms', () => {
    expect(translationFileOf({ ...found, fileLanguageCode: '', language: null })).toMatchObject({
      code: 'pt_BR',
      languageName: 'pt_BR',
      plural: { count: 2, formula: 'n != 1' },
    });
  });
});
