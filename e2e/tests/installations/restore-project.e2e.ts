// Restore of one deleted project from a full backup into the system in use, as docs/runbooks/backup-and-restore.md describes it.
import { S3ObjectStore } from '@parlance/object-store';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { databaseUri } from '../../../deploy/engines/engines.mjs';
import { processes } from '../../../deploy/local/processes.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { everything } from '../../support/installations/dump.mjs';
import { engines, withMongo } from '../../support/installations/engines.mjs';
import { system } from '../../support/system.mjs';
import { MARK } from '../../support/telemetry/leaks.mjs';
import { makeVictim, makeWorld, pixel } from '../../support/worlds.mjs';

const { api, dataDir } = system();
const root = process.env['PARLANCE_E2E_ROOT']!;
const folder = mkdtempSync(join(tmpdir(), 'parlance-e2e-project-'));
const passphrase = join(folder, 'passphrase');
writeFileSync(passphrase, `${MARK} of a backup\n`);
const inS3 = 's3://backups/project';
const encrypted = [join(folder, 'backup'), '--passphrase-file', passphrase];

/** Proxy before S3 that stops answering requests for a file on command. */
class Gate {
  private readonly server: Server;
  private s3 = '';
  private held: { path: string; passes: number; reached: () => void } | undefined;

  constructor() {
    this.server = createServer((incoming, response) => this.pass(incoming, response));
  }

