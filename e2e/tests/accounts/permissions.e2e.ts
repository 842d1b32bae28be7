// Access control: every endpoint × every kind of caller, by token and by session × a public and a private project, compared with x-access
// of /api/schema/. An endpoint with a parameter that no world provides fails.
import { eventually } from '../../support/api.mjs';
import { parlance, system } from '../../support/system.mjs';
import { consumes, disposable } from '../../support/disposable.mjs';
import { signedInClient } from '../../support/sign-in/session-client.mjs';
import { together } from '../../support/together.mjs';
import { font, form, makeCallers, makeVictim, makeWorld, pixel, unique } from '../../support/worlds.mjs';

const { api: admin } = system();

type Way = 'self' | 'superuser' | 'team-admin' | { permission: string; on: 'site' | 'object' | 'other' };
interface Case {
  does: string;
  body?: Record<string, unknown>;
  on?: 'source' | 'template' | 'translation' | 'glossary';
  all: string[];
}
interface Named {
  field: string;
  needs: string[] | 'sight' | 'same project';
}
interface Rule {
  named?: Named[];
  sight: 'everybody' | 'user' | 'project' | 'group' | 'role' | 'component-list' | 'body';
  allow: 'anyone' | 'signed-in' | { ways: Way[] } | { cases: Case[] };
  anonymousForbidden?: true;
  people?: true;
  signIn?: true;
}
interface Row {
  method: string;
  path: string;
  rule: Rule;
}
type World = Awaited<ReturnType<typeof makeWorld>>;
type Callers = Awaited<ReturnType<typeof makeCallers>>;
type Kind = keyof Callers;

const people = ['stranger', 'member', 'manager', 'site admin'] as const;
const kinds: Kind[] = ['anonymous', ...people, 'own bot', 'foreign bot'];

/** Permissions of a caller, derived from its teams and their roles as the administrator sees them. */
interface Holdings {
  object: Set<string>;
  site: Set<string>;
  all: boolean;
}

async function holdings(callers: Callers, world: World): Promise<Map<Kind, Holdings>> {
  const roles = new Map<string, string[]>((await admin.all('/api/roles/')).map((r) => [r.url, r.permissions]));
  const groups = new Map((await admin.all('/api/groups/?page_size=1000')).map((g) => [g.url, g]));
  const found = new Map<Kind, Holdings>();
  for (const kind of kinds) {
    const bot = kind.endsWith('bot');
    const user = await admin.get(`/api/users/${callers[kind].username}/`);
    const held: Holdings = { object: new Set(), site: new Set(), all: user.is_superuser };
    for (const group of user.groups.map((url: string) => groups.get(url)!)) {
      const permissions = group.roles.flatMap((url: string) => roles.get(url)!);
      // Selections: 0 listed projects, 1 all, 3 public ones, 4 public and protected ones.
      const reaches =
        group.project_selection === 1 ||
        (group.project_selection >= 3 && world.access === 0) ||
        group.projects.includes(world.projectUrl);
      if (reaches && kind !== 'foreign bot') for (const p of permissions) held.object.add(p);
      if (!bot) for (const p of permissions) held.site.add(p);
    }
    found.set(kind, held);
  }
  return found;
}

/** Whether this kind of caller can see the object that the path names. */
function sees(kind: Kind, { sight }: Rule, world: World): boolean {
  const inside = kind === 'member' || kind === 'manager' || kind === 'site admin' || kind === 'own bot';
  switch (sight) {
    case 'everybody':
    case 'body':
      return true;
    case 'user':
      // The world's user is not a bot of a project.
      return kind !== 'anonymous' && !kind.endsWith('bot');
    case 'project':
      return inside || (world.access === 0 && kind !== 'foreign bot');
    case 'component-list':
      return inside || (world.access === 0 && kind !== 'foreign bot');
    case 'group':
      // The world's team belongs to the project and is hidden from members of other teams.
      return kind === 'manager' || kind === 'site admin' || kind === 'own bot';
    case 'role':
      // Only the world's team has the world's role.
      return kind === 'site admin';
  }
}

type Outcome = 'allowed' | 400 | 401 | 403 | 404;

