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

  /** Logs of a component's glossary tasks, oldest first. */
  async function followed(component: number): Promise<string[]> {
    const tasks = world.store.collection<{ _id: string }>('tasks').find({ component, kind: 'glossary' });
    const logs: string[] = [];
    for (const { _id } of await tasks.sort({ createdAt: 1 }).toArray()) logs.push((await world.ended(one, _id)).log);
    return logs;
  }

  const asked = () => world.catalog.wanted.map(({ name, slug }) => [name, slug]);

  it('a glossary is created with a component and named like the project', async () => {
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

  it('a glossary gets another name if that is taken, and is not created if its address is taken', async () => {
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

  it('a new language does not create a glossary', async () => {
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    await followed(c);
    world.remote.commit({ 'po/de.po': texts() });
    await world.run(one, 'OPERATION_PULL', c);
    expect(await followed(c)).toHaveLength(2);
    expect(asked()).toHaveLength(1);
  });

  it('glossaries follow languages that appear after a change of settings without a commit', async () => {
    const c = await world.fresh({ 'po/cs.po': texts(), 'po/de.po': texts() });
    await world.component(one, c, { languageRegex: '^cs$' });
    expect(await followed(c)).toHaveLength(1);
    await world.changed(one, c, { languageRegex: '' });
    expect(await followed(c)).toHaveLength(2);
  });

  it('a glossary is created after an outage of the catalog', async () => {
    world.catalog.outages = 1;
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    expect(await followed(c)).toEqual([expect.stringMatching(/It is tried again[.][^]*A glossary was made/)]);
  });

  it('an existing glossary is not created again', async () => {
    const terms = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, terms, { isGlossary: true });
    await followed(terms);
    const c = await world.fresh({ 'po/cs.po': texts() });
    await world.component(one, c);
    await followed(c);
    expect(asked()).toEqual([]);
  });
});
