import { deleteUnit } from '../../src/app/edit/delete-unit';
import { createUnit } from '../../src/app/edit/create-unit';
import { updateUnit } from '../../src/app/edit/update-unit';
import { person } from '../support/samples';
import { useDatabase } from '../support/store';
import { World, type Step } from '../support/world';

const database = useDatabase();
const ana = person(1);
let component = 500;

const json = (texts: object) => `${JSON.stringify(texts, null, 2)}\n`;

async function monolingual(): Promise<World> {
  const files = { en: json({ a: 'A' }), cs: json({ a: 'Á' }), de: json({ a: 'Ä' }) };
  const settings = { fileFormat: 'json', template: 'en.json' };
  const world = new World(database, ++component, new Map(Object.entries(files)), settings);
  await world.scan(world.process(), true);
  return world;
}

const po = (texts: Record<string, string>) =>
  ['msgid ""\nmsgstr ""\n', ...Object.entries(texts).map(([s, t]) => `msgid "${s}"\nmsgstr "${t}"\n`)].join('\n');

async function bilingual(): Promise<World> {
  const files = { cs: po({ a: 'Á' }), de: po({ a: 'Ä' }) };
  const world = new World(database, ++component, new Map(Object.entries(files)));
  await world.scan(world.process(), true);
  return world;
}

const add = async (world: World, code: string, name: string, text: string, deps = world.process()) => {
  const keyed = world.component.template !== '';
  const names = keyed ? { context: name, source: [] } : { context: '', source: [name] };
  return createUnit(
    deps,
    ana,
    { translation: (await world.translation(code)).id, ...names, target: [text], state: 20 },
    '',
  );
};

/** Runs an action before the nth statement of a kind. */
function before(nth: number, steps: readonly Step[], work: () => Promise<unknown>) {
  let seen = 0;
  return async (step: Step) => {
    if (steps.includes(step) && ++seen === nth) await work();
  };
}

describe('a key that a user and an import add concurrently', () => {
  it.each([1, 2, 3])('A key exists once when the import runs before the user’s insert %d', async (nth) => {
    const world = await monolingual();
    const other = world.process();
    const readFiles = async () => {
      world.write('en', json({ a: 'A', b: 'B' }));
      world.write('cs', json({ a: 'Á', b: 'Bé' }));
      await world.scan(other);
    };
    await add(world, 'en', 'b', 'B', world.process(before(nth, ['addMany'], readFiles))).catch((error: unknown) =>
      expect(error).toMatchObject({ message: 'This string exists already.' }),
    );
    await world.expectSound();
    expect(await world.strings('cs')).toEqual([
      ['a', 'Á'],
      ['b', 'Bé'],
    ]);
    expect((await world.strings('de')).map(([name]) => name)).toEqual(['a', 'b']);
    await world.commit(other);
    await world.scan(other);
    await world.expectSound();
  });

  it.each([1, 2, 3])('A key exists once when the user adds it before statement %d of the import', async (nth) => {
    const world = await monolingual();
    world.write('en', json({ a: 'A', b: 'B' }));
    world.write('cs', json({ a: 'Á', b: 'Bé' }));
    const added = () => add(world, 'en', 'b', 'B').catch(() => undefined);
    await world.scan(world.process(before(nth, ['insert', 'insertNew'], added)));
    await world.expectSound();
    expect((await world.strings('cs'))[1]).toEqual(['b', 'Bé']);
  });

  it.each([1, 2])('A string and its source string exist once in a bilingual component (statement %d)', async (nth) => {
    const world = await bilingual();
    world.write('cs', po({ a: 'Á', b: 'Bé' }));
    await world.scan(world.process(before(nth, ['insert', 'insertNew'], () => add(world, 'de', 'b', 'Be'))));
    await world.expectSound();
    expect((await world.strings('cs'))[1]).toEqual(['b', 'Bé']);
    expect((await world.strings('de'))[1]).toEqual(['b', 'Be']);
  });
});