function expected(row: Row, kind: Kind, held: Holdings, world: World, asked?: Case): Outcome {
  const { rule, method, path } = row;
  if (kind === 'anonymous' && method !== 'GET' && path.startsWith('/api/')) return 401;
  if (!sees(kind, rule, world)) return rule.signIn && kind === 'anonymous' ? 401 : 404;
  const refused = kind === 'anonymous' && !rule.anonymousForbidden ? 401 : 403;
  // A body that names an object hidden from the caller is invalid for every caller.
  const seesProject = sees(kind, { ...rule, sight: 'project' }, world);
  if (rule.sight === 'body' && !seesProject) return 400;
  if (rule.allow === 'anyone') return 'allowed';
  if (rule.people && kind.endsWith('bot')) return refused;
  if (rule.allow === 'signed-in') return kind === 'anonymous' ? refused : 'allowed';
  if (asked) return held.all || asked.all.every((p) => held.object.has(p)) ? 'allowed' : refused;
  const { ways } = rule.allow as { ways: Way[] };
  const passes = ways.some((way) => {
    if (way === 'self' || way === 'team-admin') return false;
    if (way === 'superuser') return held.all;
    // Only the site's admin has rights on the world's other project.
    return held.all || (way.on !== 'other' && held[way.on].has(way.permission));
  });
  return passes ? 'allowed' : refused;
}

function outcome(status: number): Outcome {
  return status === 400 || status === 401 || status === 403 || status === 404 ? status : 'allowed';
}

/** Address of an endpoint in a world. */
function address(row: Row, params: Record<string, unknown>): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`${row.path}: no world has a ${name}`);
    return encodeURIComponent(String(params[name]));
  });
  // Git clients name the service; pushing is denied separately.
  return path.endsWith('/info/refs/') ? `${path}?service=git-upload-pack` : path;
}

/** Query parameters that an endpoint requires. */
function paramsOf(row: Row, world: World, asked?: Case): Record<string, unknown> {
  const params: Record<string, unknown> = { ...world.params };
  if (row.path.endsWith('/monolingual_base/')) params['component'] = 'mono';
  if (row.path === '/api/units/{unit}/translations/' || asked?.on === 'source') params['unit'] = world.sourceUnitId;
  if (row.path.startsWith('/api/users/{username}/tokens/')) params['token'] = world.victim.token;
  return params;
}

/** Values that a field can take in a world. */
const names: Record<string, (world: World) => unknown> = {
  repo: (world) => `parlance://${world.project}/example`,
  category: (world) => `${admin.base}/api/categories/${world.params.category}/`,
  project_slug: (world) => world.project,
  project_id: (world) => world.projectId,
  component_id: (world) => world.componentId,
  component: (world) => String(world.monoId),
  unit_id: (world) => world.unitId,
};

/** Id of a suggestion that does not exist. */
const NO_SUGGESTION = 999_999_999;

/** A body for which access is checked; access precedes validation, so most endpoints need none. */
function bodyOf(row: Row, world: World, asked?: Case): unknown {
  const key = `${row.method} ${row.path}`;
  if (key === 'POST /api/groups/') return { name: unique('g'), defining_project: world.projectUrl };
  if (key === 'POST /api/categories/') return { name: 'C', slug: unique('c'), project: world.projectUrl };
  if (key === 'POST /api/screenshots/')
    return form(
      { name: unique('s'), project_slug: world.project, component_slug: 'example', language_code: 'cs' },
      { field: 'image', bytes: pixel, filename: 'p.png' },
    );
  if (key === 'POST /api/projects/{project}/fonts/') return form({}, { field: 'font', bytes: font, filename: 'f.ttf' });
  if (row.path === '/api/users/{username}/groups/') return { group_id: world.teamId };
  if (asked && row.path.endsWith('/file/'))
    return form(asked.body as Record<string, string>, {
      field: 'file',
      bytes: Buffer.from('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'),
      filename: 'cs.po',
    });
  if (asked?.body && row.path.endsWith('/units/')) return { ...asked.body, source: [unique('source')] };
  // The first suggestion of the installation, which the example names, may be one that another row uses.
  if (asked?.body && row.path.endsWith('/{language}/suggestions/'))
    return { ...asked.body, suggestions: [NO_SUGGESTION] };
  if (asked?.body) return asked.body;
  return row.method === 'GET' || row.method === 'DELETE' ? undefined : {};
}

/** Git clients and hosts send passwords and signatures; there a session counts for nothing, as browser-safety.e2e.ts shows. */
const acceptsSessions = ({ path }: Row) => !/^\/(git|hooks)\//.test(path);

/** The same callers, people in browsers. */
async function signedIn(callers: Callers): Promise<Callers> {
  const present = { ...callers };
  for (const kind of people) {
    const { username } = callers[kind];
    const password = parlance('user', 'reset-password', username);
    present[kind] = { username, client: await signedInClient(admin.base, { username, password }) };
  }
  return present;
}

