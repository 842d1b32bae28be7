// Files of the upload comparison: one writer for each file format, independent of the product's writers.
import { createRequire } from 'node:module';

const { convert } = createRequire(import.meta.url)('@parlance/formats');

/**
 * A string of a file. `source` and `target` are texts or two forms (one, other). `fuzzy`: needs editing.
 * @typedef {{key: string, source: string | string[], target: string | string[], fuzzy?: boolean}} Entry
 */

/** Initial strings of the repositories with their translations into every language. */
export const stored = [
  { key: 'kept', source: 'Kept', target: 'Behalten' },
  { key: 'changed', source: 'Changed', target: 'Alt' },
  { key: 'same', source: 'Same', target: 'Gleich' },
  { key: 'emptied', source: 'Emptied', target: 'Gefüllt' },
  { key: 'todo', source: 'To do', target: '' },
  { key: 'doubtful', source: 'Doubtful', target: '' },
  { key: 'days', source: ['%d day', '%d days'], target: ['%d Tag', '%d Tage'] },
  { key: 'files', source: ['%d file', '%d files'], target: ['%d Datei', '%d Dateien'] },
  { key: 'hours', source: ['%d hour', '%d hours'], target: ['', ''] },
];

/** Uploaded strings: the first stored string is missing, the last one is not in the component. */
export const uploaded = [
  { key: 'changed', source: 'Changed', target: 'Neu' },
  { key: 'same', source: 'Same', target: 'Gleich' },
  { key: 'emptied', source: 'Emptied', target: '' },
  { key: 'todo', source: 'To do', target: 'Erledigt' },
  { key: 'doubtful', source: 'Doubtful', target: 'Zweifelhaft', fuzzy: true },
  { key: 'days', source: ['%d day', '%d days'], target: ['%d Tag neu', '%d Tage neu'] },
  { key: 'files', source: ['%d file', '%d files'], target: ['', '%d Dateien neu'] },
  { key: 'hours', source: ['%d hour', '%d hours'], target: ['%d Stunde', '%d Stunden'] },
  { key: 'unknown', source: 'Unknown', target: 'Unbekannt' },
];

/** The next version of the source strings: one added, one changed, the others unchanged. */
export const nextSources = stored
  .filter(({ key }) => key !== 'kept')
  .map((entry) => (entry.key === 'same' ? { ...entry, source: 'The same' } : entry))
  .concat({ key: 'unknown', source: 'Unknown', target: '' });

const xml = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const isPlural = ({ source }) => Array.isArray(source);
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const nested = (pairs) => json(Object.fromEntries(pairs));
const text = (entry) => [entry.key, entry.target];
const lines = (entries, line) => entries.map((entry) => `${line(entry)}\n`).join('');
const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
const RESX_HEAD = [
  ['resmimetype', 'text/microsoft-resx'],
  ['version', '2.0'],
  ['reader', 'System.Resources.ResXResourceReader, System.Windows.Forms'],
  ['writer', 'System.Resources.ResXResourceWriter, System.Windows.Forms'],
]
  .map(([name, value]) => `  <resheader name="${name}">\n    <value>${value}</value>\n  </resheader>\n`)
  .join('');

function gettext(entries, language) {
  const quoted = (value) => JSON.stringify(value);
  const head = `msgid ""\nmsgstr ""\n${language ? `"Language: ${language}\\n"\n"Plural-Forms: nplurals=2; plural=n != 1;\\n"\n` : ''}"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n`;
  return (
    head +
    entries
      .map((entry) => {
        const fuzzy = entry.fuzzy && language ? '#, fuzzy\n' : '';
        const of = (value) => quoted(language ? value : '');
        return isPlural(entry)
          ? `\n${fuzzy}msgid ${quoted(entry.source[0])}\nmsgid_plural ${quoted(entry.source[1])}\nmsgstr[0] ${of(entry.target[0])}\nmsgstr[1] ${of(entry.target[1])}\n`
          : `\n${fuzzy}msgid ${quoted(entry.source)}\nmsgstr ${of(entry.target)}\n`;
      })
      .join('')
  );
}

