import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { acceptAgreement, getAgreement } from './agreements';

async function start(agreement: string) {
  const world = new UseCaseWorld();
  const project = await world.project('acme');
  const component = await world.component(project.id, 'app', { agreement });
  const member = world.member([]);
  return { world, component, id: component.id, member };
}

describe('agreements of contributors', () => {
  it('an accepted agreement holds for the user who accepted it, with the time', async () => {
    const { world, id, member } = await start('Be kind.');
    const none = { agreement: 'Be kind.', agreed: false, agreedMs: 0 };
    expect(await getAgreement(world.deps, member, id, 0)).toEqual(none);
    const accepted = { agreement: 'Be kind.', agreed: true, agreedMs: world.nowMs };
    expect(await acceptAgreement(world.deps, member, id, true)).toEqual(accepted);
    expect(await getAgreement(world.deps, member, id, 0)).toEqual(accepted);
    expect(await getAgreement(world.deps, world.admin, id, 0)).toEqual(none);
  });

  it('an acceptance ends when the text changes', async () => {
    const { world, component, id, member } = await start('Be kind.');
    await acceptAgreement(world.deps, member, id, true);
    const settings = { ...component.settings, agreement: 'Be very kind.' };
    await world.components.replace({ ...component, version: 2, settings }, []);
    expect(await getAgreement(world.deps, member, id, 0)).toMatchObject({ agreed: false, agreedMs: 0 });
  });

  it('an agreement can only be accepted, by a user, and only if there is one', async () => {
    const { world, id, member } = await start('Be kind.');
    expect(await fieldsOf(acceptAgreement(world.deps, member, id, false))).toEqual(['agreed:invalid']);
    expect(await reasonOf(acceptAgreement(world.deps, world.anonymous, id, true))).toBe('NOT_AUTHENTICATED');
    const without = await start('');
    expect(await fieldsOf(acceptAgreement(without.world.deps, without.member, without.id, true))).toEqual([
      'agreed:invalid',
    ]);
    expect(await getAgreement(without.world.deps, without.member, without.id, 0)).toMatchObject({ agreed: false });
  });

  it('only services read the acceptance of another user', async () => {
    const { world, id, member } = await start('Be kind.');
    await acceptAgreement(world.deps, member, id, true);
    expect(await getAgreement(world.deps, world.service, id, 7)).toMatchObject({ agreed: true });
    expect(await reasonOf(getAgreement(world.deps, world.admin, id, 7))).toBe('PERMISSION_DENIED');
  });

  it('agreements of hidden components do not exist', async () => {
    const { world } = await start('Be kind.');
    const closed = await world.project('closed', { accessControl: 100 });
    const { id } = await world.component(closed.id, 'app', { agreement: 'x' });
    expect(await reasonOf(getAgreement(world.deps, world.anonymous, id, 0))).toBe('NOT_FOUND');
  });
});
