import { fieldErrors, ServiceError } from '@parlance/errors';
import { po, UseCaseWorld } from '../../../test/support/memory/world';
import { glossaryTask } from './glossary-task';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': '', 'glossary/app.pot': po({ One: '' }) });
});
afterEach(() => world.close());

const runFor = (component: number, changed: 'component' | 'language') =>
  glossaryTask(world.deps)({
    task: {
      id: 't',
      kind: 'glossary',
      component,
      user: 0,
      state: 'running',
      progress: 0,
      result: null,
      log: [],
      changed: [changed],
      attempts: 1,
    },
    signal: new AbortController().signal,
    log: (line) => void world.log.push(line),
    progress: () => undefined,
  });
const taken = (attr: string) => fieldErrors([{ attr, code: 'unique', detail: `This ${attr} is taken.` }]);

describe('glossaries of a project', () => {
  it('the first component creates the glossary of its project, a new language does not', async () => {
    await world.imported(1);
    await runFor(1, 'language');
    expect(world.catalog.created).toEqual([]);
    await runFor(1, 'component');
    expect(world.catalog.created).toMatchObject([{ name: 'Hello', slug: 'glossary', vcs: 'local', isGlossary: true }]);
  });

  it('a taken name is replaced, a taken address means that there is a glossary', async () => {
    await world.imported(1);
    world.catalog.rejections.push(taken('name'));
    await runFor(1, 'component');
    expect(world.catalog.created.map(({ name }) => name)).toEqual(['Hello', 'Glossary']);
    world.catalog.rejections.push(taken('slug'));
    await runFor(1, 'component');
    expect(world.catalog.created).toHaveLength(3);
    expect(world.log.at(-1)).toBe('No glossary was made: This slug is taken.');
  });

  it('an outage fails the task, which is then retried', async () => {
    await world.imported(1);
    world.catalog.rejections.push(new ServiceError('UNAVAILABLE'));
    await expect(runFor(1, 'component')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('a glossary gets the languages of the other components that it does not have', async () => {
    await world.imported(1);
    await world.imported(2, { isGlossary: true, filemask: 'glossary/*.po', newBase: 'glossary/app.pot' });
    for (const code of ['en', 'cs', 'de']) world.translations.add(1, code, `po/${code}.po`);
    world.translations.add(2, 'de', 'glossary/de.po');
    await runFor(1, 'language');
    expect((await world.translations.list(2)).map(({ languageCode }) => languageCode)).toEqual(['de', 'cs']);
    expect(world.catalog.created).toEqual([]);
  });

  it('a locked glossary stays as it is, and a deleted component fails as NOT_FOUND', async () => {
    await world.imported(1);
    await world.imported(2, { isGlossary: true, locked: true });
    world.translations.add(1, 'cs', 'po/cs.po');
    await runFor(1, 'language');
    expect(await world.translations.list(2)).toEqual([]);
    await expect(runFor(404, 'language')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });
});
