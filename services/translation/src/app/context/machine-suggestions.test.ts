import type { Permission } from '@parlance/access';
import { projectEngines } from '../../../test/support/memory/project-engines';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { EngineError } from '../../domain/machinery/engine';
import type { Unit } from '../../domain/unit';
import { machineSuggestions } from './machine-suggestions';

/** String 7 of a project with engines. */
function start(answers: Parameters<typeof projectEngines>[0], fields: Partial<Unit> = {}, settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello', fields);
  const { machinery, asked } = projectEngines(answers);
  const suggest = (id = 7, permissions: Permission[] = ['machinery.view']) =>
    machineSuggestions({ ...world.deps, machinery }, world.user(3, permissions), id, '');
  return { asked, suggest };
}
const inBrackets = (text: string) => `[${text}]`;

describe('machineSuggestions', () => {
  it('machineSuggestions lists the translations of all engines of the project, the best engine first', async () => {
    const { suggest } = start({ libretranslate: (text) => `libre ${text}`, openai: (text) => `open ${text}` });
    expect(await suggest()).toEqual({
      suggestions: [
        { engine: 'openai', engineName: 'OpenAI', quality: 90, target: ['open Hello'] },
        { engine: 'libretranslate', engineName: 'LibreTranslate', quality: 89, target: ['libre Hello'] },
      ],
      problems: [],
    });
  });

  it('a failed engine is reported and does not stop the others', async () => {
    const { suggest } = start({
      libretranslate: inBrackets,
      openai: () => {
        throw new EngineError('The quota is exhausted.');
      },
    });
    const { suggestions, problems } = await suggest();
    expect(suggestions).toMatchObject([{ engine: 'libretranslate' }]);
    expect(problems).toEqual(['OpenAI: The quota is exhausted.']);
  });

  it('a defect is not taken for a failed engine', async () => {
    const { suggest } = start({
      openai: () => {
        throw new TypeError('defect');
      },
    });
    await expect(suggest()).rejects.toThrow('defect');
  });

  it('a plural gets a text for each form of the language, and every text is asked for once', async () => {
    const { asked, suggest } = start({ openai: inBrackets }, { source: ['%d file', '%d files'], target: ['', '', ''] });
    expect((await suggest()).suggestions).toMatchObject([{ target: ['[%d file]', '[%d files]', '[%d files]'] }]);
    expect(asked).toEqual([{ engine: 'openai', texts: ['%d file', '%d files'] }]);
  });

  it('a translation without the placeholders of the source is not suggested', async () => {
    const { suggest } = start({ openai: () => 'Soubor' }, { source: ['File %s'] });
    expect(await suggest()).toEqual({ suggestions: [], problems: [] });
  });

  it('a project without engines has no suggestions', async () => {
    expect(await start({}).suggest()).toEqual({ suggestions: [], problems: [] });
  });

  it('engines are asked for sources of up to 10 000 characters in all forms', async () => {
    const of = (...lengths: number[]) => ({
      source: lengths.map((length) => 'x'.repeat(length)),
      target: ['', '', ''],
    });
    expect((await start({ openai: inBrackets }, of(4_000, 6_000)).suggest()).suggestions).toHaveLength(1);
    const tooLong = start({ openai: inBrackets }, of(4_000, 6_001));
    expect((await tooLong.suggest()).suggestions).toEqual([]);
    expect(tooLong.asked).toEqual([]);
  });

  it('engines are not asked for source strings and empty texts', async () => {
    const { asked, suggest } = start({ openai: inBrackets }, { source: [''] });
    expect((await suggest(507)).suggestions).toEqual([]);
    expect((await suggest(7)).suggestions).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('machineSuggestions requires machinery.view, and a unit that the caller does not see is not found', async () => {
    const { asked, suggest } = start({ openai: inBrackets });
    expect(await reasonOf(suggest(7, ['unit.edit']))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(suggest(99))).toBe('NOT_FOUND');
    const restricted = start({ openai: inBrackets }, {}, { restricted: true });
    expect(await reasonOf(restricted.suggest())).toBe('NOT_FOUND');
    expect([...asked, ...restricted.asked]).toEqual([]);
  });
});
