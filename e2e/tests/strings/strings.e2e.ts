import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { poHeader } from '../../support/repository.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';

const { api, user } = system();
interface Unit {
  id: number;
  source: string[];
  target: string[];
  previous_source: string;
  content_hash: string;
  num_words: number;
  state: number;
  source_unit: string;
  pending: boolean;
}

const unitOf = async (path: string, source: string): Promise<Unit> =>
  (await api.all(`${path}/units/`)).find((u: Unit) => u.source[0] === source);

/** A second component of the project with the same strings. */
async function second(project: string, settings = {}) {
  const remote = makeRemote();
  await addExample(api, project, 'second', remote, { push_on_commit: false, ...settings });
  return `/api/translations/${project}/second/cs`;
}

describe('strings shared by several components', () => {
  it('an edit is propagated to equal strings with a history entry and a pending commit', async () => {
    const { project, path } = await importExample(api, makeRemote());
    const other = await second(project);
    const unit = await unitOf(path, 'Good bye.');
    await api.patch(`/api/units/${unit.id}/`, { target: ['Sbohem.'], state: 20 });
    const twin = await unitOf(other, 'Good bye.');
    expect(twin).toMatchObject({ target: ['Sbohem.'], state: 20, pending: true });
    expect(twin.content_hash).toBe(unit.content_hash);
    const [change] = (await api.get(`${other}/changes/?action=77`)).results;
    expect(change).toMatchObject({ action: 77, target: 'Sbohem.', old: '' });
    expect(change.unit).toContain(`/api/units/${twin.id}/`);
    const [own, theirs] = await Promise.all([api.get(`${path}/statistics/`), api.get(`${other}/statistics/`)]);
    expect(theirs.translated).toBe(own.translated);
    expect((await api.get(`${other}/units/?q=is:pending`)).count).toBe(1);
  });

  it('components without propagation are not changed, and inconsistency is reported only between components with propagation', async () => {
    const { project, path } = await importExample(api, makeRemote());
    const other = await second(project, { allow_translation_propagation: false });
    const unit = await unitOf(path, 'Good bye.');
    await api.patch(`/api/units/${unit.id}/`, { target: ['Sbohem.'], state: 20 });
    expect(await unitOf(other, 'Good bye.')).toMatchObject({ target: [''], state: 0 });

    await api.patch(`/api/components/${project}/second/`, { allow_translation_propagation: true });
    const twin = await unitOf(other, 'Good bye.');
    // Review is off, so a text that needs editing stays different: read-only strings are not changed.
    const source = `/api/units/${/(\d+)\/$/.exec(twin.source_unit)![1]}/`;
    await api.patch(source, { extra_flags: 'read-only, priority:80' });
    expect((await api.get(source)).priority).toBe(80);
    await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou.'], state: 20 });
    expect(await unitOf(other, 'Good bye.')).toMatchObject({ target: [''], state: 100 });
  });

  it('inconsistent strings are reported in units, search and statistics until they agree', async () => {
    const { project, path } = await importExample(api, makeRemote());
    const other = await second(project, { allow_translation_propagation: false });
    const unit = await unitOf(path, 'Good bye.');
    await api.patch(`/api/units/${unit.id}/`, { target: ['Sbohem.'], state: 20 });
    await api.patch(`/api/components/${project}/second/`, { allow_translation_propagation: true });
    const found = (at: string) => api.get(`${at}/units/?q=check:inconsistent`);
    await api.patch(`/api/units/${unit.id}/`, { state: 10 });
    // Propagation copied the text to the other component, so the strings are consistent.
    await eventually(
      () => Promise.all([found(path), found(other)]),
      (both: { count: number }[]) => both.every((f) => f.count === 0),
    );
    await api.patch(`/api/components/${project}/second/`, { allow_translation_propagation: false });
    await api.patch(`/api/units/${unit.id}/`, { target: ['Ahoj.'], state: 20 });
    await api.patch(`/api/components/${project}/second/`, { allow_translation_propagation: true });
    // The next edit of a string re-evaluates all strings with the same source.
    await api.patch(`/api/units/${(await unitOf(other, 'Good bye.')).id}/`, { target: ['Sbohem.'], state: 20 });
    expect(await unitOf(path, 'Good bye.')).toMatchObject({ target: ['Sbohem.'] });
  });
});

