import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { followedByGlossary, importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const remote = makeRemote();

const { api, base } = system();

/** Members of an archive, extracted by another program. */
function unzip(bytes: Buffer): Record<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-zip-'));
  try {
    writeFileSync(join(folder, 'a.zip'), bytes);
    mkdirSync(join(folder, 'out'));
    const script = 'import sys,zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])';
    execFileSync('python3', ['-c', script, join(folder, 'a.zip'), join(folder, 'out')]);
    const names = readdirSync(join(folder, 'out'), { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    return Object.fromEntries(
      names.map((e) => {
        const path = join(e.parentPath, e.name);
        return [path.slice(join(folder, 'out').length + 1), readFileSync(path)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('downloads', () => {
  let project: string;
  let path: string;
  let componentPath: string;
  beforeAll(async () => {
    ({ project, path, componentPath } = await importExample(api, remote));
  });
  const get = (target: string, headers: Record<string, string> = {}) =>
    api.send('GET', target, undefined, { accept: '*/*', ...headers });

  it.each([
    ['', 'po', 'text/x-gettext-catalog'],
    ['po', 'po', 'text/x-po; charset=utf-8'],
    ['mo', 'mo', 'application/x-gettext-catalog; charset=utf-8'],
    ['xliff', 'xlf', 'application/x-xliff+xml; charset=utf-8'],
    ['xliff11', 'xlf', 'application/x-xliff+xml; charset=utf-8'],
    ['tbx', 'tbx', 'application/x-tbx; charset=utf-8'],
    ['tmx', 'tmx', 'application/x-tmx; charset=utf-8'],
    ['csv', 'csv', 'text/csv; charset=utf-8'],
    ['xlsx', 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet; charset=utf-8'],
  ])(
    'downloads in format "%s" have its name and type and support conditional requests',
    async (format, extension, type) => {
      const address = `${path}/file/${format && `?format=${format}`}`;
      const file = await get(address);
      expect({
        status: file.status,
        type: file.headers.get('content-type'),
        name: file.headers.get('content-disposition'),
        size: file.headers.get('content-length'),
      }).toEqual({
        status: 200,
        type,
        name: `attachment; filename=${project}-example-cs.${extension}`,
        size: String(file.bytes.length),
      });
      const [etag, modified] = [file.headers.get('etag')!, file.headers.get('last-modified')!];
      for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': modified }] as Record<
        string,
        string
      >[]) {
        const again = await get(address, headers);
        expect([again.status, again.bytes.length]).toEqual([304, 0]);
      }
      expect((await get(address, { 'if-none-match': '"another"' })).status).toBe(200);
      expect((await get(address, { 'if-modified-since': new Date(0).toUTCString() })).status).toBe(200);
    },
  );

  it('a download contains an edit immediately and has new validators', async () => {
    const before = await get(`${path}/file/`);
    const unit = (await api.get(`${path}/units/?q=state:empty`)).results[0];
    await api.patch(`/api/units/${unit.id}/`, { target: ['Mějte se'], state: 20 });
    const after = await get(`${path}/file/`, { 'if-none-match': before.headers.get('etag')! });
    expect(after.status).toBe(200);
    expect(after.body).toContain('Mějte se');
    expect((await get(`${path}/file/?format=xliff`)).body).toContain('Mějte se');
  });

  it('a download with a query contains only matching strings', async () => {
    const csv = (await get(`${path}/file/?format=csv&q=${encodeURIComponent('source:"Hello"')}`)).body;
    expect(csv).toContain('Hello, world!');
    expect(csv).not.toContain('Good bye.');
    for (const [query, attr] of [
      ['q=state:empty', 'q'],
      ['format=csv&q=state:(', 'q'],
      ['format=aresource', 'format'],
      ['format=json', 'format'],
      ['format=nothing', 'format'],
    ]) {
      const answer = await api.send('GET', `${path}/file/?${query}`);
      expect([query, answer.status, answer.body.errors[0].attr]).toEqual([query, 400, attr]);
    }
  });

  it('archives contain every file as stored in the repository, or converted', async () => {
    const folder = `${project}/example`;
    await followedByGlossary(api, project);
    for (const [address, name] of [
      [`${componentPath}/file/`, `"${project}-example.zip"`],
      [`/api/projects/${project}/file/`, `"${project}.zip"`],
    ] as const) {
      const archive = await get(address);
      expect(archive.headers.get('content-type')).toBe('application/zip');
      expect(archive.headers.get('content-disposition')).toBe(`attachment; filename=${name}`);
      const members = unzip(archive.bytes);
      expect(Object.keys(members)).toEqual(
        expect.arrayContaining([`${folder}/po/cs.po`, `${folder}/po/de.po`, `${folder}/po/example.pot`]),
      );
      expect(members[`${folder}/po/de.po`]!.equals(remote.remoteFile('po/de.po'))).toBe(true);
      expect(members[`${folder}/po/cs.po`]!.equals(await api.bytes(`${path}/file/`))).toBe(true);
      const known = { 'if-none-match': archive.headers.get('etag')! };
      expect((await get(address, known)).status).toBe(304);
      expect((await get(`${address}?language_code=cs`, known)).status).toBe(200);
      const [unit] = (await api.get(`${path}/units/?q=state:>=translated`)).results;
      await api.patch(`/api/units/${unit.id}/`, { target: [`${unit.target[0]}!`] });
      const changed = await get(address, known);
      expect([changed.status, changed.headers.get('etag') === known['if-none-match']]).toEqual([200, false]);
    }
    const converted = unzip((await get(`${componentPath}/file/?format=zip:csv`)).bytes);
    expect(Object.keys(converted).sort()).toEqual(['cs', 'de', 'en'].map((c) => `${project}-example-${c}.csv`));
    const skipped = unzip((await get(`${componentPath}/file/?format=zip:json`)).bytes);
    expect(Object.keys(skipped)).toContain(`${project}-example-cs.json.skipped`);
    const one = unzip((await get(`/api/projects/${project}/file/?language_code=de`)).bytes);
    expect(Object.keys(one).sort()).toEqual([`${folder}/po/de.po`, `${project}/glossary/de.tbx`]);
    expect((await get(`${componentPath}/file/?format=zip:nothing`)).status).toBe(404);
    expect(unzip((await get(`/api/projects/${project}/file/?language_code=xx`)).bytes)).toEqual({});
  });
});

it('archives contain only files that the caller may download', async () => {
  const { project, component, componentPath } = await importExample(api, remote);
  await api.patch(`/api/projects/${project}/`, { access_control: 100 });
  const username = unique('reader');
  await api.post('/api/users/', { username, full_name: username, email: `${username}@example.com` });
  const { token } = await api.post(`/api/users/${username}/tokens/`, { name: 'test' });
  const team = await api.post('/api/groups/', { name: unique('team') });
  const { id } = await api.get(`/api/projects/${project}/`);
  const role = (await api.all('/api/roles/')).find((found: { name: string }) => found.name === 'Translate');
  for (const [kind, body] of Object.entries({
    projects: { project_id: id },
    roles: { role_id: role.id },
    languages: { language_code: 'cs' },
  }))
    await api.post(`${team.url}${kind}/`, body);
  await api.post(`/api/users/${username}/groups/`, { group_id: team.id });
  const reader = makeApi(base, token);
  const names = async (address: string) => Object.keys(unzip(await reader.bytes(address))).sort();
  const folder = `${project}/${component.slug}`;
  expect(await names(`${componentPath}/file/`)).toEqual([`${folder}/po/cs.po`, `${folder}/po/example.pot`]);
  expect(await names(`${componentPath}/file/?format=zip:csv`)).toEqual([`${project}-example-cs.csv`]);
  expect(await names(`/api/projects/${project}/file/`)).toContain(`${folder}/po/cs.po`);
  for (const address of [`${componentPath}/file/`, `/api/projects/${project}/file/`])
    expect((await reader.send('GET', `${address}?language_code=de`)).status).toBe(403);
});

it('a text that a format cannot represent fails one file of an archive only', async () => {
  const files = { 'en.json': '{"a": "A", "b": "B"}\n', 'cs.json': '{"a": "x\\u0001y", "b": "z"}\n' };
  const settings = { filemask: '*.json', template: 'en.json', new_base: '', file_format: 'json' };
  const { project, path, componentPath } = await importExample(api, makeRemote(files), settings);
  const answer = await api.send('GET', `${path}/file/?format=aresource`);
  expect([answer.status, answer.body.errors[0].attr]).toEqual([400, 'format']);
  expect(answer.body.errors[0].detail).toContain('string "a"');
  await followedByGlossary(api, project);
  for (const [address, more] of [
    [`${componentPath}/file/`, []],
    [`/api/projects/${project}/file/`, ['cs', 'en'].map((code) => `${project}-glossary-${code}.xml.skipped`)],
  ] as const) {
    const archive = await api.bytes(`${address}?format=zip:aresource`);
    const members = unzip(archive);
    const own = [`${project}-example-cs.xml.skipped`, `${project}-example-en.xml`];
    expect(Object.keys(members).sort()).toEqual([...own, ...more]);
    expect(members[`${project}-example-cs.xml.skipped`]!.toString()).toContain('string "a"');
  }
});

describe('downloads of plural forms', () => {
  let path: string;
  beforeAll(async () => {
    ({ path } = await importExample(api, remote));
  });

  it.each(['po', 'mo', 'xliff', 'csv', 'xlsx'])('downloaded plural forms survive an upload: %s', async (format) => {
    const plural = async () => (await api.all(`${path}/units/`)).find((unit) => unit.source.length > 1)!;
    const unit = await plural();
    const texts = ['=%d soubor', "'%d soubory'", '%d, souborů'];
    await api.patch(`/api/units/${unit.id}/`, { target: texts, state: 20 });
    const file = await api.send('GET', `${path}/file/?format=${format}`, undefined, { accept: '*/*' });
    await api.patch(`/api/units/${unit.id}/`, { target: ['%d', '%d', '%d'], state: 20 });
    const [, filename] = /filename=(\S+)/.exec(file.headers.get('content-disposition')!)!;
    const form = new FormData();
    form.append('conflicts', 'replace-translated');
    form.append('file', new Blob([new Uint8Array(file.bytes)]), filename);
    expect(await api.send('POST', `${path}/file/`, form)).toMatchObject({ status: 200, body: { accepted: 1 } });
    expect((await plural()).target).toEqual(texts);
  });
});
