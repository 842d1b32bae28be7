import { reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { resolveLanguages } from './resolve-languages';

async function start(settings: object = {}) {
  const world = new UseCaseWorld();
  await world.language('en');
  await world.language('cs');
  const project = await world.project('acme', settings);
  const component = await world.component(project.id, 'app');
  const resolve = async (fileCodes: string[], more: object = {}, context = world.service) => {
    const request = { projectId: project.id, componentId: component.id, fileCodes, ...more };
    return (await resolveLanguages(world.deps, context, request)).map((l) => l?.code ?? null);
  };
  const languages = async () => (await world.components.get(component.id))!.languages;
  return { world, project, component, resolve, languages };
}

describe('resolveLanguages', () => {
  it('codes of files resolve in order, and the component uses their languages from now on', async () => {
    const { world, resolve, languages } = await start();
    expect(await resolve(['cs', 'no code!', 'en'])).toEqual(['cs', null, 'en']);
    expect(await languages()).toEqual(['en', 'cs']);
    expect(world.effects.list).toEqual(['announce a new generation']);
  });

  it('resolving known languages again announces nothing', async () => {
    const { world, resolve } = await start();
    await resolve(['cs']);
    world.effects.clear();
    await resolve(['cs', 'en']);
    expect(world.effects.list).toEqual([]);
  });

  it('an unknown language is created once, with the defaults of its base', async () => {
    const { world, resolve } = await start();
    expect(await resolve(['cs_XX', 'cs-XX'])).toEqual(['cs_XX', 'cs_XX']);
    expect(await world.languages.get('cs_XX')).toMatchObject({ direction: 'ltr', plural: { number: 3 } });
    expect(world.effects.list).toEqual(['store language cs_XX', 'announce a new generation']);
  });

  it('a language that another process creates concurrently is used', async () => {
    const { world, resolve } = await start();
    const { insert } = world.languages;
    world.languages.insert = async (language) => {
      world.languages.insert = insert;
      await world.languages.insert({ ...language, name: 'Of the other process', id: 99 });
      return world.languages.insert(language);
    };
    expect(await resolve(['cs_XX'])).toEqual(['cs_XX']);
    expect(world.languages.all().filter((l) => l.code === 'cs_XX')).toMatchObject([{ id: 99 }]);
  });

  it('aliases of the project come first, and invalid aliases are ignored', async () => {
    const aliased = await start({ languageAliases: 'xcs:cs' });
    expect(await aliased.resolve(['xcs'])).toEqual(['cs']);
    const broken = await start({ languageAliases: 'nonsense' });
    expect(await broken.resolve(['cs'])).toEqual(['cs']);
  });

  it('only services resolve codes, for a component of the project', async () => {
    const { world, resolve } = await start();
    const other = await world.project('other');
    expect(await reasonOf(resolve(['cs'], {}, world.admin))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(resolve(['cs'], { projectId: 99 }))).toBe('NOT_FOUND');
    expect(await reasonOf(resolve(['cs'], { projectId: other.id }))).toBe('NOT_FOUND');
    expect(await resolve(['cs'], { componentId: 0 })).toEqual(['cs']);
  });
});
