import { Action } from '../../domain/change';
import { autotranslation as start } from '../../../test/support/memory/autotranslation';

describe('runAutotranslate', () => {
  it('a text of another component becomes the translation, with its origin in the history', async () => {
    const { world, run } = start();
    expect(await run()).toEqual({ updated: 1, details: expect.stringContaining('completed, 1 string was updated') });
    expect(await world.units.get(7)).toMatchObject({ target: ['Ahoj'], state: 20, edits: [{ author: { userId: 3 } }] });
    const auto = { source: 'others', origin: 'p/app', quality: 100 };
    expect(world.changes).toMatchObject([{ action: Action.autoTranslated, details: { auto } }]);
  });

  it('runAutotranslate adds suggestions in the mode "suggest", or where votes decide', async () => {
    for (const more of [{ mode: 'suggest' as const }, { onlySuggest: true }]) {
      const { world, run } = start();
      expect(await run(more)).toMatchObject({ updated: 1 });
      expect(await world.units.get(7)).toMatchObject({ target: [''], suggestions: 1 });
    }
  });

  it('a text that is too long becomes a suggestion', async () => {
    const { world, run } = start({ flags: 'max-length:3' });
    await run();
    expect(await world.units.get(7)).toMatchObject({ target: [''], suggestions: 1 });
  });

  it.each([
    ['is read-only', { state: 100 }, {}],
    ['is approved, and the caller may not review', { state: 30, target: ['Nazdar'] }, {}],
    ['has a suggestion in the mode "suggest"', { suggestions: 1 }, { mode: 'suggest' as const }],
    ['has the text and state already', { state: 20, target: ['Ahoj'] }, {}],
  ])('a string that %s stays as it is', async (_, fields, more) => {
    const { world, run } = start(fields);
    expect(await run(more)).toMatchObject({ updated: 0 });
    expect(world.effects).toEqual([]);
  });

  it('an approved string is replaced by a caller who may review', async () => {
    const { world, run } = start({ state: 30, target: ['Nazdar'] });
    await run({ mayReview: true });
    expect((await world.units.get(7))!.target).toEqual(['Ahoj']);
  });

  it('texts that need editing, and those of another number of forms, are not used', async () => {
    expect(await start({}, { state: 10 }).run()).toMatchObject({ updated: 0 });
    expect(await start({}, { target: ['a', 'b', 'c'] }).run()).toMatchObject({ updated: 0 });
  });

  it('a component that is locked meanwhile stops the run', async () => {
    const { world, run } = start({}, {}, { locked: true });
    expect((await run()).details).toContain('stopped because the component was locked');
    expect(world.effects).toEqual([]);
  });

  it('a string that is edited during the run is skipped', async () => {
    const { world, run } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, target: ['Nazdar'], state: 20 });
    };
    expect(await run()).toMatchObject({ updated: 0 });
    expect((await world.units.get(7))!.target).toEqual(['Nazdar']);
  });

  it('a stopped run says so', async () => {
    const stop = new AbortController();
    stop.abort();
    const { details } = await start().run({}, stop.signal);
    expect(details).toContain('was interrupted');
  });

  it('the task shows progress below 100 percent until the run is complete', async () => {
    const { reports, run } = start();
    const { details } = await run();
    expect(reports).toMatchObject([
      { progress: 99, completed: false },
      { progress: 100, completed: true, log: [details], result: { translation: 11, message: details } },
    ]);
  });
});
