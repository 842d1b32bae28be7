import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';

const { api } = system();
const seed = Number(process.env['PARLANCE_TEST_SEED'] ?? Date.now() % 1_000_000);
const OPERATIONS = 1000;

/** Random numbers below a bound, deterministic for a seed. */
function makeRandom(start: number) {
  let state = start;
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}

interface Unit {
  id: number;
  url: string;
  source: string[];
  target: string[];
  state: number;
  num_words: number;
  has_failing_check: boolean;
  has_suggestion: boolean;
  has_comment: boolean;
  source_unit: string;
}

/** Statistics of strings, counted one by one. */
function count(units: readonly Unit[]) {
  const groups: Record<string, (u: Unit) => boolean> = {
    translated: (u) => u.state >= 20,
    fuzzy: (u) => u.state === 10,
    approved: (u) => u.state === 30,
    readonly: (u) => u.state === 100,
  };
  // Plural forms are joined by two characters.
  const chars = (u: Unit) => u.source.reduce((sum, text) => sum + [...text].length, 2 * (u.source.length - 1));
  const sum = (of: readonly Unit[], number: (u: Unit) => number) => of.reduce((total, u) => total + number(u), 0);
  const result: Record<string, number> = {
    total: units.length,
    total_words: sum(units, (u) => u.num_words),
    total_chars: sum(units, chars),
    failing: units.filter((u) => u.has_failing_check).length,
    suggestions: units.filter((u) => u.has_suggestion).length,
    comments: units.filter((u) => u.has_comment).length,
  };
  for (const [name, belongs] of Object.entries(groups)) {
    const members = units.filter(belongs);
    result[name] = members.length;
    result[`${name}_words`] = sum(members, (u) => u.num_words);
    result[`${name}_chars`] = sum(members, chars);
  }
  return result;
}

const only = (statistics: Record<string, number>, like: Record<string, number>) =>
  Object.fromEntries(Object.keys(like).map((key) => [key, statistics[key]]));

