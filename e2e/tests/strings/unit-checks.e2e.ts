import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { poHeader } from '../../support/repository.mjs';
import { importExample, parlance, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api } = system();

interface Span {
  side: string;
  form: number;
  start: number;
  end: number;
  start_code_point: number;
  end_code_point: number;
}
interface Check {
  id: string;
  dismissed: boolean;
  scope: string | null;
  spans: Span[];
  fix: string[] | null;
}

const message = (source: string, target: string, flags = '') =>
  `${flags && `#, ${flags}\n`}msgid "${source}"\nmsgstr "${target}"\n\n`;

const texts = [
  message('😀 Hello there.', '😀 Ahoj všem %s', 'c-format'),
  message('Name:', 'Jméno: '),
  message('A short sentence', 'Krátká věta.'),
];

/** A component whose strings fail checks, in two languages. */
const import_ = (settings = {}) => {
  const repository = makeRemote({
    'po/example.pot': poHeader('') + texts.map((text) => text.replace(/msgstr ".*"/, 'msgstr ""')).join(''),
    'po/cs.po': poHeader('cs') + texts.join(''),
    'po/de.po': poHeader('de') + texts.join(''),
  });
  return importExample(api, repository, settings);
};

const unitOf = async (path: string, source: string) =>
  (await api.all(`${path}/units/`)).find((u: { source: string[] }) => u.source[0] === source);
const checksOf = (unit: number): Promise<Check[]> => api.all(`/api/units/${unit}/checks/`);
const idsOf = (checks: Check[]) => checks.map(({ id, scope }) => [id, scope]);

