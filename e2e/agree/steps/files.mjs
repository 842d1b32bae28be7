// Downloads in every format: status, headers and content.
import { components, makeWorld } from '../world.mjs';

const converters = [
  '',
  'po',
  'mo',
  'xliff',
  'xliff11',
  'tbx',
  'tmx',
  'csv',
  'csv-multi',
  'xlsx',
  'json',
  'json-nested',
  'json-flat',
  'aresource',
  'strings',
  'strings-utf8',
  'php',
  'nope',
];
const BINARY = /^(mo|xlsx)$/;

/** What says when and by what a file was written is no part of the comparison. */
const plain = (text) =>
  text
    .replace(
      /^"(X-Generator|PO-Revision-Date|POT-Creation-Date|Last-Translator|Report-Msgid-Bugs-To|Language-Team|Project-Id-Version):.*\n/gm,
      '',
    )
    .replace(/^#.*\n/gm, '')
    .replace(/(creationtool|creationtoolversion|date|changedate|creationdate)="[^"]*"/g, '');

export async function files(context) {
  const { sides, project: p, report } = context;
  await makeWorld(context);
  const headers = ['content-type', 'content-disposition', 'vary'];
  async function download(path, name, compareContent) {
    const answers = await sides.ask('GET', path, undefined, { accept: '*/*' });
    report.answer('files', name, ...answers, { headers, bodies: false });
    const [ours, theirs] = answers;
    report.count('files', name, {
      path: 'has last-modified',
      ours: ours.headers.has('last-modified'),
      theirs: theirs.headers.has('last-modified'),
      equal: ours.headers.has('last-modified') === theirs.headers.has('last-modified'),
    });
    if (ours.status !== 200 || theirs.status !== 200) {
      if (ours.status === theirs.status) report.answer('file errors', name, ...answers);
      return;
    }
    if (!compareContent) return;
    const [a, b] = [ours.bytes, theirs.bytes].map((bytes) => plain(bytes.toString('utf8')).split('\n'));
    const lines = Math.max(a.length, b.length);
    const differ = Array.from({ length: lines }, (_, i) => i).filter((i) => a[i] !== b[i]);
    report.count('file contents', name, {
      path: 'content',
      ours: differ.slice(0, 3).map((i) => a[i]),
      theirs: differ.slice(0, 3).map((i) => b[i]),
      equal: differ.length === 0,
    });
  }
  for (const slug of Object.keys(components))
    for (const language of ['en', 'de', 'cs']) {
      if (
        !components[slug].files[Object.keys(components[slug].files).find((f) => f.includes(language)) ?? ''] &&
        language !== 'en'
      )
        continue;
      const base = `/api/translations/${p}/${slug}/${language}/file/`;
      await download(base, `${slug}/${language}`, true);
      await download(`${base}?format=`, `${slug}/${language} format empty`, false);
      for (const format of converters.filter(Boolean))
        await download(`${base}?format=${format}`, `${slug}/${language} as ${format}`, !BINARY.test(format));
      for (const q of ['state:translated', 'state:empty', 'nofield:x', '('])
        await download(`${base}?format=po&q=${encodeURIComponent(q)}`, `${slug}/${language} as po with ${q}`, true);
      await download(`${base}?q=state:translated`, `${slug}/${language} q without format`, false);
    }
  for (const slug of Object.keys(components)) {
    for (const query of [
      '',
      '?format=zip',
      '?format=zip:csv',
      '?format=zip:nope',
      '?format=nope',
      '?language_code=de',
      '?language_code=nope',
    ])
      await download(`/api/components/${p}/${slug}/file/${query}`, `component ${slug} ${query}`, false);
    for (const tail of ['monolingual_base/', 'new_template/'])
      await download(`/api/components/${p}/${slug}/${tail}`, `${slug} ${tail}`, true);
  }
  for (const query of ['', '?format=zip', '?format=zip:csv', '?language_code=de'])
    await download(`/api/projects/${p}/file/${query}`, `project ${query}`, false);
}
