import { fieldErrors, ServiceError } from '@parlance/errors';
import { installed } from '../../../test/support/memory/addon-files';
import { componentOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import type { Effect } from './effect';
import {
  automaticTranslation,
  bulkEdit,
  changedFlags,
  fillReadOnly,
  oldComments,
  oldSuggestions,
  prefill,
  pseudolocale,
} from './strings';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.withoutRemote();
});
afterEach(() => world.close());

const run = (effect: Effect, name: string, configuration = {}) =>
  effect.runTask!({
    deps: world.deps,
    addon: installed(name, configuration),
    component: componentOf(1),
    event: 'daily',
    log: (line) => void world.log.push(line),
    addLanguage: async () => 0,
  });
const edits = () => world.translations.addonEdits.map(({ unit, edit }) => [unit, edit]);
const DAY_MS = 86_400_000;

/** The source translation with the strings 1 and 2, and a Czech one with their translations 11 and 12. */
function translated() {
  const source = world.translations.add(1, 'en', '');
  const czech = world.translations.add(1, 'cs', 'po/cs.po');
  for (const id of [1, 2]) {
    world.translations.addString(source, id, [`Text ${id}`]);
    world.translations.addString(czech, id + 10, [`Text ${id}`], { sourceUnitId: id });
  }
  return { source, czech };
}

describe('prefill and fill-read-only', () => {
  it('untranslated strings get their source and need editing, with all plural forms of the language', async () => {
    const { czech } = translated();
    world.translations.addString(czech, 13, ['One file', 'Files'], { target: ['', ''] });
    czech.language!.pluralNumber = 3;
    await run(prefill, 'weblate.generate.prefill');
    expect(edits()).toEqual([
      [11, { target: ['Text 1'], state: 10 }],
      [12, { target: ['Text 2'], state: 10 }],
      [13, { target: ['One file', 'Files', 'Files'], state: 10 }],
    ]);
    expect(world.translations.addonEdits[0]!.addon).toMatchObject({
      name: 'weblate.generate.prefill',
      action: 6,
      author: { fullName: 'Parlance', userId: 0 },
      readOnly: false,
    });
    expect(world.log).toEqual(['3 strings filled']);
    await run(prefill, 'weblate.generate.prefill');
    expect(world.translations.addonEdits).toHaveLength(3);
  });

  it('read-only strings without a text get their source and stay read-only', async () => {
    const { czech } = translated();
    world.translations.addString(czech, 13, ['Fixed'], { state: 100 });
    world.translations.addString(czech, 14, ['Done'], { state: 100, target: ['Hotovo'] });
    await run(fillReadOnly, 'weblate.generate.fill_read_only');
    expect(edits()).toEqual([[13, { target: ['Fixed'] }]]);
    expect(world.translations.addonEdits[0]!.addon).toMatchObject({ readOnly: true });
  });

  it('a refused string is skipped; an unavailable service fails the task, which retries', async () => {
    translated();
    world.translations.refusals.set(11, fieldErrors([{ attr: 'target', code: 'invalid', detail: 'Too long.' }]));
    await run(prefill, 'weblate.generate.prefill');
    expect(world.log).toEqual(['string 11: Too long.', '1 strings filled']);
    world.translations.refusals.set(11, new ServiceError('UNAVAILABLE'));
    expect(await reasonOf(run(prefill, 'weblate.generate.prefill'))).toBe('UNAVAILABLE');
  });
});