it('a translation used for two sources is reported as reused until one of them changes', async () => {
  const { path } = await importExample(api, makeRemote());
  const [hello, bye] = [await unitOf(path, 'Hello, world!'), await unitOf(path, 'Good bye.')];
  const before = (await api.get(`${path}/statistics/`)).failing;
  const reused = () => api.get(`${path}/units/?q=check:reused`);
  await api.patch(`/api/units/${hello.id}/`, { target: ['Servus!'], state: 20 });
  await api.patch(`/api/units/${bye.id}/`, { target: ['Servus!'], state: 20 });
  await eventually(reused, (f: { count: number }) => f.count === 2);
  expect((await api.get(`/api/units/${hello.id}/`)).has_failing_check).toBe(true);
  expect((await api.get(`${path}/statistics/`)).failing).toBeGreaterThan(before);
  await api.patch(`/api/units/${bye.id}/`, { target: ['Sbohem.'], state: 20 });
  await eventually(reused, (f: { count: number }) => f.count === 0);
});

it('a new string with a translation is checked against existing strings', async () => {
  const { path } = await importExample(api, makeRemote(), { manage_units: true });
  await api.post(`${path}/units/`, { source: ['Greetings!'], target: ['Ahoj, světe!'], state: 20 });
  const reused = () => api.get(`${path}/units/?q=check:reused`);
  const { results } = await eventually(reused, (f: { count: number }) => f.count === 2);
  expect(results.map((u: Unit) => u.source[0]).sort()).toEqual(['Greetings!', 'Hello, world!']);
});

it('a source string is reported for failing checks in several languages until only one fails', async () => {
  const { project, path } = await importExample(api, makeRemote());
  const german = `/api/translations/${project}/example/de`;
  const [czechUnit, germanUnit] = [await unitOf(path, 'Good bye.'), await unitOf(german, 'Good bye.')];
  const found = () => api.get(`/api/translations/${project}/example/en/units/?q=check:multiple_failures`);
  // The full stop is missing in both.
  await api.patch(`/api/units/${czechUnit.id}/`, { target: ['Sbohem'], state: 20 });
  await api.patch(`/api/units/${germanUnit.id}/`, { target: ['Lebe wohl'], state: 20 });
  const several = await eventually(found, (f: { count: number }) => f.count === 1);
  expect(several.results[0].source).toEqual(['Good bye.']);
  await api.patch(`/api/units/${germanUnit.id}/`, { target: ['Lebe wohl.'], state: 20 });
  await eventually(found, (f: { count: number }) => f.count === 0);
});

it('a component that becomes a glossary is checked as a glossary from the next edit', async () => {
  const { path, componentPath } = await importExample(api, makeRemote());
  const { id } = await unitOf(path, 'Good bye.');
  const edit = async (text: string) => {
    await api.patch(`/api/units/${id}/`, { target: [text], state: 20 });
    // Other strings fail the check when the recheck in the background reaches them.
    const query = encodeURIComponent('check:prohibited_initial_character source:="Good bye."');
    return (await api.get(`${path}/units/?q=${query}`)).count;
  };
  expect(await edit('=Sbohem.')).toBe(0);
  await api.patch(`${componentPath}/`, { is_glossary: true });
  expect(await edit('=Na shledanou.')).toBe(1);
});

