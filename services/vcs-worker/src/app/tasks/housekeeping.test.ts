import { metricsText } from '@parlance/telemetry';
import { newRepository } from '../../domain/repository';
import { UseCaseWorld } from '../../../test/support/memory/world';
import { Housekeeping } from './housekeeping';

const HOUR_MS = 3_600_000;
const now = Date.UTC(2026, 5, 1, 12);

let world: UseCaseWorld;
let housekeeping: Housekeeping;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': '' });
  housekeeping = new Housekeeping(world.deps, () => now);
});
afterEach(() => world.close());

/** An edit of component 1, made and announced at a time. */
async function edit(since: number): Promise<void> {
  world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna', 'ann', since);
  await world.index.recordEdits([1], since);
}

describe('commits of old edits', () => {
  it('an edit older than the setting of its component starts one commit, whichever workers notice it', async () => {
    await world.imported(1, { commitPendingAge: 24 });
    await edit(now - 25 * HOUR_MS);
    await housekeeping.commitOverdue();
    await new Housekeeping(world.deps, () => now).commitOverdue();
    expect(world.tasks.tasks).toMatchObject([{ kind: 'commit', component: 1, state: 'waiting' }]);
    expect(world.woken).toBeGreaterThan(0);
  });

  it('no other commit starts while one of the component waits or runs', async () => {
    await world.imported(1, { commitPendingAge: 24 });
    await edit(now - 25 * HOUR_MS);
    await housekeeping.commitOverdue();
    await new Housekeeping(world.deps, () => now + 5 * 60_000).commitOverdue();
    expect(world.tasks.tasks).toHaveLength(1);
    const { id } = world.tasks.tasks[0]!;
    await world.tasks.claim({ worker: 'a', until: new Date(now), running: [], takesOver: false, takesSuspects: false });
    await world.tasks.finish(id, 'a', 'failed', 'The host is unreachable.');
    await new Housekeeping(world.deps, () => now + 10 * 60_000).commitOverdue();
    expect(world.tasks.tasks).toHaveLength(2);
  });

  it('a younger edit waits', async () => {
    await world.imported(1, { commitPendingAge: 24 });
    await edit(now - 23 * HOUR_MS);
    await housekeeping.commitOverdue();
    expect(world.tasks.tasks).toEqual([]);
  });

  it('a component without pending edits is no longer checked; one with withheld edits is', async () => {
    const component = await world.imported(1, { commitPendingAge: 1 });
    await edit(now - 2 * HOUR_MS);
    component.project.commitPolicy = 2;
    world.translations.withholds = true;
    await housekeeping.commitOverdue();
    expect(await world.index.listEdited(10)).toHaveLength(1);
    world.translations.edits = [];
    await housekeeping.commitOverdue();
    expect(await world.index.listEdited(10)).toEqual([]);
    expect(world.tasks.tasks).toEqual([]);
  });

  it('committed edits that were not due stop to count, and later ones count from their own time', async () => {
    let time = now;
    const later = new Housekeeping(world.deps, () => time);
    const since = async () => (await world.index.listEdited(10)).map((entry) => entry.since);
    await world.imported(1, { commitPendingAge: 24 });
    await edit(now - 2_000);
    await later.commitOverdue();
    expect(await since()).toEqual([now - 2_000]);
    world.translations.edits = [];
    await edit(now + 60_000);
    expect(await since()).toEqual([now - 2_000]);
    time += 5 * 60_000;
    await later.commitOverdue();
    expect(await since()).toEqual([now + 60_000]);
    world.translations.edits = [];
    time += 5 * 60_000;
    await later.commitOverdue();
    expect(await since()).toEqual([]);
    expect(world.tasks.tasks).toEqual([]);
  });

  it('edits count as overdue since the last look for them that succeeded, while it fails', async () => {
    let time = now;
    const failing = new Housekeeping(world.deps, () => time);
    await failing.commitOverdue();
    world.index.listEdited = () => Promise.reject(new Error('unreachable'));
    time += HOUR_MS;
    failing.start(1);
    const reported = async () =>
      /^parlance_oldest_change_age_seconds{state="overdue"} (\S+)$/m.exec(await metricsText())?.[1];
    while ((await reported()) === '0') await new Promise(setImmediate);
    await failing.stop();
    expect(await reported()).toBe('3600');
  });

  it('a commit that was set aside today is not started again', async () => {
    await world.imported(1, { commitPendingAge: 1 });
    await world.tasks.begin({ id: 'crashing', kind: 'commit', component: 1, user: 0, changed: [] });
    const lost = { until: new Date(0), running: [], takesOver: true, takesSuspects: true };
    await world.tasks.claim({ ...lost, worker: 'a' });
    await world.tasks.claim({ ...lost, worker: 'b' });
    await world.tasks.setAside(new Date(now));
    await edit(now - 2 * HOUR_MS);
    await housekeeping.commitOverdue();
    expect(world.tasks.tasks.map(({ id }) => id)).toEqual(['crashing']);
  });
});

describe('daily work', () => {
  it('add-ons with daily work run once a day for each of their components', async () => {
    await world.imported(1);
    await world.imported(2);
    const addon = { name: 'weblate.removal.comments', projectId: 1, componentId: 0, configuration: { age: 30 } };
    world.catalog.installed.push({ ...addon, id: 1 }, { ...addon, id: 2 });
    await housekeeping.daily();
    await new Housekeeping(world.deps, () => now).daily();
    expect(world.tasks.tasks.map(({ kind, component, changed }) => [kind, component, changed])).toEqual([
      ['addons', 1, ['daily']],
      ['addons', 2, ['daily']],
    ]);
    await new Housekeeping(world.deps, () => now + 24 * HOUR_MS).daily();
    expect(world.tasks.tasks).toHaveLength(4);
  });
});

describe('garbage collection', () => {
  const prepared = (id: string) => newRepository({ id, task: id, vcs: 'git', repo: '', branch: 'main' });

  it('a prepared repository without a component is deleted after an hour', async () => {
    world.repositories.nowMs = now - 2 * HOUR_MS;
    await world.repositories.insert(prepared('old'));
    world.repositories.nowMs = now - HOUR_MS / 2;
    await world.repositories.insert(prepared('young'));
    await world.deps.clones.create('old');
    await world.deps.clones.create('young');
    await housekeeping.sweep();
    expect(await world.repositories.get('old')).toBeNull();
    expect(await world.repositories.get('young')).not.toBeNull();
    expect(await world.deps.clones.list()).toEqual(['young']);
    expect(world.commits.swept).toEqual([new Date(now - HOUR_MS)]);
  });

  it('clones of deleted repositories are deleted, those of components stay', async () => {
    await world.imported(1);
    await world.deps.clones.create('deleted');
    await housekeeping.sweep();
    expect(await world.deps.clones.list()).toEqual(['r1']);
  });
});
