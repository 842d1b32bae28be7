import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { getMaintenance, setMaintenance } from './maintenance';

const on = { on: true, message: '', retryAfterSeconds: 0, durationMs: 0 };

describe('the maintenance mode', () => {
  it('the mode is switched on with defaults and off again', async () => {
    const world = new UseCaseWorld();
    expect(await getMaintenance(world.deps, world.service)).toBeNull();
    const stored = await setMaintenance(world.deps, world.service, on);
    expect(stored).toMatchObject({ retryAfterSeconds: 60, sinceMs: world.nowMs });
    expect(stored!.message).not.toBe('');
    expect(await setMaintenance(world.deps, world.service, { ...on, on: false })).toBeNull();
    expect(await getMaintenance(world.deps, world.service)).toBeNull();
  });

  it('changing the message keeps the time since when the mode is on', async () => {
    const world = new UseCaseWorld();
    const sinceMs = world.nowMs;
    await setMaintenance(world.deps, world.service, on);
    world.nowMs += 60_000;
    const changed = await setMaintenance(world.deps, world.service, { ...on, message: ' Upgrade. ' });
    expect(changed).toMatchObject({ message: 'Upgrade.', sinceMs });
  });

  it('a mode with an end ends by itself, unless it is prolonged', async () => {
    const world = new UseCaseWorld();
    const sinceMs = world.nowMs;
    const setUntil = () => setMaintenance(world.deps, world.service, { ...on, durationMs: 60_000 });
    await setUntil();
    world.nowMs += 59_000;
    expect(await setUntil()).toMatchObject({ sinceMs, untilMs: sinceMs + 119_000 });
    world.nowMs += 59_000;
    expect(await getMaintenance(world.deps, world.service)).toMatchObject({ sinceMs });
    world.nowMs += 1_000;
    expect(await getMaintenance(world.deps, world.service)).toBeNull();
    expect(await setMaintenance(world.deps, world.service, on)).toMatchObject({ sinceMs: world.nowMs, untilMs: 0 });
  });

  it('the maintenance mode refuses long messages and retries of more than a day', async () => {
    const world = new UseCaseWorld();
    const set = (more: object) => setMaintenance(world.deps, world.service, { ...on, ...more });
    expect(await fieldsOf(set({ message: 'x'.repeat(501), retryAfterSeconds: 86_401 }))).toEqual([
      'message:max_length',
      'retry_after:invalid',
    ]);
    expect(await getMaintenance(world.deps, world.service)).toBeNull();
    expect(await reasonOf(set({ message: 'x'.repeat(500), retryAfterSeconds: 86_400 }))).toBe('OK');
  });

  it('only services read and switch the mode', async () => {
    const world = new UseCaseWorld();
    expect(await reasonOf(getMaintenance(world.deps, world.admin))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(setMaintenance(world.deps, world.admin, on))).toBe('PERMISSION_DENIED');
  });
});
