import type { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, user } = system();

type Client = ReturnType<typeof makeApi>;
interface Suggestion {
  id: number;
  target: string[];
  url: string;
}

const unitOf = async (path: string, source: string) =>
  (await api.all(`${path}/units/`)).find((u: { source: string[] }) => u.source[0] === source);

/** A component with two strings to suggest texts for, and two people. */
async function prepare(settings = {}) {
  const remote = makeRemote();
  const [ann, bob] = [unique('ann'), unique('bob')];
  const [example, annApi, bobApi] = await Promise.all([importExample(api, remote, settings), user(ann), user(bob)]);
  const [hello, bye] = await Promise.all([unitOf(example.path, 'Hello, world!'), unitOf(example.path, 'Good bye.')]);
  return { ...example, remote, ann: { name: ann, api: annApi }, bob: { name: bob, api: bobApi }, hello, bye };
}

const suggest = (client: Client, unit: number, text: string): Promise<Suggestion> =>
  client.post(`/api/units/${unit}/suggestions/`, { target: [text] });
const attrs = (body: { errors: { attr: string | null; code: string }[] }) =>
  body.errors.map(({ attr, code }) => `${attr} ${code}`).sort();

describe('suggestions', () => {
  it('suggestions are added and listed with author, time and difference, for a string and for all', async () => {
    const { path, ann, hello, bye } = await prepare();
    const made = await ann.api.send('POST', `/api/units/${hello.id}/suggestions/`, { target: ['Ahoj, lidi!  '] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      unit: hello.url,
      // Corrected as an edit is.
      target: ['Ahoj, lidi!'],
      user: expect.stringContaining(`/api/users/${ann.name}/`),
      votes: 0,
      voted: false,
      diff: [
        [
          { op: 'equal', text: 'Ahoj, ' },
          { op: 'delete', text: 'světe' },
          { op: 'insert', text: 'lidi' },
          { op: 'equal', text: '!' },
        ],
      ],
    });
    expect(Math.abs(Date.parse(made.body.timestamp) - Date.now())).toBeLessThan(600_000);
    const other = await suggest(ann.api, bye.id, 'Sbohem.');
    expect(await api.all(`/api/units/${hello.id}/suggestions/`)).toEqual([made.body]);
    const all = await api.get(`${path}/suggestions/?page_size=1`);
    expect(all).toMatchObject({ count: 2, results: [made.body] });
    expect((await api.all(`${path}/suggestions/`)).map((s: Suggestion) => s.id)).toEqual([made.body.id, other.id]);
    expect((await api.get(`/api/units/${hello.id}/`)).has_suggestion).toBe(true);
    expect((await api.get(`${path}/statistics/`)).suggestions).toBe(2);
    const [change] = (await api.get(`${path}/changes/?action=4&user=${ann.name}`)).results;
    expect(change).toMatchObject({ target: 'Sbohem.', unit: bye.url, details: { suggestion: other.id } });
  });

  it('invalid suggestions are refused with the name of the field', async () => {
    const { path, componentPath, ann, hello } = await prepare();
    const plural = await unitOf(path, '%d file');
    const send = (id: number, body: object) => ann.api.send('POST', `/api/units/${id}/suggestions/`, body);
    await suggest(ann.api, hello.id, 'Nazdar!');
    const cases: [number, object, string[]][] = [
      [hello.id, {}, ['target required']],
      [hello.id, { target: 'Ahoj, světe!' }, ['target invalid']],
      [hello.id, { target: ['Nazdar!'] }, ['target unique']],
      [hello.id, { target: [''] }, ['target blank']],
      [plural.id, { target: ['one'] }, ['target invalid']],
    ];
    for (const [id, body, wrong] of cases) {
      const answer = await send(id, body);
      expect({ body, status: answer.status, wrong: attrs(answer.body) }).toEqual({ body, status: 400, wrong });
    }
    const source = Number(/(\d+)\/$/.exec(hello.source_unit)![1]);
    expect((await send(source, { target: ['x'] })).status).toBe(403);
    await api.patch(`${componentPath}/`, { enable_suggestions: false });
    expect((await send(hello.id, { target: ['x'] })).status).toBe(403);
    expect((await api.get(`/api/units/${hello.id}/suggestions/`)).count).toBe(1);
  });

  it('suggestions become the translation in the name of their author, in history and commit', async () => {
    const { path, componentPath, remote, ann, bob, hello, bye } = await prepare();
    const first = await suggest(ann.api, hello.id, 'Nazdar!');
    await suggest(ann.api, hello.id, 'Zdravím!');
    const saved = await bob.api.post(`${first.url}accept/`, {});
    expect(saved).toMatchObject({ target: ['Nazdar!'], state: 20 });
    expect(await api.get(`/api/units/${hello.id}/`)).toMatchObject({
      target: ['Nazdar!'],
      pending: true,
      has_suggestion: true,
    });
    expect((await api.all(`/api/units/${hello.id}/suggestions/`)).map((s: Suggestion) => s.target)).toEqual([
      ['Zdravím!'],
    ]);
    const [change] = (await api.get(`${path}/changes/?action=7`)).results;
    expect(change).toMatchObject({
      target: 'Nazdar!',
      old: 'Ahoj, světe!',
      user: expect.stringContaining(`/users/${bob.name}/`),
      author: expect.stringContaining(`/users/${ann.name}/`),
      details: { suggestion: first.id },
    });
    // Who changes the text is its author.
    const edited = await suggest(ann.api, bye.id, 'Sbohem!');
    await bob.api.post(`${edited.url}accept/`, { target: ['Sbohem.'], state: 10 });
    expect(await api.get(`/api/units/${bye.id}/`)).toMatchObject({
      target: ['Sbohem.'],
      state: 10,
      has_suggestion: false,
    });
    expect((await api.get(`${path}/changes/?action=7`)).results[0]).toMatchObject({
      target: 'Sbohem.',
      author: expect.stringContaining(`/users/${bob.name}/`),
    });
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    const authors = remote.log().map(({ author }: { author: string }) => author);
    for (const { name } of [ann, bob]) expect(authors).toContainEqual(expect.stringContaining(`<${name}@example.com>`));
    expect((await bob.api.send('POST', `${first.url}accept/`, {})).status).toBe(404);
  });

  it('suggestions are accepted under the rules of every edit', async () => {
    const { componentPath, ann, bob, hello, bye } = await prepare();
    const suggestion = await suggest(ann.api, hello.id, 'Nazdar!');
    const accept = (body = {}) => bob.api.send('POST', `${suggestion.url}accept/`, body);
    const wrong = await accept({ target: ['a', 'b'], state: 15 });
    expect([wrong.status, attrs(wrong.body)]).toEqual([400, ['state invalid_choice', 'target invalid']]);
    // Of another string.
    expect((await bob.api.send('POST', `${bye.url}suggestions/${suggestion.id}/accept/`, {})).status).toBe(404);
    await api.post(`${componentPath}/lock/`, { lock: true });
    for (const act of ['accept', 'reject']) {
      const answer = await api.send('POST', `${suggestion.url}${act}/`, {});
      expect([act, answer.status]).toEqual([act, 403]);
    }
    await api.post(`${componentPath}/lock/`, { lock: false });
    await api.patch(hello.source_unit, { extra_flags: 'read-only' });
    expect((await accept()).status).toBe(403);
    expect(await api.get(`/api/units/${hello.id}/`)).toMatchObject({ target: ['Ahoj, světe!'], has_suggestion: true });
    await api.patch(hello.source_unit, { extra_flags: '' });
    // A suggestion with the current text of the string is deleted, too, and its history entry stays.
    await api.patch(`/api/units/${hello.id}/`, { target: ['Nazdar!'], state: 20 });
    expect((await accept()).status).toBe(200);
    expect((await api.get(`/api/units/${hello.id}/`)).has_suggestion).toBe(false);
  });

  it('concurrent acceptances, edits and additions of suggestions lose no text and count right', async () => {
    const { path, ann, bob, hello } = await prepare();
    const suggestions = [];
    for (const i of [1, 2, 3, 4]) suggestions.push(await suggest(ann.api, hello.id, `Návrh ${i}`));
    const answers = await Promise.all([
      ...suggestions.slice(0, 2).map(({ url }) => bob.api.send('POST', `${url}accept/`, {})),
      bob.api.send('POST', `${suggestions[2]!.url}reject/`, {}),
      api.send('PATCH', `/api/units/${hello.id}/`, { target: ['Úprava'], state: 20 }),
      ...[5, 6].map((i) => ann.api.send('POST', `/api/units/${hello.id}/suggestions/`, { target: [`Návrh ${i}`] })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 200, 201, 201]);
    const left = await api.all(`/api/units/${hello.id}/suggestions/`);
    expect(left.map(({ target }: Suggestion) => target[0]).sort()).toEqual(['Návrh 4', 'Návrh 5', 'Návrh 6']);
    const history = (await api.all(`${path}/changes/`)).map((c: { action: number; target: string }) => [
      c.action,
      c.target,
    ]);
    for (const entry of [
      [7, 'Návrh 1'],
      [7, 'Návrh 2'],
      [26, 'Návrh 3'],
      [2, 'Úprava'],
      [4, 'Návrh 5'],
      [4, 'Návrh 6'],
    ])
      expect(history).toContainEqual(entry);
    for (const { url } of left) await bob.api.post(`${url}reject/`, {});
    expect((await api.get(`/api/units/${hello.id}/`)).has_suggestion).toBe(false);
    expect((await api.get(`${path}/statistics/`)).suggestions).toBe(0);
  });

  it('suggestions are rejected with a reason, and withdrawn by their author', async () => {
    const { project, path, ann, bob, hello } = await prepare();
    const first = await suggest(ann.api, hello.id, 'Nazdar!');
    await bob.api.post(`${first.url}reject/`, { reason: 'Too informal' });
    const [change] = (await api.get(`${path}/changes/?action=26`)).results;
    expect(change).toMatchObject({
      target: 'Nazdar!',
      user: expect.stringContaining(`/users/${bob.name}/`),
      author: expect.stringContaining(`/users/${ann.name}/`),
      details: { reason: 'Too informal' },
    });
    expect(await api.all(`/api/units/${hello.id}/suggestions/`)).toEqual([]);
    // In a protected project people may suggest, and remove only what is theirs.
    const [theirs, own] = [await suggest(bob.api, hello.id, 'Zdravím!'), await suggest(ann.api, hello.id, 'Čau!')];
    const projectUrl = (await api.get(`/api/projects/${project}/`)).url;
    const team = await api.post('/api/groups/', { name: unique('team'), defining_project: projectUrl });
    const [role] = (await api.all('/api/roles/')).filter((r: { name: string }) => r.name === 'Add suggestion');
    await api.post(`/api/groups/${team.id}/roles/`, { role_id: role.id });
    await api.patch(`/api/groups/${team.id}/`, { language_selection: 1 });
    await api.post(`/api/groups/${team.id}/projects/`, { project_id: (await api.get(projectUrl)).id });
    await api.post(`/api/users/${ann.name}/groups/`, { group_id: team.id });
    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    expect((await ann.api.send('POST', `${theirs.url}reject/`, {})).status).toBe(403);
    expect((await ann.api.send('POST', `${own.url}accept/`, {})).status).toBe(403);
    expect((await ann.api.send('POST', `${own.url}reject/`, {})).status).toBe(204);
    expect((await bob.api.send('GET', `/api/units/${hello.id}/suggestions/`)).status).toBe(404);
  });

  it('the suggestions of a translation are accepted and rejected together; an undecidable suggestion stops no other', async () => {
    const { path, ann, bob, hello, bye } = await prepare();
    const first = await suggest(ann.api, hello.id, 'Nazdar!');
    const second = await suggest(ann.api, bye.id, 'Sbohem.');
    const third = await suggest(ann.api, hello.id, 'Čau!');
    const fourth = await suggest(ann.api, bye.id, 'Měj se.');
    const decide = (client: Client, body: object) => client.send('POST', `${path}/suggestions/`, body);
    const wrong = await decide(bob.api, { action: 'accept', suggestions: [first.id, 2_000_000_000] });
    expect([wrong.status, attrs(wrong.body)]).toEqual([400, ['suggestions.1 does_not_exist']]);
    const twice = await decide(bob.api, { action: 'drop', suggestions: [first.id, first.id] });
    expect([twice.status, attrs(twice.body)]).toEqual([400, ['action invalid_choice', 'suggestions unique']]);
    expect((await api.get(`${path}/suggestions/`)).count).toBe(4);

    await api.patch(bye.source_unit, { extra_flags: 'read-only' });
    const accepted = await decide(bob.api, { action: 'accept', suggestions: [second.id, first.id] });
    expect(accepted.status).toBe(200);
    expect(accepted.body.results).toEqual([
      { suggestion: second.id, unit: bye.url, done: false, problem: expect.stringContaining('read-only') },
      { suggestion: first.id, unit: hello.url, done: true, problem: '' },
    ]);
    expect(await api.get(`/api/units/${hello.id}/`)).toMatchObject({ target: ['Nazdar!'], state: 20 });

    const rejected = await decide(bob.api, {
      action: 'reject',
      suggestions: [second.id, third.id, fourth.id],
      reason: 'Too informal',
    });
    expect(rejected.body.results.map(({ done }: { done: boolean }) => done)).toEqual([true, true, true]);
    expect((await api.get(`${path}/suggestions/`)).count).toBe(0);
    expect((await api.get(`${path}/statistics/`)).suggestions).toBe(0);
    const changes = (await api.get(`${path}/changes/?action=26`)).results;
    expect(changes.map(({ details }: { details: { reason: string } }) => details.reason)).toEqual(
      Array(3).fill('Too informal'),
    );
  });

  it('suggestions are voted on, and accepted by the vote that suffices', async () => {
    const { componentPath, ann, bob, hello } = await prepare();
    const suggestion = await suggest(ann.api, hello.id, 'Nazdar!');
    const vote = (client: Client, value: unknown = true) =>
      client.send('POST', `${suggestion.url}vote/`, value === undefined ? {} : { vote: value });
    expect(attrs((await vote(bob.api)).body)).toEqual(['vote invalid']);
    await api.patch(`${componentPath}/`, { suggestion_voting: true, suggestion_autoaccept: 2 });
    expect(attrs((await vote(ann.api)).body)).toEqual(['vote invalid']);
    expect((await vote(bob.api)).body).toEqual({ votes: 1, voted: true, accepted: false });
    expect((await vote(bob.api)).body).toEqual({ votes: 1, voted: true, accepted: false });
    expect((await bob.api.get(`/api/units/${hello.id}/suggestions/`)).results[0]).toMatchObject({
      votes: 1,
      voted: true,
    });
    expect((await vote(bob.api, false)).body).toEqual({ votes: 0, voted: false, accepted: false });
    await vote(bob.api);
    // Texts are decided by votes here.
    expect((await bob.api.send('POST', `${suggestion.url}accept/`, {})).status).toBe(403);
    expect((await vote(api)).body).toMatchObject({ accepted: true });
    expect(await api.get(`/api/units/${hello.id}/`)).toMatchObject({ target: ['Nazdar!'], has_suggestion: false });
  });
});
