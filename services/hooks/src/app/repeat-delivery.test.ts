import { HooksWorld, reasonOf } from '../../test/support/memory/world';
import { repeatDelivery } from './repeat-delivery';
import { startPulls } from './start-pulls';

const delivery = {
  provider: 'github',
  providerDeliveryId: 'one',
  fingerprint: 'f',
  signedDigest: 'd',
  sourceAddress: '',
  branches: ['main'],
  fullName: 'acme/app',
  repositoryMatches: 1,
  branchMatches: 1,
  enabledMatches: 1,
};

describe('an operator', () => {
  it('an operator starts the pulls of a delivery again, with tasks of their own', async () => {
    const world = new HooksWorld();
    world.component(11, world.project(1, 'open'));
    const matches = world.matches.map((match) => ({ ...match, verified: true }));
    const first = (await startPulls(world.receiving, delivery, matches, 'GitHub'))!;
    const repeated = await repeatDelivery(world.receiving, first.id);
    expect(repeated).toMatchObject({ provider: 'github', fullName: 'acme/app', fingerprint: '' });
    expect(repeated.pulls).toEqual([{ ...first.pulls[0]!, taskId: expect.any(String) }]);
    expect(repeated.pulls[0]!.taskId).not.toBe(first.pulls[0]!.taskId);
    const [event] = world.inbound.stored[1]!.events;
    expect(event!.payload).toMatchObject({ componentIds: [11], taskIds: [repeated.pulls[0]!.taskId] });
    // It does not count as a repetition by the git host.
    expect(await world.inbound.find('f')).toMatchObject({ id: first.id });
  });

  it('an operator cannot repeat an unknown delivery', async () => {
    expect(await reasonOf(repeatDelivery(new HooksWorld().receiving, 'unknown'))).toBe('NOT_FOUND');
  });
});
