import { makeRemote } from '../../support/remotes.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';
import { execFileSync } from 'node:child_process';

const { api } = system();

interface Unit {
  id: number;
  context: string;
  source: string[];
  target: string[];
  has_suggestion: boolean;
}

const json = (texts: object) => `${JSON.stringify(texts, null, 2)}\n`;
const inJson = {
  filemask: 'lang/*.json',
  template: 'lang/en.json',
  new_base: '',
  file_format: 'json-nested',
  manage_units: true,
};
const english = { k1: 'One', k2: 'Two', k3: 'Three', g: { a: 'A', b: 'B' } };

const pull = (component: string) => api.post(`${component}/repository/`, { operation: 'pull' });
const push = (component: string) => api.post(`${component}/repository/`, { operation: 'push' });
const unitsOf = (path: string): Promise<Unit[]> => api.all(`${path}/units/`);
const translate = (unit: Unit, ...target: string[]) => api.patch(`/api/units/${unit.id}/`, { target, state: 20 });

/** Number of occurrences of a key in a JSON file. */
const times = (file: string, key: string) => file.split(`"${key}":`).length - 1;

describe.each(['rebase', 'merge'])('both sides change a file in places that git merges cleanly (%s)', (merge_style) => {
  async function twoSides(czech: object) {
    const remote = makeRemote({ 'lang/en.json': json(english), 'lang/cs.json': json(czech) });
    const { path, componentPath } = await importExample(api, remote, { ...inJson, merge_style });
    const upstream = (texts: object) => {
      remote.write({ 'lang/cs.json': json(texts) });
      remote.commit('Upstream');
      remote.push();
    };
    const unit = async (context: string) => (await unitsOf(path)).find((one) => one.context === context)!;
    const joined = async () => {
      expect(await pull(componentPath)).toMatchObject({ result: true });
      expect(await push(componentPath)).toMatchObject({ result: true });
      return remote.remoteFile('lang/cs.json').toString();
    };
    return { path, upstream, unit, joined };
  }

  it('a string that both sides add keeps the local text and occurs once', async () => {
    const { path, upstream, unit, joined } = await twoSides({ k1: 'Jedna', k2: 'Dva' });
    await translate(await unit('k3'), 'Odsud');
    upstream({ k3: 'Odjinud', k1: 'Jedna', k2: 'Dva' });
    const file = await joined();
    expect([times(file, 'k3'), JSON.parse(file).k3]).toEqual([1, 'Odsud']);
    expect(await unit('k3')).toMatchObject({ target: ['Odsud'], has_suggestion: true });
    const changes = await api.all(`${path}/changes/?action=22`);
    expect(changes).toHaveLength(1);
  });

  it('a text that both sides add occurs once, and later edits are read', async () => {
    const { upstream, unit, joined } = await twoSides({ k1: 'Jedna', k2: 'Dva' });
    await translate(await unit('k3'), 'Tři');
    upstream({ k3: 'Tři', k1: 'Jedna', k2: 'Dva' });
    expect(times(await joined(), 'k3')).toBe(1);
    await translate(await unit('k3'), 'Troje');
    expect(JSON.parse(await joined()).k3).toBe('Troje');
  });

  it('strings of a group that both sides begin are merged into one group', async () => {
    const { upstream, unit, joined } = await twoSides({ k1: 'Jedna', k2: 'Dva' });
    await translate(await unit('g.a'), 'Á');
    upstream({ g: { b: 'Bé' }, k1: 'Jedna', k2: 'Dva' });
    const file = await joined();
    expect([times(file, 'g'), JSON.parse(file)]).toEqual([1, { g: { a: 'Á', b: 'Bé' }, k1: 'Jedna', k2: 'Dva' }]);
  });

  it('a string deleted here stays deleted', async () => {
    const { path, upstream, unit, joined } = await twoSides({ k1: 'Jedna', k2: 'Dva' });
    await translate(await unit('k3'), 'Odsud');
    const [source] = (await unitsOf(path.replace(/cs$/, 'en'))).filter(({ context }) => context === 'k2');
    await api.delete(`/api/units/${source!.id}/`);
    upstream({ k3: 'Odjinud', k1: 'Jednou', k2: 'Dva' });
    expect(JSON.parse(await joined())).toEqual({ k3: 'Odsud', k1: 'Jednou' });
    expect((await unitsOf(path)).map(({ context }) => context)).not.toContain('k2');
  });

  it('a string deleted here and translated upstream is recorded as a conflict', async () => {
    const { path, upstream, unit, joined } = await twoSides({ k1: 'Jedna', k2: 'Dva' });
    await translate(await unit('k1'), 'První');
    const [source] = (await unitsOf(path.replace(/cs$/, 'en'))).filter(({ context }) => context === 'k2');
    await api.delete(`/api/units/${source!.id}/`);
    upstream({ k1: 'Jedna', k2: 'Druhá' });
    expect(JSON.parse(await joined())).toEqual({ k1: 'První', k2: 'Druhá' });
    const [change, ...more] = await api.all(`${path}/changes/?action=22`);
    expect([change, more]).toMatchObject([{ target: 'Druhá', details: { deleted: true, context: 'k2' } }, []]);
  });

  it('the forms of a plural are merged as one text', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote, { merge_style });
    const before = (await unitsOf(path))[1]!;
    await translate(before, '%d věc', before.target[1]!, before.target[2]!);
    const file = remote.read('po/cs.po').toString();
    remote.write({ 'po/cs.po': file.replace(`msgstr[2] "${before.target[2]}"`, 'msgstr[2] "%d kusů"') });
    remote.commit('Upstream');
    remote.push();
    expect(await pull(componentPath)).toMatchObject({ result: true });
    const after = (await unitsOf(path))[1]!;
    expect(after).toMatchObject({ target: ['%d věc', before.target[1], before.target[2]], has_suggestion: true });
  });

  it('texts survive a change of the charset', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote, { merge_style });
    const farewell = (await unitsOf(path))[2]!;
    await translate(farewell, 'Příště zase, řekněme.');
    const text = remote.read('po/cs.po').toString().replace('charset=UTF-8', 'charset=ISO-8859-2');
    remote.write({ 'po/cs.po': execFileSync('iconv', ['-f', 'UTF-8', '-t', 'ISO-8859-2'], { input: text }) });
    remote.commit('Old charset');
    remote.push();
    expect(await pull(componentPath)).toMatchObject({ result: true });
    expect((await unitsOf(path))[2]!.target).toEqual(['Příště zase, řekněme.']);
    expect(await push(componentPath)).toMatchObject({ result: true });
    const pushed = remote.remoteFile('po/cs.po');
    const read = execFileSync('iconv', ['-f', 'ISO-8859-2', '-t', 'UTF-8'], { input: pushed }).toString();
    expect(read).toContain('charset=ISO-8859-2');
    expect(read).toContain('msgstr "Příště zase, řekněme."');
  });

  it('texts of a language survive if upstream replaces its file with another language', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote, { merge_style });
    const inGerman = path.replace(/cs$/, 'de');
    await translate((await unitsOf(inGerman))[2]!, 'Bis bald.');
    remote.git('mv', 'po/de.po', 'po/fr.po');
    remote.commit('French instead of German');
    remote.push();
    expect(await pull(componentPath)).toMatchObject({ result: true });
    expect((await unitsOf(inGerman))[2]!.target).toEqual(['Bis bald.']);
    expect((await unitsOf(path.replace(/cs$/, 'fr')))[2]!.target).toEqual(['']);
    expect(await push(componentPath)).toMatchObject({ result: true });
    expect(remote.remoteFile('po/de.po').toString()).toContain('Bis bald.');
    expect(remote.remoteFile('po/fr.po').toString()).not.toContain('Bis bald.');
  });

  it('texts follow a file that upstream moved', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote, { merge_style });
    await translate((await unitsOf(path))[2]!, 'Nashle.');
    remote.git('mv', 'po', 'locale');
    remote.commit('Moved');
    remote.push();
    expect(await pull(componentPath)).toMatchObject({ result: true });
    expect(await push(componentPath)).toMatchObject({ result: true });
    expect(remote.remoteFile('locale/cs.po').toString()).toContain('msgstr "Nashle."');
  });
});

