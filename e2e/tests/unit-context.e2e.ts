import { eventually, makeApi } from '../support/api.mjs';
import { makeRemote } from '../support/remotes.mjs';
import { addExample, followedByGlossary, importExample, system } from '../support/system.mjs';
import { form, pixel } from '../support/worlds.mjs';

const { api } = system();

const unitOf = async (path: string, source: string) =>
  (await api.all(`${path}/units/`)).find((u: { source: string[] }) => u.source[0] === source);

describe('the context of a string', () => {
  it('shows neighbours, the same source elsewhere, terms, memory, screenshots and history', async () => {
    const { project, path } = await importExample(api, makeRemote());
    await addExample(api, project, 'second', makeRemote(), { push_on_commit: false });
    await followedByGlossary(api, project);
    await api.post(`/api/translations/${project}/glossary/en/units/`, { source: ['world'], target: ['world'] });
    const [term] = await api.all(`/api/translations/${project}/glossary/cs/units/`);
    await api.patch(`/api/units/${term.id}/`, { target: ['svět'], state: 20 });
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
      (found: { glossary: unknown[] }) => found.glossary.length > 0,
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
        source: 'world',
        targets: ['svět'],
        forbidden: false,
        read_only: false,
        spans: [{ form: 0, start: 7, end: 12, start_code_point: 7, end_code_point: 12 }],
      },
    ]);
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
    // Whoever may not look the memory up learns nothing of it.
    expect((await makeApi(api.base).get(`/api/units/${hello.id}/context/`)).memory).toBeNull();
    const source = await api.get(`${hello.source_unit}context/`);
    expect(source).toMatchObject({ memory: [], glossary: [] });
  });

  it('leaves out what the caller may not see', async () => {
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
