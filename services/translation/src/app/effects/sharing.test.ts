import { StringsWorld } from '../../../test/support/memory/world';
import { areSharing } from './sharing';

function start(...propagating: boolean[]) {
  const world = new StringsWorld();
  propagating.forEach((propagation, i) => world.component(i + 1, { propagation }));
  const read: number[] = [];
  const component = async (id: number) => {
    read.push(id);
    return world.components.get(id) ?? null;
  };
  const deps = { ...world.deps, catalog: { component } };
  return { deps, read };
}
const czech = { project: 1, language: 'cs' };

describe('areSharing', () => {
  it('areSharing counts the components that have propagation on', async () => {
    expect(await areSharing(start(true, false, true).deps, czech, 2, '')).toBe(true);
    expect(await areSharing(start(true, false).deps, czech, 2, '')).toBe(false);
    expect(await areSharing(start(true, true).deps, { project: 2, language: 'cs' }, 2, '')).toBe(false);
  });

  it('areSharing stops at the first components that suffice', async () => {
    const { deps, read } = start(true, true, true);
    await areSharing(deps, czech, 2, '');
    expect(read).toEqual([1, 2]);
  });

  it('components that do not match are not counted', async () => {
    expect(await areSharing(start(true, true).deps, czech, 2, '', ({ id }) => id !== 1)).toBe(false);
  });
});