  async open(s3: string): Promise<string> {
    this.s3 = s3;
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers so many requests for a path and holds the next one. The promise resolves then. */
  hold(path: string, passes: number): Promise<void> {
    return new Promise((resolve) => {
      this.held = { path, passes, reached: resolve };
    });
  }

  private pass(incoming: IncomingMessage, response: ServerResponse): void {
    if (this.held && incoming.url!.includes(this.held.path) && this.held.passes-- <= 0) return this.held.reached();
    const { method, headers, url } = incoming;
    const outgoing = request(`${this.s3}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  }

  release(): void {
    this.held = undefined;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const gate = new Gate();
let env: Record<string, string>;

/** Runs the operator's command. */
function run(...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'deploy/local/parlance.mjs'), ...args], {
    env: { ...process.env, ...env, PARLANCE_DATA_DIR: dataDir },
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const ended = new Promise<{ code: number | null; printed: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, printed })),
  );
  return { child, ended };
}
const restore = (...args: string[]) => run('backup', 'restore', ...args).ended;

interface Unit {
  id: number;
  target: string[];
  source: string[];
}

const { MONGODB_URI, S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = engines('up', dataDir) as Record<string, string>;

type Client = Parameters<Parameters<typeof withMongo>[1]>[0];

/** Runs work with the database of a process. */
const onDatabase = <T>(
  name: 'catalog' | 'media' | 'translation',
  work: (db: ReturnType<Client['db']>) => Promise<T>,
): Promise<T> =>
  withMongo(databaseUri(MONGODB_URI!, processes[name].database), (client) => work(client.db())) as Promise<T>;

let world: Awaited<ReturnType<typeof makeWorld>>;
let member: string;
let expected: Awaited<ReturnType<typeof everything>>;

/** Deletes a project and waits until it is not found. */
async function deleteProject(slug: string) {
  await api.delete(`/api/projects/${slug}/`);
  expect((await api.send('GET', `/api/projects/${slug}/`)).status).toBe(404);
}

/** Endpoints that differ by design: the history of the site has the deletion, and tokens, tasks and ids of the memory are not restored. */
const DIFFERENT = /^\/api\/(changes\/$|memory\/|tasks\/|projects\/[^/]+\/tokens\/)|^\/exports\/rss\/$/;

interface Named {
  slug?: string;
  language_code?: string;
  url?: string;
}

/** Whether it is a project, category, component or translation. */
const isNamed = (item: Named | null): boolean => typeof (item?.slug ?? item?.language_code) === 'string';
/** Components of several projects may have one slug. */
const nameOf = ({ slug, language_code: language, url }: Named): string => `${slug ?? language} ${url}`;

/** What has to be equal. Projects, categories, components and translations have new ids, by which lists are ordered. */
function comparable(dump: Record<string, unknown>): unknown {
  const kept = Object.entries(dump).filter(([path]) => !DIFFERENT.test(path));
  const text = JSON.stringify(Object.fromEntries(kept)).replaceAll(
    /\/api\/categories\/\d+\//g,
    '/api/categories/<id>/',
  );
  return JSON.parse(text, (_key, value: unknown) => {
    if (Array.isArray(value)) {
      // The deletion revoked the project's tokens.
      const items = value.filter((item: { is_bot?: boolean } | null) => item?.is_bot !== true);
      return items.every(isNamed)
        ? items.sort((one: Named, other: Named) => nameOf(one).localeCompare(nameOf(other)))
        : items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const fields = { ...value } as Record<string, unknown>;
    if ('slug' in fields || 'language_code' in fields) delete fields['id'];
    // Suggestions of the translation memory name its entries.
    if ('machinery' in fields) delete fields['memory'];
    return fields;
  });
}

/** Everything of the world, whose category has another id after a restore. */
async function dump(): Promise<Record<string, unknown>> {
  const [category] = (await api.get(`/api/projects/${world.project}/categories/`)).results;
  const id = Number(/\/(\d+)\/$/.exec(category.url as string)![1]);
  return everything(api, world.victim.client, { ...world, params: { ...world.params, category: id } });
}

beforeAll(async () => {
  const keys = { accessKey: S3_ACCESS_KEY!, secretKey: S3_SECRET_KEY!, region: 'us-east-1' };
  await new S3ObjectStore({ ...keys, endpoint: S3_ENDPOINT!, bucket: 'backups' }).ensureBucket();
  env = {
    BACKUP_S3_ENDPOINT: await gate.open(S3_ENDPOINT!),
    BACKUP_S3_ACCESS_KEY: keys.accessKey,
    BACKUP_S3_SECRET_KEY: keys.secretKey,
  };
  world = await makeWorld(api, 0, await makeVictim(api));
  const teams = await api.all('/api/groups/?page_size=1000');
  const administration = teams.find(
    (group) => group.defining_project === world.projectUrl && group.id !== world.teamId,
  );
  member = world.victim.username;
  await api.post(`/api/users/${member}/groups/`, { group_id: administration.id });
  // One edit is committed and not pushed; another one is pending, and its author is deleted after the backup.
  const [first, second] = (await api.all(`/api/translations/${world.project}/example/cs/units/`)) as Unit[];
  await api.patch(`/api/units/${first!.id}/`, { target: ['Committed'], state: 20 });
  await api.post(`/api/components/${world.project}/example/repository/`, { operation: 'commit' });
  const leaver = `leaver${process.pid}`;
  await api.post('/api/users/', { username: leaver, full_name: 'Leaver', email: `${leaver}@example.com` });
  await api.post(`/api/users/${leaver}/groups/`, { group_id: administration.id });
  const { token } = await api.post(`/api/users/${leaver}/tokens/`, { name: 'test' });
  const target = second!.target.map(() => 'Pending');
  await makeApi(api.base, token).patch(`/api/units/${second!.id}/`, { target, state: 20 });

  for (const location of [encrypted, [inS3]])
    expect(await run('backup', 'create', ...location).ended).toMatchObject({ code: 0 });
  await api.delete(`/api/users/${leaver}/`);
  expected = await dump();
}, 600_000);

afterAll(async () => {
  gate.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a project that exists, whose slug is taken, or that the backup does not have, is not restored', async () => {
  const exists = await restore(...encrypted, '--project', world.project);
  expect(exists).toMatchObject({ code: 1 });
  expect(exists.printed).toContain('The project still exists');
  const unknown = await restore(...encrypted, '--project', 'nothing');
  expect(unknown.printed).toContain('The backup has no project "nothing". It has: ');
  await deleteProject(world.project);
  await api.post('/api/projects/', { name: 'Another', slug: world.project, web: 'https://example.com/' });
  const taken = await restore(...encrypted, '--project', world.project);
  expect(taken.printed).toContain(`Another project has the slug "${world.project}"`);
  await deleteProject(world.project);
});

/** Waits until everything of the world is as it was before the deletion. */
async function expectEverything() {
  // Statistics and the search index follow events.
  const isEqual = (found: Record<string, unknown>) => isDeepStrictEqual(comparable(found), comparable(expected));
  const found = await eventually(dump, isEqual).catch(dump);
  expect(comparable(found)).toEqual(comparable(expected));
  expect(Buffer.from(found['image'] as string, 'base64')).toEqual(pixel);
}

it('a restored project has the same strings, history, statistics, files, images and rights', async () => {
  const restored = await restore(...encrypted, '--project', world.project);
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.printed).toContain(`The project ${world.project} is restored`);
  expect(Object.keys(expected).length).toBeGreaterThan(80);
  await expectEverything();
});

it('a restore that fails leaves nothing of the project', async () => {
  await deleteProject(world.project);
  const screenshot = Number(world.params['screenshot']);
  const blocked = await eventually(
    () => onDatabase('media', (db) => db.collection<{ _id: number }>('screenshots').insertOne({ _id: screenshot })),
    (result: unknown) => typeof result !== 'string',
  );
  expect(blocked).toMatchObject({ insertedId: screenshot });
  const failed = await restore(inS3, '--project', world.project);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.printed).toContain('Ids of the project are in use in screenshots');
  expect((await api.send('GET', `/api/projects/${world.project}/`)).status).toBe(404);
  await onDatabase('media', (db) => db.collection<{ _id: number }>('screenshots').deleteOne({ _id: screenshot }));
});

it('a restore from S3 that was killed is invisible, and a repeated one restores the project', async () => {
  const held = gate.hold('/media/screenshots', 1);
  const { child, ended } = run('backup', 'restore', inS3, '--project', world.project);
  await held;
  // The check of the backup has read the file; loading it begins: strings are loaded by then.
  process.kill(-child.pid!, 'SIGKILL');
  await ended;
  gate.release();
  expect((await api.send('GET', `/api/projects/${world.project}/`)).status).toBe(404);
  const components: { web_url: string }[] = await api.all('/api/components/?page_size=1000');
  expect(components.filter(({ web_url }) => web_url.includes(world.project))).toEqual([]);
  const repeated = await eventually(
    () => restore(inS3, '--project', world.project),
    ({ printed }: { printed: string }) => !printed.includes('Another backup or restore is in progress.'),
  );
  expect(repeated).toMatchObject({ code: 0 });
  await expectEverything();
  const projects = await onDatabase('catalog', (db) => db.collection('projects').distinct('_id', { removed: false }));
  for (const collection of ['units', 'translations'])
    await eventually(
      () => onDatabase('translation', (db) => db.collection(collection).distinct('project')),
      (found: unknown[]) => found.every((project) => (projects as unknown[]).includes(project)),
    );
}, 600_000);

it('work goes on in a restored project: edits, searches, commits without names of deleted people, pushes', async () => {
  const [unit] = (await api.all(`/api/translations/${world.project}/example/cs/units/`)) as Unit[];
  const before = await api.get(`/api/translations/${world.project}/example/cs/statistics/`);
  await api.patch(`/api/units/${unit!.id}/`, { target: unit!.target.map(() => 'After the restore'), state: 10 });
  expect(await api.get(`/api/translations/${world.project}/example/cs/statistics/`)).toMatchObject({
    total: before.total,
    fuzzy: before.fuzzy + 1,
  });
  expect((await api.get(`/api/translations/${world.project}/example/cs/units/?q=restore`)).results).toHaveLength(1);
  const repository = `/api/components/${world.project}/example/repository/`;
  for (const operation of ['commit', 'push', 'pull'])
    expect(await api.post(repository, { operation })).toMatchObject({ result: true });
  const file = world.repository.remoteFile('po/cs.po').toString();
  for (const text of ['After the restore', 'Pending']) expect(file).toContain(text);
  const authors = world.repository.log().map(({ author }: { author: string }) => author);
  expect(authors.filter((author: string) => /leaver/i.test(author))).toEqual([]);
  expect(authors.some((author: string) => author.startsWith('Deleted User'))).toBe(true);
});