it('a translation that violates the glossary of its project fails a check', async () => {
  const { project, path } = await importExample(api, makeRemote(), { check_flags: 'check-glossary' });
  const entry = (text: string) => `\nmsgid "world"\nmsgstr "${text}"\n`;
  const terms = makeRemote({
    'po/example.pot': poHeader('') + entry(''),
    'po/cs.po': poHeader('cs') + entry('globus'),
  });
  const found = () => api.get(`${path}/units/?q=check:check_glossary`);
  const becomes = (count: number) => eventually(found, (f: { count: number }) => f.count === count);
  // Checks run without an edit when terms are added, changed and deleted.
  await addExample(api, project, 'terms', terms, { is_glossary: true, manage_units: true });
  expect((await becomes(1)).results[0].source).toEqual(['Hello, world!']);
  const glossary = `/api/translations/${project}/terms/cs`;
  const term = await unitOf(glossary, 'world');
  await api.patch(`/api/units/${term.id}/`, { target: ['světe'], state: 20 });
  await becomes(0);
  const hello = await api.post(`${glossary}/units/`, { source: ['hello'], target: ['nazdar'] });
  await becomes(1);
  // The source string of a forbidden term is flagged.
  await api.delete(`/api/units/${hello.id}/`);
  await becomes(0);
  await api.patch(term.source_unit, { extra_flags: 'forbidden' });
  await becomes(1);
  await api.patch(term.source_unit, { extra_flags: '' });
  await becomes(0);

  const { id } = await unitOf(path, 'Hello, world!');
  await api.patch(`/api/units/${id}/`, { target: ['Ahoj, planeto!'], state: 20 });
  await becomes(1);
  await api.delete(`/api/components/${project}/terms/`);
  await becomes(0);
});

it('a string with the check-glossary flag is checked without an edit', async () => {
  const { project, path } = await importExample(api, makeRemote());
  const entry = (text: string) => `\nmsgid "world"\nmsgstr "${text}"\n`;
  const terms = makeRemote({
    'po/example.pot': poHeader('') + entry(''),
    'po/cs.po': poHeader('cs') + entry('globus'),
  });
  await addExample(api, project, 'terms', terms, { is_glossary: true });
  const unit = await unitOf(path, 'Hello, world!');
  const found = () => api.get(`${path}/units/?q=check:check_glossary`);
  expect((await found()).count).toBe(0);
  await api.patch(unit.source_unit, { extra_flags: 'check-glossary' });
  await eventually(found, (f: { count: number }) => f.count === 1);
  await api.patch(unit.source_unit, { extra_flags: '' });
  await eventually(found, (f: { count: number }) => f.count === 0);
});

it('a string that lost its translation is reported as previously translated', async () => {
  const { path } = await importExample(api, makeRemote());
  const { id } = await unitOf(path, 'Good bye.');
  await api.patch(`/api/units/${id}/`, { target: ['Sbohem.'], state: 20 });
  await api.patch(`/api/units/${id}/`, { target: [''], state: 0 });
  const found = () => api.get(`${path}/units/?q=check:translated`);
  await eventually(found, (f: { count: number }) => f.count === 1);
  await api.patch(`/api/units/${id}/`, { target: ['Sbohem.'], state: 20 });
  await eventually(found, (f: { count: number }) => f.count === 0);
});

it('statistics count the content changes of the six hours before the last change', async () => {
  const { project, path, componentPath } = await importExample(api, makeRemote());
  const { id } = await unitOf(path, 'Good bye.');
  expect((await api.get(`${path}/statistics/`)).recent_changes).toBe(0);
  await api.patch(`/api/units/${id}/`, { target: ['Sbohem.'], state: 20 });
  await api.patch(`/api/units/${id}/`, { target: ['Ahoj.'], state: 20 });
  for (const at of [path, `/api/projects/${project}`])
    expect((await api.get(`${at}/statistics/`)).recent_changes).toBe(2);
  const perTranslation = (await api.get(`${componentPath}/statistics/`)).results;
  expect(perTranslation.map((s: { recent_changes: number }) => s.recent_changes).sort()).toEqual([0, 0, 2]);
  const languages = (await api.get(`/api/projects/${project}/languages/`)).results;
  expect(languages.find((l: { code: string }) => l.code === 'cs').recent_changes).toBe(2);
});

