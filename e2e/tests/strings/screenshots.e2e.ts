// Images through the public API: upload, validation, reading, and deletion with their owners.
import { crc32, deflateSync } from 'node:zlib';
import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { form } from '../../support/worlds.mjs';

const { api } = system();
const of = (base64: string) => Buffer.from(base64, 'base64');

/** Eight by six pixels each; the JPEG's metadata contains a location. */
const images = {
  png: of(
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWM4IWeDFTEMpAQACeY2YQMxYLIAAAAASUVORK5CYII=',
  ),
  gif: of('R0lGODlhCAAGAIAAAExpccgePCH5BAUAAAAALAAAAAAIAAYAAAIGjI+py30FADs='),
  webp: of('UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoIAAYAAUAmJaACdLoAA5gA/vD6K67xaUa/+8Z//cZ//cZ/7uAAAA=='),
  jpeg: of(
    '/9j/4QDWRXhpZgAASUkqAAgAAAAHABIBAwABAAAAAQAAABoBBQABAAAAYgAAABsBBQABAAAAagAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAJiCAgANAAAAcgAAAGmHBAABAAAAgAAAAAAAAAA4YwAA6AMAADhjAADoAwAAc2VjcmV0LXBsYWNlAAAGAACQBwAEAAAAMDIxMAGRBwAEAAAAAQIDAACgBwAEAAAAMDEwMAGgAwABAAAA//8AAAKgBAABAAAACAAAAAOgBAABAAAABgAAAAAAAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAGAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCaAJQP/9k=',
  ),
};

function pngChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
  chunk.writeUInt32BE(body.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** A PNG of four grey pixels with one channel of four bits. */
function grey(): Buffer {
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 4, 0, 0, 0, 0]);
  const pixels = deflateSync(Buffer.from([0, 0x3c, 0, 0xa5]));
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([images.png.subarray(0, 8), ...chunks]);
}

/** A PNG whose header claims more pixels than the limit. */
function bomb(): Buffer {
  const png = Buffer.from(images.png);
  png.writeUInt32BE(30_000, 16);
  png.writeUInt32BE(30_000, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><script>alert(1)</script></svg>');
const refused: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('This is no image.')],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['an SVG, which can contain scripts', svg],
  ['a truncated PNG', images.png.subarray(0, 60)],
  ['a truncated JPEG', images.jpeg.subarray(0, 200)],
  ['a decompression bomb', bomb()],
  ['a PNG signature before other content', Buffer.concat([images.png.subarray(0, 8), svg])],
  ['more than 10 MiB', Buffer.concat([images.png, Buffer.alloc(10 * 1024 * 1024)])],
];

