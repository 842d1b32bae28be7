import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { addExample, followedByGlossary, importExample, system } from '../../support/system.mjs';
import { form, pixel } from '../../support/worlds.mjs';

const { api } = system();

const unitOf = async (path: string, source: string) =>
  (await api.all(`${path}/units/`)).find((u: { source: string[] }) => u.source[0] === source);

describe('the context of a string', () => {
  it('the context of a string shows neighbours, the same source elsewhere, terms, memory, screenshots and history', async () => {
    const { project, path } = await importExample(api, makeRemote());
    await addExample(api, project, 'second', makeRemote(), { push_on_commit: false });
    await followedByGlossary(api, project);
    for (const source of ['worlds', 'globe'])
      await api.post(`/api/translations/${project}/glossary/en/units/`, { source: [source], target: [source] });
    const term = await unitOf(`/api/translations/${project}/glossary/cs`, 'worlds');
    const variant = await unitOf(`/api/translations/${project}/glossary/cs`, 'globe');
    await api.patch(variant.source_unit, { extra_flags: 'variant:worlds' });
    await api.patch(`/api/units/${term.id}/`, { target: ['svět'], state: 20 });
    await api.patch(`/api/units/${variant.id}/`, { target: ['zeměkoule'], state: 20 });
    const units = await api.all(`${path}/units/`);
    units.sort((a: { position: number }, b: { position: number }) => a.position - b.position);
    const [hello, ...rest] = units;
    const twin = await unitOf(`/api/translations/${project}/second/cs`, 'Hello, world!');
    await api.patch(`/api/units/${hello.id}/`, { target: ['Ahoj, lidi!'], state: 20 });
    const place = { project_slug: project, component_slug: 'example', language_code: 'cs' };
    const image = { field: 'image', bytes: pixel, filename: 'p.png' };
    const shot = await api.post('/api/screenshots/', form({ name: 'Start', ...place }, image));
    const shotId = /(\d+)\/$/.exec(shot.url)![1];
    await api.post(`/api/screenshots/${shotId}/units/`, { unit_id: hello.id });

    const context = await eventually(
      () => api.get(`/api/units/${hello.id}/context/`),
      // Other processes learn of new terms within seconds.
      ({ glossary: [found] }: { glossary: { variants: unknown[] }[] }) => (found?.variants.length ?? 0) > 0,
    );
    expect(context.unit).toBe(hello.url);
    expect(context.before).toEqual([]);
    expect(context.after.map((u: { url: string }) => u.url)).toEqual(
      rest.slice(0, 5).map((u: { url: string }) => u.url),
    );
    expect(context.same_source.map((u: { url: string }) => u.url)).toEqual([twin.url]);
    expect(context.glossary).toEqual([
      {
        unit: term.url,
        // Found in another form: the string has "world".
        source: 'worlds',
        targets: ['svět'],
        forbidden: false,
        read_only: false,
        variants: [{ unit: variant.url, source: 'globe', targets: ['zeměkoule'], forbidden: false, read_only: false }],
        spans: [{ form: 0, start: 7, end: 12, start_code_point: 7, end_code_point: 12 }],
      },
    ]);
    expect(context.highlights).toContainEqual({
      kind: 'term',
      side: 'source',
      ...context.glossary[0].spans[0],
    });
    expect(context.machinery).toBeNull();
    expect(context.memory).toContainEqual(
      expect.objectContaining({ source: 'Hello, world!', target: 'Ahoj, lidi!', similarity: 100 }),
    );
    expect(context.screenshots).toMatchObject([{ name: 'Start', units: [hello.url] }]);
    expect(context.history_count).toBe(context.history.length);
    expect(context.history.find((c: { action: number }) => c.action === 2)).toMatchObject({
      old: 'Ahoj, světe!',
      target: 'Ahoj, lidi!',
      diff: [
        { op: 'equal', text: 'Ahoj, ' },
        { op: 'delete', text: 'světe' },
        { op: 'insert', text: 'lidi' },
        { op: 'equal', text: '!' },
      ],
    });
    // Neighbours stand in file order on both sides.
    const last = rest.at(-1);
    const beside = await api.get(`/api/units/${last.id}/context/`);
    expect(beside.after).toEqual([]);
    expect(beside.before.map((u: { id: number }) => u.id)).toEqual(
      units
        .slice(0, -1)
        .slice(-5)
        .map((u: { id: number }) => u.id),
    );
    // A caller without the permission for look-ups gets no entries of the memory.
    expect((await makeApi(api.base).get(`/api/units/${hello.id}/context/`)).memory).toBeNull();
    const source = await api.get(`${hello.source_unit}context/`);
    expect(source).toMatchObject({ memory: [], glossary: [] });
  });

  it('the context of a string marks placeholders, links to the source code and asks engines on request', async () => {
    const engine = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        const languages = [
          { code: 'en', targets: ['cs'] },
          { code: 'cs', targets: ['en'] },
        ];
        response.end(JSON.stringify(request.url === '/languages' ? languages : { translatedText: ['Stroj'] }));
      });
    });
    await new Promise<void>((done) => engine.listen(0, '127.0.0.1', done));
    try {
      const { project, path, componentPath } = await importExample(api, makeRemote(), {
        repoweb: 'https://git.example.com/blob/{{ branch }}/{{ filename }}#L{{ line }}',
      });
      const plural = await unitOf(path, '%d file');
      const context = await api.get(`/api/units/${plural.id}/context/`);
      expect(context.highlights).toContainEqual({
        ...{ kind: 'placeholder', side: 'source', form: 0, start: 0, end: 2, start_code_point: 0, end_code_point: 2 },
      });
      const [place] = plural.location.split(', ');
      const [filename, line] = place.split(':');
      const { branch } = await api.get(`${componentPath}/`);
      expect(context.source_files[0]).toEqual({
        filename,
        line: Number(line),
        url: `https://git.example.com/blob/${branch}/${filename}#L${line}`,
      });
      const hello = await unitOf(path, 'Hello, world!');
      const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}/`;
      await api.post(`/api/projects/${project}/machinery_settings/`, {
        service: 'libretranslate',
        configuration: { url },
      });
      const asked = await api.get(`/api/units/${hello.id}/context/?machinery=true`);
      expect(asked.machinery).toEqual({
        suggestions: [
          { engine: 'libretranslate', engine_name: 'LibreTranslate', quality: expect.any(Number), target: ['Stroj'] },
        ],
        problems: [],
      });
      const stranger = await makeApi(api.base).get(`/api/units/${hello.id}/context/?machinery=true`);
      expect(stranger.machinery).toBeNull();
      engine.close();
      engine.closeAllConnections();
      const failed = await api.get(`/api/units/${hello.id}/context/?machinery=true`);
      expect(failed.machinery).toEqual({ suggestions: [], problems: [expect.stringContaining('LibreTranslate: ')] });
      const wrong = await api.send('GET', `/api/units/${hello.id}/context/?machinery=perhaps`);
      expect([wrong.status, wrong.body.errors[0].attr]).toEqual([400, 'machinery']);
    } finally {
      engine.close();
    }
  });

  it('the context of a string leaves out what the caller may not see', async () => {
    const { project, path } = await importExample(api, makeRemote());
    await addExample(api, project, 'second', makeRemote(), { push_on_commit: false, restricted: true });
    const hello = await unitOf(path, 'Hello, world!');
    expect((await api.get(`/api/units/${hello.id}/context/`)).same_source).toHaveLength(1);
    const anonymous = makeApi(api.base);
    expect((await anonymous.get(`/api/units/${hello.id}/context/`)).same_source).toEqual([]);
    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    expect((await anonymous.send('GET', `/api/units/${hello.id}/context/`)).status).toBe(404);
  });
});