/** XLIFF without native plurals; `state` marks texts that need editing. */
function xliff(entries, language) {
  const unit = ({ key, source, target, fuzzy }) =>
    `      <trans-unit id="${key}">\n        <source>${xml(source)}</source>\n${
      language && target ? `        <target${fuzzy ? ' state="needs-translation"' : ''}>${xml(target)}</target>\n` : ''
    }      </trans-unit>\n`;
  return `${HEAD}<xliff xmlns="urn:oasis:names:tc:xliff:document:1.1" version="1.1">\n  <file original="app" source-language="en"${language ? ` target-language="${language}"` : ''} datatype="plaintext">\n    <body>\n${entries.map(unit).join('')}    </body>\n  </file>\n</xliff>\n`;
}

function android(entries, language) {
  const items = (texts) =>
    ['one', 'other']
      .map((name, i) => (texts[i] ? `        <item quantity="${name}">${xml(texts[i])}</item>\n` : ''))
      .join('');
  const element = (entry) =>
    isPlural(entry)
      ? `    <plurals name="${entry.key}">\n${items(entry.target)}    </plurals>\n`
      : `    <string name="${entry.key}">${xml(entry.target)}</string>\n`;
  const present = ({ target }) => !language || target.length !== 2 || target.some(Boolean);
  return `${HEAD}<resources>\n${entries.filter(present).map(element).join('')}</resources>\n`;
}

function stringsdict(entries) {
  const forms = (texts) =>
    ['one', 'other']
      .map((name, i) => (texts[i] ? `        <key>${name}</key>\n        <string>${xml(texts[i])}</string>\n` : ''))
      .join('');
  const entry = ({ key, target }) =>
    `    <key>${key}</key>\n    <dict>\n      <key>NSStringLocalizedFormatKey</key>\n      <string>%#@value@</string>\n      <key>value</key>\n      <dict>\n        <key>NSStringFormatSpecTypeKey</key>\n        <string>NSStringPluralRuleType</string>\n        <key>NSStringFormatValueTypeKey</key>\n        <string>d</string>\n${forms(target)}      </dict>\n    </dict>\n`;
  return `${HEAD}<plist version="1.0">\n  <dict>\n${entries
    .filter(({ target }) => target.some(Boolean))
    .map(entry)
    .join('')}  </dict>\n</plist>\n`;
}

function qt(entries, language) {
  const message = (entry) => {
    const type = entry.fuzzy || [entry.target].flat().some((one) => one === '') ? ' type="unfinished"' : '';
    return isPlural(entry)
      ? `    <message id="${entry.key}" numerus="yes">\n        <source>${xml(entry.source[1])}</source>\n        <translation${type}>\n${entry.target
          .map((form) => `            <numerusform>${xml(form)}</numerusform>\n`)
          .join('')}        </translation>\n    </message>\n`
      : `    <message>\n        <source>${xml(entry.source)}</source>\n        <translation${type}>${xml(entry.target)}</translation>\n    </message>\n`;
  };
  return `${HEAD}<!DOCTYPE TS>\n<TS version="2.1"${language ? ` language="${language}"` : ''} sourcelanguage="en">\n<context>\n    <name>Main</name>\n${entries.map(message).join('')}</context>\n</TS>\n`;
}

const i18next = (one, other) => (entries) =>
  nested(
    entries.flatMap((entry) =>
      isPlural(entry)
        ? [
            [entry.key + one, entry.target[0]],
            [entry.key + other, entry.target[1]],
          ]
        : [text(entry)],
    ),
  );
const php = (entries, open, line, close) => `<?php\n${open}${lines(entries, line)}${close}`;
const quotedPhp = (value) => `'${value.replace(/'/g, "\\'")}'`;
const csv = (entries) =>
  [
    'context,source,target,fuzzy',
    ...entries.map((e) => `${e.key},${e.source},${e.target},${e.fuzzy ? 'True' : ''}`),
  ].join('\r\n');
const cell = ({ key, source, target, fuzzy }) => ({
  context: key,
  source: [source],
  target: [target],
  state: fuzzy ? 'fuzzy' : target ? 'translated' : 'empty',
  location: '',
  note: '',
  flags: [],
  previousSource: '',
});

/**
 * Writers by family. `format`, `extension`: of its files; `plural`: contains plural strings; `only`: contains no others;
 * `bilingual`: contains sources; `states`: marks texts that need editing.
 */
