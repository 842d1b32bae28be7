// Uploads by every method: counts, and the strings afterwards. Each case has a language or a component of its own.
import { pluralHeader, poFile, strings } from '../world.mjs';

const languages =
  'de fr es it nl sv da fi nb el hu tr bg ca et eu gl he hi id is ka kk ko lv mk mn ms nn pa sq sw ta te th ur uz vi af az bn eo fa'.split(
    ' ',
  );

/** What people changed in the file that they upload: one text, one new, one that needs editing, one string that is not known. */
const changed = strings.slice(0, 12);
const uploadOf = (language) =>
  poFile(language, [...changed, { id: 'Not in the component', cs: 'x' }], (s) =>
    s.id === 'Hello'
      ? ['changed']
      : s.id === 'Save changes'
        ? ['new']
        : s.id === 'Not in the component'
          ? ['unknown']
          : [s.cs ? `old ${s.cs}` : ''],
  );
const stored = (language) =>
  poFile(language, strings, (s) =>
    s.plural ? Array.from({ length: 6 }, () => '%d') : [s.id === 'Save changes' ? '' : `old ${s.cs}`],
  );

const cases = [];
for (const method of ['translate', 'suggest', 'fuzzy', 'approve'])
  for (const conflicts of ['', 'ignore', 'replace-translated', 'replace-approved']) cases.push({ method, conflicts });
for (const fuzzy of ['', 'process', 'approve']) cases.push({ method: 'translate', fuzzy });
cases.push(
  {},
  { method: 'nope' },
  { conflicts: 'nope' },
  { fuzzy: 'nope' },
  { method: 'translate', content: 'no translation file' },
);
cases.push(
  { method: 'translate', content: '' },
  { method: 'translate', name: 'file' },
  { method: 'translate', name: 'file.json', content: '{"a": 1}' },
);
cases.push(
  { method: 'translate', name: 'file.csv', content: 'source,target\nHello,csv text\nNope,x\n' },
  { noFile: true, method: 'translate' },
);
cases.push({ method: 'suggest', content: (l) => poFile(l, changed, (s) => [`old ${s.cs}`]) });
cases.push({ method: 'translate', author_name: 'Some Author', author_email: 'author@example.com' });
cases.push({ method: 'add' }, { method: 'replace' }, { method: 'source' });

const view = (unit) => ({
  context: unit.context,
  source: unit.source,
  target: unit.target,
  state: unit.state,
  note: unit.note,
  previous_source: unit.previous_source,
  has_suggestion: unit.has_suggestion,
});

export async function uploads(context) {
  const { sides, project: p, remotes } = context;
  for (const side of sides.both) await side.post('/api/projects/', { name: p, slug: p, web: 'https://example.com/' });
  const used = languages.slice(0, cases.length);
  const repo = remotes.make(`${p}-many`, {
    'po/agree.pot': poFile(''),
    ...Object.fromEntries(used.map((code) => [`po/${code}.po`, stored(code)])),
  });
  await sides.component(p, {
    name: 'many',
    slug: 'many',
    vcs: 'git',
    repo,
    branch: 'main',
    filemask: 'po/*.po',
    new_base: 'po/agree.pot',
    file_format: 'po',
  });
  for (const [index, { content, name, noFile, ...fields }] of cases.entries()) {
    const code = languages[index];
    let component = 'many';
    if (['add', 'replace', 'source'].includes(fields.method)) {
      component = fields.method;
      const own = remotes.make(`${p}-${component}`, { 'po/agree.pot': poFile(''), [`po/${code}.po`]: stored(code) });
      await sides.component(p, {
        name: component,
        slug: component,
        vcs: 'git',
        repo: own,
        branch: 'main',
        filemask: 'po/*.po',
        new_base: 'po/agree.pot',
        file_format: 'po',
        manage_units: true,
      });
    }
    const text = typeof content === 'function' ? content(code) : (content ?? uploadOf(code));
    const title = `upload ${JSON.stringify({ ...fields, name, content: typeof content === 'string' ? content.slice(0, 30) : undefined })} ${pluralHeader(code).slice(0, 10)}`;
    const form = () => {
      const data = new FormData();
      if (!noFile) data.set('file', new Blob([text]), name ?? `${code}.po`);
      for (const [key, value] of Object.entries(fields)) data.set(key, value);
      return data;
    };
    const base = `/api/translations/${p}/${component}/${component === 'source' ? 'en' : code}`;
    await sides.step('uploads', title, 'POST', `${base}/file/`, form);
    const after = await sides.ask('GET', `${base}/units/?page_size=1000`);
    const [ours, theirs] = after.map((a) => ({ ...a, body: { count: a.body.count, units: a.body.results.map(view) } }));
    sides.report.answer('strings after uploads', title, ours, theirs);
    await sides.step('numbers', `statistics after ${title}`, 'GET', `${base}/statistics/`);
    await sides.step('history', `history after ${title}`, 'GET', `${base}/changes/?page_size=1`);
  }
}
