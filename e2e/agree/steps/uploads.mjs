// Uploads by every method: compares counts and strings. Each case has its own language or component.
import { components, keyed, pluralHeader, poFile, strings } from '../world.mjs';

const languages =
  'de fr es it nl sv da fi nb el hu tr bg ca et eu gl he hi id is ka kk ko lv mk mn ms nn pa sq sw ta te th ur uz vi af az bn eo fa'.split(
    ' ',
  );

/** The uploaded file: one changed text, one new text, one that needs editing, one unknown string. */
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

/** Texts for monolingual components and XLIFF: one changed, new, removed, unknown and unchanged each. */
const keyedUpload = { greeting: 'Changed', empty: 'Now translated', question: '', unknown: 'Unknown', same: 'OK' };

const xmlText = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const keyedFiles = {
  json: (texts) => JSON.stringify(texts, null, 2),
  props: (texts) =>
    Object.entries(texts)
      .map(([k, v]) => `${k}=${v}\n`)
      .join(''),
  android: (texts) =>
    `<resources>\n${Object.entries(texts)
      .map(([k, v]) => `  <string name="${k}">${xmlText(v)}</string>\n`)
      .join(
        '',
      )}  <plurals name="days">\n    <item quantity="one"></item>\n    <item quantity="other">%d Tagen</item>\n  </plurals>\n</resources>\n`,
  xliff: (texts, language) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:1.1" version="1.1"><file original="app" source-language="en" target-language="${language}" datatype="plaintext"><body>${Object.entries(
      texts,
    )
      .map(
        ([k, v]) =>
          `<trans-unit id="${k}"><source>${xmlText(keyed[k]?.[0] ?? k)}</source><target>${xmlText(v)}</target></trans-unit>`,
      )
      .join('')}</body></file></xliff>`,
};
const extensions = { json: 'json', props: 'properties', android: 'xml', xliff: 'xlf' };
const keyedCases = [
  { method: 'translate' },
  { method: 'translate', conflicts: 'replace-translated' },
  { method: 'suggest' },
  { method: 'fuzzy' },
  { method: 'translate', fuzzy: 'process' },
  { method: 'translate', wrongFormat: true },
  { method: 'translate', bare: true },
  { method: 'translate', latin1: true },
  { method: 'translate', csv: true },
];

async function keyedUploads({ sides, remotes, project: p }, slug) {
  const used = languages.slice(0, keyedCases.length);
  const { settings, files } = components[slug];
  const own = Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => !/(cs|de)[./]/.test(path))
      .concat(used.map((code) => [languagePath(settings.filemask, code), german(files, code)])),
  );
  await sides.component(p, {
    name: slug,
    slug,
    vcs: 'git',
    repo: remotes.make(`${p}-${slug}`, own),
    branch: 'main',
    ...settings,
  });
  for (const [index, { wrongFormat, bare, latin1, csv, ...fields }] of keyedCases.entries()) {
    const code = used[index];
    const texts = latin1 ? { ...keyedUpload, greeting: 'Grüße' } : keyedUpload;
    const content = wrongFormat
      ? poFile(code, [{ id: 'Hello', cs: 'From PO' }])
      : csv
        ? 'context,source,target\ngreeting,Hello,From CSV\n'
        : Buffer.from(keyedFiles[slug](texts, code), latin1 ? 'latin1' : 'utf8');
    const name = bare ? 'upload' : wrongFormat ? 'upload.po' : csv ? 'upload.csv' : `upload.${extensions[slug]}`;
    const title = `${slug} upload ${JSON.stringify({ ...fields, wrongFormat, bare, latin1, csv })}`;
    await uploadCase(sides, `/api/translations/${p}/${slug}/${code}`, title, () => {
      const data = new FormData();
      data.set('file', new Blob([content]), name);
      for (const [key, value] of Object.entries(fields)) data.set(key, value);
      return data;
    });
  }
}

/** The German file of a component's example, relabelled for another language. */
function german(files, code) {
  const [, text] = Object.entries(files).find(([path]) => /de[./]/.test(path));
  return text.replace('target-language="de"', `target-language="${code}"`);
}

const languagePath = (mask, code) => mask.replace('*', code);

async function uploadCase(sides, base, title, form) {
  await sides.step('uploads', title, 'POST', `${base}/file/`, form);
  const after = await sides.ask('GET', `${base}/units/?page_size=1000`);
  const [ours, theirs] = after.map((a) => ({ ...a, body: { count: a.body.count, units: a.body.results?.map(view) } }));
  sides.report.answer('strings after uploads', title, ours, theirs);
  await sides.step('numbers', `statistics after ${title}`, 'GET', `${base}/statistics/`);
  await sides.step('numbers', `translation after ${title}`, 'GET', `${base}/`);
  await sides.step('history', `history after ${title}`, 'GET', `${base}/changes/?page_size=1`);
}

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
    await uploadCase(sides, base, title, form);
  }
  for (const slug of Object.keys(keyedFiles)) await keyedUploads(context, slug);
}
