import { serviceCaller } from '@parlance/access';
import { makeGenerations, type GenerationName } from '@parlance/redis';
import type { Clients } from '../clients';
import { Directory } from './directory';
import type { Kept } from './reply-cache';

/** A directory whose replies count how often they were read. No test calls a service. */
function setUp() {
  const directory = new Directory({} as Clients, () => '', 'secret of the service');
  let reads = 0;
  const read = (keepMs?: number) => (): Promise<Kept> => {
    const json = String(++reads);
    return Promise.resolve({ prepared: { json, data: () => json }, keepMs });
  };
  const reply = async (also?: GenerationName, keepMs?: number): Promise<string> =>
    (await directory.cachedReply(serviceCaller('test'), `/api/${also}/`, also, read(keepMs))).json;
  const newGeneration = (changed: GenerationName): void => {
    directory.observe(makeGenerations((name) => (name === changed ? `new ${name} ${reads}` : '')));
  };
  return { reply, newGeneration };
}

describe('cached replies', () => {
  it.each(['access', 'catalog'] as const)('%s: a new generation ends every reply', async (name) => {
    const { reply, newGeneration } = setUp();
    expect([await reply(), await reply()]).toEqual(['1', '1']);
    newGeneration(name);
    expect([await reply(), await reply()]).toEqual(['2', '2']);
  });

  it('a new generation of times of use ends only the replies that depend on it', async () => {
    const { reply, newGeneration } = setUp();
    expect([await reply('uses'), await reply('uses'), await reply()]).toEqual(['1', '1', '2']);
    newGeneration('uses');
    expect([await reply('uses'), await reply('uses'), await reply()]).toEqual(['3', '3', '2']);
  });

  it('a reply that changes with time is kept no longer', async () => {
    const { reply } = setUp();
    expect([await reply('uses', 0), await reply('uses', -5), await reply('uses', 60_000)]).toEqual(['1', '2', '3']);
    expect(await reply('uses')).toBe('3');
  });
});
