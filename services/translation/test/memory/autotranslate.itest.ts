import { SecretBox } from '@parlance/secrets';
import { reasonOf } from '@parlance/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AutotranslateDeps } from '../../src/app/autotranslate/deps';
import type { App } from '../../src/compose-app';
import type { TaskState } from '../../src/domain/ports';
import { everyUnit } from '../../src/domain/unit-query';
import type { AutotranslatePlan } from '../../src/app/autotranslate/request';
import { runAutotranslate } from '../../src/app/autotranslate/run';
import { AutotranslateRuns } from '../../src/app/autotranslate/runs';
import { updateUnit } from '../../src/app/edit/update-unit';
import { writeUnit } from '../../src/app/edit/write-units';
import { engineHttp } from '../../src/app/machinery/http';
import { changeSettings } from '../../src/app/machinery/settings';
import type { UnitPatch } from '../../src/domain/ports';
import type { Unit } from '../../src/domain/unit';
import { MongoAutotranslateLeaseStore } from '../../src/store/leases/autotranslate-lease-store';
import { MongoMachineryStore } from '../../src/store/machinery-store';
import { MongoUnitStore } from '../../src/store/units/unit-store';
import { makeProcess, storeStrings } from '../support/process';
import { person } from '../support/samples';
import { useDatabase } from '../support/store';
import { uncached } from '../support/uncached';

const database = useDatabase();

const ana = person(1, 'ana');