it('the first file of a language takes precedence over a second one', async () => {
  const remote = makeRemote();
  remote.git('mv', 'po/cs.po', 'po/cs_CZ.po');
  remote.commit('With its country');
  remote.push();
  const { path, componentPath } = await importExample(api, remote);
  await translate((await unitsOf(path))[2]!, 'Nashle.');
  remote.write({ 'po/cs.po': remote.read('po/example.pot') });
  remote.commit('Czech once more');
  remote.push();
  expect(await pull(componentPath)).toMatchObject({ result: true });
  expect((await unitsOf(path))[2]!.target).toEqual(['Nashle.']);
  expect(await api.get(`${path}/`)).toMatchObject({ filename: 'po/cs_CZ.po' });
});

it('two components of the same files keep both texts of a string', async () => {
  const remote = makeRemote();
  const { project, path, componentPath } = await importExample(api, remote, { name: 'First' });
  await addExample(api, project, 'second', remote, {
    repo: `parlance://${project}/example`,
    branch: '',
    allow_translation_propagation: false,
  });
  const second = path.replace('/example/', '/second/');
  await api.patch(`${componentPath}/`, { allow_translation_propagation: false });
  await translate((await unitsOf(path))[2]!, 'Od prvního');
  await translate((await unitsOf(second))[2]!, 'Od druhého');
  await api.post(`${componentPath}/repository/`, { operation: 'commit' });
  const texts = await Promise.all([path, second].map(async (of) => (await unitsOf(of))[2]!));
  // The text committed by one component is a suggestion beside the other's text; both match the file.
  const file = (await api.bytes(`${path}/file/`)).toString();
  expect(file).toContain(`msgstr "${texts[0]!.target[0]}"`);
  expect(texts[0]!.target).toEqual(texts[1]!.target);
  const all = (await Promise.all([path, second].map((of) => api.all(`${of}/changes/`)))).flat();
  const known = JSON.stringify(all);
  expect([known.includes('Od prvního'), known.includes('Od druhého')]).toEqual([true, true]);
  expect(all.filter(({ action }) => action === 22)).toHaveLength(1);
});