describe('screenshots', () => {
  const remote = makeRemote();
  let project: string;
  let path: string;
  beforeAll(async () => {
    ({ project, path } = await importExample(api, remote, { manage_units: true, new_lang: 'add' }));
  });

  const fields = (change: Record<string, string> = {}) => ({
    name: 'Window',
    project_slug: project,
    component_slug: 'example',
    language_code: 'cs',
    ...change,
  });
  const send = (bytes: Buffer, filename = 'x.png', change = {}) =>
    api.send('POST', '/api/screenshots/', form(fields(change), { field: 'image', bytes, filename }));
  const add = async (bytes: Buffer, filename?: string, change = {}) => {
    const answer = await send(bytes, filename, change);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
    return answer.body as { id: number; url: string; file_url: string; units: string[]; image: string };
  };
  const count = async () => (await api.get(`/api/components/${project}/example/screenshots/`)).count as number;

  it.each(Object.entries(images))('a %s is recognized by its content, whatever its file name', async (kind, bytes) => {
    const made = await add(bytes, 'window.exe');
    const got = await api.bytes(made.file_url);
    const head = { png: '89504e47', gif: '47494638', webp: '52494646', jpeg: 'ffd8ff' }[kind];
    expect(got.toString('hex').startsWith(head!)).toBe(true);
    // The metadata is removed; every other byte is kept.
    expect(got.includes('secret-place')).toBe(false);
    const exifEnd = bytes.indexOf(Buffer.from('ffdb', 'hex'));
    const expected = kind === 'jpeg' ? Buffer.concat([bytes.subarray(0, 2), bytes.subarray(exifEnd)]) : bytes;
    expect(got.equals(expected)).toBe(true);
  });

  it.each(refused)('uploading %s is rejected and stores nothing', async (_name, bytes) => {
    const before = await count();
    const answer = await send(bytes);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((e: { attr: string }) => e.attr)).toEqual(['image']);
    expect(await count()).toBe(before);
  });

  it('an image is not replaced by an invalid one', async () => {
    const { id, file_url } = await add(images.png);
    const before = await api.bytes(file_url);
    for (const [, bytes] of refused) {
      const answer = await api.send(
        'POST',
        `/api/screenshots/${id}/file/`,
        form({}, { field: 'image', bytes, filename: 'x.png' }),
      );
      expect({ status: answer.status, attr: answer.body.errors[0].attr }).toEqual({ status: 400, attr: 'image' });
    }
    expect((await api.bytes(file_url)).equals(before)).toBe(true);
    const replaced = await api.send(
      'POST',
      `/api/screenshots/${id}/file/`,
      form({}, { field: 'image', bytes: images.gif, filename: 'x.gif' }),
    );
    expect(replaced.body).toEqual({ result: true });
    expect((await api.bytes(file_url)).subarray(0, 4).toString()).toBe('GIF8');
  });

  it('an image that was replaced by a grey PNG is returned byte for byte', async () => {
    const { id, file_url } = await add(images.gif);
    const bytes = grey();
    const image = form({}, { field: 'image', bytes, filename: 'grey.png' });
    expect((await api.send('POST', `/api/screenshots/${id}/file/`, image)).body).toEqual({ result: true });
    const { headers, bytes: got } = await api.send('GET', file_url, undefined, { accept: '*/*' });
    expect(got.equals(bytes)).toBe(true);
    expect(headers.get('content-length')).toBe(String(bytes.length));
  });

  it('a screenshot can follow another path of the repository and have a name in any script', async () => {
    const { id, file_url } = await add(images.png);
    const path = { repository_filename: 'shots/login.png' };
    expect(await api.patch(`/api/screenshots/${id}/`, path)).toMatchObject(path);
    expect(await api.get(`/api/screenshots/${id}/`)).toMatchObject(path);
    const wrong = await api.send('PATCH', `/api/screenshots/${id}/`, { repository_filename: 'x'.repeat(2000) });
    expect([wrong.status, wrong.body.errors[0].attr]).toEqual([400, 'repository_filename']);
    const image = form({}, { field: 'image', bytes: images.png, filename: 'obrázek č.png' });
    await api.send('POST', `/api/screenshots/${id}/file/`, image);
    const { headers } = await api.send('GET', file_url, undefined, { accept: '*/*' });
    expect(headers.get('content-disposition')).toBe("attachment; filename*=utf-8''obr%C3%A1zek%20%C4%8D.png");
  });

  it('an image supports full, range and conditional requests', async () => {
    const { file_url } = await add(images.png);
    const whole = await api.send('GET', file_url, undefined, { accept: '*/*' });
    const etag = whole.headers.get('etag')!;
    const size = whole.bytes.length;
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="/);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    const part = async (range: string, more = {}) =>
      api.send('GET', file_url, undefined, { accept: '*/*', range, ...more });
    const first = await part('bytes=1-3');
    expect([first.status, first.bytes.toString(), first.headers.get('content-range')]).toEqual([
      206,
      'PNG',
      `bytes 1-3/${size}`,
    ]);
    expect((await part('bytes=-4')).bytes.equals(whole.bytes.subarray(-4))).toBe(true);
    const beyond = await part(`bytes=${size}-`);
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    expect((await part('bytes=1-3', { 'if-range': '"other"' })).status).toBe(200);
    const modified = whole.headers.get('last-modified')!;
    for (const known of [{ 'if-none-match': etag }, { 'if-modified-since': modified }] as Record<string, string>[]) {
      const again = await api.send('GET', file_url, undefined, { accept: '*/*', ...known });
      expect([again.status, again.bytes.length, again.headers.get('last-modified')]).toEqual([304, 0, modified]);
    }
  });

  it('a screenshot lists its strings until they are removed', async () => {
    const { id } = await add(images.png);
    const unit = await api.post(`${path}/units/`, { source: [`Shown ${id}`], target: ['x'], state: 20 });
    const [german] = await api.all(`/api/translations/${project}/example/de/units/`);
    const attach = (unitId: unknown) => api.send('POST', `/api/screenshots/${id}/units/`, { unit_id: unitId });
    for (const wrong of [german.id, 999_999_999, 'abc', null, '']) {
      const answer = await attach(wrong);
      expect({ wrong, status: answer.status, attr: answer.body.errors[0].attr }).toEqual({
        wrong,
        status: 400,
        attr: 'unit_id',
      });
    }
    expect((await attach(unit.id)).body.units).toEqual([unit.url]);
    expect((await attach(unit.id)).body.units).toEqual([unit.url]);
    const [kept] = await api.all(`${path}/units/`);
    expect((await attach(kept.id)).body.units).toEqual([unit.url, kept.url]);
    await api.delete(unit.url);
    expect((await api.get(`/api/screenshots/${id}/`)).units).toEqual([kept.url]);
    expect((await api.all('/api/screenshots/')).find((s: { id: number }) => s.id === id).units).toEqual([kept.url]);
    expect((await api.send('DELETE', `/api/screenshots/${id}/units/${kept.id}`)).status).toBe(204);
    expect((await api.send('DELETE', `/api/screenshots/${id}/units/${kept.id}/`)).status).toBe(404);
    expect((await api.get(`/api/screenshots/${id}/`)).units).toEqual([]);
  });

  it('a deleted screenshot is not found, and neither is its image', async () => {
    const { id, url, file_url } = await add(images.png);
    expect((await api.send('DELETE', url)).status).toBe(204);
    expect((await api.send('GET', url)).status).toBe(404);
    expect((await api.send('GET', file_url)).status).toBe(404);
    expect((await api.all('/api/screenshots/')).map((s: { id: number }) => s.id)).not.toContain(id);
  });

  it('a screenshot is deleted with its translation and its project', async () => {
    await api.post(`/api/components/${project}/example/translations/`, { language_code: 'it' });
    const italian = await add(images.png, 'x.png', { language_code: 'it' });
    const czech = await add(images.png);
    await api.delete(`/api/translations/${project}/example/it/`);
    const expectDeleted = async (url: string) =>
      expect(
        await eventually(
          () => api.send('GET', url),
          (a: { status: number }) => a.status === 404,
        ),
      ).toMatchObject({ status: 404 });
    await expectDeleted(italian.url);
    expect((await api.send('GET', czech.url)).status).toBe(200);
    await api.delete(`/api/projects/${project}/`);
    await expectDeleted(czech.url);
  });
});
