// Downloads in every format: status, headers and content.
import { createRequire } from 'node:module';
import { compare } from '../compare.mjs';
import { components, makeWorld } from '../world.mjs';

const { converters: known, formatOf, readTmx } = createRequire(import.meta.url)('@parlance/formats');

/** Every download format, and values that are none. */
const converters = [...known.map(({ id }) => id), 'json-flat', 'strings-utf8', 'php', 'nope'];

/** Parsers of converted files: the project's own, for both sides. */
const readers = {
  po: 'po',
  mo: 'mo',
  xliff: 'plainxliff',
  xliff11: 'plainxliff',
  tbx: 'tbx',
  csv: 'csv',
  'csv-multi': 'csv-multi',
  xlsx: 'xlsx',
  json: 'json',
  'json-nested': 'json-nested',
  aresource: 'aresource',
  strings: 'strings',
  'strings-utf8': 'strings-utf8',
  php: 'php',
};

/** Fields of the header of a PO file. */
function headerOf(bytes) {
  const [head] = bytes.toString('utf8').split('\n\n', 1);
  const lines = head.replaceAll(/(?<!\\n)"\n"/g, '').matchAll(/^"([\w-]+): (.*?)\\n"$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

/** Strings of a file in any order, because layouts differ by writer. */
function stringsOf(bytes, format) {
  if (format === 'tmx')
    return Object.fromEntries(readTmx(bytes).map(({ source, target }) => [JSON.stringify([source, target]), true]));
  const reader = readers[format];
  if (!reader) return null;
  const file = formatOf(reader).parse(bytes);
  // Ids of XLIFF and TBX units are hashes that depend on the writer.
  const key = (unit) => (/^(xliff|tbx)/.test(format) ? '' : (unit.context ?? ''));
  return Object.fromEntries(
    file.units.map((unit) => [
      JSON.stringify([key(unit), unit.source ?? [], unit.target]),
      unit.state === 'fuzzy' ? 'needs editing' : true,
    ]),
  );
}

export async function files(context) {
  const { sides, project: p, report } = context;
  await makeWorld(context);
  const headers = ['content-type', 'content-disposition', 'vary'];
  async function download(path, name, compareContent, format = '') {
    const answers = await sides.ask('GET', path, undefined, { accept: '*/*' });
    report.answer('files', name, ...answers, { headers, bodies: false });
    const [ours, theirs] = answers;
    const [a, b] = answers.map((answer) => answer.headers.get('last-modified') !== null);
    report.count('files', name, { path: 'has last-modified', ours: a, theirs: b, equal: a === b });
    if (ours.status !== 200 || theirs.status !== 200) {
      if (ours.status === theirs.status) report.answer('file errors', name, ...answers);
      return;
    }
    if (!compareContent) return;
    if (!format) {
      report.count('file contents', name, {
        path: 'bytes',
        ours: ours.bytes.length,
        theirs: theirs.bytes.length,
        equal: ours.bytes.equals(theirs.bytes),
      });
      return;
    }
    const strings = [ours, theirs].map((answer) => {
      try {
        return stringsOf(answer.bytes, format);
      } catch (error) {
        return { [`cannot parse: ${error.message}`]: true };
      }
    });
    if (format === 'po')
      for (const item of compare(headerOf(ours.bytes), headerOf(theirs.bytes)))
        report.count('file contents', name, { ...item, path: `header ${item.path}` });
    if (!strings[0]) return;
    for (const item of compare(...strings)) report.count('file contents', name, item);
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
      for (const format of converters)
        await download(`${base}?format=${format}`, `${slug}/${language} as ${format}`, true, format);
      for (const q of ['state:translated', 'state:empty', 'nofield:x', '('])
        await download(
          `${base}?format=po&q=${encodeURIComponent(q)}`,
          `${slug}/${language} as po with ${q}`,
          true,
          'po',
        );
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
