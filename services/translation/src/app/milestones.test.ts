import { Action } from '../domain/change';
import { deltaBetween } from '../domain/counters';
import { StringsWorld } from '../../test/support/memory/world';
import { changeOfTranslation } from './history';
import { NewContributors, recordCompleted } from './milestones';

const last = { time: 9, by: { author: 'Ana', authorId: 3, user: 4 } };

async function start(...complete: number[]) {
  const world = new StringsWorld();
  const { czech } = world.component(1);
  const { unit } = world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 });
  for (const id of complete)
    await world.translations.applyDelta(id, [{ id: `i${id}`, delta: deltaBetween(null, unit, 1) }], last);
  const actions = () => world.changes.map(({ action }) => action);
  return { world, czech, actions };
}

describe('recordCompleted', () => {
  it('recordCompleted records the completed translation, with author and acting user', async () => {
    const { world, czech } = await start(11);
    await recordCompleted(world.deps, czech, last);
    expect(world.changes).toMatchObject([{ action: Action.translationCompleted, translation: 11, author: 3, user: 4 }]);
  });

  it('the last translation completes the component, once', async () => {
    const { world, czech, actions } = await start(10, 11);
    await recordCompleted(world.deps, czech, last);
    await recordCompleted(world.deps, czech, last);
    expect(actions().filter((action) => action === Action.componentCompleted)).toHaveLength(1);
    expect(world.changes[1]).toMatchObject({ translation: 0, language: '', component: 1 });
  });
});

describe('NewContributors', () => {
  const contribution = (world: StringsWorld, user: number) => {
    const { czech } = world.component(1);
    return changeOfTranslation(czech, { userId: user }, user, 9, Action.firstTarget, {});
  };

  it('the first change of a user in a translation is recorded before it, once', async () => {
    const { world } = await start();
    const contributors = new NewContributors(world.deps);
    contributors.record([contribution(world, 3)]);
    contributors.record([contribution(world, 3)]);
    await contributors.stop();
    const other = new NewContributors(world.deps);
    other.record([{ ...contribution(world, 3), time: 5 }]);
    await other.stop();
    expect(world.changes).toMatchObject([{ action: Action.newContributor, user: 3, time: 8 }]);
  });

  it('a user with earlier changes is no new contributor', async () => {
    const { world } = await start();
    world.changes.push({ ...contribution(world, 3), id: 1, time: 5 });
    const contributors = new NewContributors(world.deps);
    contributors.record([contribution(world, 3)]);
    await contributors.stop();
    expect(world.changes).toHaveLength(1);
  });

  it('changes without an account make no contributor', async () => {
    const { world } = await start();
    const contributors = new NewContributors(world.deps);
    contributors.record([]);
    contributors.record([contribution(world, 0)]);
    await contributors.stop();
    expect(world.changes).toEqual([]);
  });

  it('a failed query is repeated with the next edit', async () => {
    const { world } = await start();
    let fails = true;
    const hasEntries = async () => {
      if (fails) throw new Error('no answer');
      return false;
    };
    const { insert } = world.deps.history;
    const contributors = new NewContributors({ ...world.deps, changes: { hasEntries, insert } });
    for (const state of [true, false]) {
      fails = state;
      contributors.record([contribution(world, 3)]);
      await contributors.stop();
    }
    expect(world.changes).toHaveLength(1);
  });
});
