import type { UnitBody } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api } = system();

const files = {
  'l/dev.json': '{\n  "open": "opn file",\n  "close": "cls",\n  "bye": "bye bye"\n}\n',
  'l/en.json': '{\n  "open": "Open the file",\n  "bye": ""\n}\n',
  'l/cs.json': '{\n  "open": "Otevřít soubor",\n  "bye": "Sbohem"\n}\n',
};

async function imported() {
  const remote = makeRemote(files);
  const { project, path, componentPath, component } = await importExample(api, remote, {
    file_format: 'json',
    filemask: 'l/*.json',
    template: 'l/en.json',
    intermediate: 'l/dev.json',
    edit_template: true,
    new_base: '',
  });
  const english = `/api/translations/${project}/example/en`;
  const units = async (of: string): Promise<Record<string, UnitBody>> =>
    Object.fromEntries((await api.all(`${of}/units/`)).map((unit: UnitBody) => [unit.context, unit]));
  const pull = async () => {
    remote.push();
    await api.post(`${componentPath}/repository/`, { operation: 'pull' });
  };
  return { remote, path, componentPath, component, english, units, pull };
}

describe('a component with an intermediate file', () => {
  it('a component with an intermediate file has its source texts edited before translators see them', async () => {
    const { remote, path, componentPath, component, english, units } = await imported();
    expect(component.intermediate).toBe('l/dev.json');
    const languages = (await api.all(`${componentPath}/translations/`)).map(
      (translation: { language_code: string }) => translation.language_code,
    );
    expect(languages.sort()).toEqual(['cs', 'en']);
    expect(await units(english)).toMatchObject({
      open: { source: ['opn file'], target: ['Open the file'], state: 20 },
      close: { source: ['cls'], target: [''], state: 0 },
      bye: { source: ['bye bye'], target: [''], state: 0 },
    });
    const czech = await units(path);
    expect(czech).toMatchObject({
      open: { source: ['Open the file'], target: ['Otevřít soubor'], state: 20 },
      close: { source: ['cls'], target: [''], state: 100 },
      bye: { source: ['bye bye'], target: ['Sbohem'], state: 100 },
    });
    const refused = await api.send('PATCH', `/api/units/${czech['close']!.id}/`, { target: ['Zavřít'], state: 20 });
    expect(refused.status).toBe(403);

    const close = (await units(english))['close']!;
    await api.patch(`/api/units/${close.id}/`, { target: ['Close'], state: 20 });
    expect((await units(english))['close']).toMatchObject({ source: ['cls'], target: ['Close'], state: 20 });
    expect((await units(path))['close']).toMatchObject({ source: ['Close'], target: [''], state: 0 });
    await api.patch(`/api/units/${czech['close']!.id}/`, { target: ['Zavřít'], state: 20 });
    expect(await api.get(`${path}/statistics/`)).toMatchObject({ total: 3, translated: 3, readonly: 1 });

    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(remote.remoteFile('l/dev.json').toString()).toBe(files['l/dev.json']);
    expect(JSON.parse(remote.remoteFile('l/en.json').toString())).toEqual({
      open: 'Open the file',
      close: 'Close',
      bye: '',
    });
    expect(JSON.parse(remote.remoteFile('l/cs.json').toString())).toEqual({
      open: 'Otevřít soubor',
      close: 'Zavřít',
      bye: 'Sbohem',
    });
    await api.post(`${componentPath}/repository/`, { operation: 'file-scan' });
    expect(await units(path)).toMatchObject({ close: { state: 20 }, open: { state: 20 }, bye: { state: 100 } });
  });

  it('translations are withheld while a source string needs editing and released when it is approved', async () => {
    const { path, english, units } = await imported();
    const open = (await units(english))['open']!;
    await api.patch(`/api/units/${open.id}/`, { target: ['Open the file'], state: 10 });
    expect((await units(path))['open']).toMatchObject({ source: ['Open the file'], state: 100 });
    await api.patch(`/api/units/${open.id}/`, { target: ['Open the file'], state: 20 });
    expect((await units(path))['open']).toMatchObject({ target: ['Otevřít soubor'], state: 20 });
    await api.patch(`/api/units/${open.id}/`, { target: ['Open a file'], state: 10 });
    expect((await units(path))['open']).toMatchObject({ source: ['Open a file'], state: 100 });
    await api.patch(`/api/units/${open.id}/`, { target: ['Open any file'], state: 20 });
    expect((await units(path))['open']).toMatchObject({
      source: ['Open any file'],
      target: ['Otevřít soubor'],
      state: 10,
    });
  });

  it('source strings follow changes of the intermediate file', async () => {
    const { remote, path, english, units, pull } = await imported();
    remote.write({
      'l/dev.json': '{\n  "open": "opn any file",\n  "new": "smth new",\n  "bye": "bye bye"\n}\n',
    });
    remote.commit('Other words');
    await pull();
    expect(await units(english)).toMatchObject({
      open: { source: ['opn any file'], target: ['Open the file'], state: 10, previous_source: 'opn file' },
      new: { source: ['smth new'], target: [''], state: 0 },
    });
    const czech = await units(path);
    expect(Object.keys(czech).sort()).toEqual(['bye', 'new', 'open']);
    expect(czech).toMatchObject({
      open: { source: ['Open the file'], target: ['Otevřít soubor'], state: 100 },
      new: { source: ['smth new'], state: 100 },
    });
    remote.pull();
    remote.write({ 'l/en.json': '{\n  "open": "Open any file",\n  "new": "Something new",\n  "bye": ""\n}\n' });
    remote.commit('Good words');
    await pull();
    expect(await units(path)).toMatchObject({
      open: { source: ['Open any file'], state: 10, previous_source: 'Open the file' },
      new: { source: ['Something new'], target: [''], state: 0 },
    });
  });

  it('deleting a string of an intermediate component deletes it in every file', async () => {
    const { remote, componentPath, english, units } = await imported();
    const { open, close } = await units(english);
    // The base file contains only one of them.
    for (const { id } of [open!, close!]) expect((await api.send('DELETE', `/api/units/${id}/`)).status).toBe(204);
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(remote.remoteFile('l/dev.json').toString()).toBe('{\n  "bye": "bye bye"\n}\n');
    expect(remote.remoteFile('l/en.json').toString()).toBe('{\n  "bye": ""\n}\n');
    expect(remote.remoteFile('l/cs.json').toString()).toBe('{\n  "bye": "Sbohem"\n}\n');
    await api.post(`${componentPath}/repository/`, { operation: 'file-scan' });
    expect(Object.keys(await units(english))).toEqual(['bye']);
  });
});
