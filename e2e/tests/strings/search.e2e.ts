import { makeRemote } from '../../support/remotes.mjs';
import { poHeader } from '../../support/repository.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api } = system();
const repository = makeRemote();

interface Unit {
  id: number;
  source: string[];
  source_unit: string;
}

let project: string;
let path: string;
let componentPath: string;
let units: Unit[];

beforeAll(async () => {
  ({ project, path, componentPath } = await importExample(api, repository));
  units = await api.all(`${path}/units/`);
  const source = Number(/(\d+)\/$/.exec(units[0]!.source_unit)![1]);
  const label = await api.post(`/api/projects/${project}/labels/`, { name: 'Front page', color: 'blue' });
  await api.patch(`/api/units/${source}/`, {
    labels: [label.id],
    explanation: 'Greets the reader.',
    extra_flags: 'variant:greeting',
  });
  await api.patch(`/api/units/${units[0]!.id}/`, { target: ['Nazdar'], state: 20 });
  const form = new FormData();
  const po =
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgctxt "farewell"\nmsgid "Good bye."\nmsgstr "Sbohem"\n';
  form.set('file', new Blob([po]), 'cs.po');
  form.set('method', 'suggest');
  await api.post(`${path}/file/`, form);
  await api.post(`/api/units/${units[1]!.id}/comments/`, { scope: 'translation', comment: 'Is that all?' });
});

const [HELLO, FILES, BYE] = ['Hello, world!', '%d file', 'Good bye.'];
const here = (text: string) => text.replaceAll('PROJECT', project);

/** Each query with the sources of the strings that it finds in the Czech translation of the example. */
const queries: [string, string[]][] = [
  ['changed_by:admin', [HELLO, FILES, BYE]],
  ['changed_by:nobody', []],
  ['change_action:"Translation changed"', [HELLO]],
  ['change_action:suggestion-added', [BYE]],
  ['changed:>2020-01-01', [HELLO]],
  ['changed:<2020-01-01', []],
  ['change_time:>"1 hour ago"', [HELLO, FILES, BYE]],
  ['label:"Front page"', [HELLO]],
  ['has:label', [HELLO]],
  ['labels_count:0', [FILES, BYE]],
  ['labels_count:>=1', [HELLO]],
  ['explanation:greets', [HELLO]],
  ['NOT has:explanation', [FILES, BYE]],
  ['has:flags', [HELLO, FILES]],
  ['has:variant', [HELLO]],
  ['has:suggestion', [BYE]],
  ['suggestion:sbohem', [BYE]],
  ['suggestion:="Sbohem"', [BYE]],
  ['suggestion_author:admin', [BYE]],
  ['has:comment', [FILES]],
  ['comment:r"^Is .*\\?$"', [FILES]],
  ['comment_author:admin', [FILES]],
  ['comment_author:nobody', []],
  ['has:resolved-comment', []],
  ['has:screenshot', []],
  ['has:glossary', []],
  ['project:PROJECT', [HELLO, FILES, BYE]],
  ['project:other', []],
  ['component:exam', [HELLO, FILES, BYE]],
  ['component:="Example"', [HELLO, FILES, BYE]],
  ['component:=exam', []],
  ['path:PROJECT/example/cs', [HELLO, FILES, BYE]],
  ['path:PROJECT/-/cs', [HELLO, FILES, BYE]],
  ['path:-/-/de', []],
  ['path:PROJECT/other', []],
  ['source_state:read-only', [HELLO, FILES, BYE]],
  ['source_changed:>2020', [HELLO, FILES, BYE]],
  ['added:2020', []],
  ['priority:100', [HELLO, FILES, BYE]],
  ['is:pending', [HELLO]],
  ['has:plural', [FILES]],
  ['context:=farewell', [BYE]],
  ['(has:label OR has:comment) AND NOT change_action:translation-changed', [FILES]],
];

test.each(queries)('search finds strings by %s', async (q, expected) => {
  const found = await api.all(`${path}/units/?q=${encodeURIComponent(here(q))}`);
  expect(found.map((u: Unit) => u.source[0])).toEqual(expected);
  // A search over everything includes this translation.
  const everywhere = await api.all(`/api/units/?q=${encodeURIComponent(here(`path:PROJECT/example/cs AND (${q})`))}`);
  expect(everywhere.map((u: Unit) => u.id)).toEqual(found.map((u: Unit) => u.id));
});

test.each(['nothing:here', 'is:strange', 'has:strange', 'change_action:dance', 'changed:someday', 'source:r"("'])(
  'search rejects %s and names the field',
  async (q) => {
    const answer = await api.send('GET', `${path}/units/?q=${encodeURIComponent(q)}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toMatchObject({ attr: 'q' });
  },
);

test('search results follow labels and suggestions immediately', async () => {
  const { results } = await api.get(`${path}/units/?q=has:label`);
  const source = `/api/units/${/(\d+)\/$/.exec(results[0].source_unit)![1]}/`;
  await api.patch(source, { labels: [] });
  expect((await api.get(`${path}/units/?q=has:label`)).count).toBe(0);
  expect(
    (await api.get(`${componentPath}/statistics/`)).results.map((s: { comments: number }) => s.comments),
  ).toContain(1);
});

it('has:variant finds strings that variant_regex makes variants of each other', async () => {
  const entry = (context: string, text: string) => `\nmsgctxt "${context}"\nmsgid "${text}"\nmsgstr ""\n`;
  const entries = entry('title', 'The whole title') + entry('title_short', 'Title') + entry('lonely_short', 'Alone');
  const remote = makeRemote({ 'po/example.pot': poHeader('') + entries, 'po/cs.po': poHeader('cs') + entries });
  const { path: of } = await importExample(api, remote, { variant_regex: '_short$' });
  const contexts = async (q: string) =>
    (await api.all(`${of}/units/?q=${encodeURIComponent(q)}`)).map((u: { context: string }) => u.context);
  expect(await contexts('has:variant')).toEqual(['title', 'title_short']);
  expect(await contexts('NOT has:variant')).toEqual(['lonely_short']);
});
