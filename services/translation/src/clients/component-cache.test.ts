import type { catalog } from '@parlance/contracts';
import type { Client } from '@parlance/grpc-kit';
import { ComponentCache } from './component-cache';

/** A cache in front of a catalog that records the generations of its calls. */
function start() {
  const asked: string[] = [];
  const component = { id: 1, projectId: 2, checkFlags: '', fileFormatParamsJson: '' } as catalog.Component__Output;
  const client = {
    getComponent: async (_request: unknown, { catalogGeneration = '' }: { catalogGeneration?: string }) => {
      asked.push(catalogGeneration);
      return { component, project: { id: 2, checkFlags: '' }, sourceLanguage: { id: 3, code: 'en' } };
    },
  } as unknown as Client<'catalog'>;
  return { asked, cache: new ComponentCache(client, () => 'token') };
}

describe('the cache of component settings', () => {
  it('a component is read once for each generation, which the catalog receives', async () => {
    const { asked, cache } = start();
    for (const generation of ['a', 'a', 'b', 'b']) await cache.component(1, generation);
    expect(asked).toEqual(['a', 'b']);
  });

  it('a read without a generation keeps the entry valid for the known generation', async () => {
    const { asked, cache } = start();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    try {
      await cache.component(1, 'a');
      clock.mockReturnValue(1_010_000);
      await cache.component(1, '');
      await cache.component(1, 'a');
    } finally {
      clock.mockRestore();
    }
    expect(asked).toEqual(['a', '']);
  });

  it('a read of a generation, which may lack later writes, is not valid for callers without one', async () => {
    const { asked, cache } = start();
    for (const generation of ['a', '', '']) await cache.component(1, generation);
    expect(asked).toEqual(['a', '']);
  });
});
