import type { Conflict } from '@parlance/git';
import { componentOf, po, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { FileMerger } from './file-merger';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: 'jedna', Two: '' }) });
});
afterEach(() => world.close());

/** Runs `action` with a merger whose local side is a commit with the given PO files and whose base is upstream's commit. */
async function merging<T>(files: Record<string, string>, action: (merger: FileMerger) => Promise<T>, settings = {}) {
  const component = await world.imported(1, settings);
  world.translations.add(1, 'cs', 'po/cs.po');
  return world.run(1, async ({ git, session }) => {
    const base = session.repository.head!;
    const author = world.deps.committer();
    const changes = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
    const [local] = await git.commit(base, [{ changes, author, committer: author, message: 'Ours' }]);
    const log = (line: string) => void world.log.push(line);
    return action(new FileMerger(world.deps, [component], { git, local: local!, base }, log));
  });
}

const bytes = (text: string | null) => (text === null ? null : Buffer.from(text));
const conflict = (
  path: string,
  [base, local, upstream]: [string | null, string | null, string | null],
  more: Partial<Conflict> = {},
): Conflict => ({ path, base: bytes(base), local: bytes(local), upstream: bytes(upstream), ...more });
const before = po({ One: 'jedna', Two: '' });

describe('FileMerger', () => {
  it('FileMerger merges a translation file string by string and records strings that both sides changed', async () => {
    await merging({}, async (merger) => {
      const ours = po({ One: 'naše', Two: 'dvě' });
      const merged = await merger.resolve(conflict('po/cs.po', [before, ours, po({ One: 'jejich', Two: '' })]));
      expect(merged!.toString()).toContain('dvě');
      expect(merger.conflicts).toMatchObject([{ source: ['One'], local: ['naše'], upstream: ['jejich'] }]);
      expect(merger.events()).toEqual([]);
    });
  });

  it('FileMerger takes the line-based merge of git if it has the same strings', async () => {
    await merging({}, async (merger) => {
      const [ours, theirs] = [po({ One: 'jedna', Two: 'dvě' }), po({ One: 'jednou', Two: '' })];
      const joined = `# Comment\n${po({ One: 'jednou', Two: 'dvě' })}`;
      const resolve = (text: string) =>
        merger.resolve(conflict('po/cs.po', [before, ours, theirs], { joined: Buffer.from(text) }));
      expect((await resolve(joined))!.toString()).toBe(joined);
      const other = await resolve(po({ One: 'jednou', Two: 'jiné' }));
      expect(other!.toString()).toBe(po({ One: 'jednou', Two: 'dvě' }));
    });
  });

  it('FileMerger leaves files without a component or translation and unparsable files to git', async () => {
    await merging({}, async (merger) => {
      expect(await merger.resolve(conflict('README', ['a', 'b', 'c']))).toBeUndefined();
      expect(await merger.resolve(conflict('po/de.po', [before, before, before]))).toBeUndefined();
      expect(await merger.resolve(conflict('po/cs.po', [before, 'msgid "', before]))).toBeUndefined();
      expect(world.log.at(-1)).toMatch(/^po\/cs.po: cannot be merged: /);
    });
  });

  it('a file that was deleted here stays deleted, unless only upstream has it', async () => {
    await merging({}, async (merger) => {
      expect(await merger.resolve(conflict('po/cs.po', [before, null, po({ One: 'x', Two: '' })]))).toBeNull();
      const theirs = await merger.resolve(conflict('po/cs.po', [null, null, before]));
      expect(theirs!.toString()).toBe(before);
    });
  });

  it('a file that upstream deleted is kept with a history entry if it has local texts', async () => {
    const local = po({ One: 'naše', Two: 'dvě' });
    await merging({ 'po/cs.po': local }, async (merger) => {
      const deleted = conflict('po/cs.po', [before, local, null]);
      expect((await merger.resolve(deleted))!.toString()).toBe(local);
      await merger.resolve(deleted);
      expect(merger.conflicts).toMatchObject([{ source: ['One'], local: ['naše'], upstream: ['jedna'] }]);
      expect(merger.events()).toHaveLength(1);
      expect(merger.events()[0]!.payload).toMatchObject({ action: Action.mergeFailed });
    });
  });

  it('a file that upstream deleted is removed if all of its texts were upstream once', async () => {
    const local = po({ One: '', Two: '' });
    await merging({ 'po/cs.po': local }, async (merger) => {
      expect(await merger.resolve(conflict('po/cs.po', [before, local, null]))).toBeNull();
      expect(world.log).toEqual(['po/cs.po: deleted upstream']);
      expect(merger.events()).toEqual([]);
    });
  });

  it('an unparsable file that upstream deleted is kept, because it may have texts', async () => {
    await merging({ 'po/cs.po': 'msgid "' }, async (merger) => {
      expect((await merger.resolve(conflict('po/cs.po', [before, 'msgid "', null])))!.toString()).toBe('msgid "');
    });
  });

  it.each([
    ['the same language', 'lang/cs.po', true],
    ['another language', 'po/de.po', false],
  ])('a file that upstream moved to a file of %s: merged %s', async (_, path, merged) => {
    const local = po({ One: 'jedna', Two: 'dvě' });
    await merging({ 'po/cs.po': local }, async (merger) => {
      const moved = { path, bytes: Buffer.from(po({ One: 'jednou', Two: '' })) };
      const resolved = await merger.resolve(conflict('po/cs.po', [before, local, null], { moved }));
      const expected = merged ? { moved: Buffer.from(po({ One: 'jednou', Two: 'dvě' })) } : Buffer.from(local);
      expect(resolved).toEqual(expected);
    });
  });

  it('the translations of the components are read once', async () => {
    await merging({}, async () => undefined);
    let reads = 0;
    const translations = { ...world.translations, merge: world.translations.merge, list: async () => (reads++, []) };
    const side = { git: {} as never, local: '', base: null };
    const merger = new FileMerger({ translations: translations as never }, [componentOf(1)], side, () => undefined);
    for (let i = 0; i < 2; i++) await merger.resolve(conflict('po/cs.po', [before, before, before]));
    expect(reads).toBe(1);
  });
});