export const uploadFormats = [
  { name: 'gettext', format: 'po', extension: 'po', bilingual: true, plural: true, states: true, write: gettext },
  { name: 'XLIFF', format: 'plainxliff', extension: 'xlf', bilingual: true, states: true, write: xliff },
  { name: 'Qt TS', format: 'ts', extension: 'ts', bilingual: true, plural: true, states: true, write: qt },
  { name: 'CSV', format: 'csv', extension: 'csv', bilingual: true, states: true, write: csv },
  {
    name: 'XLSX',
    format: 'xlsx',
    extension: 'xlsx',
    bilingual: true,
    states: true,
    write: (entries, language) => convert('xlsx', entries.map(cell), { language, sourceLanguage: 'en', name: 'agree' }),
  },
  { name: 'Android', format: 'aresource', extension: 'xml', plural: true, write: android },
  {
    name: 'Apple strings',
    format: 'strings-utf8',
    extension: 'strings',
    write: (entries) => lines(entries, ({ key, target }) => `"${key}" = "${target}";`),
  },
  {
    name: 'stringsdict',
    format: 'stringsdict',
    extension: 'stringsdict',
    plural: true,
    only: true,
    write: stringsdict,
  },
  {
    name: 'Java properties',
    format: 'properties-utf8',
    extension: 'properties',
    write: (entries) => lines(entries, ({ key, target }) => `${key}=${target}`),
  },
  {
    name: 'Java properties (ISO-8859-1)',
    format: 'properties',
    extension: 'properties',
    write: (entries) =>
      Buffer.from(
        lines(entries, ({ key, target }) => `${key}=${target}`),
        'latin1',
      ),
  },
  { name: 'JSON', format: 'json', extension: 'json', write: (entries) => nested(entries.map(text)) },
  { name: 'i18next 4', format: 'i18nextv4', extension: 'json', plural: true, write: i18next('_one', '_other') },
  {
    name: 'go-i18n 2',
    format: 'go-i18n-json-v2',
    extension: 'json',
    plural: true,
    write: (entries) =>
      nested(entries.map((e) => (isPlural(e) ? [e.key, { one: e.target[0], other: e.target[1] }] : text(e)))),
  },
  {
    name: 'WebExtension',
    format: 'webextension',
    extension: 'json',
    write: (entries) => nested(entries.map(({ key, target }) => [key, { message: target }])),
  },
  {
    name: 'ARB',
    format: 'arb',
    extension: 'arb',
    write: (entries, language) => nested([['@@locale', language || 'en'], ...entries.map(text)]),
  },
  {
    name: 'YAML',
    format: 'yaml',
    extension: 'yml',
    write: (entries) => lines(entries, ({ key, target }) => `${key}: ${JSON.stringify(target)}`),
  },
  {
    name: 'Ruby YAML',
    format: 'ruby-yaml',
    extension: 'yml',
    plural: true,
    write: (entries, language) =>
      `${language || 'en'}:\n${lines(entries, (entry) =>
        isPlural(entry)
          ? `  ${entry.key}:\n    one: ${JSON.stringify(entry.target[0])}\n    other: ${JSON.stringify(entry.target[1])}`
          : `  ${entry.key}: ${JSON.stringify(entry.target)}`,
      )}`,
  },
  {
    name: 'RESX',
    format: 'resx',
    extension: 'resx',
    write: (entries) =>
      `${HEAD}<root>\n${RESX_HEAD}${lines(
        entries,
        ({ key, target }) =>
          `  <data name="${key}" xml:space="preserve">\n    <value>${xml(target)}</value>\n  </data>`,
      )}</root>\n`,
  },
  {
    name: 'PHP',
    format: 'php',
    extension: 'php',
    write: (entries) => php(entries, '', ({ key, target }) => `$LANG[${quotedPhp(key)}] = ${quotedPhp(target)};`, ''),
  },
  {
    name: 'INI',
    format: 'ini',
    extension: 'ini',
    write: (entries) => `[app]\n${lines(entries, ({ key, target }) => `${key}=${target}`)}`,
  },
  {
    name: 'Fluent',
    format: 'fluent',
    extension: 'ftl',
    write: (entries) =>
      lines(
        entries.filter(({ target }) => target),
        ({ key, target }) => `${key} = ${target}`,
      ),
  },
];

/** Strings that a format can represent. */
export const fitting = ({ plural, only }, entries) => entries.filter((entry) => (isPlural(entry) ? plural : !only));

/** A file of a format. `language` '': the base file, whose texts are the sources. */
export function fileOf(kind, entries, language) {
  const all = fitting(kind, entries);
  const own = language || kind.bilingual ? all : all.map((entry) => ({ ...entry, target: entry.source }));
  return kind.write(own, language);
}
