import { engines } from '@parlance/testing';
import { connectMongo, MigrationRunner, SCHEMA_COLLECTION, StoreBackup, type Mongo } from '@parlance/store-kit';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { renameThings, type Thing } from './support/rename-things';

let uri: string;
let mongo: Mongo;

beforeAll(async () => {
  uri = (await engines()).mongoUri('migrations');
  mongo = await connectMongo(uri);
});
beforeEach(async () => {
  for (const name of ['things', 'batches', SCHEMA_COLLECTION])
    await mongo.connection.db!.collection(name).deleteMany({});
});
afterAll(() => mongo.connection.close());

const things = () => mongo.connection.db!.collection<Thing>('things');
const insertOld = (first: number, count: number) =>
  things().insertMany(Array.from({ length: count }, (_, i) => ({ _id: first + i, name: `thing ${first + i}` })));
const old = () => things().countDocuments({ name: { $exists: true } });

/** Starts a process that migrates. Its messages and its end are awaited from the beginning: they may come in any order. */
function startProcess(...args: string[]) {
  const child = fork(join(__dirname, 'support/migrating-process.cjs'), [uri, ...args]);
  const says = (text: string) =>
    new Promise<void>((resolve) => child.on('message', (message) => message === text && resolve()));
  return {
    child,
    started: says('started'),
    stalled: says('stalled'),
    /** Exit code; null after a signal. */
    ended: once(child, 'exit').then(([code]) => code as number | null),
  };
}

/** A runner of this process with a clock. */
function runnerAt(clock: { ms: number }, settleMs = 0) {
  return new MigrationRunner(mongo.connection, [renameThings(0)], { settleMs, leaseMs: 5_000, now: () => clock.ms });
}

it('an interrupted migration is completed by one of two processes that start together, and no document is converted twice', async () => {
  await insertOld(1, 400);
  const { child: killed, stalled, ended } = startProcess('stall');
  await stalled;
  killed.kill('SIGKILL');
  expect(await ended).toBeNull();
  // One whole batch and half of the next.
  expect(await old()).toBe(325);
  // As after the time of the lease.
  await mongo.connection
    .db!.collection<{ _id: string }>(SCHEMA_COLLECTION)
    .updateOne({ _id: 'schema', untilMs: { $gt: Date.now() } }, { $set: { untilMs: 0 } });

  const both = [startProcess(), startProcess()];
  await Promise.all(both.map(({ started }) => started));
  expect(await Promise.all(both.map((process) => process.ended))).toEqual([0, 0]);
  expect(await old()).toBe(0);
  expect(await things().countDocuments({ conversions: 1, label: { $exists: true } })).toBe(400);
  const batches = await mongo.connection.db!.collection('batches').find().toArray();
  const runners = batches.filter(({ runner }) => runner !== killed.pid).map(({ runner }) => runner as number);
  expect(runners).toHaveLength(7);
  expect(new Set(runners).size).toBe(1);
  expect(await runnerAt({ ms: Date.now() }).state()).toEqual({ version: 1, wanted: 1, running: '', documents: 0 });
});

it('a migration converts documents that an old version still writes, and records its version only after the time to settle', async () => {
  const clock = { ms: Date.now() };
  const runner = runnerAt(clock, 60_000);
  await insertOld(1, 120);
  expect(await runner.runOnce()).toBe(false);
  expect(await old()).toBe(0);
  expect(await runner.state()).toEqual({ version: 0, wanted: 1, running: 'rename-things', documents: 120 });
  await insertOld(1000, 10);
  clock.ms += 59_000;
  expect(await runner.runOnce()).toBe(false);
  await insertOld(2000, 10);
  clock.ms += 1_000;
  expect(await runner.runOnce()).toBe(true);
  expect(await old()).toBe(0);
  expect(await runner.state()).toMatchObject({ version: 1, running: '' });
});

it('a runner that lost its lease ends, and does not record the version', async () => {
  const clock = { ms: Date.now() };
  await insertOld(1, 60);
  const takeLease = () =>
    mongo.connection
      .db!.collection<{ _id: string }>(SCHEMA_COLLECTION)
      .updateOne({ _id: 'schema' }, { $set: { holder: 'another', untilMs: clock.ms + 5_000 } });
  const migration = renameThings(0, async () => void (await takeLease()));
  // The second batch has 50 documents, so that it reaches the middle.
  await insertOld(100, 60);
  const runner = new MigrationRunner(mongo.connection, [migration], { settleMs: 0, now: () => clock.ms });
  expect(await runner.runOnce()).toBe(false);
  expect(await runner.state()).toMatchObject({ version: 0, documents: 50 });
  expect(await runnerAt(clock).runOnce()).toBe(false);
  clock.ms += 5_000;
  expect(await runnerAt(clock).runOnce()).toBe(true);
});

it('a process of an older version lowers the version, and newer ones convert its documents', async () => {
  const clock = { ms: Date.now() };
  const newer = runnerAt(clock, 60_000);
  const older = new MigrationRunner(mongo.connection, []);
  expect(await newer.runOnce()).toBe(false);
  clock.ms += 60_000;
  expect(await newer.runOnce()).toBe(true);
  await insertOld(1, 10);
  expect(await older.runOnce()).toBe(true);
  expect(await older.state()).toMatchObject({ version: 0, wanted: 0 });
  expect(await newer.runOnce()).toBe(false);
  expect(await old()).toBe(0);
  // The time to settle begins again.
  expect(await newer.state()).toMatchObject({ version: 0, running: 'rename-things', documents: 10 });
  clock.ms += 60_000;
  expect(await newer.runOnce()).toBe(true);
  expect(await newer.state()).toMatchObject({ version: 1 });
});

it('a migration that runs while an older process lowers the version does not record its own', async () => {
  const older = new MigrationRunner(mongo.connection, []);
  let batches = 0;
  const first = { name: 'first', batch: () => Promise.resolve(0) };
  const second = {
    name: 'second',
    batch: async () => {
      if (++batches === 1) await older.runOnce();
      return 0;
    },
  };
  const newer = new MigrationRunner(mongo.connection, [first, second], { settleMs: 0 });
  expect(await newer.runOnce()).toBe(false);
  expect(await newer.state()).toMatchObject({ version: 0 });
  expect(await newer.runOnce()).toBe(true);
  expect(await newer.state()).toMatchObject({ version: 2 });
});

it('migrations run again after a restore of a backup', async () => {
  const runner = runnerAt({ ms: Date.now() });
  expect(await runner.runOnce()).toBe(true);
  await insertOld(1, 10);
  expect(await runner.runOnce()).toBe(true);
  expect(await old()).toBe(10);
  const rules = { things: { copied: true }, batches: { copied: true } } as const;
  await new StoreBackup(mongo.connection, rules).finishLoad();
  expect(await runner.runOnce()).toBe(true);
  expect(await old()).toBe(0);
});
