import { setImmediate } from 'node:timers/promises';
import { CacheGeneration } from './cache-generation';

/** Two caches of a process, and what happened to them in order. */
function start() {
  const effects: string[] = [];
  const caches = ['a', 'b'].map((name) => ({ clear: () => void effects.push(`clear ${name}`) }));
  const replace = async () => {
    await setImmediate();
    effects.push('replace');
  };
  const generation = new CacheGeneration(caches, replace);
  const observe = (catalogGeneration: string, stringsGeneration: string) => {
    effects.length = 0;
    generation.observe({ catalogGeneration, stringsGeneration });
    return effects.length > 0;
  };
  return { effects, generation, observe };
}

describe('CacheGeneration', () => {
  it('a write clears the caches of this process, then those of other replicas, and only then gets its response', async () => {
    const { effects, generation } = start();
    await generation.changed();
    expect(effects).toEqual(['clear a', 'clear b', 'replace']);
  });

  it('a call with another generation clears the caches once, whichever of the two changed', () => {
    const { effects, observe } = start();
    expect([observe('c1', 's1'), observe('c1', 's1')]).toEqual([true, false]);
    expect([observe('c2', 's1'), observe('c2', 's1')]).toEqual([true, false]);
    expect(observe('c2', 's2')).toBe(true);
    expect(effects).toEqual(['clear a', 'clear b']);
  });

  it('a call of an older generation clears the caches, since generations have no order', () => {
    const { observe } = start();
    expect([observe('c1', 's1'), observe('c1', 's2'), observe('c1', 's1')]).toEqual([true, true, true]);
  });

  it('a caller that knows no generation clears nothing and does not hide the last one', () => {
    const { observe } = start();
    expect([observe('c1', 's1'), observe('', ''), observe('c1', 's1')]).toEqual([true, false, false]);
    expect([observe('', 's1'), observe('c1', '')]).toEqual([true, true]);
  });
});
