// Uploads by every method into every file format: the counts, the strings and the file afterwards.
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { compare } from '../compare.mjs';
import { fileOf, nextSources, stored, uploadFormats, uploaded } from '../upload-files.mjs';

const { formatOf } = createRequire(import.meta.url)('@parlance/formats');

/** Languages with two plural forms on both sides and in CLDR, one for each case. */
const languages = 'de nl sv da fi nb el hu et bg ka sq sw ta te'.split(' ');

/** Cases of one language each; the fields of every upload in order. Only the last one is compared. */
const cases = {
  translate: [{ method: 'translate' }],
  'translate, ignore': [{ method: 'translate', conflicts: 'ignore' }],
  'translate, replace-translated': [{ method: 'translate', conflicts: 'replace-translated' }],
  'translate, fuzzy=process': [{ method: 'translate', conflicts: 'replace-translated', fuzzy: 'process' }],
  'translate, fuzzy=approve': [{ method: 'translate', conflicts: 'replace-translated', fuzzy: 'approve' }],
  suggest: [{ method: 'suggest' }],
  fuzzy: [{ method: 'fuzzy' }],
  'fuzzy, replace-translated': [{ method: 'fuzzy', conflicts: 'replace-translated' }],
  approve: [{ method: 'approve' }],
  'approved, then replace-translated': [
    { method: 'approve', conflicts: 'replace-translated' },
    { method: 'translate', conflicts: 'replace-translated', second: true },
  ],
  'approved, then replace-approved': [
    { method: 'approve', conflicts: 'replace-translated' },
    { method: 'translate', conflicts: 'replace-approved', second: true },
  ],
  replace: [{ method: 'replace' }],
  add: [{ method: 'add' }],
};

/** Cases on the source language, each in a component of its own. */
const sourceCases = {
  source: [{ method: 'source' }],
  'source language: translate': [{ method: 'translate', conflicts: 'replace-translated' }],
  'source language: replace': [{ method: 'replace' }],
  'source language: add': [{ method: 'add' }],
};

/** Cases after which the stored files are compared, too; a download makes both sides commit. */
const COMPARED_FILES = new Set(['translate, fuzzy=process', 'fuzzy', 'replace', 'add', ...Object.keys(sourceCases)]);

/** The columns of the table in docs/uploads.md. */
export const uploadCases = [...Object.keys(cases), ...Object.keys(sourceCases)];

const view = ({ context, source, target, state, has_suggestion }) => ({
  source,
  target,
  state,
  has_suggestion,
  // The peer puts the name of the file element before the id of an XLIFF unit.
  context: context.split('///').at(-1),
});

const ordered = (units) =>
  units.map(view).sort((a, b) => `${a.context} ${a.source[0]}`.localeCompare(`${b.context} ${b.source[0]}`));

/** The upload of a second translator has other texts. */
const again = (entries) =>
  entries
    .map((entry) => ({ ...entry, target: [entry.target].flat().map((text) => text && `${text}!`) }))
    .map((entry) => ({ ...entry, target: entry.target.length === 1 ? entry.target[0] : entry.target }));