/** LibreTranslate server whose translations, and actions before them, the test defines. */
let engine: Server;
let url: string;
let answerTo: (text: string) => string;
let beforeAnswer: () => Promise<unknown>;
let failure: unknown;
beforeEach(() => {
  answerTo = (text) => `[${text}]`;
  beforeAnswer = async () => undefined;
  failure = undefined;
});
afterEach(() => expect(failure).toBeUndefined());
beforeAll(async () => {
  engine = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/languages') return response.end(JSON.stringify([{ code: 'en', targets: ['cs'] }]));
      const { q } = JSON.parse(text) as { q: string[] };
      beforeAnswer()
        .catch((error: unknown) => (failure = error))
        .finally(() => response.end(JSON.stringify({ translatedText: q.map((t) => answerTo(t)) })));
    });
  });
  await new Promise<void>((ready) => engine.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}/`;
});
afterAll(() => {
  engine.close();
});

/** A Czech translation with some strings, and a project with the engine. */
async function makeWorld(strings: number) {
  const { component, translation, list } = await storeStrings(database, strings);
  const reports: TaskState[] = [];
  const process = makeProcess(database, component);
  const { units } = process;
  const deps = {
    ...process,
    componentNamed: async () => component,
    machinery: {
      store: new MongoMachineryStore(database.models.machinery, uncached),
      secrets: new SecretBox(Buffer.alloc(32).toString('base64')),
      http: () => engineHttp({ allowPrivate: true, pause: async () => undefined }),
    },
    tasks: {
      start: async () => 't',
      report: async (_id: string, _component: number, state: TaskState) => void reports.push(state),
    },
  } as unknown as App & AutotranslateDeps;
  await changeSettings(deps.machinery, component.project, 'add', [
    { service: 'libretranslate', configuration: { url } },
  ]);
  const plan: AutotranslatePlan = {
    translation,
    component,
    mode: 'translate',
    state: 20,
    query: everyUnit,
    source: 'mt',
    from: null,
    engines: ['libretranslate'],
    threshold: 50,
    mayReview: false,
    onlySuggest: false,
  };
  return {
    deps,
    plan,
    list,
    reports,
    /** Writes fields of a string concurrently. */
    async write(at: number, patch: UnitPatch) {
      const unit = (await units.get(list[at]!.id))!;
      await writeUnit(deps, { unit, patch, changes: [] }, { author: null, time: Date.now() });
    },
    edit: (at: number, text: string) =>
      updateUnit(deps, ana, { id: list[at]!.id, target: [text], expectedVersion: 0 }, ''),
    async run(changes: Partial<AutotranslatePlan> = {}) {
      const context = { task: 't', signal: new AbortController().signal, release: async () => undefined };
      const run = await runAutotranslate(deps, ana, { ...plan, ...changes }, context);
      return (await run.finished).details;
    },
    /** The runs of another process. */
    runs() {
      const leases = new MongoAutotranslateLeaseStore(database.models.autotranslateLeases);
      return new AutotranslateRuns({ ...deps, leases });
    },
    async stored() {
      const now = await units.many(list.map((unit) => unit.id));
      return list.map(({ id: of }) => {
        const unit = now.find((u) => u.id === of)!;
        return [unit.target[0]!.replace(String(of), ''), unit.state];
      });
    },
  };
}

const translated = ['[Text ]', 20];

describe('concurrent writes during a request to an engine', () => {
  it('A string is translated despite concurrent writes of other fields, but a concurrent edit of its text wins', async () => {
    const { write, edit, run, stored } = await makeWorld(5);
    beforeAnswer = async () => {
      await write(0, { priority: 50 });
      await write(1, { comments: 1 });
      await edit(2, 'Mine');
      await write(3, { source: ['Another source'] });
    };
    expect(await run()).toBe('Automatic translation completed, 3 strings were updated.');
    expect(await stored()).toEqual([translated, translated, ['Mine', 20], ['', 0], translated]);
  });

  it('A string whose write lost a race is processed again', async () => {
    const { deps, write, edit, run, stored } = await makeWorld(3);
    const reads: number[] = [];
    class Busy extends MongoUnitStore {
      override async many(ids: readonly number[]): Promise<Unit[]> {
        const units = await super.many(ids);
        if (reads.push(ids.length) === 1) {
          await write(0, { priority: 50 });
          await edit(1, 'Mine');
        }
        return units;
      }
    }
    deps.units = new Busy(database.models.units, database.models.searchOpen);
    expect(await run()).toBe('Automatic translation completed, 2 strings were updated.');
    expect(await stored()).toEqual([translated, ['Mine', 20], translated]);
    expect(reads).toEqual([3, 2]);
  });

  it('Locking the component stops the run, and the task reports it', async () => {
    const { plan, run, stored, reports } = await makeWorld(2);
    beforeAnswer = async () => void (plan.component.locked = true);
    const details = 'Automatic translation stopped because the component was locked, no strings were updated.';
    expect(await run()).toBe(details);
    expect(await stored()).toEqual([
      ['', 0],
      ['', 0],
    ]);
    expect(reports.at(-1)).toMatchObject({ completed: true, log: [details] });
  });

  it('A string that receives a concurrent suggestion receives no second one', async () => {
    const { deps, write, run, plan, list } = await makeWorld(2);
    beforeAnswer = () => write(0, { suggestions: 1 });
    expect(await run({ mode: 'suggest' })).toBe('Automatic translation completed, 1 string was updated.');
    const units = await deps.units.ofTranslation(plan.translation.id);
    expect(units.map((unit) => unit.suggestions)).toEqual([1, 1]);
    expect((await deps.suggestions.ofUnits(units.map((u) => u.id))).map((s) => s.unit)).toEqual([list[1]!.id]);
  });
});

describe('automatic translations by several processes', () => {
  const leases = () => database.models.autotranslateLeases;

  it('One of several processes translates a translation, and the others can when it has finished', async () => {
    const { plan, runs } = await makeWorld(2);
    const processes = Array.from({ length: 4 }, runs);
    // The engine answers when every process has been rejected or waits for it.
    let decided = 0;
    let answer = (): void => undefined;
    const allDecided = new Promise<void>((resolve) => (answer = resolve));
    const decide = (): void => {
      if (++decided === processes.length) answer();
    };
    beforeAnswer = () => {
      decide();
      return allDecided;
    };
    const reasons = await Promise.all(
      processes.map(async (process) => {
        const reason = await reasonOf(process.run(ana, plan, 0));
        decide();
        return reason;
      }),
    );
    expect(reasons.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'OK']);
    for (const process of processes) expect(await reasonOf(process.run(ana, plan, 0))).toBe('OK');
    expect(await leases().countDocuments()).toBe(0);
  });

  it('The lease of a crashed process ends when it expires, also that of a deleted translation', async () => {
    const { plan, runs } = await makeWorld(1);
    const crashed = { _id: plan.translation.id, holder: 'crashed' };
    await leases().create({ ...crashed, until: Date.now() + 60_000 });
    expect(await reasonOf(runs().run(ana, plan, 0))).toBe('CONFLICT');
    await leases().updateOne({ _id: crashed._id }, { until: Date.now() - 1 });
    await leases().create({ _id: crashed._id + 1, holder: 'crashed', until: Date.now() - 1 });
    expect(await reasonOf(runs().run(ana, plan, 0))).toBe('OK');
    expect(await leases().countDocuments()).toBe(0);
  });

  it('A process renews its lease, and cannot renew it when another one has acquired it', async () => {
    const [one, other] = [new MongoAutotranslateLeaseStore(leases()), new MongoAutotranslateLeaseStore(leases())];
    expect(await one.acquire(1, 'one', 0)).toBe(true);
    expect(await one.acquire(1, 'one', 60_000)).toBe(true);
    expect(await other.acquire(1, 'other', 60_000)).toBe(false);
    expect(await other.acquire(2, 'other', 60_000)).toBe(true);
    await one.release(1, 'other');
    expect(await other.acquire(1, 'other', 60_000)).toBe(false);
    await one.release(1, 'one');
    expect(await other.acquire(1, 'other', 60_000)).toBe(true);
    expect(await one.acquire(1, 'one', 60_000)).toBe(false);
    await Promise.all([1, 2].map((translation) => other.release(translation, 'other')));
  });
});

describe.each(['translate', 'suggest'] as const)('texts of engines, mode %s', (mode) => {
  it('Texts of engines are corrected like edits; invalid texts are skipped and reported', async () => {
    const { deps, run, plan, list, reports } = await makeWorld(4);
    const answers = ['a\u0007b\u200b', 'X\u0007\u0000y', '\u0007\u200b', 'x\ud800y'];
    answerTo = (text) => answers[list.findIndex(({ id }) => id === Number(text.slice('Text '.length)))]!;
    const details = 'Automatic translation completed, 1 string was updated. 3 proposed texts were invalid and skipped.';
    expect(await run({ mode })).toBe(details);
    expect(reports.at(-1)!.log).toEqual([details]);
    const units = await deps.units.ofTranslation(plan.translation.id);
    const suggestions = await deps.suggestions.ofUnits(units.map((unit) => unit.id));
    const texts = mode === 'suggest' ? suggestions.map((s) => s.target) : units.map((u) => u.target);
    expect(texts.filter(([text]) => text !== '')).toEqual([['ab']]);
  });
});
