import { Action } from '../../domain/change';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { KeyedMutex } from '../keyed-mutex';
import { addSuggestion } from './add-suggestion';

function start(settings = {}, fields = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello', fields);
  const ana = world.user(3, ['suggestion.add', 'suggestion.vote']);
  const suggest = (target: string[], caller = ana, unit = 7) =>
    addSuggestion(world.deps, caller, { unit, target, problems: [] }, '');
  return { world, ana, suggest };
}

describe('addSuggestion', () => {
  it('a suggestion is stored before its unit counts it and the history shows it', async () => {
    const { world, suggest } = start();
    const { suggestion, current } = await suggest(['Ahoj']);
    expect(current).toEqual(['']);
    expect(suggestion).toMatchObject({ id: 1, unit: 7, translation: 11, target: ['Ahoj'], user: 3, time: world.nowMs });
    expect(world.effects).toEqual(['store suggestion 1', 'store unit 7', 'settle unit 7']);
    expect((await world.units.get(7))!.suggestions).toBe(1);
    expect(world.changes).toMatchObject([{ action: Action.suggestionAdded, target: 'Ahoj', user: 3, unit: 7 }]);
  });

  it('addSuggestion counts suggestions that are added at once, and those that a crash left uncounted', async () => {
    const { world, suggest } = start();
    await Promise.all([suggest(['Ahoj']), suggest(['Nazdar'])]);
    expect((await world.units.get(7))!.suggestions).toBe(2);
    const [first] = await world.suggestions.ofUnits([7]);
    await world.suggestions.insertMany([{ ...first!, id: 90, target: ['Zdar'] }]);
    await suggest(['Čau']);
    expect((await world.units.get(7))!.suggestions).toBe(4);
  });

  it('a suggestion does not change the translation', async () => {
    const { world, suggest } = start();
    await suggest(['Ahoj']);
    expect(await world.units.get(7)).toMatchObject({ target: [''], state: 0, edits: [] });
  });

  it('addSuggestion refuses texts with another number of forms, blank ones, the current text and repetitions', async () => {
    const { suggest } = start({}, { target: ['Nazdar'], state: 20 });
    expect(await fieldsOf(suggest(['a', 'b']))).toEqual(['target:invalid']);
    expect(await fieldsOf(suggest(['']))).toEqual(['target:blank']);
    expect(await fieldsOf(suggest(['Nazdar']))).toEqual(['target:invalid']);
    await suggest(['Ahoj']);
    expect(await fieldsOf(suggest(['Ahoj']))).toEqual(['target:unique']);
  });

  it('the author votes for a suggestion where suggestions are voted on', async () => {
    const voting = start({ suggestionVoting: true });
    expect((await voting.suggest(['Ahoj'])).suggestion).toMatchObject({ votes: [3], author: { userId: 3 } });
    expect((await start().suggest(['Ahoj'])).suggestion).not.toHaveProperty('votes');
  });

  it('addSuggestion refuses suggestions where they are off, in locked components and for read-only strings', async () => {
    expect(await reasonOf(start({ enableSuggestions: false }).suggest(['Ahoj']))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(start({ locked: true }).suggest(['Ahoj']))).toBe('LOCKED');
    expect(await reasonOf(start({}, { state: 100 }).suggest(['Ahoj']))).toBe('PERMISSION_DENIED');
  });

  it('source strings take suggestions only if they can be edited', async () => {
    const { suggest, ana } = start();
    expect(await reasonOf(suggest(['Hi'], ana, 507))).toBe('PERMISSION_DENIED');
    const monolingual = start({ template: 'en.po' });
    expect(await reasonOf(monolingual.suggest(['Hi'], monolingual.ana, 507))).toBe('OK');
  });

  it('suggesting requires suggestion.add and the accepted agreement, and hidden strings do not exist', async () => {
    const { world, suggest } = start({ agreement: 'Be kind.' });
    expect(await reasonOf(suggest(['Ahoj'], world.user(4, ['unit.edit'])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(suggest(['Ahoj']))).toBe('PERMISSION_DENIED');
    world.agreed.add(3);
    expect(await reasonOf(suggest(['Ahoj']))).toBe('OK');
    const hidden = start({ accessControl: 100 });
    expect(await reasonOf(hidden.suggest(['Ahoj'], { ...hidden.ana, grants: [] }))).toBe('NOT_FOUND');
  });

  it('the count includes suggestions that are added concurrently by another replica', async () => {
    const { world, ana, suggest } = start();
    const replica = { ...world.deps, unitMutex: new KeyedMutex<number>() };
    const request = { unit: 7, target: ['Nazdar'], problems: [] };
    world.units.rival = async () => void (await addSuggestion(replica, ana, request, ''));
    await suggest(['Ahoj']);
    expect((await world.units.get(7))!.suggestions).toBe(2);
  });
});