export async function uploadsByFormat({
  sides,
  remotes,
  project: p,
  report,
  kinds = uploadFormats,
  done = console.log,
}) {
  for (const side of sides.both) {
    await side.post('/api/projects/', { name: p, slug: p, web: 'https://example.com/' });
    await side.patch(`/api/projects/${p}/`, { translation_review: true });
  }
  // Both servers spend most of the time waiting for their repositories.
  const waiting = [...kinds];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let kind = waiting.shift(); kind; kind = waiting.shift()) await family(kind);
    }),
  );

  async function family(kind) {
    await component(kind, kind.format, languages.slice(0, Object.keys(cases).length));
    for (const [index, [name, uploads]] of Object.entries(cases).entries())
      await run(kind, `${kind.format}/${languages[index]}`, name, uploads);
    for (const [index, [name, uploads]] of Object.entries(sourceCases).entries()) {
      const slug = `${kind.format}-${index}`;
      await component(kind, slug, ['de']);
      await run(kind, `${slug}/en`, name, uploads, `${slug}/de`);
    }
    done(kind.name);
  }

  /** A component whose translations all hold the stored strings. */
  async function component(kind, slug, codes) {
    const { extension, format, bilingual } = kind;
    const base = format === 'po' ? 'l10n/base.pot' : `l10n/en.${extension}`;
    const files = Object.fromEntries(codes.map((code) => [`l10n/${code}.${extension}`, fileOf(kind, stored, code)]));
    await sides.component(p, {
      name: slug,
      slug,
      vcs: 'git',
      branch: 'main',
      repo: remotes.make(`${p}-${slug}`, { ...files, [base]: fileOf(kind, stored, '') }),
      filemask: `l10n/*.${extension}`,
      file_format: format,
      new_base: base,
      ...(bilingual ? {} : { template: base }),
      manage_units: true,
      disable_autoshare: true,
      // The same strings are in every format: each component is on its own.
      allow_translation_propagation: false,
    });
  }

  /** The strings of both sides once they are equal, or as they are after a while. */
  async function settledStrings(path) {
    for (let round = 0; ; round++) {
      const answers = await sides.ask('GET', `${path}/units/?page_size=1000`);
      const strings = answers.map(({ body }) => ordered(body.results));
      if (round === ROUNDS || isDeepStrictEqual(strings[0], strings[1])) return strings;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async function run(kind, path, name, uploads, alsoPath) {
    const title = `${kind.name} | ${name}`;
    const language = path.split('/')[1];
    const onSource = language === 'en';
    const step = (fields) => {
      const { second, ...rest } = fields;
      const entries = onSource ? nextSources : second ? again(uploaded) : uploaded;
      const bytes = fileOf(kind, entries, onSource ? '' : language);
      return () => {
        const data = new FormData();
        data.set('file', new Blob([bytes]), `upload.${onSource && kind.format === 'po' ? 'pot' : kind.extension}`);
        for (const [key, value] of Object.entries(rest)) data.set(key, value);
        return data;
      };
    };
    const base = `/api/translations/${p}/${path}`;
    for (const fields of uploads.slice(0, -1)) await sides.ask('POST', `${base}/file/`, step(fields));
    const answers = await sides.step('uploads by format', title, 'POST', `${base}/file/`, step(uploads.at(-1)));
    for (const at of [base, ...(alsoPath ? [`/api/translations/${p}/${alsoPath}`] : [])]) {
      const [a, b] = await settledStrings(at);
      for (const item of compareByKey(a, b, kind.bilingual))
        report.count('strings after uploads by format', title, item);
    }
    report.record('uploads by format', title, answers);
    if (answers.some(({ status }) => status !== 200) || !COMPARED_FILES.has(name)) return;
    const files = await sides.ask('GET', `${alsoPath ? `/api/translations/${p}/${alsoPath}` : base}/file/`, undefined, {
      accept: '*/*',
    });
    const [a, b] = files.map(({ bytes }) => textsOf(kind, bytes, alsoPath?.split('/')[1] ?? language));
    for (const item of compare(a, b)) report.count('files after uploads', title, item);
  }
}

/** Formats that are worked on at the same time. */
const AT_ONCE = 4;

/** Rounds of asking again while the sides differ: both take the strings of a new source file up in the background. */
const ROUNDS = 40;

/** Compares strings by their key or source, so that one string too many is one difference. */
function* compareByKey(ours, theirs, bilingual) {
  const byKey = (units) =>
    Object.fromEntries(units.map((unit) => [bilingual ? `${unit.context} ${unit.source[0]}` : unit.context, unit]));
  for (const { path, ...item } of compare(byKey(ours), byKey(theirs))) yield { path, ...item };
}

/** Texts of a file by key, read by the product's own reader for both sides. */
function textsOf(kind, bytes, language) {
  try {
    const file = formatOf(kind.format).parse(bytes, {
      language,
      sourceLanguage: 'en',
      plural: { count: 2, formula: 'n != 1' },
      monolingual: !kind.bilingual,
    });
    return Object.fromEntries(
      file.units.map(({ context, source, target, state }) => [
        kind.bilingual ? `${context} ${source[0]}` : context,
        { target, state },
      ]),
    );
  } catch (error) {
    return { error: error.message };
  }
}
