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

  /** The logs of the tasks that let glossaries follow a component, oldest first. */
  async function followed(component: number): Promise<string[]> {
    const tasks = world.store.collection<{ _id: string }>('tasks').find({ component, kind: 'glossary' });
    const logs: string[] = [];
    for (const { _id } of await tasks.sort({ createdAt: 1 }).toArray()) logs.push((await world.ended(one, _id)).log);
    return logs;
  }

  const asked = () => world.catalog.wanted.map(({ name, slug }) => [name, slug]);

  it('is made with a component, called as its project is', async () => {
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    expect(await followed(c)).toEqual([expect.stringContaining('A glossary was made')]);
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
    expect(await followed(c)).toEqual([expect.stringContaining('A glossary was made')]);
    expect(asked()).toEqual([
      ['Hello', 'glossary'],
      ['Glossary', 'glossary'],
    ]);
    world.catalog.taken.add('glossary');
    const d = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, d);
    expect(await followed(d)).toEqual([expect.stringContaining('No glossary was made')]);
    expect(asked()).toHaveLength(3);
  });

  it('is not made for a new language', async () => {
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    await followed(c);
    world.remote.commit({ 'po/de.po': texts() });
    await world.run(one, 'OPERATION_PULL', c);
    expect(await followed(c)).toHaveLength(2);
    expect(asked()).toHaveLength(1);
  });

  it('follows languages that come with other settings and no new commit', async () => {
    const c = await world.fresh({ 'po/cs.po': texts(), 'po/de.po': texts() });
    await world.component(one, c, { languageRegex: '^cs$' });
    expect(await followed(c)).toHaveLength(1);
    await world.changed(one, c, { languageRegex: '' });
    expect(await followed(c)).toHaveLength(2);
  });

  it('is made once the catalog is back', async () => {
    world.catalog.outages = 1;
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    expect(await followed(c)).toEqual([expect.stringMatching(/It is tried again[.][^]*A glossary was made/)]);
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
