import { randomBytes } from 'node:crypto';
import { eventually } from '../support/api.mjs';
import { makeRemote } from '../support/remotes.mjs';
import { importExample, spansOf, system } from '../support/system.mjs';

interface Span {
  service: string;
  scope: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  id: string;
  parent: string;
  system?: string;
}

const { api } = system();
const remote = makeRemote();

describe('a traced request', () => {
  it('a traced request is one trace over HTTP, gRPC, the database and the resulting events', async () => {
    const { path } = await importExample(api, remote);
    const [, , farewell] = await api.all(`${path}/units/`);
    const trace = randomBytes(16).toString('hex');
    const caller = randomBytes(8).toString('hex');
    const edit = { target: ['Sledováno'], state: 20 };
    const answer = await api.send('PATCH', `/api/units/${farewell.id}/`, edit, {
      traceparent: `00-${trace}-${caller}-01`,
    });
    expect(answer.status).toBe(200);
    const find = (spans: Span[], service: string, kind: number, parent?: string) =>
      spans.filter((s) => s.service === `parlance-${service}` && s.kind === kind && (!parent || s.parent === parent));
    const consumers = (spans: Span[]) => find(spans, 'statistics', 5).concat(find(spans, 'vcs-worker', 5));
    const spans: Span[] = await eventually(
      () => Promise.resolve(spansOf(trace)),
      (seen: Span[]) => find(seen, 'gateway', 2).length > 0 && consumers(seen).length > 1,
      60_000,
    );

    const [http] = find(spans, 'gateway', 2, caller);
    expect(http).toMatchObject({ scope: expect.stringContaining('http') });
    const calls = find(spans, 'gateway', 3, http!.id);
    const served = find(spans, 'translation', 2).find((s) => calls.some((call) => call.id === s.parent));
    expect(served).toMatchObject({ scope: expect.stringContaining('grpc') });
    expect(spans.filter((s) => s.service === 'parlance-translation' && s.system === 'mongodb').length).toBeGreaterThan(
      1,
    );
    expect(consumers(spans).map((s) => s.name)).toEqual(
      expect.arrayContaining(['process statistics-counters', 'process vcs-worker-edits']),
    );
    // Spans of the consumer belong to the trace.
    const consumed = consumers(spans).map((s) => s.id);
    expect(spans.some((s) => s.system === 'mongodb' && consumed.includes(s.parent))).toBe(true);
  });

  it('a request is traced only if the caller asks for it', async () => {
    const trace = randomBytes(16).toString('hex');
    await api.send('GET', '/api/projects/', undefined, { traceparent: `00-${trace}-${'1'.repeat(16)}-00` });
    expect(spansOf(trace)).toEqual([]);
  });
});
