import { Action } from '../../domain/change';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { updateUnit, type UnitEditRequest } from './update-unit';

function start(settings = {}, fields = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello', fields);
  const ana = world.user(3, ['unit.edit']);
  const update = (more: Partial<UnitEditRequest>, caller = ana) =>
    updateUnit(world.deps, caller, { id: 7, expectedVersion: 0, ...more }, '');
  return { world, ana, update };
}

describe('updateUnit', () => {
  it('a text becomes a pending edit of its author, with history, before the answer', async () => {
    const { world, update } = start();
    const saved = await update({ target: ['Ahoj'] });
    expect(saved).toMatchObject({ target: ['Ahoj'], state: 20, version: 2, edits: [{ author: { userId: 3 } }] });
    expect(await world.units.get(7)).toEqual(saved);
    expect(world.effects).toEqual(['store unit 7', 'settle unit 7', 'record contributor']);
    expect(world.changes).toMatchObject([{ action: Action.firstTarget, target: 'Ahoj', old: '', user: 3 }]);
  });

  it('an edit without effect writes nothing', async () => {
    const { world, update } = start({}, { target: ['Ahoj'], state: 20 });
    await update({ target: ['Ahoj'], state: 20 });
    expect(world.effects).toEqual([]);
  });

  it('an edit without effect invalidates replies: the same edit before it may have been interrupted after its write', async () => {
    const { world, update } = start({}, { target: ['Ahoj'], state: 20 });
    const invalidated: number[] = [];
    world.deps.contents.changed = async (places) => void invalidated.push(...places.map(({ component }) => component));
    await update({ target: ['Ahoj'], state: 20 });
    expect(invalidated).toEqual([1]);
  });

  it('failing checks are stored with the text', async () => {
    const { update } = start();
    expect((await update({ target: ['Ahoj.'] })).checks).toContain('end_stop');
    expect((await update({ target: ['Ahoj'] })).checks).not.toContain('end_stop');
  });

  it('updateUnit refuses the edit of a version that changed since', async () => {
    const { update } = start();
    await update({ target: ['Ahoj'] });
    expect(await reasonOf(update({ target: ['Nazdar'], expectedVersion: 1 }))).toBe('CONFLICT');
    expect(await reasonOf(update({ target: ['Nazdar'], expectedVersion: 2 }))).toBe('OK');
  });

  it('an edit that loses a race is decided again on the stored unit', async () => {
    const { world, update } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, comments: 2 });
    };
    expect(await update({ target: ['Ahoj'] })).toMatchObject({ version: 5, comments: 2, target: ['Ahoj'] });
  });

  it('an edit that loses a race to a lock of the string is refused', async () => {
    const { world, update } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, state: 100 });
    };
    expect(await reasonOf(update({ target: ['Ahoj'] }))).toBe('PERMISSION_DENIED');
    expect((await world.units.get(7))!.target).toEqual(['']);
  });

  it('a stale cached unit does not decide about an edit', async () => {
    const { world, update } = start();
    world.deps.recentUnits.record([{ ...(await world.units.get(7))!, state: 100 }]);
    expect(await update({ target: ['Ahoj'] })).toMatchObject({ target: ['Ahoj'] });
  });

  it('invalid values are reported before state and permissions', async () => {
    const { world, ana, update } = start({ locked: true });
    const problems = [{ attr: 'state', code: 'invalid', detail: 'No.' }];
    expect(await fieldsOf(update({ target: ['Ahoj'], problems }))).toEqual(['state:invalid']);
    expect(await fieldsOf(update({ target: ['Ahoj'], problems }, world.user(4, [])))).toEqual(['state:invalid']);
    expect(await reasonOf(update({ target: ['Ahoj'] }, ana))).toBe('LOCKED');
  });

  it('updateUnit refuses another number of forms and unknown flags', async () => {
    const { world, update } = start();
    expect(await fieldsOf(update({ target: ['a', 'b'] }))).toEqual(['target:invalid']);
    const editor = world.user(4, ['source.edit']);
    expect(await fieldsOf(update({ id: 507, extraFlags: 'no-such-flag' }, editor))).toEqual(['extra_flags:invalid']);
  });

  it('editing requires unit.edit, the agreement and, for approved strings, unit.review', async () => {
    const { world, ana, update } = start({ agreement: 'Be kind.' });
    expect(await reasonOf(update({ target: ['Ahoj'] }, world.user(4, ['suggestion.add'])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(update({ target: ['Ahoj'] }, ana))).toBe('PERMISSION_DENIED');
    world.agreed.add(3);
    expect(await reasonOf(update({ target: ['Ahoj'] }, ana))).toBe('OK');
    const reviewed = start({ translationReview: true }, { target: ['Ahoj'], state: 30 });
    expect(await reasonOf(reviewed.update({ target: ['Nazdar'] }))).toBe('PERMISSION_DENIED');
    const reviewer = reviewed.world.user(4, ['unit.edit', 'unit.review']);
    expect(await reasonOf(reviewed.update({ target: ['Nazdar'] }, reviewer))).toBe('OK');
  });

  it('where votes decide, editing requires unit.override', async () => {
    const { world, update } = start({ suggestionVoting: true, suggestionAutoaccept: 2 });
    expect(await reasonOf(update({ target: ['Ahoj'] }))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(update({ target: ['Ahoj'] }, world.user(4, ['unit.edit', 'unit.override'])))).toBe('OK');
  });

  it('explanation, flags and labels belong to the source string', async () => {
    const { world, update } = start();
    const editor = world.user(4, ['source.edit', 'unit.edit']);
    expect(await reasonOf(update({ explanation: 'A greeting.' }, editor))).toBe('PERMISSION_DENIED');
    await update({ id: 507, explanation: 'A greeting.', labels: [5] }, editor);
    expect(await world.units.get(507)).toMatchObject({ explanation: 'A greeting.', labels: [5] });
    expect(await reasonOf(update({ id: 507, labels: [6] }))).toBe('PERMISSION_DENIED');
  });

  it('a read-only flag of the source string makes its translations read-only, after caches are invalidated', async () => {
    const { world, update } = start({}, { target: ['Ahoj'], state: 20 });
    await update({ id: 507, extraFlags: 'read-only' }, world.user(4, ['source.edit']));
    expect(await world.units.get(7)).toMatchObject({ state: 100, target: ['Ahoj'] });
    const { effects } = world;
    expect(effects.indexOf('store unit 507')).toBeLessThan(effects.indexOf('invalidate caches'));
    expect(effects.indexOf('invalidate caches')).toBeLessThan(effects.indexOf('store unit 7'));
  });

  it('source strings of a bilingual component have no text to edit', async () => {
    const { world, update } = start();
    const editor = world.user(4, ['unit.template', 'unit.edit']);
    expect(await reasonOf(update({ id: 507, target: ['Hi'] }, editor))).toBe('PERMISSION_DENIED');
  });

  it('a changed source text of a monolingual component makes its translations need editing', async () => {
    const { world, update } = start({ template: 'en.po' }, { target: ['Ahoj'], state: 20 });
    await update({ id: 507, target: ['Hello!'] }, world.user(4, ['unit.template']));
    expect(await world.units.get(7)).toMatchObject({
      source: ['Hello!'],
      previousSource: ['Hello'],
      state: 10,
      target: ['Ahoj'],
    });
  });
});
