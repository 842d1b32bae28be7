import { makeComponent, makeProject, startWorld, type World } from './support/catalog';

let world: World;
let hiddenId: number;
let restrictedId: number;
let closedId: number;

beforeAll(async () => {
  world = await startWorld();
  const open = await makeProject(world, 'needle-open');
  closedId = await makeProject(world, 'needle-closed', { accessControl: 100 });
  await makeComponent(world, open, 'plain', { name: 'A Needle' });
  restrictedId = (await makeComponent(world, open, 'needle-restricted', { restricted: true })).id;
  hiddenId = (await makeComponent(world, closedId, 'needle-hidden')).id;
  const outer = { projectId: open, name: 'Needles', slug: 'outer' };
  const { category } = await world.client.createCategory({ category: outer }, world.admin);
  await makeComponent(world, open, 'inner-needle', { categoryId: category!.id });
});

afterAll(() => world.close());

const find = async (text: string, as = world.admin, limit = 5) => {
  const { projects, categories, components, languages } = await world.client.search({ text, limit }, as);
  return {
    projects: projects.map((m) => m.path),
    categories: categories.map((m) => m.path),
    components: components.map((m) => m.path),
    languages: languages.map((m) => m.path),
  };
};

describe('a search through the whole catalog', () => {
  it('search finds visible objects by parts of names and slugs', async () => {
    const everything = {
      projects: ['needle-closed', 'needle-open'],
      categories: ['needle-open/outer'],
      components: [
        'needle-open/plain',
        'needle-open/outer/inner-needle',
        'needle-closed/needle-hidden',
        'needle-open/needle-restricted',
      ],
      languages: [],
    };
    const found = await find('NEEDLE');
    expect({ ...found, components: found.components.toSorted() }).toEqual({
      ...everything,
      components: everything.components.toSorted(),
    });
    expect(found.components[0]).toBe('needle-open/plain');
    const open = {
      ...everything,
      projects: ['needle-open'],
      components: ['needle-open/plain', 'needle-open/outer/inner-needle'],
    };
    expect(await find('needle', world.anonymous)).toEqual(open);
    const member = world.member(7, [
      { permissions: [], projects: [closedId], components: [hiddenId] },
      { permissions: [], projects: 'all', components: [restrictedId] },
    ]);
    expect((await find('needle', member)).components).toHaveLength(4);
    const token = world.member(8, [{ permissions: [], projects: [closedId] }], { onlyProjects: [closedId] });
    expect(await find('needle', token)).toEqual({
      projects: ['needle-closed'],
      categories: [],
      components: ['needle-closed/needle-hidden'],
      languages: [],
    });
  });

  it('search results contain the names of parent objects, and languages as in their list', async () => {
    const { components } = await world.client.search({ text: 'a need', limit: 5 }, world.anonymous);
    expect(components).toEqual([{ name: 'NEEDLE-OPEN/A Needle', path: 'needle-open/plain' }]);
    const { components: deep } = await world.client.search({ text: 'inner', limit: 5 }, world.anonymous);
    expect(deep.map((match) => match.name)).toEqual(['NEEDLE-OPEN/Needles/INNER-NEEDLE']);
    expect((await find('czech')).languages).toEqual(['cs']);
    expect((await find('czech', world.anonymous)).languages).toEqual([]);
    expect((await find('', world.admin).catch((error: Error) => error)) instanceof Error).toBe(true);
  });

  it('search returns a limited number of each kind by name, including renamed objects', async () => {
    expect((await find('needle', world.admin, 1)).components).toEqual(['needle-open/plain']);
    await world.client.updateComponent({ id: hiddenId, component: { name: 'Haystack' } }, world.admin);
    expect((await find('haystack')).components).toEqual(['needle-closed/needle-hidden']);
  });
});
