import { randomBytes } from 'node:crypto';
import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, spansOf, system } from '../../support/system.mjs';
import { pixel } from '../../support/worlds.mjs';

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

const { api, base } = system();
const remote = makeRemote();

/** Spans whose parent is not in the trace; a trace whose spans have all been exported has none. */
function withoutParent(spans: Span[], client: string): Span[] {
  const ids = new Set([client, ...spans.map(({ id }) => id)]);
  return spans.filter(({ parent }) => !ids.has(parent));
}

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
    // Every process exports its spans on its own, so those of one may be missing when those of all others are there.
    const spans: Span[] = await eventually(
      () => Promise.resolve(spansOf(trace)),
      (seen: Span[]) => {
        const names = consumers(seen).map(({ name }) => name);
        return (
          find(seen, 'gateway', 2).length > 0 &&
          ['process statistics-counters', 'process vcs-worker-edits'].every((name) => names.includes(name)) &&
          withoutParent(seen, caller).length === 0
        );
      },
    );

    const [http] = find(spans, 'gateway', 2, caller);
    expect(http).toMatchObject({ scope: expect.stringContaining('http'), name: 'PATCH /api/units/:unit/' });
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

  it('the notification of a git host is one trace up to the statistics: events, task, git, import', async () => {
    const pushed = makeRemote();
    const { path } = await importExample(api, pushed);
    const before = await api.get(`${path}/statistics/`);
    pushed.write({ 'po/cs.po': `${pushed.read('po/cs.po')}\nmsgid "Traced"\nmsgstr "Sledováno"\n` });
    pushed.commit('Translate');
    pushed.push();
    const trace = randomBytes(16).toString('hex');
    const [owner, name] = pushed.url
      .replace(/\.git$/, '')
      .split('/')
      .slice(-2) as [string, string];
    const hook = {
      ref: 'refs/heads/main',
      repository: { name, full_name: `${owner}/${name}`, owner: { login: owner }, clone_url: pushed.url },
    };
    const headers = { 'x-github-event': 'push', traceparent: `00-${trace}-${'2'.repeat(16)}-01` };
    const answer = await makeApi(base).send('POST', '/hooks/github/', hook, headers);
    expect(answer.status).toBe(200);
    const named = (spans: Span[], service: string, name: string) =>
      spans.find((span) => span.service === `parlance-${service}` && span.name === name);
    const parentsOf = (spans: Span[], span: Span | undefined): Span[] => {
      const parent = spans.find(({ id }) => id === span?.parent);
      return parent ? [parent, ...parentsOf(spans, parent)] : [];
    };
    const underTask = (spans: Span[]) => {
      const task = named(spans, 'vcs-worker', 'task pull');
      return task ? spans.filter((span) => parentsOf(spans, span).includes(task)) : [];
    };
    const usesStore = (spans: Span[], service: string) =>
      spans.some((span) => span.service === `parlance-${service}` && span.system === 'mongodb');
    const sendsEvents = (spans: Span[]) =>
      spans.some(
        ({ service, name, kind }) => service === 'parlance-translation' && name.startsWith('send ') && kind === 4,
      );
    const spans: Span[] = await eventually(
      () => Promise.resolve(spansOf(trace)),
      (seen: Span[]) =>
        named(seen, 'gateway', 'POST /hooks/:provider/') !== undefined &&
        ['vcs-worker', 'translation', 'statistics'].every((service) => usesStore(underTask(seen), service)) &&
        named(underTask(seen), 'statistics', 'process statistics-counters') !== undefined &&
        sendsEvents(underTask(seen)) &&
        withoutParent(seen, '2'.repeat(16)).length === 0,
    );
    expect((await api.get(`${path}/statistics/`)).translated).toBe(before.translated + 1);

    expect(parentsOf(spans, named(spans, 'vcs-worker', 'task pull')).map(({ service }) => service)).toEqual(
      expect.arrayContaining(['parlance-gateway', 'parlance-hooks']),
    );
    expect(spans.some(({ service, system: of }) => service === 'parlance-gateway' && of === 'redis')).toBe(true);
    const names = underTask(spans).map(({ service, name: of }) => `${service} ${of}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'parlance-vcs-worker git fetch',
        'parlance-vcs-worker git cat-file',
        expect.stringMatching(/^parlance-translation .*(MergeFile|ImportFiles)$/),
        'parlance-statistics process statistics-counters',
      ]),
    );
  });

  it('an upload shows its requests to Redis and S3 as spans', async () => {
    const trace = randomBytes(16).toString('hex');
    const { project } = await importExample(api, makeRemote());
    const form = new FormData();
    const fields = { name: 'Pixel', project_slug: project, component_slug: 'example', language_code: 'cs' };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('image', new Blob([pixel], { type: 'image/png' }), 'pixel.png');
    const traceparent = `00-${trace}-${'3'.repeat(16)}-01`;
    expect((await api.send('POST', '/api/screenshots/', form, { traceparent })).status).toBe(201);
    const found = (spans: Span[], service: string, what: Partial<Span>) =>
      spans.some((span) => {
        const entries = Object.entries(what) as [keyof Span, string][];
        return span.service === `parlance-${service}` && entries.every(([key, value]) => span[key] === value);
      });
    await eventually(
      () => Promise.resolve(spansOf(trace)),
      (spans: Span[]) =>
        found(spans, 'gateway', { system: 'redis' }) &&
        found(spans, 'media', { name: 'S3/PutObject' }) &&
        found(spans, 'media', { system: 'mongodb' }),
    );
  });

  it('a request is traced only if the caller asks for it', async () => {
    const trace = randomBytes(16).toString('hex');
    await api.send('GET', '/api/projects/', undefined, { traceparent: `00-${trace}-${'1'.repeat(16)}-00` });
    expect(spansOf(trace)).toEqual([]);
  });
});
