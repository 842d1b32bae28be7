import type { UnitBody } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api } = system();

const nested = {
  filemask: 'js/*.json',
  template: 'js/en.json',
  new_base: '',
  file_format: 'json-nested',
  manage_units: true,
};
const jsonFiles = (en: object, cs: object) => ({
  'js/en.json': `${JSON.stringify(en, null, 2)}\n`,
  'js/cs.json': `${JSON.stringify(cs, null, 2)}\n`,
});
const unitOf = async (path: string, text: string): Promise<UnitBody | undefined> =>
  (await api.all(`${path}/units/`)).find((unit: UnitBody) => unit.context === text || unit.source[0] === text);
const actions = async (path: string): Promise<{ action: number; target: string; user: string | null }[]> =>
  (await api.get(`${path}/changes/`)).results;

describe('a string added to the source translation of a bilingual component', () => {
  it('a string added to the source translation is untranslated in every translation, written to their files and kept', async () => {
    const remote = makeRemote();
    const { project, componentPath } = await importExample(api, remote, { manage_units: true });
    const at = (language: string) => `/api/translations/${project}/example/${language}`;
    const source = ['Lost string'];
    const made = await api.post(`${at('en')}/units/`, { source });
    expect(made).toMatchObject({ source, target: source, state: 100, pending: false });
    await api.post(`${at('en')}/units/`, { source: ['One apple', 'Many apples'], target: ['A', 'B'], state: 10 });
    for (const [language, texts] of [
      ['cs', ['A', 'B', '']],
      ['de', ['A', 'B']],
    ] as const) {
      const unit = await unitOf(at(language), 'Lost string');
      expect(unit).toMatchObject({ target: [''], state: 0, pending: true, source_unit: made.url });
      expect(await unitOf(at(language), 'One apple')).toMatchObject({ target: texts, state: 10, pending: true });
      expect((await actions(at(language))).map(({ action }) => action).slice(0, 2)).toEqual([31, 31]);
    }
    for (const operation of ['commit', 'push', 'file-scan'])
      expect((await api.post(`${componentPath}/repository/`, { operation })).result).toBe(true);
    for (const language of ['cs', 'de']) {
      expect(remote.remoteFile(`po/${language}.po`).toString()).toContain('msgid "Lost string"\nmsgstr ""\n');
      expect(remote.remoteFile(`po/${language}.po`).toString()).toContain('msgid_plural "Many apples"');
      expect(await unitOf(at(language), 'Lost string')).toMatchObject({ target: [''], state: 0, pending: false });
    }
    expect(await unitOf(at('en'), 'Lost string')).toMatchObject({ id: made.id });
  });

  it('adding a source string is rejected if no translation can contain it', async () => {
    const remote = makeRemote({ 'po/example.pot': 'msgid ""\nmsgstr ""\n\nmsgid "Hello"\nmsgstr ""\n' });
    const { project } = await importExample(api, remote, { manage_units: true });
    const path = `/api/translations/${project}/example/en/units/`;
    const { status, body } = await api.send('POST', path, { source: ['Lost string'] });
    expect([status, body.errors[0].attr]).toEqual([400, 'non_field_errors']);
    expect((await api.get(path)).count).toBe(1);
  });
});

describe('a key nested in another key', () => {
  it('a key that would be both a text and a group is rejected', async () => {
    const remote = makeRemote(jsonFiles({ a: 'text', n: { x: 'nested' } }, {}));
    const { project, componentPath } = await importExample(api, remote, nested);
    const units = `/api/translations/${project}/example/en/units/`;
    for (const key of ['n', 'a.b', 'a[0]']) {
      const { status, body } = await api.send('POST', units, { key, value: ['clash'] });
      expect([key, status, body.errors?.[0].attr]).toEqual([key, 400, 'key']);
    }
    await api.post(units, { key: 'n.y', value: ['beside'] });
    await api.post(units, { key: 'nn', value: ['beside'] });
    for (const operation of ['commit', 'push']) await api.post(`${componentPath}/repository/`, { operation });
    expect(JSON.parse(remote.remoteFile('js/en.json').toString())).toEqual({
      a: 'text',
      n: { x: 'nested', y: 'beside' },
      nn: 'beside',
    });
  });
});

it('a source without text counts no words and fails no checks', async () => {
  const { project, path } = await importExample(
    api,
    makeRemote(jsonFiles({ a: 'one two three four', b: 'B' }, { a: 'jedna  dva!', b: 'b' })),
    nested,
  );
  const english = `/api/translations/${project}/example/en`;
  const unit = (await unitOf(english, 'a'))!;
  expect(await unitOf(path, 'a')).toMatchObject({ num_words: 4, has_failing_check: true });
  await api.patch(`/api/units/${unit.id}/`, { target: [''], state: 0 });
  for (const at of [english, path]) {
    expect(await unitOf(at, 'a')).toMatchObject({ source: [''], num_words: 0, has_failing_check: false });
    expect(await api.get(`${at}/statistics/`)).toMatchObject({ total_words: 1, total_chars: 1 });
  }
});

it('exactly one of several concurrent deletions of a string succeeds', async () => {
  const { path } = await importExample(api, makeRemote(), { manage_units: true });
  const { id } = (await unitOf(path, 'Good bye.'))!;
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.send('DELETE', `/api/units/${id}/`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  expect((await actions(path)).filter(({ action }) => action === 63)).toHaveLength(1);
});

describe('the source string of a bilingual component', () => {
  it('a source string is deleted with the last of its translations', async () => {
    const { project, componentPath } = await importExample(api, makeRemote(), { manage_units: true });
    const at = (language: string) => `/api/translations/${project}/example/${language}`;
    const { count } = await api.get(`${at('en')}/units/`);
    const made = await api.post(`${at('cs')}/units/`, { source: ['Passing'], target: ['Pomíjivý'] });
    expect((await api.get(`${at('en')}/statistics/`)).total).toBe(count + 1);
    await api.delete(`/api/units/${made.id}/`);
    expect((await api.send('GET', made.source_unit)).status).toBe(404);
    expect((await api.get(`${at('en')}/statistics/`)).total).toBe(count);
    expect((await actions(at('en')))[0]).toMatchObject({ action: 63, target: 'Passing' });
    for (const operation of ['commit', 'file-scan']) await api.post(`${componentPath}/repository/`, { operation });
    expect((await api.get(`${at('en')}/units/`)).count).toBe(count);
  });

  it('deleting a source string deletes all its translations', async () => {
    const remote = makeRemote();
    const { project, componentPath } = await importExample(api, remote, { manage_units: true });
    const at = (language: string) => `/api/translations/${project}/example/${language}`;
    const { id } = (await unitOf(at('en'), 'Good bye.'))!;
    expect((await api.send('DELETE', `/api/units/${id}/`)).status).toBe(204);
    for (const operation of ['commit', 'push', 'file-scan'])
      await api.post(`${componentPath}/repository/`, { operation });
    for (const language of ['en', 'cs', 'de']) expect(await unitOf(at(language), 'Good bye.')).toBeUndefined();
    for (const language of ['cs', 'de'])
      expect(remote.remoteFile(`po/${language}.po`).toString()).not.toContain('msgid "Good bye."');
  });
});

it('the history records who deleted a translation and its file', async () => {
  const { componentPath, path } = await importExample(api, makeRemote());
  await api.delete(`${path}/`);
  const removed = (await actions(componentPath)).find(({ action }) => action === 25);
  expect(removed).toMatchObject({ target: 'po/cs.po', user: expect.stringMatching(/\/users\/admin\/$/) });
});