describe('the checks of a string', () => {
  it('the checks of a string are listed with the places where they fail, and described at their address', async () => {
    const { path } = await import_();
    const unit = await unitOf(path, '😀 Hello there.');
    const page = await api.get(`/api/units/${unit.id}/checks/`);
    expect(page).toMatchObject({ count: 2, next: null, previous: null });
    expect(page.results[0]).toMatchObject({
      id: 'end_stop',
      name: 'Full stop at the end',
      severity: 'warning',
      dismissed: false,
      scope: null,
      spans: [
        { side: 'source', form: 0, start: 14, end: 15, start_code_point: 13, end_code_point: 14 },
        { side: 'target', form: 0, start: 14, end: 15, start_code_point: 13, end_code_point: 14 },
      ],
      has_fix: false,
      fix: null,
    });
    expect(page.results[1]).toMatchObject({ id: 'c_format', severity: 'error' });
    expect(page.results[1].spans).toMatchObject([{ side: 'target', start: 13, end: 15 }]);
    const described = await api.get(page.results[1].doc_url);
    expect(described).toMatchObject({ id: 'c_format', flag: 'c-format', ignore_flag: 'ignore-c-format' });
    expect((await api.all('/api/checks/')).map((c: Check) => c.id)).toContain('c_format');
    expect((await api.send('GET', '/api/checks/none/')).status).toBe(404);
  });

  it('failing checks have a fix where the corrections of a save repair them', async () => {
    const { path } = await import_();
    const unit = await unitOf(path, 'Name:');
    const [check] = await checksOf(unit.id);
    expect(check).toMatchObject({ id: 'end_space', has_fix: true, fix: ['Jméno:'] });
    await api.patch(`/api/units/${unit.id}/`, { target: check!.fix, state: 20 });
    expect(await checksOf(unit.id)).toEqual([]);
  });

  it('the checks of a string are dismissed for one string and restored, with statistics and history', async () => {
    const { path } = await import_();
    const unit = await unitOf(path, 'A short sentence');
    const failing = async () => (await api.get(`${path}/statistics/`)).failing;
    const before = await failing();
    const post = (body: object) => api.post(`/api/units/${unit.id}/checks/`, { check: 'end_stop', ...body });
    const dismissed = await post({});
    expect(idsOf(dismissed.results)).toEqual([['end_stop', 'string']]);
    expect(dismissed.results[0].spans.length).toBeGreaterThan(0);
    expect(await failing()).toBe(before - 1);
    expect((await api.get(`/api/units/${unit.id}/`)).has_failing_check).toBe(false);
    expect((await api.get(`${path}/units/?q=dismissed_check:end_stop`)).count).toBe(1);
    // Repeating it changes nothing, an edit does not bring the check back.
    await post({});
    await api.patch(`/api/units/${unit.id}/`, { target: ['Krátká věta dvě.'], state: 20 });
    expect(idsOf(await checksOf(unit.id))).toEqual([['end_stop', 'string']]);
    expect(idsOf((await post({ dismissed: false })).results)).toEqual([['end_stop', null]]);
    expect(await failing()).toBe(before);
    for (const action of [900, 901]) {
      const { count, results } = await api.get(`${path}/changes/?action=${action}`);
      expect({ action, count, unit: results[0].unit }).toEqual({ action, count: 1, unit: unit.url });
      expect(results[0]).toMatchObject({ target: 'end_stop', details: { check: 'end_stop' } });
    }
  });

  it('the checks of a string are dismissed for all translations of a source, later languages included', async () => {
    const { path, componentPath } = await import_({ new_lang: 'add' });
    const german = path.replace(/cs$/, 'de');
    const unit = await unitOf(path, 'A short sentence');
    const other = await unitOf(german, 'A short sentence');
    await api.patch(unit.source_unit, { extra_flags: 'max-length:90' });
    const post = (body: object) => api.post(`/api/units/${unit.id}/checks/`, { check: 'end_stop', ...body });
    expect(idsOf((await post({ scope: 'source' })).results)).toEqual([['end_stop', 'source']]);
    expect(idsOf(await checksOf(other.id))).toEqual([['end_stop', 'source']]);
    expect((await api.get(unit.source_unit)).extra_flags).toBe('max-length:90, ignore-end-stop');
    await api.post(`${componentPath}/translations/`, { language_code: 'fr' });
    const french = await eventually(
      () => unitOf(path.replace(/cs$/, 'fr'), 'A short sentence').catch(() => undefined),
      (found: unknown) => found !== undefined,
    );
    await api.patch(`/api/units/${french.id}/`, { target: ['Une phrase.'], state: 20 });
    expect(idsOf(await checksOf(french.id))).toEqual([['end_stop', 'source']]);
    await post({ scope: 'source', dismissed: false });
    for (const { id } of [unit, other, french]) expect(idsOf(await checksOf(id))).toEqual([['end_stop', null]]);
    expect((await api.get(unit.source_unit)).extra_flags).toBe('max-length:90');
  });

  it('checks that compare strings are recomputed when their dismissal is undone', async () => {
    const { path } = await import_();
    const [one, other] = await Promise.all([unitOf(path, 'Name:'), unitOf(path, 'A short sentence')]);
    for (const { id } of [one, other]) await api.patch(`/api/units/${id}/`, { target: ['Totéž'], state: 20 });
    const has = (scope: string | null) => (checks: Check[]) =>
      checks.some((check) => check.id === 'reused' && check.scope === scope);
    await eventually(() => checksOf(one.id), has(null));
    const post = (body: object) => api.post(`/api/units/${one.id}/checks/`, { check: 'reused', ...body });
    expect(has('string')((await post({})).results)).toBe(true);
    expect(has(null)((await post({ dismissed: false })).results)).toBe(true);
  });

  it('the checks of a string are not dismissed where they do not fail, are enforced, or the component is locked', async () => {
    const { path, componentPath } = await import_({ enforced_checks: ['c_format'] });
    const unit = await unitOf(path, 'A short sentence');
    const send = (body: object, id = unit.id) => api.send('POST', `/api/units/${id}/checks/`, body);
    const wrong = async (body: object, id?: number) => {
      const answer = await send(body, id);
      return [answer.status, answer.body.errors.map((e: { attr: string }) => e.attr).sort()];
    };
    expect(await wrong({ check: 'same' })).toEqual([400, ['check']]);
    expect(await wrong({ check: 'no-such-check', scope: 'x' })).toEqual([400, ['check', 'scope']]);
    expect(await wrong({})).toEqual([400, ['check']]);
    const source = Number(/(\d+)\/$/.exec(unit.source_unit)![1]);
    expect(await wrong({ check: 'ellipsis', scope: 'source' }, source)).toEqual([400, ['check', 'scope']]);
    const greeting = await unitOf(path, '😀 Hello there.');
    expect((await send({ check: 'c_format' }, greeting.id)).status).toBe(403);
    await api.post(`${componentPath}/lock/`, { lock: true });
    expect((await send({ check: 'end_stop' })).status).toBe(403);
    expect(idsOf(await checksOf(unit.id))).toEqual([['end_stop', null]]);
  });

  it('a permission in one language does not allow dismissing a check in all languages', async () => {
    const { project, path } = await import_();
    // Everybody may translate public projects, into every language.
    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    const username = unique('czech');
    const token = parlance('user', 'create', username, '--email', `${username}@example.com`, '--token');
    const projectUrl = (await api.get(`/api/projects/${project}/`)).url;
    const team = await api.post('/api/groups/', { name: unique('team'), defining_project: projectUrl });
    const [translate] = (await api.all('/api/roles/')).filter((r: { name: string }) => r.name === 'Translate');
    await api.post(`/api/groups/${team.id}/roles/`, { role_id: translate.id });
    await api.post(`/api/groups/${team.id}/projects/`, { project_id: (await api.get(`/api/projects/${project}/`)).id });
    await api.patch(`/api/groups/${team.id}/`, { language_selection: 0 });
    await api.post(`/api/groups/${team.id}/languages/`, { language_code: 'cs' });
    await api.post(`/api/users/${username}/groups/`, { group_id: team.id });
    const czech = makeApi(api.base, token);
    const unit = await unitOf(path, 'A short sentence');
    const send = (body: object) => czech.send('POST', `/api/units/${unit.id}/checks/`, { check: 'end_stop', ...body });
    expect((await send({ scope: 'source' })).status).toBe(403);
    expect((await send({})).status).toBe(200);
  });
});
