import { inTurns, ratioToHop, selected } from './turns.mjs';

describe('the requests of a comparison', () => {
  it('Every side gets its requests one after the other, in turns with the other sides', async () => {
    const sent = [];
    let running = 0;
    const side = (name) => async (i) => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      sent.push(`${name} ${i}`);
    };
    const times = await inTurns({ endpoint: side('endpoint'), bare: side('bare'), hop: side('hop') }, 2);
    expect(sent).toEqual(['endpoint 0', 'bare 0', 'hop 0', 'endpoint 1', 'bare 1', 'hop 1']);
    for (const name of ['endpoint', 'bare', 'hop']) {
      expect(times[name]).toHaveLength(2);
      expect(times[name].every(Number.isFinite)).toBe(true);
    }
  });

  it('A warm-up whose time is over ends after a whole turn', async () => {
    let turns = 0;
    const side = async () => undefined;
    const times = await inTurns({ endpoint: side, bare: side }, 100, { mayGoOn: () => ++turns <= 3 });
    expect([times.endpoint.length, times.bare.length]).toEqual([3, 3]);
  });

  it('What is prepared comes before each request', async () => {
    const sent = [];
    const side = (name) => async () => void sent.push(name);
    await inTurns({ endpoint: side('endpoint'), bare: side('bare') }, 1, { prepare: side('edit') });
    expect(sent).toEqual(['edit', 'endpoint', 'edit', 'bare']);
  });
});

describe('the selection of endpoints', () => {
  const names = ['/api/groups/', '/api/groups/{group}/', '/api/users/', 'PATCH /api/units/{unit}/'];

  it('A whole name selects one endpoint, a part of a name all that contain it', () => {
    expect(selected(names, ['/api/groups/'])).toEqual(['/api/groups/']);
    expect(selected(names, ['/api/groups'])).toEqual(['/api/groups/', '/api/groups/{group}/']);
    expect(selected(names, ['PATCH', '/api/users/'])).toEqual(['/api/users/', 'PATCH /api/units/{unit}/']);
  });

  it('No selection selects every endpoint', () => {
    expect(selected(names, [])).toEqual(names);
  });

  it('A selection without an endpoint is an error, beside others that have one', () => {
    expect(() => selected(names, ['/api/users/', '/api/nothing/'])).toThrow('No endpoint contains /api/nothing/');
  });
});

describe('the ratio to the bare server behind a hop', () => {
  it('An endpoint with calls has one', () => {
    expect(ratioToHop({ p50: 6, hop: 4, costs: { calls: 1 } })).toBe(1.5);
  });

  it('An endpoint whose calls are unknown has one', () => {
    expect(ratioToHop({ p50: 6, hop: 4 })).toBe(1.5);
  });

  it('An endpoint that the gateway answers by itself has none', () => {
    expect(ratioToHop({ p50: 6, hop: 4, costs: { calls: 0 } })).toBeUndefined();
    expect(ratioToHop({ p50: 6, hop: 4, costs: { calls: 0.04 } })).toBeUndefined();
    expect(ratioToHop({ p50: 6, hop: 4, costs: { calls: 0.05 } })).toBe(1.5);
  });

  it('A run without the hop has none', () => {
    expect(ratioToHop({ p50: 6, costs: { calls: 1 } })).toBeUndefined();
  });
});
