import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api, user } = system();

interface ChangeBody {
  action: number;
  timestamp: string;
  user: string | null;
  author: string | null;
  translation: string | null;
  unit: string | null;
  target: string;
  details: Record<string, unknown>;
}

const history = (path: string): Promise<ChangeBody[]> => api.all(`${path}/changes/`);
const unitOf = async (path: string, source: string): Promise<{ id: number; url: string }> =>
  (await api.all(`${path}/units/`)).find((unit: { source: string[] }) => unit.source[0] === source);
const translated =
  (path: string) =>
  (text: string, target: string[], client: Pick<typeof api, 'patch'> = api) =>
    unitOf(path, text).then(({ id }) => client.patch(`/api/units/${id}/`, { target, state: 20 }));

describe('the last change of a translation', () => {
  it('the last change of a translation is its newest history entry, whatever its origin', async () => {
    const { project, componentPath, path } = await importExample(api, makeRemote());
    const translations = ['en', 'cs', 'de'].map((language) => `/api/translations/${project}/example/${language}`);
    const expectEqual = async () => {
      for (const at of translations) {
        const [newest] = await history(at);
        const shown = await eventually(
          () => api.get(`${at}/statistics/`),
          ({ last_change }: { last_change: string }) => last_change === newest!.timestamp,
        );
        expect([at, shown.last_change]).toEqual([at, newest!.timestamp]);
      }
    };
    await expectEqual();
    await translated(path)('Good bye.', ['Sbohem.']);
    const unit = await unitOf(path, 'Good bye.');
    await api.post(`/api/units/${unit.id}/comments/`, { scope: 'translation', comment: 'Why?' });
    await expectEqual();
    await api.post(`${componentPath}/repository/`, { operation: 'commit' });
    expect((await history(path))[0]!.action).toBe(17);
    await expectEqual();
    const form = new FormData();
    const fields = { name: 'Shot', project_slug: project, component_slug: 'example', language_code: 'de' };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    form.set('image', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'shot.png');
    const made = await fetch(`${api.base}/api/screenshots/`, {
      method: 'POST',
      headers: { Authorization: `Token ${api.token}` },
      body: form,
    });
    expect(made.status).toBe(201);
    await expectEqual();
  });
});

describe('what is reached', () => {
  it('the history records new contributors once, and a translation and the component each time they become complete', async () => {
    const { project, componentPath, path } = await importExample(api, makeRemote());
    const german = `/api/translations/${project}/example/de`;
    const ana = await user(`ana-${project}`);
    const of = async (action: number, at = componentPath) =>
      (await history(at)).filter((change) => change.action === action);

    const edit = translated(path);
    await edit('Hello, world!', ['Ahoj!'], ana);
    const [joined] = await eventually(
      () => of(45, path),
      (found: ChangeBody[]) => found.length > 0,
    );
    expect(joined).toMatchObject({
      user: expect.stringContaining('/ana-'),
      unit: (await unitOf(path, 'Hello, world!')).url,
    });
    expect(await of(1)).toEqual([]);
    await edit('Good bye.', ['Sbohem.'], ana);
    expect(await of(1, path)).toMatchObject([{ user: joined!.user, author: joined!.user, unit: null, target: '' }]);
    expect((await history(path))[0]!.action).toBe(1);
    expect(await of(75)).toEqual([]);
    // A further edit of a complete translation is not a milestone.
    await edit('Good bye.', ['Na shledanou.'], ana);
    expect(await of(1, path)).toHaveLength(1);

    const germanEdit = translated(german);
    await germanEdit('Hello, world!', ['Hallo!']);
    await germanEdit('%d file', ['%d Datei', '%d Dateien']);
    await germanEdit('Good bye.', ['Tschüss.']);
    expect(await of(1, german)).toHaveLength(1);
    expect(await of(75)).toMatchObject([{ translation: null, unit: null, user: expect.stringMatching(/\/admin\/$/) }]);
    await api.patch(`/api/units/${(await unitOf(german, 'Good bye.')).id}/`, { state: 10 });
    await germanEdit('Good bye.', ['Tschüss.']);
    expect([(await of(1, german)).length, (await of(75)).length]).toEqual([2, 2]);
    expect((await of(45)).map((change) => change.user)).toHaveLength(2);
  });

  it('a string that its file cannot represent is recorded once and is not a milestone', async () => {
    const remote = makeRemote({ 'js/en.json': '{"menu":"Menu"}\n', 'js/cs.json': '{"menu":{"open":"Otevřít"}}\n' });
    const settings = { filemask: 'js/*.json', template: 'js/en.json', new_base: '', file_format: 'json-nested' };
    const { componentPath, path } = await importExample(api, remote, settings);
    await translated(path)('Menu', ['Nabídka']);
    for (let i = 0; i < 2; i++) await api.post(`${componentPath}/repository/`, { operation: 'commit' });
    const unit = await unitOf(path, 'Menu');
    expect((await history(path)).filter(({ action }) => action === 70)).toMatchObject([
      { target: 'Nabídka', unit: unit.url },
    ]);
    expect(await api.get(unit.url)).toMatchObject({ target: ['Nabídka'], pending: true });
  });

  it('a failed push is reported once and is not a milestone', async () => {
    const remote = makeRemote();
    const { componentPath, path } = await importExample(api, remote, { push: 'file:///nowhere/at/all.git' });
    await translated(path)('Good bye.', ['Sbohem.']);
    for (let i = 0; i < 2; i++)
      expect((await api.post(`${componentPath}/repository/`, { operation: 'push' })).result).toBe(false);
    const changes = await history(componentPath);
    expect(changes.filter(({ action }) => action === 28)).toHaveLength(2);
    expect(changes.filter(({ action }) => action === 47)).toMatchObject([{ details: { alert: 'PushFailure' } }]);
  });
});
