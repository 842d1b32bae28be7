import { uploadWorld } from '../../../test/support/memory/uploads';
import { fieldsOf } from '../../../test/support/memory/world';
import { addStrings } from './upload-strings';

function start() {
  const { world, deps, upload, parse } = uploadWorld();
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 });
  const ana = world.user(3, ['upload.perform', 'unit.add']);
  const run = (texts: Record<string, string>, fuzzy = '') =>
    addStrings(deps, upload(ana, { method: 'add', fuzzy }), parse(texts));
  const added = async () => (await world.units.ofTranslation(11)).filter(({ id }) => id !== 7);
  return { world, run, added };
}

describe('addStrings', () => {
  it('addStrings adds the strings that are missing, with their source strings, and keeps the others', async () => {
    const { world, run, added } = start();
    expect(await run({ Hello: 'Nazdar', Bye: 'Sbohem' })).toEqual({ accepted: 1, skipped: 1, notFound: 0, total: 2 });
    const [unit] = await added();
    expect(unit).toMatchObject({ source: ['Bye'], target: ['Sbohem'], state: 20 });
    expect(await world.units.get(unit!.sourceUnit)).toMatchObject({ source: ['Bye'], translation: 10, isSource: true });
    expect((await world.units.get(7))!.target).toEqual(['Ahoj']);
  });

  it('a second upload of the file adds nothing', async () => {
    const { run, added } = start();
    await run({ Bye: 'Sbohem' });
    expect(await run({ Bye: 'Sbohem' })).toMatchObject({ accepted: 0, skipped: 1 });
    expect(await added()).toHaveLength(1);
  });

  it.each([
    ['', []],
    ['process', [10]],
    ['approve', [20]],
  ])('an entry that needs editing, with the fuzzy rule "%s", gets the states %j', async (fuzzy, states) => {
    const { run, added } = start();
    await run({ Bye: '~Sbohem' }, fuzzy);
    expect((await added()).map(({ state }) => state)).toEqual(states);
  });

  it('a string without a text is untranslated', async () => {
    const { run, added } = start();
    await run({ Bye: '' });
    expect(await added()).toMatchObject([{ state: 0, target: [''] }]);
  });

  it('an invalid text refuses the whole file', async () => {
    const { world, run, added } = start();
    expect(await fieldsOf(run({ Bye: 'Sbohem', Bell: 'Zvonek\u0007' }))).toEqual(['file:invalid']);
    expect(await added()).toEqual([]);
    expect(world.effects).toEqual([]);
  });
});
