import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

interface Unit {
  id: number;
  source: string[];
  target: string[];
  state: number;
}
interface Entry {
  id: number;
  source: string;
  target: string;
  origin: string;
  project: number | null;
  shared: boolean;
  similarity?: number;
}
interface ErrorBody {
  errors: { code: string; attr: string | null }[];
}

const { api, user } = system();
const remote = makeRemote();

const attrs = (body: ErrorBody) => body.errors.map((e) => e.attr);
const tmx = (source: string, target: string, from = 'en', to = 'cs') =>
  `<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="${from}"><seg>${source}</seg></tuv><tuv xml:lang="${to}"><seg>${target}</seg></tuv></tu></body></tmx>`;
function form(bytes: string, filename: string, fields: Record<string, string> = {}): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('file', new Blob([bytes]), filename);
  return body;
}

describe('the translation memory', () => {
  let project: string;
  let path: string;
  beforeAll(async () => {
    ({ project, path } = await importExample(api, remote));
  });
  const list = (query = ''): Promise<Entry[]> => api.all(`/api/memory/?project=${project}${query}`);

  it('the translation memory is filled by imports', async () => {
    const translated: Unit[] = (await api.all(`${path}/units/?q=state:>=translated`)).filter(
      (u: Unit) => u.source.length === 1,
    );
    expect(translated.length).toBeGreaterThan(0);
    const entries = await eventually(
      () => list(),
      (found: Entry[]) => translated.every((u) => found.some((e) => e.target === u.target[0])),
    );
    // The languages of the component are learned in any order.
    const [unit] = translated;
    const entry = entries.find((e: Entry) => e.source === unit!.source[0] && e.target === unit!.target[0])!;
    expect(entry).toEqual({
      id: expect.any(Number),
      source: unit!.source[0],
      target: unit!.target[0],
      source_language: expect.any(Number),
      target_language: expect.any(Number),
      origin: `${project}/example`,
      project: expect.any(Number),
      from_file: false,
      shared: true,
    });
    expect(await api.get(`/api/memory/${entry.id}/`)).toEqual(entry);
  });

  it('an edit is in the translation memory immediately and is found by a similar text', async () => {
    const [unit]: Unit[] = await api.all(`${path}/units/?q=state:empty`);
    const source = unit!.source[0]!;
    await api.patch(`/api/units/${unit!.id}/`, { target: unit!.source.map(() => 'Zbrusu nový překlad'), state: 20 });
    expect((await list()).map((e) => e.target)).toContain('Zbrusu nový překlad');
    const query = new URLSearchParams({ project, source: `${source}!`, source_language: 'en', target_language: 'cs' });
    const found = await api.get(`/api/memory/?${query}`);
    expect(found.results[0]).toMatchObject({ source, target: 'Zbrusu nový překlad' });
    expect(found.results[0].similarity).toBeLessThan(100);
    query.set('threshold', '100');
    expect((await api.get(`/api/memory/?${query}`)).count).toBe(0);
    query.set('source', source);
    expect((await api.get(`/api/memory/?${query}`)).results[0].similarity).toBe(100);
  });

  it('the translation memory is paginated and filtered', async () => {
    const first = await api.get(`/api/memory/?project=${project}&page_size=1`);
    expect(first.results).toHaveLength(1);
    expect(first.count).toBeGreaterThan(1);
    expect(first.next).toContain('page=2');
    expect(await list('&source_language=cs')).toEqual([]);
    expect((await list('&source_language=en&target_language=cs')).length).toBeGreaterThan(0);
    expect(await list('&origin=nowhere')).toEqual([]);
  });

  it('the translation memory imports entries and files and exports them', async () => {
    const fields = { source: 'Added', target: 'Přidáno', source_language: 'en', target_language: 'cs', origin: 'me' };
    const added = await api.send('POST', '/api/memory/', { ...fields, project });
    expect(added).toMatchObject({ status: 201, body: { source: 'Added', origin: 'me', from_file: false } });
    expect(added.headers.get('location')).toContain(`/api/memory/${added.body.id}/`);
    expect((await api.post('/api/memory/', { ...fields, project })).id).toBe(added.body.id);
    const file = form(tmx('From a file', 'Ze souboru'), 'old.tmx', { project });
    expect(await api.send('POST', '/api/memory/', file)).toMatchObject({
      status: 201,
      body: { accepted: 1, known: 0, skipped: 0, total: 1 },
    });
    expect((await list()).find((e) => e.source === 'From a file')).toMatchObject({
      origin: 'old.tmx',
      from_file: true,
    });
    const exported = await api.send('GET', `/api/memory/file/?project=${project}&format=tmx`);
    expect(exported.headers.get('content-disposition')).toContain('memory.tmx');
    expect(exported.body).toContain('<seg>Ze souboru</seg>');
    const json = await api.get(`/api/memory/file/?project=${project}&format=json`);
    expect(json).toContainEqual(expect.objectContaining({ source: 'Added', target_language: 'cs', origin: 'me' }));
    expect(json).toHaveLength((await list()).length);
  });

  it('the translation memory recognizes language aliases of other programs', async () => {
    const found: Record<string, unknown[]> = {};
    for (const code of ['CS', 'CS-CZ', 'zh-CN', 'PT-br', 'x-nothing']) {
      const file = form(tmx(`In ${code}`, 'Text', 'EN', code), 'codes.tmx', { project });
      const { accepted } = (await api.send('POST', '/api/memory/', file)).body;
      const entries = (await api.get(`/api/memory/file/?project=${project}&format=json`)) as Record<string, string>[];
      const one = entries.find(({ source }) => source === `In ${code}`);
      found[code] = [accepted, one?.['source_language'], one?.['target_language']];
    }
    expect(found).toEqual({
      CS: [1, 'en', 'cs'],
      'CS-CZ': [1, 'en', 'cs'],
      'zh-CN': [1, 'en', 'zh_Hans'],
      'PT-br': [1, 'en', 'pt_BR'],
      'x-nothing': [0, undefined, undefined],
    });
  });

  it('entries of the translation memory are deleted', async () => {
    const [entry] = await list();
    expect((await api.send('DELETE', `/api/memory/${entry!.id}/`)).status).toBe(204);
    expect((await api.send('GET', `/api/memory/${entry!.id}/`)).status).toBe(404);
    expect((await api.send('DELETE', `/api/memory/${entry!.id}/`)).status).toBe(404);
    expect((await api.send('DELETE', '/api/memory/no-number/')).status).toBe(404);
  });

  it('the translation memory requires the permission to manage it', async () => {
    const [entry] = await list();
    const stranger = await user(`stranger-${Date.now().toString(36)}`);
    const notAuthenticated = { status: 401, body: { errors: [{ code: 'not_authenticated' }] } };
    const anonymous = (method: string, url: string) =>
      fetch(`${api.base}${url}`, { method }).then(async (r) => ({ status: r.status, body: await r.json() }));
    expect(await anonymous('GET', '/api/memory/')).toMatchObject(notAuthenticated);
    expect(await anonymous('DELETE', `/api/memory/${entry!.id}/`)).toMatchObject(notAuthenticated);
    for (const [method, url] of [
      ['GET', '/api/memory/'],
      ['GET', `/api/memory/?project=${project}`],
      ['GET', '/api/memory/file/'],
      ['GET', `/api/memory/${entry!.id}/`],
      ['DELETE', `/api/memory/${entry!.id}/`],
      ['DELETE', '/api/memory/999999999/'],
    ] as const)
      expect({ url, status: (await stranger.send(method, url)).status }).toEqual({ url, status: 403 });
    // Users manage their own memory.
    const fields = { source: 'Mine', target: 'Moje', source_language: 'en', target_language: 'cs', origin: 'notes' };
    const own = await stranger.post('/api/memory/', fields);
    expect((await stranger.get('/api/memory/?scope=own')).results).toEqual([own]);
    expect((await stranger.get('/api/memory/?scope=own')).results[0].project).toBeNull();
    expect((await stranger.send('POST', '/api/memory/', { ...fields, shared: true })).status).toBe(400);
    expect((await stranger.send('POST', '/api/memory/', { ...fields, project })).status).toBe(403);
    expect((await stranger.send('DELETE', `/api/memory/${own.id}/`)).status).toBe(204);
  });

  const entry = { source: 'a', target: 'b', source_language: 'en', target_language: 'cs', origin: 'x' };
  it.each([
    ['nothing', {}, ['source', 'target', 'source_language', 'target_language', 'origin']],
    ['a blank source', { ...entry, source: ' ' }, ['source']],
    ['a long target', { ...entry, target: 'x'.repeat(10_001) }, ['target']],
    ['a list as source', { ...entry, source: ['a', 'b'] }, ['source']],
    ['an unknown language', { ...entry, source_language: 'tlh-x' }, ['source_language']],
    ['an unknown language id', { ...entry, target_language: 99_999_999 }, ['target_language']],
    ['the same language twice', { ...entry, target_language: 'en' }, ['target_language']],
    ['an unknown project', { ...entry, project: 'there-is-none' }, ['project']],
    ['no switch', { ...entry, shared: 'perhaps' }, ['shared']],
    ['a control character', { ...entry, target: 'a\u0001' }, ['target.0']],
  ])('the translation memory rejects %s', async (_, body, wanted) => {
    const answer = await api.send('POST', '/api/memory/', body);
    expect({ status: answer.status, attrs: attrs(answer.body) }).toEqual({ status: 400, attrs: wanted });
  });

  it.each([
    ['threshold=0&source=a&source_language=en&target_language=cs', ['threshold']],
    ['threshold=x', ['threshold']],
    ['source=a', ['source_language', 'target_language']],
    ['scope=theirs', ['scope']],
    ['scope=project', ['project']],
    ['project=there-is-none', ['project']],
    ['source_language=tlh-x', ['source_language']],
  ])('the translation memory rejects a list filtered by %s', async (query, wanted) => {
    const answer = await api.send('GET', `/api/memory/?${query}`);
    expect({ status: answer.status, attrs: attrs(answer.body) }).toEqual({ status: 400, attrs: wanted });
  });

  it.each([
    ['broken XML', '<tmx', 'a.tmx'],
    ['another XML', '<html/>', 'a.tmx'],
    ['broken JSON', '[{', 'a.json'],
    ['JSON of another kind', '{"a": 1}', 'a.json'],
    ['an empty file', '', 'a.tmx'],
    ['binary content', '\u0000\u0001', 'a.tmx'],
  ])('the translation memory rejects a file with %s', async (_, bytes, name) => {
    const answer = await api.send('POST', '/api/memory/', form(bytes, name, { project }));
    expect({ status: answer.status, attrs: attrs(answer.body) }).toEqual({ status: 400, attrs: ['file'] });
  });

  it('the memory of a deleted project is deleted, and shared entries are kept', async () => {
    await api.delete(`/api/projects/${project}/`);
    const left = await eventually(
      () => api.all('/api/memory/?scope=shared&page_size=1000'),
      (found: Entry[]) => found.some((e) => e.origin === `${project}/example` && e.project === null),
    );
    expect(left.every((e: Entry) => e.shared)).toBe(true);
  });
});
