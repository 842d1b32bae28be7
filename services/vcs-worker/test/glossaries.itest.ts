import { texts, World, type Started } from './support/world';

describe('the glossary of a project', () => {
  let world: World;
  let one: Started;
  beforeAll(async () => {
    world = await World.start();
    one = await world.worker();
  });
  afterAll(() => world.close());
  beforeEach(() => {
    world.catalog.wanted.length = 0;
    world.catalog.taken.clear();
  });

  /** The log of the task that lets glossaries follow a component as its repository is now. */
  async function followed(component: number): Promise<string> {
    const repository = (await one.worker.parts.index.repositoryOf(component))!;
    const { head } = (await one.worker.parts.repositories.get(repository))!;
    return (await world.ended(one, `glossary-${component}-${head!.slice(0, 20)}`)).log;
  }

  const asked = () => world.catalog.wanted.map(({ name, slug }) => [name, slug]);

  it('is made with a component, called as its project is', async () => {
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    expect(await followed(c)).toContain('A glossary was made');
    expect(world.catalog.wanted).toEqual([
      expect.objectContaining({
        name: 'Hello',
        slug: 'glossary',
        vcs: 'local',
        filemask: '*.tbx',
        fileFormat: 'tbx',
        isGlossary: true,
        sourceLanguage: 'en',
      }),
    ]);
  });

  it('has another name where that is taken, and is not made where its address is', async () => {
    world.catalog.taken.add('Hello');
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    expect(await followed(c)).toContain('A glossary was made');
    expect(asked()).toEqual([
      ['Hello', 'glossary'],
      ['Glossary', 'glossary'],
    ]);
    world.catalog.taken.add('glossary');
    const d = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, d);
    expect(await followed(d)).toContain('No glossary was made');
    expect(asked()).toHaveLength(3);
  });

  it('is not made for a new language', async () => {
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    await followed(c);
    world.remote.commit({ 'po/de.po': texts() });
    await world.run(one, 'OPERATION_PULL', c);
    await followed(c);
    expect(asked()).toHaveLength(1);
  });

  it('is not made where there is one', async () => {
    const terms = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, terms, { isGlossary: true });
    await followed(terms);
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    await followed(c);
    expect(asked()).toEqual([]);
  });
});