describe('who may do what', () => {
  let rows: Row[];
  let worlds: World[];
  let callers: Callers[];

  beforeAll(async () => {
    const schema = await admin.get('/api/schema/');
    rows = Object.entries(schema.paths as Record<string, Record<string, { 'x-access': Rule }>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          rule: operation['x-access'],
        })),
    );
    const victim = await makeVictim(admin);
    worlds = await Promise.all([makeWorld(admin, 0, victim), makeWorld(admin, 100, victim)]);
    callers = await Promise.all(worlds.map((world) => makeCallers(admin, world)));
  });

  // How a caller signs in does not depend on the project, so sessions are tried in the private one, which tells the callers apart.
  it.each([
    ['tokens', kinds, [0, 1], (given: Callers) => Promise.resolve(given), () => true],
    ['sessions', people, [1], signedIn, acceptsSessions],
  ])(
    'access matches the table for every endpoint and every kind of caller with %s',
    async (_, walkedKinds, walkedWorlds, authenticated, isWalked) => {
      const walkedRows = rows.filter(isWalked);
      const wrong: string[] = [];
      let walked = 0;
      for (const at of walkedWorlds) {
        const world = worlds[at]!;
        const held = await holdings(callers[at]!, world);
        const present = await authenticated(callers[at]!);
        // Writes invalidate caches; requests without effect run first to keep caches valid.
        const jobs: (() => Promise<void>)[] = [];
        const writes: (() => Promise<void>)[] = [];
        const operations: (() => Promise<void>)[] = [];
        const done = new Set<string>();
        for (const row of walkedRows) {
          const { allow } = row.rule;
          const cases: (Case | undefined)[] =
            typeof allow === 'object' && 'cases' in allow
              ? allow.cases.filter(({ on }) => on !== 'glossary' && on !== 'template')
              : [undefined];
          for (const asked of cases)
            for (const kind of walkedKinds) {
              const wanted = expected(row, kind, held.get(kind)!, world, asked);
              const operation = row.path.endsWith('/repository/') && row.method === 'POST';
              // Operations are serialized; an allowed one runs once, refusals are tested for every caller.
              if (operation && wanted === 'allowed' && (kind !== 'manager' || done.has(asked!.all[0]!))) continue;
              if (operation && wanted === 'allowed') done.add(asked!.all[0]!);
              const queue = operation ? operations : wanted === 'allowed' && row.method !== 'GET' ? writes : jobs;
              queue.push(async () => {
                const params = paramsOf(row, world, asked);
                // Deletions get a fresh object.
                const caller = present[kind];
                const made =
                  consumes(row.method, row.path) && wanted === 'allowed'
                    ? await disposable(admin, world, row.path, kind, caller)
                    : {};
                Object.assign(params, made);
                const client = made.client ?? caller.client;
                const answer = await client.send(
                  row.method,
                  address(row, params),
                  bodyOf(row, world, asked),
                  row.method === 'GET' ? { accept: '*/*' } : {},
                );
                walked++;
                const seen = answer.status >= 500 ? answer.status : outcome(answer.status);
                const fits = wanted === 'allowed' ? seen === 'allowed' || seen === 400 : seen === wanted;
                if (!fits)
                  wrong.push(
                    `${row.method} ${row.path}${asked ? ` (${asked.does})` : ''}, ${world.access === 0 ? 'public' : 'private'} project, ${kind}: ${wanted} is right, ${answer.status} came: ${JSON.stringify(answer.body)?.slice(0, 120)}`,
                  );
              });
            }
        }
        await together(jobs);
        // Many of them write the same string, which serializes them: more at a time would reach the time limit of requests.
        await Promise.all([together(writes, 4), together(operations, 3)]);
      }
      expect(wrong).toEqual([]);
      expect(walked).toBeGreaterThan(walkedRows.length * walkedKinds.length * walkedWorlds.length);
    },
    900_000,
  );

  it('an endpoint checks the permissions on every object that its body names', async () => {
    const wrong: string[] = [];
    let walked = 0;
    for (const [at, world] of worlds.entries()) {
      const { client } = callers[at]!.manager;
      const held = (await holdings(callers[at]!, world)).get('manager')!;
      const far = worlds[1 - at]!;
      for (const row of rows.filter((r) => r.rule.named && expected(r, 'manager', held, world) === 'allowed'))
        for (const { field, needs } of row.rule.named!) {
          const name = names[field];
          if (!name) throw new Error(`${row.method} ${row.path}: no world has a ${field}`);
          const params = paramsOf(row, world);
          // Another component owns its repository already.
          if (row.method !== 'POST') params['component'] = 'mono';
          const refuses = async (value: unknown) => {
            // The access to the category's project is checked first.
            const first = row.path.startsWith('/api/categories/') ? { project: world.projectUrl } : {};
            const answer = await client.send(row.method, address(row, params), { ...first, [field]: value });
            walked++;
            return answer.status === 400 && answer.body.errors.some((e: { attr: string }) => e.attr === field);
          };
          const request = `${row.method} ${row.path}, ${world.access === 0 ? 'public' : 'private'} project, ${field}`;
          const seen = needs === 'sight' && far.access === 0;
          if ((await refuses(name(far))) === seen)
            wrong.push(`${request} of another project: ${seen ? 'refused' : 'taken'}`);
          // Managers of a project have no rights on other projects, and a category cannot contain itself.
          if (field === 'project_slug' || row.path.includes('{category}')) continue;
          if (await refuses(name(world))) wrong.push(`${request} of its own project: refused`);
        }
    }
    expect(wrong).toEqual([]);
    expect(walked).toBeGreaterThan(30);
  });

  // Lists, searches, feeds and statistics must not reveal a private project to outsiders.
  it.each(['anonymous', 'stranger', 'foreign bot'] as const)('a private project is invisible to %s', async (kind) => {
    const world = worlds[1]!;
    const { client } = callers[1]![kind];
    // Objects of earlier tests are deleted in the background and counted until then.
    for (const path of ['/api/translations/?page_size=1000', '/api/units/?page_size=10000'])
      await eventually(
        () => admin.get(path),
        (list: { count: number; results: unknown[] }) => list.count === list.results.length,
      );
    const leaks: string[] = [];
    const look = async (path: string) => {
      const answer = await client.send('GET', path, undefined, { accept: '*/*' });
      const text = answer.bytes.toString('utf8');
      for (const secret of [world.project, world.word]) if (text.includes(secret)) leaks.push(`${path}: ${secret}`);
      const { count, results, next } = (answer.body ?? {}) as { count?: number; results?: unknown[]; next?: unknown };
      if (count !== undefined && next === null && !path.includes('page=') && count !== results!.length)
        leaks.push(`${path}: counts ${count}, shows ${results!.length}`);
      return answer;
    };
    const open = rows.filter(
      (r) => r.method === 'GET' && !['project', 'group', 'role', 'component-list'].includes(r.rule.sight),
    );
    await together(
      open.map((row) => () => {
        const path = address(row, paramsOf(row, world));
        return look(path.startsWith('/api/') ? `${path}?page_size=1000` : path);
      }),
    );
    // Members get results for the same requests, so that empty results are meaningful.
    const inside = callers[1]!.member.client;
    for (const [path, found] of [
      [`/api/units/?q=${world.word}`, (body: { count: number }) => body.count],
      [
        `/api/changes/?page_size=1000&user=admin`,
        (body: { results: { component: string }[] }) => JSON.stringify(body).includes(world.project),
      ],
      ['/api/projects/?page_size=1000', (body: object) => JSON.stringify(body).includes(world.project)],
      [`/api/search/?q=${world.project}`, (body: { category: string }[]) => body.some((f) => f.category === 'Project')],
    ] as const) {
      expect({ path, found: Boolean(found(await inside.get(path))) }).toEqual({ path, found: true });
      expect({ path, found: Boolean(found((await look(path)).body)) }).toEqual({ path, found: false });
    }
    expect(leaks).toEqual([]);
  });

  it('site-wide statistics exclude a private project', async () => {
    const world = worlds[1]!;
    const code = unique('zz');
    await admin.post('/api/languages/', {
      code,
      name: code,
      direction: 'ltr',
      population: 0,
      plural: { source: 0, number: 2, formula: 'n != 1' },
    });
    await admin.post(`/api/components/${world.project}/example/translations/`, { language_code: code });
    const total = async (kind: Kind) =>
      (await callers[1]![kind].client.get(`/api/languages/${code}/statistics/`)).total;
    expect(await total('member')).toBeGreaterThan(0);
    for (const kind of ['anonymous', 'stranger', 'foreign bot'] as const)
      expect({ kind, total: await total(kind) }).toEqual({ kind, total: 0 });
    // Activity in the project counts for members only.
    const [unit] = await admin.all(`/api/translations/${world.project}/example/cs/units/`);
    const translatedCount = async (kind: Kind) =>
      (await callers[1]![kind].client.get(`/api/users/${callers[1]!.member.username}/statistics/`)).translated;
    const before = await translatedCount('stranger');
    await callers[1]!.member.client.patch(`/api/units/${unit.id}/`, {
      target: [`Dobrý den, ${world.word}`],
      state: 20,
    });
    expect(await translatedCount('stranger')).toBe(before);
    expect(await translatedCount('manager')).toBeGreaterThan(0);
  });
});
