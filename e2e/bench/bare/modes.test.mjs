import { exchange } from '../support/exchange.mjs';
import { connect, serve } from './call.mjs';
import { listen } from './front.mjs';

/** A store in memory with the results of the real one. */
function makeStore() {
  const units = new Map();
  return {
    async insert(documents) {
      for (const unit of documents) units.set(unit._id, unit);
      return '{}';
    },
    async page(first, size) {
      const results = [...units.values()].filter(({ position }) => position > first && position <= first + size);
      return JSON.stringify({ results });
    },
    async find(id) {
      if (id < 0) throw new Error('The store is unavailable');
      return JSON.stringify(units.get(id) ?? null);
    },
    async edit(id, change) {
      units.set(id, { ...units.get(id), ...change });
      return JSON.stringify(units.get(id));
    },
  };
}

describe('the modes of the bare server', () => {
  const closing = [];
  let [direct, hop] = [0, 0];
  beforeAll(async () => {
    // An error of the store is logged by express.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const service = await serve(makeStore());
    const remote = connect(`127.0.0.1:${service.port}`);
    const fronts = [await listen(makeStore()), await listen(remote)];
    [direct, hop] = fronts.map(({ port }) => port);
    closing.push(...fronts.map(({ stop }) => stop), remote.close, service.stop);
  });
  afterAll(() => closing.forEach((close) => close()));

  /** The responses of both modes; the date differs. */
  const both = (method, path, content) =>
    Promise.all(
      [direct, hop].map(async (port) => {
        const { status, headers, bytes } = await exchange(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: content === undefined ? undefined : JSON.stringify(content),
        });
        return { status, type: headers.get('content-type'), etag: headers.get('etag'), body: bytes.toString() };
      }),
    );
  const units = Array.from({ length: 250 }, (_, i) => ({ _id: i + 1, position: i + 1, target: [`Übersetzung ${i}`] }));

  it('Every request has the same response directly and behind a hop', async () => {
    const requests = [
      ['POST', '/units', units],
      ['GET', '/units/7'],
      ['GET', '/units/100000'],
      ['GET', '/units?page=2&size=20'],
      ['GET', '/units?page=3'],
      ['PATCH', '/units/8', { target: ['„Größe“'], state: 20 }],
      ['GET', '/units/8'],
    ];
    const bodies = [];
    for (const [method, path, content] of requests) {
      const [one, other] = await both(method, path, content);
      expect(other).toEqual(one);
      expect(one).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' });
      bodies.push(JSON.parse(one.body));
    }
    expect(bodies).toEqual([
      {},
      units[6],
      null,
      { results: units.slice(100, 120) },
      { results: units.slice(200) },
      { ...units[7], target: ['„Größe“'], state: 20 },
      { ...units[7], target: ['„Größe“'], state: 20 },
    ]);
  });

  it('An error of the store fails the request in both modes', async () => {
    for (const { status } of await both('GET', '/units/-1')) expect(status).toBe(500);
  });
});
