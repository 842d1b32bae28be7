import { serviceCaller } from '@parlance/access';
import { metricsText } from '@parlance/telemetry';
import { lookupsDuring } from '@parlance/testing';
import { Links } from '../../responses/links';
import type { Call } from '../../routing/call';
import { ShownContents } from '../../routing/shown-contents';
import { keptUnit, listUnits } from './pages';

interface StoredUnit {
  id: number;
  version: number;
  position: number;
  target: string;
}

interface Request {
  knownVersion?: number;
  knownUnits?: StoredUnit[];
}

let translations = 10;

/** A translation with two strings, in a version that a write changes, behind a service that keeps the contract of ListUnits. */
function start() {
  const stored = { version: 1, units: [7, 8].map((id) => ({ id, version: 1, position: id, target: `text ${id}` })) };
  const answers: string[] = [];
  const recorded: string[] = [];
  const fieldsOf = ({ id, version, position, target }: StoredUnit) => ({
    ...{ id, version, position, target: [target], source: [], previousSource: [], labelIds: [], componentId: 5 },
    ...{ checks: [], dismissedChecks: [], flags: '', createdMs: 1, updatedMs: 1, idHash: '', contentHash: '' },
  });
  const translation = {
    listUnits: async ({ knownVersion = 0, knownUnits = [] }: Request) => {
      const unchanged = knownVersion === stored.version;
      const known = new Map(knownUnits.map((unit) => [unit.id, unit.version]));
      const units = unchanged ? [] : stored.units.filter(({ id, version }) => known.get(id) !== version);
      answers.push(unchanged ? 'unchanged' : `version ${stored.version}: ${units.map(({ id }) => id).join(' ')}`);
      const unitIds = unchanged || known.size === 0 ? [] : stored.units.map(({ id }) => id);
      return { units: units.map(fieldsOf), total: stored.units.length, version: stored.version, unchanged, unitIds };
    },
  };
  const view = { project: { slug: 'a' }, component: { path: 'b' } };
  const call = {
    query: new URLSearchParams(),
    url: 'https://example.org/api/translations/a/b/cs/units/',
    links: new Links('https://example.org'),
    translationKey: { id: ++translations, componentId: 5 },
    options: { catalogGeneration: 'catalog' },
    clients: { translation },
    directory: {
      componentsById: async () => new Map([[5, view]]),
      contents: { record: (path: string, scope: string) => void recorded.push(`${path} ${scope}`) },
    },
    caller: serviceCaller('test'),
  } as unknown as Call;
  /** @param seen generation of the contents that the request sees; absent: unknown */
  const list = async (base = 'https://example.org', seen?: string) => {
    const contents = new ShownContents(seen ? { generation: seen } : {});
    const { prepared } = await listUnits({ ...call, contents, links: new Links(base) } as Call);
    contents.finish(seen);
    return prepared!.data() as { count: number; results: { id: number; target: string[]; url: string }[] };
  };
  /** @param seen as in `list` @param more changes of the call */
  const one = async (id: number, seen?: string, more: object = {}) => {
    const contents = new ShownContents(seen ? { generation: seen } : {});
    const links = new Links('https://two.example.org');
    const reply = await keptUnit({ ...call, ...more, params: { unit: String(id) }, contents, links } as Call);
    expect(contents.isValid('another')).toBe(reply === undefined);
    return reply?.prepared!.data() as { id: number; target: string[]; url: string } | undefined;
  };
  const shown = async (seen?: string) =>
    (await list(undefined, seen)).results.map(({ id, target }) => `${id} ${target[0]}`);
  return { stored, answers, recorded, list, one, shown };
}

