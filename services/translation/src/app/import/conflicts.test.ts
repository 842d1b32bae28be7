import { Action } from '../../domain/change';
import { StringsWorld } from '../../../test/support/memory/world';
import { recordConflicts, type Conflict } from './conflicts';

function start() {
  const world = new StringsWorld();
  world.component(1);
  world.string(1, 7, 'Hello', { target: ['Nazdar'], state: 20 });
  const conflict: Conflict = {
    translation: 11,
    unit: 7,
    context: '',
    source: ['Hello'],
    local: ['Nazdar'],
    upstream: ['Ahoj'],
  };
  const record = (more: Partial<Conflict> = {}, commit = 'c1') =>
    recordConflicts(world.deps, [{ ...conflict, ...more }], commit);
  const suggestions = async () => (await world.suggestions.page({ unit: 7 }, 1, 9)).items;
  return { world, record, suggestions };
}

describe('recordConflicts', () => {
  it('the local text stays; the upstream text becomes a suggestion with two history entries', async () => {
    const { world, record, suggestions } = start();
    await record();
    expect(await world.units.get(7)).toMatchObject({ target: ['Nazdar'], suggestions: 1 });
    expect(await suggestions()).toMatchObject([{ target: ['Ahoj'], user: 0 }]);
    const details = { conflict: true, kept: ['Nazdar'], upstream: ['Ahoj'], source: 'Hello' };
    expect(world.changes).toMatchObject([
      { action: Action.mergeFailed, target: 'Ahoj', old: 'Nazdar', details },
      { action: Action.suggestionAdded, target: 'Ahoj' },
    ]);
    expect(world.effects.at(-1)).toBe('recount translation 11');
  });

  it('recordConflicts is idempotent for the same upstream commit', async () => {
    const { world, record, suggestions } = start();
    await record();
    await record();
    expect(await suggestions()).toHaveLength(1);
    expect(world.changes).toHaveLength(2);
    await record({}, 'c2');
    expect(await suggestions()).toHaveLength(2);
  });

  it('a conflict without a unit is found by context and source', async () => {
    const { record, suggestions } = start();
    await record({ unit: 0 });
    expect(await suggestions()).toHaveLength(1);
  });

  it('an upstream deletion becomes one history entry and no suggestion', async () => {
    const { world, record, suggestions } = start();
    await record({ upstream: [''] });
    await record({ upstream: [''] });
    expect(await suggestions()).toEqual([]);
    expect(world.changes).toMatchObject([{ action: Action.mergeFailed, target: '', old: 'Nazdar' }]);
  });

  it('a locally deleted string is recorded in the history of its translation, once', async () => {
    const { world, record } = start();
    const deleted = { unit: 0, source: ['Bye'], local: [], upstream: ['Sbohem'] };
    await record(deleted);
    await record(deleted);
    expect(world.changes).toMatchObject([
      { action: Action.mergeFailed, unit: 0, translation: 11, target: 'Sbohem', details: { deleted: true } },
    ]);
  });

  it('a missing string with a local text was removed since and leaves no entry', async () => {
    const { world, record } = start();
    await record({ unit: 99 });
    expect(world.changes).toEqual([]);
  });

  it('a count that loses a race is repeated on the stored unit', async () => {
    const { world, record } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, comments: 2 });
    };
    await record();
    expect(await world.units.get(7)).toMatchObject({ suggestions: 1, comments: 2, version: 5 });
  });
});
