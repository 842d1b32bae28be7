import { HooksWorld } from '../../test/support/memory/world';
import { startPulls } from './start-pulls';

const delivery = {
  provider: 'github',
  providerDeliveryId: 'one',
  fingerprint: 'f',
  sourceAddress: '',
  branches: ['main'],
  fullName: 'acme/app',
  repositoryMatches: 2,
  branchMatches: 2,
  enabledMatches: 2,
};

function start() {
  const world = new HooksWorld();
  const project = world.project(1, 'open');
  world.component(11, project);
  world.component(12, project);
  const matches = world.matches.map((m) => ({ ...m, verified: false }));
  const pull = (more: object = {}) => startPulls(world.receiving, { ...delivery, ...more }, matches, 'GitHub');
  return { world, pull };
}

it('each component gets a task of its own, named in the event', async () => {
  const { world, pull } = start();
  const stored = (await pull())!;
  expect(new Set(stored.pulls.map((p) => p.taskId)).size).toBe(2);
  const [pushed] = world.inbound.stored[0]!.events;
  expect(pushed!.payload).toMatchObject({
    componentIds: [11, 12],
    taskIds: stored.pulls.map((p) => p.taskId),
    deliveryId: stored.id,
  });
});

it('triggers in quick succession share one entry in the history of a component', async () => {
  const { world, pull } = start();
  await pull();
  await pull({ fingerprint: 'g' });
  const names = world.inbound.stored.map(({ events }) => events.map((e) => e.payloadName));
  expect(names).toEqual([['repositoryPushed', 'changeMade', 'changeMade'], ['repositoryPushed']]);
});

it('a duplicate delivery publishes nothing', async () => {
  const { world, pull } = start();
  await pull();
  world.effects.length = 0;
  expect(await pull()).toBeUndefined();
  expect(world.effects).toEqual([]);
});
