import { Action } from '../domain/change';
import { StringsWorld } from '../../test/support/memory/world';
import { changeOf, changeOfTranslation, historyText, lastChangeBy, numberChanges, recordChanges } from './history';

function start() {
  const world = new StringsWorld();
  const { czech } = world.component(1);
  const { unit } = world.string(1, 7, 'Hello', { updated: 50 });
  const entry = (time: number) => changeOfTranslation(czech, { userId: 3 }, 4, time, Action.fileUploaded, {});
  return { world, unit, entry };
}

describe('history', () => {
  it('an entry about a unit is later than the last write of the unit, also with skewed clocks', () => {
    const { unit } = start();
    expect(changeOf(unit, { userId: 3 }, 10, 2, '', '', {}).time).toBe(51);
    expect(changeOf(unit, { userId: 3 }, 90, 2, '', '', {}).time).toBe(90);
  });

  it('an entry about a translation distinguishes the acting user from the author', () => {
    expect(start().entry(5)).toMatchObject({ unit: 0, translation: 11, language: 'cs', user: 4, author: 3 });
  });

  it('an empty list of entries uses no ids', async () => {
    const { world, entry } = start();
    expect(await numberChanges(world.deps, [])).toEqual([]);
    expect((await numberChanges(world.deps, [entry(5), entry(6)])).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('entries are inserted first; then the newest time is the last change of the translation, announced once', async () => {
    const { world, entry } = start();
    const author = { userId: 3, username: 'ana', fullName: '', email: '' };
    await recordChanges(world.deps, [entry(9), entry(5)], lastChangeBy(author, 4));
    expect(world.effects).toEqual([
      `record ${Action.fileUploaded}`,
      `record ${Action.fileUploaded}`,
      'announce translation 11',
    ]);
    expect((await world.translations.get(11))!.counters.lastChange).toBe(9);
  });

  it('an older entry does not change the last change', async () => {
    const { world, entry } = start();
    await recordChanges(world.deps, [entry(9)]);
    await recordChanges(world.deps, [entry(5)]);
    expect((await world.translations.get(11))!.counters.lastChange).toBe(9);
    expect(world.effects.filter((effect) => effect.startsWith('announce'))).toHaveLength(1);
  });

  it('an author without a full name appears with the username', () => {
    const author = { userId: 3, username: 'ana', fullName: '', email: '' };
    expect(lastChangeBy(author, 4)).toEqual({ author: 'ana', authorId: 3, user: 4 });
  });

  it('plural forms are joined by the separator of the API', () => {
    expect(historyText(['a', 'b'])).toBe('a\u001e\u001eb');
  });
});
