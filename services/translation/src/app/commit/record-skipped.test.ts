import { Action } from '../../domain/change';
import { StringsWorld } from '../../../test/support/memory/world';
import { recordSkipped } from './record-skipped';

function start() {
  const world = new StringsWorld();
  world.component(1);
  const author = { userId: 3, username: 'ana', fullName: 'Ana', email: '' };
  const edits = [{ id: 'a', author, target: ['x\ny'], state: 20, time: 1 }];
  world.string(1, 7, 'Hello', { target: ['x\ny'], state: 20, edits });
  const record = (unit = 7, edit = 'a') => recordSkipped(world.deps, [{ unit, edit, reason: 'several lines' }]);
  return { world, record };
}

it('an edit that its file cannot hold is recorded once, in the name of its author, and stays pending', async () => {
  const { world, record } = start();
  await record();
  await record();
  expect(world.changes).toMatchObject([
    { action: Action.saveFailed, user: 3, target: 'x\ny', details: { reason: 'several lines' } },
  ]);
  expect((await world.units.get(7))!.edits).toMatchObject([{ id: 'a', refused: true }]);
});

it('removals and edits that were replaced since need no entry', async () => {
  const { world, record } = start();
  await record(0, 'removed');
  await record(7, 'replaced');
  expect(world.effects).toEqual([]);
});
