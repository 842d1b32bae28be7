import { ADDED, columnOf, type Snapshot } from '../domain/counters';
import type { SnapshotStore, StoredFact } from '../domain/ports';
import { LiveSums } from './live-sums';

function snapshot(translationId: number, strings: number, revision = 1): Snapshot {
  const added = new Array<number>(ADDED).fill(0);
  added[columnOf('all')] = strings;
  const counters = { added, lastChange: 0, lastAuthor: '', lastAuthorId: 0 };
  return { translationId, componentId: 10, projectId: 1, languageCode: 'cs', revision, counters };
}

function start() {
  const facts: StoredFact[] = [];
  let fails = false;
  const refuse = () => Promise.reject(new Error('reads do not write'));
  const store: SnapshotStore = {
    save: refuse,
    addObjects: refuse,
    removeTranslations: refuse,
    removeObjects: refuse,
    async *load() {
      for (const fact of facts) yield fact;
      if (fails) throw new Error('the store is unavailable');
    },
  };
  const live = new LiveSums(store);
  const strings = () => live.current.forComponent(10).added[columnOf('all')];
  return { facts, live, strings, fail: () => (fails = true) };
}

describe('loading the sums', () => {
  it('stored snapshots are summed', async () => {
    const { facts, live, strings } = start();
    facts.push({ fact: 'snapshot', snapshot: snapshot(1, 3) }, { fact: 'snapshot', snapshot: snapshot(2, 4) });
    await live.load();
    expect(strings()).toBe(7);
  });

  it('removed translations, components and projects stay removed', async () => {
    const component = { kind: 'component' as const, id: 10, projectId: 1 };
    const project = { kind: 'project' as const, id: 1, projectId: 1 };
    const removals: StoredFact[] = [
      { fact: 'removedTranslation', id: 1 },
      { fact: 'removedObject', object: component },
      { fact: 'removedObject', object: project },
    ];
    for (const removal of removals) {
      const { facts, live, strings } = start();
      facts.push(removal, { fact: 'snapshot', snapshot: snapshot(1, 3) });
      await live.load();
      expect(strings()).toBe(0);
    }
  });

  it('known objects without translations are counted', async () => {
    const { facts, live } = start();
    facts.push(
      { fact: 'object', object: { kind: 'project', id: 1, projectId: 1 } },
      { fact: 'object', object: { kind: 'component', id: 10, projectId: 1 } },
    );
    await live.load();
    expect(live.current.sizes()).toEqual({ translations: 0, components: 1, projects: 1 });
  });

  it('a failed reload keeps the former sums, and a reload replaces them as a whole', async () => {
    const { facts, live, strings, fail } = start();
    facts.push({ fact: 'snapshot', snapshot: snapshot(1, 3) });
    await live.load();
    facts.splice(0, 1, { fact: 'snapshot', snapshot: snapshot(2, 5) });
    await live.load();
    expect(strings()).toBe(5);
    facts.push({ fact: 'snapshot', snapshot: snapshot(3, 9) });
    fail();
    await expect(live.load()).rejects.toThrow('unavailable');
    expect(strings()).toBe(5);
  });
});
