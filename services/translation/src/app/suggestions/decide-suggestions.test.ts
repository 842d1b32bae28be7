import { ServiceError } from '@parlance/errors';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { decideSuggestions } from './decide-suggestions';

const OUTAGE = new ServiceError('UNAVAILABLE');

/** Three strings with a suggestion each: 17, 18 and 19. */
async function start() {
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
    world.suggestions.remove = (ids) => (ids.includes(id) ? Promise.reject(OUTAGE) : remove(ids));
  };
  return { world, reject, failOn };
}

describe('decideSuggestions', () => {
  it('reports the decisions that were carried out before a failure, and retrying decides the others', async () => {
    const { world, reject, failOn } = await start();
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

  it('fails as a whole if the first decision fails', async () => {
    const { world, reject, failOn } = await start();
    failOn(17);
    expect(await reasonOf(reject([17, 18]))).toBe('UNAVAILABLE');
    expect(await world.suggestions.get(18)).not.toBeNull();
  });
});