describe('listUnits', () => {
  it('a page of strings is a hit while the translation has the version of the cached page', async () => {
    const { stored, answers, list } = start();
    expect(await lookupsDuring(metricsText, 'unit-pages', list)).toEqual({ hits: 0, misses: 1 });
    expect(await lookupsDuring(metricsText, 'unit-pages', list)).toEqual({ hits: 1, misses: 0 });
    stored.version = 2;
    expect(await lookupsDuring(metricsText, 'unit-pages', list)).toEqual({ hits: 0, misses: 1 });
    expect(answers).toEqual(['version 1: 7 8', 'unchanged', 'version 2: ']);
  });

  it('a page is completed with the strings of the cached page that did not change', async () => {
    const { stored, answers, shown } = start();
    expect(await shown()).toEqual(['7 text 7', '8 text 8']);
    Object.assign(stored.units[1]!, { version: 2, target: 'edited' });
    stored.version = 2;
    expect(await shown()).toEqual(['7 text 7', '8 edited']);
    expect(await shown()).toEqual(['7 text 7', '8 edited']);
    expect(answers).toEqual(['version 1: 7 8', 'version 2: 8', 'unchanged']);
  });

  it('a completed page has the order of the service, without deleted and with new strings', async () => {
    const { stored, shown } = start();
    await shown();
    stored.units = [{ id: 9, version: 1, position: 9, target: 'new' }, ...stored.units.slice(0, 1)];
    stored.version = 2;
    expect(await shown()).toEqual(['9 new', '7 text 7']);
    stored.units = [];
    stored.version = 3;
    expect(await shown()).toEqual([]);
  });

  it('a page is shown without a question to the service while the contents have the generation under which it was read', async () => {
    const { stored, answers, shown } = start();
    await shown('one');
    expect(await shown('one')).toEqual(['7 text 7', '8 text 8']);
    expect(answers).toEqual(['version 1: 7 8']);
    Object.assign(stored.units[1]!, { version: 2, target: 'edited' });
    stored.version = 2;
    expect(await shown('two')).toEqual(['7 text 7', '8 edited']);
    expect(await shown('two')).toEqual(['7 text 7', '8 edited']);
    expect(answers).toEqual(['version 1: 7 8', 'version 2: 8']);
    await shown();
    await shown('one');
    expect(answers.slice(2)).toEqual(['unchanged', 'unchanged']);
  });

  it('addresses have the base of the request, also those of strings from the cached page', async () => {
    const { stored, list } = start();
    await list('https://one.example.org');
    Object.assign(stored.units[1]!, { version: 2 });
    stored.version = 2;
    const { results } = await list('https://two.example.org');
    for (const { url } of results) expect(url).toMatch('https://two.example.org/api/units/');
  });
});

describe('keptUnit', () => {
  it('a string of a cached page is shown from it while the contents have the generation under which the page was read', async () => {
    const { recorded, shown, one } = start();
    expect(await one(7, 'never seen')).toBeUndefined();
    await shown('one');
    expect(recorded).toEqual(['/api/units/7/ component:5', '/api/units/8/ component:5']);
    expect(await one(7, 'one')).toMatchObject({ target: ['text 7'], url: 'https://two.example.org/api/units/7/' });
    expect(await one(7, 'two')).toBeUndefined();
    expect(await one(7)).toBeUndefined();
    expect(await one(6, 'one')).toBeUndefined();
  });

  it('a string is read again when names may have changed, and when its page has another version', async () => {
    const { stored, shown, one } = start();
    await shown('one');
    expect(await one(8, 'one', { options: { catalogGeneration: 'other' } })).toBeUndefined();
    Object.assign(stored.units[1]!, { version: 2, target: 'edited' });
    stored.version = 2;
    await shown('two');
    expect(await one(8, 'two')).toMatchObject({ target: ['edited'] });
  });

  it('a page is read again after a minute: a failover of Redis may have lost a generation', async () => {
    const { answers, shown, one } = start();
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    await shown('one');
    now.mockReturnValue(1_059_000);
    expect(await one(7, 'one')).toBeDefined();
    await shown('one');
    expect(answers).toHaveLength(1);
    now.mockReturnValue(1_061_000);
    expect(await one(7, 'one')).toBeUndefined();
    await shown('one');
    expect(answers).toHaveLength(2);
    now.mockRestore();
  });

  it('a string of a component that the caller may not see does not exist', async () => {
    const { shown, one } = start();
    await shown('one');
    const stranger = { caller: { ...serviceCaller('test'), isService: false, isSuperuser: false, permissions: [] } };
    await expect(one(7, 'one', stranger)).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    await expect(one(7, 'one', { directory: { componentsById: async () => new Map() } })).rejects.toMatchObject({
      reason: 'NOT_FOUND',
    });
  });
});