it('comments are counted and require a text, a scope and a permission', async () => {
  const { path } = await importExample(api, makeRemote());
  const { id } = await unitOf(path, 'Good bye.');
  const at = `/api/units/${id}/comments/`;
  const made = await api.send('POST', at, { scope: 'translation', comment: 'Why?' });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ comment: 'Why?' });
  expect((await api.get(`/api/units/${id}/`)).has_comment).toBe(true);
  expect((await api.get(`${path}/statistics/`)).comments).toBe(1);
  expect((await api.get(`${path}/changes/?action=3`)).results[0]).toMatchObject({ action: 3, target: 'Why?' });
  const wrong = await api.send('POST', at, { scope: 'nowhere' });
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors.map((e: { attr: string }) => e.attr).sort()).toEqual(['comment', 'scope']);
  expect(
    (await api.send('POST', '/api/units/999999999/comments/', { scope: 'translation', comment: 'x' })).status,
  ).toBe(404);
});

it('the source text in a base file is edited for all languages', async () => {
  const remote = makeRemote({
    'locale/en.json': '{\n  "hello": "Hello",\n  "bye": "Good bye"\n}\n',
    'locale/cs.json': '{\n  "hello": "Ahoj",\n  "bye": ""\n}\n',
  });
  const { project } = await importExample(api, remote, {
    filemask: 'locale/*.json',
    template: 'locale/en.json',
    new_base: '',
    file_format: 'json',
    edit_template: true,
  });
  const [en, cs] = [`/api/translations/${project}/example/en`, `/api/translations/${project}/example/cs`];
  const source = await unitOf(en, 'Hello');
  await api.patch(`/api/units/${source.id}/`, { target: ['Hello there'], state: 20 });
  const target = await unitOf(cs, 'Hello there');
  expect(target).toMatchObject({ target: ['Ahoj'], state: 10, previous_source: 'Hello', num_words: 2 });
  const [change] = (await api.get(`${cs}/changes/`)).results;
  expect(change).toMatchObject({ action: 30, target: 'Hello there', old: 'Hello' });
  expect((await api.get(`${cs}/statistics/`)).fuzzy).toBe(1);
  expect((await api.get(`/api/units/${source.id}/translations/`)).map((u: Unit) => u.id)).toEqual([target.id]);
  await api.patch(`/api/units/${source.id}/`, { target: ['Hello'], state: 20 });
  expect(await unitOf(cs, 'Hello')).toMatchObject({ id: target.id, state: 20, previous_source: '' });
});

describe('the history', () => {
  it('the history is filtered by user, action and time', async () => {
    const { path } = await importExample(api, makeRemote());
    const other = await user(`filter-${Date.now().toString(36)}`);
    const { id } = await unitOf(path, 'Good bye.');
    await api.patch(`/api/units/${id}/`, { target: ['Sbohem.'], state: 20 });
    await api.patch(`/api/units/${id}/`, { target: ['Sbohem.'], state: 10 });
    const list = async (query: string) =>
      (await api.get(`${path}/changes/?${query}`)).results.map((c: { action: number }) => c.action);
    expect(await list('action=5')).toEqual([5]);
    expect(await list('action=5&action=37')).toEqual([37, 5]);
    expect(await list('user=admin&action=37')).toEqual([37]);
    expect(await list('user=nobody-of-that-name')).toEqual([]);
    const { timestamp } = (await api.get(`${path}/changes/?action=37`)).results[0];
    expect(await list(`action=37&timestamp_after=${timestamp}&timestamp_before=${timestamp}`)).toEqual([37]);
    expect(await list('timestamp_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await list('action=37&timestamp_after=2020-01-01 10:00')).toEqual([37]);
    for (const [query, attr] of [
      ['action=many', 'action'],
      ['action=999', 'action'],
      ['timestamp_after=soon', 'timestamp'],
    ]) {
      const answer = await api.send('GET', `${path}/changes/?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0]).toMatchObject({ attr });
    }
    expect((await other.send('GET', `${path}/changes/`)).status).toBe(200);
  });
});
