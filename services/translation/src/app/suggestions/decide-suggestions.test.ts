import { ServiceError } from '@parlance/errors';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { decideSuggestions } from './decide-suggestions';

const OUTAGE = new ServiceError('UNAVAILABLE');
const CAN_ACCEPT = ['suggestion.accept', 'unit.edit'] as const;

async function start(settings = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  const { component, project } = czech;
  for (const [unit, state] of [
    [7, 0],
    [8, 100],
    [9, 0],
  ] as const) {
    world.string(1, unit, `Hello ${unit}`, { suggestions: 1, state });
    const of = { translation: czech.id, component, project };
    await world.suggestions.insert({ id: unit * 10, unit, ...of, target: [`Ahoj ${unit}`], user: 3, time: 1 });
  }
  const reviewer = world.user(4, [...CAN_ACCEPT, 'suggestion.delete']);
  const decide = (more: object = {}, caller = reviewer) => {
    const request = { translation: czech.id, accepts: true, suggestions: [70, 80, 90], reason: '', problems: [] };
    return decideSuggestions(world.deps, caller, { ...request, ...more }, '');
  };
  /** Ids of the suggestions that are left. */
  const left = async () => {
    const found = await Promise.all([70, 80, 90].map((id) => world.suggestions.get(id)));
    return found.flatMap((suggestion) => suggestion?.id ?? []);
  };
  return { world, czech, decide, left };
}

describe('decideSuggestions', () => {
  it('decideSuggestions accepts suggestions in the order of the request, and reports a suggestion of a read-only string', async () => {
    const { world, decide, left } = await start();
    expect(await decide({ suggestions: [90, 80, 70] })).toEqual([
      { suggestion: 90, unit: 9, problem: '' },
      { suggestion: 80, unit: 8, problem: expect.stringMatching(/\w/) as string },
      { suggestion: 70, unit: 7, problem: '' },
    ]);
    expect(await left()).toEqual([80]);
    expect((await world.units.get(7))!.target).toEqual(['Ahoj 7']);
    expect((await world.units.get(8))!.target).not.toEqual(['Ahoj 8']);
    expect(world.changes.map(({ unit }) => unit)).toEqual([9, 7]);
  });

  it('decideSuggestions rejects suggestions with a reason, also those of read-only strings', async () => {
    const { world, decide, left } = await start();
    const decided = await decide({ accepts: false, reason: 'Too informal.' });
    expect(decided.map(({ problem }) => problem)).toEqual(['', '', '']);
    expect(await left()).toEqual([]);
    expect(world.changes.map(({ details }) => details?.['reason'])).toEqual(Array(3).fill('Too informal.'));
    expect((await world.units.get(7))!.target).not.toEqual(['Ahoj 7']);
  });

  it('accepting requires suggestion.accept and the right to edit, rejecting suggestion.delete', async () => {
    const { world, decide, left } = await start();
    for (const permissions of [['suggestion.accept'], ['unit.edit'], ['suggestion.delete']] as const)
      expect(await reasonOf(decide({}, world.user(5, [...permissions])))).toBe('PERMISSION_DENIED');
    const reject = { accepts: false, suggestions: [70] };
    expect(await reasonOf(decide(reject, world.user(5, [...CAN_ACCEPT])))).toBe('PERMISSION_DENIED');
    expect(await left()).toEqual([70, 80, 90]);
    expect(await reasonOf(decide(reject, world.user(5, ['suggestion.delete'])))).toBe('OK');
  });

  it('a glossary requires the right to edit glossaries', async () => {
    const { world, decide } = await start({ isGlossary: true });
    expect(await reasonOf(decide({}, world.user(5, [...CAN_ACCEPT])))).toBe('PERMISSION_DENIED');
  });

  it('suggestions of a locked component stay', async () => {
    const { decide, left } = await start({ locked: true });
    expect(await reasonOf(decide())).toBe('LOCKED');
    expect(await left()).toEqual([70, 80, 90]);
  });

  it('one unknown suggestion, or one of another translation, stops the request before the first decision', async () => {
    const { world, decide, left } = await start();
    const { czech } = world.component(2);
    world.string(2, 17, 'Bye', { suggestions: 1 });
    const of = { translation: czech.id, component: czech.component, project: czech.project };
    await world.suggestions.insert({ id: 170, unit: 17, ...of, target: ['Nashle'], user: 3, time: 1 });
    expect(await fieldsOf(decide({ suggestions: [70, 170, 999] }))).toEqual([
      'suggestions.1:does_not_exist',
      'suggestions.2:does_not_exist',
    ]);
    expect(await left()).toEqual([70, 80, 90]);
  });

  it('a suggestion is named once, at most a hundred are named, and reasons are checked', async () => {
    const { decide, left } = await start();
    expect(await fieldsOf(decide({ suggestions: [70, 70] }))).toEqual(['suggestions:unique']);
    const many = Array.from({ length: 101 }, (_, i) => i + 1);
    expect(await fieldsOf(decide({ suggestions: many }))).toEqual(['suggestions:max_length']);
    expect(await fieldsOf(decide({ accepts: false, reason: 'x'.repeat(1001) }))).toEqual(['reason:max_length']);
    const known = [{ attr: 'decision', code: 'required', detail: 'This field is required.' }];
    expect(await fieldsOf(decide({ suggestions: [70, 70], problems: known }))).toEqual([
      'decision:required',
      'suggestions:unique',
    ]);
    expect(await left()).toEqual([70, 80, 90]);
  });

  it.each([new Error('the store failed'), OUTAGE])('%s at the first decision ends the request', async (error) => {
    const { world, decide } = await start();
    world.suggestions.remove = () => Promise.reject(error);
    await expect(decide()).rejects.toBe(error);
  });
});

