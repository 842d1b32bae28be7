import { reasonOf, StringsWorld } from '../../test/support/memory/world';
import { mayContribute, requireContributor } from './contributors';

function start(settings = {}) {
  const world = new StringsWorld();
  const { component } = world.component(1, settings);
  const may = (more = {}) => mayContribute(world.deps, world.user(3, [], more), component);
  return { world, component, may };
}

describe('contributors', () => {
  it('without an agreement and a second factor, every user may contribute', async () => {
    expect(await start().may()).toBe(true);
  });

  it('users accept the agreement first; bots and services need not', async () => {
    const { world, may } = start({ agreement: 'Be kind.' });
    expect(await may()).toBe(false);
    expect(await may({ isBot: true })).toBe(true);
    expect(await may({ service: 'catalog' })).toBe(true);
    world.agreed.add(3);
    expect(await may()).toBe(true);
  });

  it('the second factor of the project is required, also after the agreement', async () => {
    const { world, may } = start({ enforced2fa: true, agreement: 'Be kind.' });
    world.agreed.add(3);
    expect(await may()).toBe(false);
    expect(await may({ secondFactor: true })).toBe(true);
  });

  it('the denial names what is missing', async () => {
    const { world, component } = start({ agreement: 'Be kind.' });
    const required = requireContributor(world.deps, world.user(3, []), component);
    await expect(required).rejects.toThrow(/agreement/);
    expect(await reasonOf(requireContributor(world.deps, world.user(3, []), component))).toBe('PERMISSION_DENIED');
  });
});
