import { serviceCaller } from '@parlance/access';
import { makeGenerations, type GenerationName } from '@parlance/redis';
import type { Clients } from '../clients';
import { Directory } from './directory';

/** A directory whose replies count how often they were read. No test calls a service. */
function setUp() {
  const directory = new Directory({} as Clients, () => '', 'secret of the service');
  let reads = 0;
  const reply = (also?: GenerationName, keepMs?: number): string => {
    const generation = also ? directory.generation(also) : '';
    const { known, keep } = directory.keptReply(serviceCaller('test'), `/api/${also}/`, generation);
    if (known) return known.prepared!.json;
    const json = String(++reads);
    keep({ reply: { prepared: { json, data: () => json } }, keepMs });
    return json;
  };
  const newGeneration = (changed: GenerationName): void => {
    directory.observe(makeGenerations((name) => (name === changed ? `new ${name} ${reads}` : '')));
  };
  return { reply, newGeneration };
}

describe('cached replies', () => {
  it.each(['access', 'catalog'] as const)('%s: a new generation ends every reply', (name) => {
    const { reply, newGeneration } = setUp();
    expect([reply(), reply()]).toEqual(['1', '1']);
    newGeneration(name);
    expect([reply(), reply()]).toEqual(['2', '2']);
  });

  it('a new generation of times of use ends only the replies that depend on it', () => {
    const { reply, newGeneration } = setUp();
    expect([reply('uses'), reply('uses'), reply()]).toEqual(['1', '1', '2']);
    newGeneration('uses');
    expect([reply('uses'), reply('uses'), reply()]).toEqual(['3', '3', '2']);
  });

  it('a reply that changes with time is kept no longer', () => {
    const { reply } = setUp();
    expect([reply('uses', 0), reply('uses', -5), reply('uses', 60_000)]).toEqual(['1', '2', '3']);
    expect(reply('uses')).toBe('3');
  });
});