test(`after ${OPERATIONS} operations (seed ${seed}) every statistics object equals a full recount`, async () => {
  const random = makeRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const remote = makeRemote();
  const { project, componentPath } = await importExample(api, remote, { manage_units: true });
  await api.patch(`/api/projects/${project}/`, { translation_review: true });
  const twin = makeRemote();
  await addExample(api, project, 'twin', twin, { push_on_commit: false, manage_units: true });
  const paths = ['example', 'twin'].flatMap((c) => ['cs', 'de'].map((l) => `/api/translations/${project}/${c}/${l}`));
  const texts = ['Ahoj', 'Ahoj!', 'Hello, world!', 'Sbohem.', 'A  b', 'Good bye.', ' ', ''];
  const known = new Map<string, Unit[]>();
  let added = 0;
  const statuses = new Map<string, number>();

  const operations: ((path: string, units: Unit[]) => Promise<{ status: number } | null>)[] = [
    async (_, units) => {
      if (units.length === 0) return null;
      const unit = pick(units);
      return api.send('PATCH', `/api/units/${unit.id}/`, {
        target: unit.target.map(() => pick(texts)),
        state: pick([0, 10, 20, 20, 20, 30]),
      });
    },
    async (_, units) => {
      if (units.length === 0) return null;
      return api.send('PATCH', `/api/units/${pick(units).id}/`, { state: pick([0, 10, 20, 30]) });
    },
    async (_, units) => {
      if (units.length === 0) return null;
      return api.send('POST', `/api/units/${pick(units).id}/comments/`, {
        scope: pick(['translation', 'global']),
        comment: 'A remark',
      });
    },
    async (path) => {
      const form = new FormData();
      const entry = `msgid "Hello, world!"\nmsgstr "${pick(texts)}"\n`;
      form.set('file', new Blob([`msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n${entry}`]), 'a.po');
      form.set('method', pick(['suggest', 'translate', 'fuzzy', 'approve']));
      form.set('conflicts', pick(['', 'replace-translated', 'replace-approved']));
      return api.send('POST', `${path}/file/`, form);
    },
    async (path) =>
      api.send('POST', `${path}/units/`, {
        context: '',
        source: [`New string ${added++}`],
        target: [pick(texts)],
      }),
    async (_, units) => {
      if (units.length < 4) return null;
      return api.send('DELETE', `/api/units/${pick(units).id}/`);
    },
    async (_, units) => {
      if (units.length === 0) return null;
      const id = /(\d+)\/$/.exec(pick(units).source_unit)![1];
      return api.send('PATCH', `/api/units/${id}/`, {
        extra_flags: pick(['', 'read-only', 'ignore-all-checks', 'max-length:5']),
      });
    },
  ];
  const weights = [0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6];

  for (let i = 0; i < OPERATIONS; i++) {
    const path = pick(paths);
    if (i % 250 === 249) {
      await api.post(`${componentPath}/repository/`, { operation: pick(['commit', 'pull', 'reset']) });
      known.clear();
    }
    const kind = pick(weights);
    if (!known.has(path) || kind >= 4) known.set(path, await api.all(`${path}/units/`));
    const answer = await operations[kind]!(path, known.get(path)!);
    if (kind >= 4) known.delete(path);
    if (!answer) continue;
    const key = `${kind}: ${answer.status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    if (answer.status >= 500) throw new Error(`operation ${i} (seed ${seed}) answered ${answer.status}`);
  }
  // The run is meaningful only if most kinds of operation succeeded many times.
  for (const kind of [0, 1, 2, 3, 4, 5, 6]) {
    const succeeded = [200, 201, 204].reduce((sum, status) => sum + (statuses.get(`${kind}: ${status}`) ?? 0), 0);
    expect([kind, succeeded > 10]).toEqual([kind, true]);
  }

  const everywhere = ['example', 'twin'].flatMap((c) =>
    ['en', 'cs', 'de'].map((l) => ({ c, l, path: `/api/translations/${project}/${c}/${l}` })),
  );
  const compare = async () => {
    const expected: Record<string, unknown> = {};
    const counted: Record<string, unknown> = {};
    const lists = await Promise.all(
      everywhere.map(async (e) => ({ ...e, units: (await api.all(`${e.path}/units/`)) as Unit[] })),
    );
    for (const { path, units } of lists) {
      const own = count(units);
      expected[path] = own;
      counted[path] = only(await api.get(`${path}/statistics/`), own);
    }
    const all = count(lists.flatMap((l) => l.units));
    expected['project'] = all;
    counted['project'] = only(await api.get(`/api/projects/${project}/statistics/`), all);
    const languages = (await api.get(`/api/projects/${project}/languages/`)).results;
    for (const code of ['en', 'cs', 'de']) {
      const own = count(lists.filter((l) => l.l === code).flatMap((l) => l.units));
      expected[`language ${code}`] = own;
      counted[`language ${code}`] = only(
        languages.find((l: { code: string }) => l.code === code),
        own,
      );
    }
    return { expected, counted };
  };
  // Checks that compare strings run shortly after an edit.
  const { expected, counted } = await eventually(
    compare,
    (r: Awaited<ReturnType<typeof compare>>) => JSON.stringify(r.expected) === JSON.stringify(r.counted),
  ).catch(compare);
  expect(counted).toEqual(expected);

  const changes = await api.all(`/api/projects/${project}/changes/?page_size=1000`);
  const content = new Set([2, 5, 6, 7, 8, 9, 27, 30, 31, 32, 36, 37, 66, 76, 77, 79]);
  const statistics = await api.get(`/api/projects/${project}/statistics/`);
  const from = Date.parse(statistics.last_change) - 6 * 3600 * 1000;
  const recent = changes.filter(
    (c: { action: number; timestamp: string }) =>
      content.has(c.action) &&
      Date.parse(c.timestamp) >= from &&
      Date.parse(c.timestamp) <= Date.parse(statistics.last_change),
  );
  expect(statistics.recent_changes).toBe(recent.length);
}, 1_800_000);
