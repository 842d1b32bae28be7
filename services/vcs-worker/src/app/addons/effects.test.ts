import { addonDefinitions } from '@parlance/contracts';
import { effects } from './effects';

describe('the table of add-ons', () => {
  /** Events that vcs-worker handles, and the method of an effect that does. Other services handle parsing and the history. */
  const methods = { commit: ['changeCommit'], push: ['beforePush'] } as const;
  const work = addonDefinitions.filter(
    ({ events, unavailable }) => !unavailable && !events.includes('change') && !events.includes('import'),
  );

  it.each(work.map(({ name, events }) => [name, events] as const))(
    'the add-on %s has an effect on each of its events',
    (name, events) => {
      const effect = effects[name];
      expect(effect).toBeDefined();
      for (const event of events) {
        const wanted =
          event === 'commit' || event === 'push' ? methods[event] : (['maintainFiles', 'runTask'] as const);
        expect(wanted.some((part) => effect![part])).toBe(true);
      }
    },
  );

  it('every add-on with an effect is in the table', () => {
    expect(Object.keys(effects).filter((name) => !work.some((definition) => definition.name === name))).toEqual([]);
  });
});