describe('bulkEdit', () => {
  const bulk = (configuration: object) => run(bulkEdit, 'weblate.flags.bulk', { q: '', state: -1, ...configuration });

  it('the add-on bulkEdit sets the state of translated strings, but not of source, untranslated and read-only ones', async () => {
    const { czech } = translated();
    world.translations.addString(czech, 13, ['Three'], { state: 20, target: ['Tři'] });
    world.translations.addString(czech, 14, ['Four'], { state: 100 });
    world.translations.addString(czech, 15, ['Five'], { state: 30, target: ['Pět'] });
    await bulk({ state: 30 });
    expect(edits()).toEqual([[13, { state: 30 }]]);
    expect(world.translations.addonEdits[0]!.addon).toMatchObject({ action: 32 });
    expect(world.log).toEqual(['1 strings changed']);
  });

  it('flags and labels are set once on the source strings of the strings that match', async () => {
    translated();
    world.catalog.projectLabels.set('ui', 5).set('old', 6);
    world.translations.strings[0]!.labelIds = [6];
    const configuration = { add_flags: 'md-text', add_labels: ['ui'], remove_labels: ['old', 'unknown'] };
    await bulk(configuration);
    const change = { extraFlags: 'md-text', labels: [5] };
    expect(edits()).toEqual([
      [1, change],
      [2, change],
    ]);
    await bulk(configuration);
    expect(world.translations.addonEdits).toHaveLength(2);
  });

  it.each([
    ['the language', '/hello/c1/cs/', [[13, { state: 30 }]]],
    ['the project', 'hello', [[13, { state: 30 }]]],
    ['another language', 'hello/c1/de', []],
    ['another component', 'hello/c2', []],
  ])('a path that names %s selects its strings', async (_, path, expected) => {
    const { czech } = translated();
    world.translations.addString(czech, 13, ['Three'], { state: 20, target: ['Tři'] });
    await bulk({ state: 30, path });
    expect(edits()).toEqual(expected);
  });

  it('flags are added and removed by name', () => {
    expect(changedFlags('max-length:10, md-text', 'max-length:20, placeholders:"a,b"', 'md-text')).toBe(
      'max-length:20, placeholders:"a,b"',
    );
    expect(changedFlags('', '', 'md-text')).toBe('');
  });
});

describe('pseudolocale', () => {
  const configured = (source: number, target: number, more = {}) =>
    run(pseudolocale, 'weblate.generate.pseudolocale', {
      source,
      target,
      prefix: '<',
      suffix: '>',
      var_prefix: '~',
      var_suffix: '!',
      var_multiplier: 0.5,
      ...more,
    });

  it('translations are the decorated texts of another translation, longer in proportion', async () => {
    const { source, czech } = translated();
    await configured(source.id, czech.id);
    expect(edits()).toEqual([
      [11, { target: ['<~~~Text 1!!!>'], state: 20 }],
      [12, { target: ['<~~~Text 2!!!>'], state: 20 }],
    ]);
    await configured(source.id, czech.id);
    expect(world.translations.addonEdits).toHaveLength(2);
  });

  it('read-only strings are included on request and stay read-only; strings without a text are not', async () => {
    const { source, czech } = translated();
    world.translations.strings.find(({ id }) => id === 11)!.state = 100;
    world.translations.strings.find(({ id }) => id === 2)!.target = [''];
    await configured(source.id, czech.id);
    expect(edits()).toEqual([]);
    await configured(source.id, czech.id, { include_readonly: true });
    expect(edits()).toEqual([[11, { target: ['<~~~Text 1!!!>'] }]]);
  });

  it('the add-on pseudolocale does nothing when one of its translations was deleted', async () => {
    const { source } = translated();
    await configured(source.id, 99);
    expect(edits()).toEqual([]);
  });
});

it('old suggestions and comments are removed by their age in days', async () => {
  await run(oldSuggestions, 'weblate.removal.suggestions', { age: 10, votes: 2 });
  await run(oldComments, 'weblate.removal.comments');
  const now = Date.UTC(2026, 0, 1);
  expect(world.translations.cleanedUp).toEqual([
    { component: 1, before: now - 10 * DAY_MS, maxVotes: 2 },
    { component: 1, before: now - 30 * DAY_MS },
  ]);
});

it('automatic translation runs on all translations except the source; a refused one stops no other', async () => {
  const { czech } = translated();
  const german = world.translations.add(1, 'de', 'po/de.po');
  world.translations.refusals.set(czech.id, new ServiceError('LOCKED', { message: 'The component is locked.' }));
  const configuration = { mode: 'suggest', q: 'state:empty', auto_source: 'mt', engines: ['deepl'], threshold: 90 };
  await run(automaticTranslation, 'weblate.autotranslate.autotranslate', configuration);
  expect(world.translations.autotranslated).toEqual([
    {
      translation: german.id,
      request: {
        mode: 'suggest',
        q: 'state:empty',
        autoSource: 'mt',
        component: '',
        engines: ['deepl'],
        threshold: 90,
      },
    },
  ]);
  expect(world.log).toEqual(['cs: The component is locked.', 'de: done']);
  world.translations.refusals.set(czech.id, new ServiceError('UNAVAILABLE'));
  expect(await reasonOf(run(automaticTranslation, 'weblate.autotranslate.autotranslate'))).toBe('UNAVAILABLE');
});