describe('a string that is added in two languages concurrently', () => {
  it.each(['byKey', 'addMany'] as const)(
    'A string added concurrently in two languages has one source string (%s)',
    async (step) => {
      const world = await bilingual();
      const nth = step === 'byKey' ? 2 : 1;
      const later = add(world, 'cs', 'b', 'Bé', world.process(before(nth, [step], () => add(world, 'de', 'b', 'Be'))));
      const source = (await world.unit('en', 'b')) ?? (await later, await world.unit('en', 'b'));
      expect((await later).sourceUnit).toBe(source.id);
      expect((await world.unit('de', 'b')).sourceUnit).toBe(source.id);
      await world.expectSound();
    },
  );
});

describe('existing duplicate keys', () => {
  it.each(['the older', 'the younger'])(
    'The next scan removes one of two units with the same key and keeps a pending edit (of %s unit)',
    async (which) => {
      const world = await monolingual();
      const deps = world.process();
      for (const code of ['en', 'cs']) {
        const unit = await world.unit(code, 'a');
        const id = await deps.ids.next('unit');
        await deps.units.insert([{ ...unit, id, ...(unit.isSource ? { sourceUnit: id } : {}) }]);
        await deps.effects.recountTranslation(unit.translation, []);
      }
      expect((await world.strings('cs')).length).toBe(2);
      const twins = (await deps.units.ofTranslation((await world.translation('cs')).id)).sort((a, b) => a.id - b.id);
      const { id } = twins[which === 'the older' ? 0 : 1]!;
      await updateUnit(deps, ana, { id, target: ['Áá'], expectedVersion: 0 }, '');
      await world.scan(deps);
      await world.expectSound();
      expect(await world.strings('en')).toEqual([['a', 'A']]);
      expect(await world.strings('cs')).toEqual([['a', 'Áá']]);
      await world.commit(deps);
      expect(JSON.parse(world.read('cs'))).toEqual({ a: 'Áá' });
    },
  );
});

describe('positions of strings', () => {
  const positions = async (world: World, code: string) =>
    (await world.process().units.ofTranslation((await world.translation(code)).id))
      .map(({ position }) => position)
      .sort((a, b) => a - b);

  it('Concurrently added strings have distinct positions', async () => {
    const world = await monolingual();
    const deps = world.process(before(1, ['addMany'], () => add(world, 'en', 'b', 'B')));
    expect((await add(world, 'en', 'c', 'C', deps)).position).toBe(2);
    for (const code of ['en', 'cs', 'de']) expect(await positions(world, code)).toEqual([1, 2, 3]);
  });

  it('Added strings have distinct positions after a deletion and after an import', async () => {
    const world = await monolingual();
    await add(world, 'en', 'b', 'B');
    const { id } = await world.unit('en', 'a');
    await deleteUnit(world.process(), ana, id, '');
    await add(world, 'en', 'c', 'C');
    expect(await positions(world, 'cs')).toEqual([2, 3]);
    await world.commit(world.process());
    world.write('en', JSON.stringify({ ...JSON.parse(world.read('en')), d: 'D', e: 'E', f: 'F' }));
    await world.scan(world.process());
    await add(world, 'en', 'g', 'G');
    for (const code of ['en', 'cs', 'de']) expect(await positions(world, code)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('The next scan makes duplicate positions distinct', async () => {
    const world = await bilingual();
    const deps = world.process();
    world.write('cs', po({ a: 'Á', b: 'Bé', c: 'Cé', d: 'Dé' }));
    await world.scan(deps);
    const [b, c] = [await world.unit('cs', 'b'), await world.unit('cs', 'c')];
    await database.models.units.collection.updateMany(
      { _id: { $in: [b.id, c.id] as never[] } },
      { $set: { position: 2 } },
    );
    expect(await positions(world, 'cs')).toEqual([1, 2, 2, 4]);
    await world.scan(deps);
    expect(await positions(world, 'cs')).toEqual([1, 2, 3, 4]);
    expect((await world.unit('cs', 'b')).position).toBe(2);
  });
});