/** Three strings with a suggestion each: 17, 18 and 19. */
async function startRejecting() {
  const world = new StringsWorld();
  const { czech } = world.component(1);
  const { component, project } = czech;
  for (const unit of [7, 8, 9]) {
    world.string(1, unit, `Hello ${unit}`, { suggestions: 1 });
    const text = { target: [`Ahoj ${unit}`], user: 3, time: 1 };
    await world.suggestions.insert({ id: unit + 10, unit, translation: czech.id, component, project, ...text });
  }
  const reviewer = world.user(4, ['suggestion.delete']);
  const reject = (suggestions: number[]) =>
    decideSuggestions(
      world.deps,
      reviewer,
      { translation: czech.id, accepts: false, suggestions, reason: '', problems: [] },
      '',
    );
  /** The store does not answer when a suggestion is deleted. */
  const failOn = (id: number) => {
    const remove = world.suggestions.remove.bind(world.suggestions);
    world.suggestions.remove = (removed) =>
      removed.some((suggestion) => suggestion.id === id) ? Promise.reject(OUTAGE) : remove(removed);
  };
  return { world, reject, failOn };
}

describe('decideSuggestions when the store fails', () => {
  it('decideSuggestions reports the decisions that were carried out before the store failed, and retrying decides the others', async () => {
    const { world, reject, failOn } = await startRejecting();
    const { remove } = world.suggestions;
    failOn(18);
    expect(await reject([17, 18, 19])).toEqual([
      { suggestion: 17, unit: 7, problem: '' },
      { suggestion: 18, unit: 8, problem: expect.stringContaining('may be incomplete') },
      { suggestion: 19, unit: 9, problem: expect.stringContaining('Not attempted') },
    ]);
    expect(await world.suggestions.get(17)).toBeNull();
    expect(await world.suggestions.get(19)).not.toBeNull();
    world.suggestions.remove = remove;
    expect((await reject([18, 19])).map(({ problem }) => problem)).toEqual(['', '']);
  });

  it('decideSuggestions fails as a whole if the store fails at the first decision', async () => {
    const { world, reject, failOn } = await startRejecting();
    failOn(17);
    expect(await reasonOf(reject([17, 18]))).toBe('UNAVAILABLE');
    expect(await world.suggestions.get(18)).not.toBeNull();
  });
});
