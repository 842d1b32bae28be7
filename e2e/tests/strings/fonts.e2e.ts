// Fonts of projects through the public API: upload, validation, reading, deletion, and the checks that measure with them.
import { sampleFont, sampleWoff2, type SampleFont } from '@parlance/testing';
import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { form } from '../../support/worlds.mjs';

const { api } = system();
const anonymous = makeApi(api.base);

interface FontBody {
  id: number;
  family: string;
  file_url: string;
  url: string;
}

const letters = Object.fromEntries([...'ABCabcdefghijklmnopqrstuvwxyz ,!'].map((letter) => [letter, 1000]));
const sample: SampleFont = { family: 'Wide Sans', style: 'Bold', weight: 700, advances: letters };
const ttf = sampleFont(sample);

describe('fonts', () => {
  const remote = makeRemote();
  let project: string;
  let path: string;
  beforeAll(async () => {
    ({ project, path } = await importExample(api, remote, { manage_units: true }));
  });

  const send = (bytes: Buffer, filename = 'wide.ttf') =>
    api.send('POST', `/api/projects/${project}/fonts/`, form({}, { field: 'font', bytes, filename }));
  const add = async (bytes: Buffer, filename?: string): Promise<FontBody> => {
    const answer = await send(bytes, filename);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
    expect(answer.headers.get('location')).toBe((answer.body as FontBody).url);
    return answer.body as FontBody;
  };
  const fonts = (): Promise<FontBody[]> => api.all(`/api/projects/${project}/fonts/`);

  it.each([
    ['TTF', ttf, 'wide.ttf'],
    ['OTF', sampleFont(sample, [0x4f54544f]), 'wide.otf'],
    ['WOFF2', sampleWoff2(sample, { transformed: true }), 'wide.woff2'],
  ])('a %s file is recognized by its content and listed with its own metadata', async (_, bytes, filename) => {
    const font = await add(bytes, 'wide.bin');
    expect(font).toMatchObject({ family: 'Wide Sans', style: 'Bold', weight: 700, italic: false, filename });
    expect(font).toMatchObject({ characters: Object.keys(letters).length, size: bytes.length });
    expect(await api.get(font.url)).toEqual(font);
    expect(await fonts()).toEqual([font]);
    await api.delete(font.url);
  });

  it('only users who may edit the project download the file of a font', async () => {
    const { file_url, url } = await add(ttf);
    const { bytes, headers } = await api.send('GET', file_url, undefined, { accept: '*/*' });
    expect(bytes.equals(ttf)).toBe(true);
    expect(headers.get('content-disposition')).toBe('attachment; filename="wide.ttf"');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const etag = headers.get('etag')!;
    const known = await api.send('GET', file_url, undefined, { 'if-none-match': etag, accept: '*/*' });
    expect(known.status).toBe(304);
    expect((await anonymous.send('GET', file_url)).status).toBe(401);
    expect((await anonymous.send('GET', url)).status).toBe(200);
    await api.delete(url);
  });

  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'empty'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'invalid_font'],
    ['a damaged font', ttf.subarray(0, 200), 'invalid_font'],
    ['a collection', Buffer.concat([Buffer.from('ttcf'), ttf.subarray(4)]), 'invalid_font'],
    ['more than 10 MiB', Buffer.concat([ttf, Buffer.alloc(10 * 1024 * 1024)]), 'too_large'],
  ])('%s is refused as a font', async (_, bytes, code) => {
    const { status, body } = await send(bytes);
    expect([status, (body as { errors: object[] }).errors]).toMatchObject([400, [{ attr: 'font', code }]]);
    expect(await fonts()).toEqual([]);
  });

  it('a request without a file names the field', async () => {
    const { status, body } = await api.send('POST', `/api/projects/${project}/fonts/`, form({}));
    expect([status, body]).toMatchObject([400, { errors: [{ attr: 'font', code: 'required' }] }]);
    const text = await api.send('POST', `/api/projects/${project}/fonts/`, { font: 'x' });
    expect([text.status, text.body]).toMatchObject([400, { errors: [{ attr: 'font', code: 'invalid' }] }]);
  });

  it('max-size measures with the font of the project as soon as it is there, also strings that were edited before', async () => {
    const [unit] = await api.all(`${path}/units/?q=${encodeURIComponent('NOT has:plural')}`);
    await api.patch(unit.source_unit, { extra_flags: 'max-size:100, font-family:"Wide Sans"' });
    const checks = (): Promise<{ id: string }[]> => api.all(`/api/units/${unit.id}/checks/`);
    const fails = async () => (await checks()).some(({ id }) => id === 'max-size');
    // About 60 pixels in Noto Sans, 110 in the uploaded font.
    await api.patch(unit.url, { target: ['abcabcabcab'], state: 20 });
    expect(await fails()).toBe(false);
    const font = await add(ttf);
    await eventually(fails, Boolean);
    await api.patch(unit.url, { target: ['abc'], state: 20 });
    expect(await fails()).toBe(false);
    await api.patch(unit.url, { target: ['abcabcabcab'], state: 20 });
    expect(await fails()).toBe(true);
    await api.delete(font.url);
    await eventually(fails, (failing: boolean) => !failing);
    await api.patch(unit.source_unit, { extra_flags: '' });
  });

  it('a deleted font is not found, and the built-in one counts again', async () => {
    const { url, file_url } = await add(ttf);
    await api.delete(url);
    for (const address of [url, file_url]) expect((await api.send('GET', address)).status).toBe(404);
    expect((await api.send('DELETE', url)).status).toBe(404);
    expect(await fonts()).toEqual([]);
  });

  it('the history records added and removed fonts', async () => {
    const { url } = await add(ttf);
    await api.delete(url);
    const newest = async () => (await api.get(`/api/projects/${project}/changes/?page_size=2`)).results;
    const results = await eventually(
      newest,
      ([last]: { action: number; details: { filename?: string } }[]) =>
        last?.action === 82 && last.details.filename === 'wide.ttf',
    );
    expect(results).toMatchObject([
      { action_name: 'Font removed', target: 'Wide Sans Bold' },
      { action: 80, action_name: 'Font added', target: 'Wide Sans Bold' },
    ]);
  });

  it('a project holds 50 fonts, which are listed in pages', async () => {
    for (let count = 0; count < 50; count++) await add(ttf);
    const { status, body } = await send(ttf);
    expect([status, body]).toMatchObject([400, { errors: [{ attr: 'font', code: 'max_length' }] }]);
    const page = await api.get(`/api/projects/${project}/fonts/?page_size=20&page=3`);
    expect(page).toMatchObject({ count: 50, next: null });
    expect(page.results).toHaveLength(10);
  });
});
