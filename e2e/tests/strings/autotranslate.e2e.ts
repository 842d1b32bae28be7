import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeRemote } from '../../support/remotes.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';

interface Unit {
  id: number;
  source: string[];
  target: string[];
  state: number;
  has_suggestion: boolean;
}
interface ErrorBody {
  errors: { code: string; attr: string | null; detail: string }[];
}

const { api, user } = system();
const remote = makeRemote();

/** Mock LibreTranslate server: puts every text in brackets. */
let engine: Server;
let url: string;
let requested: string[];
let asked: { q: string[]; source: string; target: string; api_key: string }[];
beforeAll(async () => {
  asked = [];
  requested = [];
  engine = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      requested.push(request.url!);
      if (request.url === '/languages') return response.end(JSON.stringify([{ code: 'en', targets: ['cs', 'de'] }]));
      const body = JSON.parse(text) as (typeof asked)[number];
      asked.push(body);
      response.end(JSON.stringify({ translatedText: body.q.map((q) => `[${q}]`) }));
    });
  });
  await new Promise<void>((ready) => engine.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}/`;
});
afterAll(() => {
  engine.close();
});

const attrs = (body: ErrorBody) => body.errors.map((e) => e.attr);
const untranslated = (path: string): Promise<Unit[]> => api.all(`${path}/units/?q=state:<translated`);

describe('settings of machine translation', () => {
  let settings: string;
  beforeAll(async () => {
    const { project } = await importExample(api, remote);
    settings = `/api/projects/${project}/machinery_settings/`;
  });

  it('machine translation services are added, listed without secrets, changed and removed', async () => {
    expect(await api.get(settings)).toEqual({});
    const configuration = { url, key: 'top-secret' };
    const added = await api.send('POST', settings, { service: 'libretranslate', configuration });
    expect(added).toMatchObject({ status: 201, body: { message: 'Service installed: LibreTranslate' } });
    expect(await api.get(settings)).toEqual({ libretranslate: { url, key: '********' } });
    const again = await api.send('POST', settings, { service: 'libretranslate', configuration });
    expect({ status: again.status, attrs: attrs(again.body) }).toEqual({ status: 400, attrs: ['service'] });
    const changed = { service: 'libretranslate', configuration: { url: `${url}`, key: '********' } };
    expect((await api.send('PATCH', settings, changed)).status).toBe(200);
    expect(await api.get(settings)).toEqual({ libretranslate: { url, key: '********' } });
    const elsewhere = { url: `${url}elsewhere/`, key: '********' };
    for (const [method, body] of [
      ['PATCH', { service: 'libretranslate', configuration: elsewhere }],
      ['PUT', { libretranslate: elsewhere }],
    ] as const) {
      const refused = await api.send(method, settings, body);
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ attr: 'configuration' }] } });
      expect(refused.body.errors[0].detail).toContain('"key" must be sent again');
    }
    expect(requested.filter((path) => path.startsWith('/elsewhere/'))).toEqual([]);
    expect(await api.get(settings)).toEqual({ libretranslate: { url, key: '********' } });
    const replaced = await api.send('PUT', settings, { libretranslate: { url } });
    expect(replaced).toMatchObject({ status: 201, body: { message: 'Services installed: LibreTranslate' } });
    expect(await api.get(settings)).toEqual({ libretranslate: { url, key: '' } });
    expect((await api.send('PATCH', settings, { service: 'libretranslate' })).body).toMatchObject({
      message: 'Service removed: LibreTranslate',
    });
    expect(await api.get(settings)).toEqual({});
  });

  it.each([
    ['POST', {}, ['service']],
    ['POST', { service: 'nope', configuration: {} }, ['service']],
    ['POST', { service: 'deepl', configuration: {} }, ['configuration', 'configuration']],
    ['POST', { service: 'deepl', configuration: 'x' }, ['configuration']],
    ['POST', { service: 'deepl', configuration: { url: 'no address', key: 'k' } }, ['configuration']],
    ['PATCH', { service: 'openai', configuration: { key: 'k' } }, ['configuration']],
    ['PATCH', { service: 'libretranslate', configuration: { url: 'http://127.0.0.1:1/' } }, ['configuration']],
    ['PUT', { nope: {} }, ['configuration']],
    ['PUT', { deepl: {} }, ['configuration', 'configuration']],
    ['PUT', { deepl: 5 }, ['deepl']],
  ])('machine translation settings: %s %j is rejected without a change', async (method, body, wanted) => {
    const answer = await api.send(method, settings, body);
    expect({ status: answer.status, attrs: attrs(answer.body) }).toEqual({ status: 400, attrs: wanted });
    expect(await api.get(settings)).toEqual({});
  });

  it('machine translation settings require the permission to edit the project', async () => {
    const stranger = await user(`nomt-${Date.now().toString(36)}`);
    expect((await stranger.send('GET', settings)).status).toBe(403);
    expect((await stranger.send('POST', settings, { service: 'libretranslate', configuration: { url } })).status).toBe(
      403,
    );
  });
});

describe('automatic translation', () => {
  it('automatic translation copies texts of other components and records them in the history', async () => {
    // Propagation would copy the edit to the other component.
    const alone = { allow_translation_propagation: false };
    const { project, path } = await importExample(api, remote, alone);
    await addExample(api, project, 'other', remote, { disable_autoshare: true, ...alone });
    const [unit] = (await untranslated(path)).filter((u) => u.source.length === 1);
    await api.patch(`/api/units/${unit!.id}/`, { target: ['Odjinud'], state: 20 });
    const target = `/api/translations/${project}/other/cs`;
    const same = (units: Unit[]) => units.find((u) => u.source[0] === unit!.source[0])!;
    const answer = await api.post(`${target}/autotranslate/`, {
      mode: 'translate',
      auto_source: 'others',
      threshold: '80',
    });
    expect(answer.details).toMatch(/^Automatic translation completed, \d+ strings? (was|were) updated\.$/);
    expect(same(await api.all(`${target}/units/`))).toMatchObject({ target: ['Odjinud'], state: 20 });
    expect((await api.all(`${target}/changes/?action=6`)).map((c: { target: string }) => c.target)).toContain(
      'Odjinud',
    );
    const task = await api.get(answer.task_url);
    expect(task).toMatchObject({ completed: true, progress: 100, result: { message: answer.details } });
    // A second run changes no string.
    const again = await api.post(`${target}/autotranslate/`, {
      mode: 'translate',
      auto_source: 'others',
      component: 'example',
    });
    expect(again.details).toBe('Automatic translation completed, no strings were updated.');
  });

  it('automatic translation suggests matches of the memory once', async () => {
    const { project, path } = await importExample(api, remote);
    const [unit] = (await untranslated(path)).filter((u) => u.source.length === 1);
    await api.post('/api/memory/', {
      source: unit!.source[0],
      target: 'Z paměti',
      source_language: 'en',
      target_language: 'cs',
      origin: 'notes',
      project,
    });
    const ask = () =>
      api.post(`${path}/autotranslate/`, {
        mode: 'suggest',
        filter_type: 'todo',
        auto_source: 'mt',
        engines: ['weblate-translation-memory'],
        threshold: 100,
      });
    expect((await ask()).details).toMatch(/, \d+ strings? (was|were) updated\.$/);
    expect(await api.get(`/api/units/${unit!.id}/`)).toMatchObject({ has_suggestion: true, target: unit!.target });
    expect((await ask()).details).toMatch(/no strings were updated/);
  });

  it('automatic translation queries engines, applies the requested mode and changes no other string', async () => {
    const { project, path } = await importExample(api, remote);
    const settings = `/api/projects/${project}/machinery_settings/`;
    await api.post(settings, { service: 'libretranslate', configuration: { url, key: 'k-7' } });
    const before: Unit[] = await api.all(`${path}/units/`);
    const answer = await api.post(`${path}/autotranslate/`, {
      mode: 'fuzzy',
      q: 'state:empty',
      auto_source: 'mt',
      engines: ['libretranslate'],
      threshold: 50,
    });
    expect(answer.details).toMatch(/updated\.$/);
    expect(asked.at(-1)).toMatchObject({ source: 'en', target: 'cs', api_key: 'k-7' });
    const after = new Map<number, Unit>((await api.all(`${path}/units/`)).map((u: Unit) => [u.id, u]));
    for (const unit of before) {
      const now = after.get(unit.id)!;
      if (unit.state !== 0)
        expect({ target: now.target, state: now.state }).toEqual({ target: unit.target, state: unit.state });
      else if (unit.source.length === 1) {
        expect(now.target[0]).toMatch(/^\[[\s\S]*\]$/);
        expect(now.state).toBe(10);
      }
    }
    // Engines below the requested threshold are not queried.
    const requests = asked.length;
    const quality = await api.post(`${path}/autotranslate/`, {
      mode: 'translate',
      q: 'state:<translated',
      auto_source: 'mt',
      engines: ['libretranslate'],
      threshold: 100,
    });
    expect(quality.details).toMatch(/no strings were updated/);
    expect(asked).toHaveLength(requests);
  });

  describe('automatic translation is rejected', () => {
    let project: string;
    let path: string;
    beforeAll(async () => {
      ({ project, path } = await importExample(api, remote));
    });
    const good = { mode: 'translate', auto_source: 'others' };

    it.each([
      [{}, ['mode', 'auto_source']],
      [{ ...good, mode: 'x' }, ['mode']],
      [{ ...good, mode: 'approved' }, ['mode']],
      [{ ...good, mode: ['translate', 'fuzzy'] }, ['mode']],
      [{ ...good, auto_source: 'y' }, ['auto_source']],
      [{ ...good, threshold: 0 }, ['threshold']],
      [{ ...good, threshold: '101' }, ['threshold']],
      [{ ...good, threshold: 'abc' }, ['threshold']],
      [{ ...good, q: 'state:nonsense' }, ['q']],
      [{ ...good, filter_type: 'nonsense' }, ['filter_type']],
      [{ ...good, component: 'nope' }, ['component']],
      [{ ...good, component: '999999999' }, ['component']],
      [{ ...good, component: 'example' }, ['component']],
      [{ ...good, engines: ['deepl'] }, ['engines']],
      [{ ...good, engines: 'zzz' }, ['engines']],
      [{ ...good, engines: [5] }, ['engines.0']],
    ])('automatic translation rejects %j', async (body, wanted) => {
      const answer = await api.send('POST', `${path}/autotranslate/`, body);
      expect({ status: answer.status, attrs: attrs(answer.body) }).toEqual({ status: 400, attrs: wanted });
    });

    it('automatic translation is rejected for source strings, locked components and callers without permission', async () => {
      const source = path.replace(/\/cs$/, '/en');
      expect((await api.send('POST', `${source}/autotranslate/`, {})).status).toBe(403);
      const stranger = await user(`noauto-${Date.now().toString(36)}`);
      expect((await stranger.send('POST', `${path}/autotranslate/`, good)).status).toBe(403);
      await api.post(`/api/components/${project}/example/lock/`, { lock: true });
      expect((await api.send('POST', `${path}/autotranslate/`, good)).status).toBe(403);
      expect((await api.send('GET', `${path}/autotranslate/`)).status).toBe(405);
    });
  });
});
