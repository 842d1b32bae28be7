import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api, user } = system();
const unitOf = async (path: string, source: string): Promise<{ id: number; url: string }> =>
  (await api.all(`${path}/units/`)).find((unit: { source: string[] }) => unit.source[0] === source);

it('control characters are removed from an edit and rejected in a new string, and NUL is always rejected', async () => {
  const { path } = await importExample(api, makeRemote(), { manage_units: true });
  const { url } = await unitOf(path, 'Hello, world!');
  const saved = await api.patch(url, { target: ['a\u0007\u001fc!'], state: 20 });
  expect(saved.target).toEqual(['ac!']);
  expect((await api.get(url)).target).toEqual(['ac!']);
  const nul = await api.send('PATCH', url, { target: ['a\u0000c'], state: 20 });
  const made = await api.send('POST', `${path}/units/`, { source: ['a\u0007c'], target: ['x'] });
  expect([nul.status, made.status]).toEqual([400, 400]);
});

it('users who edit the project may import comments of other authors', async () => {
  const { project, path } = await importExample(api, makeRemote());
  const { id } = await unitOf(path, 'Hello, world!');
  const name = `eva-${project}`;
  const eva = await user(name);
  const comments = `/api/units/${id}/comments/`;
  const body = { scope: 'translation', comment: 'From elsewhere' };
  for (const [field, value] of [
    ['user_email', 'nobody'],
    ['timestamp', 'yesterday'],
    ['timestamp', '2026-13-01T00:00:00Z'],
  ] as const) {
    const { status, body: answer } = await api.send('POST', comments, { ...body, [field]: value });
    expect([field, status, answer.errors?.[0].attr]).toEqual([field, 400, field]);
  }
  const theirs = await api.post(comments, {
    ...body,
    user_email: `${name}@example.com`,
    timestamp: '2020-01-02T03:04:05Z',
  });
  expect(theirs).toMatchObject({ user: expect.stringContaining(name), timestamp: '2020-01-02T03:04:05.000000Z' });
  const own = await api.post(comments, { ...body, user_email: 'unknown@example.com' });
  expect(own.user).toMatch(/\/users\/admin\/$/);
  expect((await eva.send('POST', comments, { ...body, user_email: 'admin@example.com' })).status).toBe(403);
  expect((await eva.send('POST', comments, body)).status).toBe(201);
});

it('repeated labels are set once, a context must be a text, and user names reject NUL', async () => {
  const { project, path } = await importExample(api, makeRemote(), { manage_units: true });
  const label = await api.post(`/api/projects/${project}/labels/`, { name: 'Menu', color: 'navy' });
  const source = await unitOf(`/api/translations/${project}/example/en`, 'Hello, world!');
  expect((await api.patch(source.url, { labels: [label.id, label.id] })).labels).toEqual([label.id]);
  const made = await api.send('POST', `${path}/units/`, { context: null, source: ['New'], target: ['Nový'] });
  expect([made.status, made.body.errors?.[0].attr]).toEqual([400, 'context']);
  const changes = await api.send('GET', '/api/changes/?user=a%00b');
  expect([changes.status, changes.body.errors?.[0].attr]).toEqual([400, 'user']);
});

it('labels in JSON must be a list, source strings reject translation comments, and a state requires a text', async () => {
  const { path } = await importExample(api, makeRemote(), { manage_units: true });
  const source = await unitOf(path.replace(/\/cs$/, '/en'), 'Hello, world!');
  const refused = async (method: string, address: string, body: object) => {
    const { status, body: answer } = await api.send(method, address, body);
    return [status, answer.errors?.[0].attr, answer.errors?.[0].code];
  };
  for (const labels of [1, '1'])
    expect(await refused('PATCH', source.url, { labels })).toEqual([400, 'labels', 'not_a_list']);
  const comment = { scope: 'translation', comment: 'Why?' };
  expect(await refused('POST', `${source.url}comments/`, comment)).toEqual([400, 'scope', 'invalid']);
  await api.post(`${source.url}comments/`, { ...comment, scope: 'global' });
  const units = `${path}/units/`;
  const blank = { source: ['Blank'], target: [''], state: 20 };
  expect(await refused('POST', units, blank)).toEqual([400, 'target', 'blank']);
  expect(await api.post(units, { ...blank, state: 0 })).toMatchObject({ state: 0 });
});

it('keys are trimmed and rejected if they are empty', async () => {
  const remote = makeRemote({ 'js/en.json': '{"a": "A"}\n', 'js/cs.json': '{}\n' });
  const settings = {
    filemask: 'js/*.json',
    template: 'js/en.json',
    new_base: '',
    file_format: 'json',
    manage_units: true,
  };
  const { project } = await importExample(api, remote, settings);
  const units = `/api/translations/${project}/example/en/units/`;
  const { status, body } = await api.send('POST', units, { key: ' ', value: ['x'] });
  expect([status, body.errors?.[0].attr]).toEqual([400, 'key']);
  expect(await api.post(units, { key: ' m8\n', value: ['x'] })).toMatchObject({ context: 'm8' });
});
