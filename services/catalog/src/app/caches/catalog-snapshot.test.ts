import type { AddonEntry, SnapshotSource, LanguageEntry, NodeEntry, ProjectEntry } from '../../domain/ports';
import { CatalogSnapshot } from './catalog-snapshot';

/** Returns objects that tests add, and records the reads. */
class Source implements SnapshotSource {
  readonly asked: number[] = [];
  projectsNow: ProjectEntry[] = [];
  nodesNow: NodeEntry[] = [];
  gate: Promise<void> = Promise.resolve();
  async projects(since: number): Promise<ProjectEntry[]> {
    this.asked.push(since);
    const now = this.projectsNow;
    await this.gate;
    return now;
  }
  async nodes(): Promise<NodeEntry[]> {
    return this.nodesNow;
  }
  async languages(): Promise<LanguageEntry[]> {
    return [];
  }
  async addons(): Promise<AddonEntry[]> {
    return [];
  }
}

const project = (id: number, more: Partial<ProjectEntry> = {}): ProjectEntry => ({
  id,
  stamp: 's',
  removed: false,
  slug: `p${id}`,
  name: `Project ${id}`,
  accessControl: 0,
  ...more,
});
const node = (id: number, more: Partial<NodeEntry> = {}): NodeEntry => ({
  id,
  stamp: 's',
  kind: 'component',
  projectId: 1,
  categoryId: 0,
  slug: `c${id}`,
  name: `Component ${id}`,
  restricted: false,
  locked: false,
  languages: ['en'],
  ...more,
});

describe('the catalog snapshot', () => {
  it('a snapshot reads everything once, then only changes, and only for a new generation', async () => {
    const source = new Source();
    const snapshot = new CatalogSnapshot(source, () => 1_000_000_000);
    source.projectsNow = [project(1)];
    await snapshot.at('a');
    await snapshot.at('a');
    expect(source.asked).toEqual([0]);
    source.projectsNow = [project(2)];
    expect([...(await snapshot.at('b')).projectIds.all()]).toEqual([1, 2]);
    expect(source.asked).toEqual([0, 1_000_000_000 - 10_000]);
    snapshot.changed();
    await snapshot.at('b');
    expect(source.asked).toHaveLength(3);
  });

  it('a snapshot is rebuilt after a long time without reads', async () => {
    const source = new Source();
    let now = 1_000_000_000;
    const snapshot = new CatalogSnapshot(source, () => now);
    source.projectsNow = [project(1), project(2)];
    await snapshot.at('a');
    now += 31 * 60_000;
    source.projectsNow = [project(2)];
    expect([...(await snapshot.at('a')).projectIds.all()]).toEqual([2]);
    expect(source.asked).toEqual([0, 0]);
  });

  it('a snapshot refreshes again for a caller that arrives during a refresh', async () => {
    const source = new Source();
    const snapshot = new CatalogSnapshot(source, () => 1_000_000_000);
    let open = (): void => undefined;
    source.gate = new Promise((resolve) => (open = resolve));
    const first = snapshot.at('a');
    source.projectsNow = [project(7)];
    const second = snapshot.at('b');
    open();
    await first;
    expect((await second).projects.has(7)).toBe(true);
    expect(source.asked).toHaveLength(2);
  });

  it('a snapshot returns paths and contents of nested categories', async () => {
    const source = new Source();
    const snapshot = new CatalogSnapshot(source, () => 1_000_000_000);
    source.projectsNow = [project(1)];
    source.nodesNow = [
      node(10, { kind: 'category', slug: 'a', categoryId: 11 }),
      node(11, { kind: 'category', slug: 'b', categoryId: 10 }),
      node(12, { kind: 'category', slug: 'self', categoryId: 12 }),
      node(13, { categoryId: 10 }),
    ];
    await snapshot.at('1');
    expect(snapshot.path('c13', 10)).toBe('b/a/c13');
    expect(snapshot.path('x', 12)).toBe('self/x');
    expect(snapshot.nestedIn(10)).toEqual([10, 11]);
    expect(snapshot.nestedIn(12)).toEqual([12]);
  });

  it('a snapshot follows moves, renames and removals', async () => {
    const source = new Source();
    const snapshot = new CatalogSnapshot(source, () => 1_000_000_000);
    source.projectsNow = [project(1), project(2, { accessControl: 100 })];
    source.nodesNow = [
      node(10, { kind: 'category', slug: 'cat' }),
      node(11, { categoryId: 10, restricted: true, languages: ['en', 'cs'] }),
      node(12),
      node(13, { projectId: 2 }),
    ];
    await snapshot.at('1');
    expect(snapshot.path('c11', 10)).toBe('cat/c11');
    expect(snapshot.nodeAt(1, 'cat/c11')).toBe(11);
    expect([...snapshot.closed()]).toEqual([2]);
    expect([...snapshot.restricted()]).toEqual([11]);
    expect(snapshot.inUse('cs')).toBe(true);
    expect(snapshot.tally(1)).toEqual({ components: 2, locked: false });

    source.projectsNow = [project(1, { slug: 'renamed' }), project(2, { removed: true })];
    source.nodesNow = [
      node(10, { kind: 'category', slug: 'dog' }),
      node(11, { locked: true }),
      node(12, { kind: 'removed' }),
    ];
    await snapshot.at('2');
    expect(snapshot.projectWithSlug('p1')).toBeUndefined();
    expect(snapshot.projectWithSlug('renamed')).toBe(1);
    expect(snapshot.nodeAt(1, 'cat/c11')).toBeUndefined();
    expect(snapshot.nodeAt(1, 'c11')).toBe(11);
    expect(snapshot.inUse('cs')).toBe(false);
    expect(snapshot.tally(1)).toEqual({ components: 1, locked: true });
    expect([...snapshot.componentIds.all()]).toEqual([11]);
    expect([...snapshot.closed()]).toEqual([]);
    expect([...snapshot.restricted()]).toEqual([]);
  });
});
