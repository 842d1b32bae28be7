// Test data of both servers.

/** Strings of the gettext component: source, Czech target and other fields of the PO entry. */
export const strings = [
  { id: 'Hello', cs: 'Ahoj', at: 'src/main.c:1' },
  { id: 'Hello, world!', cs: 'Ahoj, světe!', at: 'src/main.c:2', note: 'Greeting' },
  { id: 'Save', cs: 'Uložit', at: 'src/save.c:10' },
  { id: 'Save', context: 'menu', cs: 'Uložit jako', at: 'src/menu.c:3' },
  { id: 'Save changes', cs: '', at: 'src/save.c:11' },
  { id: 'Open file %s', cs: 'Otevřít soubor %s', flags: 'c-format', at: 'src/open.c:5' },
  { id: 'Open %d files', cs: 'Otevřít soubory', flags: 'c-format', at: 'src/open.c:6' },
  { id: 'Delete', cs: 'Smazat', fuzzy: true, previous: 'Remove' },
  { id: 'Delete all', cs: '' },
  { id: 'Name:', cs: 'Jméno' },
  { id: 'Really?', cs: 'Opravdu?' },
  { id: 'Done.', cs: 'Hotovo' },
  { id: 'Loading...', cs: 'Načítání…' },
  { id: 'line one\nline two', cs: 'řádek jedna\nřádek dva' },
  { id: ' leading space', cs: 'mezera' },
  { id: 'trailing space ', cs: 'mezera ' },
  { id: 'Tab\there', cs: 'Tabulátor\tzde' },
  { id: 'Quote "this"', cs: 'Citace "toto"' },
  { id: 'Back\\slash', cs: 'Zpětné\\lomítko' },
  { id: 'Commit', cs: 'Commit' },
  { id: 'commit the change', cs: 'zapsat změnu', note: 'Verb' },
  { id: 'Uncommitted', cs: '' },
  { id: 'Email address', cs: 'E-mailová adresa', context: 'form' },
  { id: 'https://example.com/', cs: 'https://example.com/' },
  { id: '<b>bold</b>', cs: '<b>tučné</b>' },
  { id: '%(count)s items in %(place)s', cs: '%(count)s položek', flags: 'python-format' },
  { id: '{name} wrote', cs: '{name} napsal', flags: 'python-brace-format' },
  { id: 'Total: 100%', cs: 'Celkem: 100%' },
  { id: 'x', cs: 'x' },
  { id: 'A very long sentence that goes on and on so that its length can be searched for in a test', cs: '' },
  {
    id: '%d file',
    plural: '%d files',
    forms: ['%d soubor', '%d soubory', '%d souborů'],
    flags: 'c-format',
    at: 'src/plural.c:1',
  },
  { id: '%d day', plural: '%d days', forms: ['', '', ''], flags: 'c-format' },
  {
    id: 'One apple',
    plural: '%d apples',
    forms: ['Jedno jablko', '%d jablka', '%d jablek'],
    flags: 'c-format',
    fuzzy: true,
  },
  { id: 'Příliš žluťoučký', cs: 'kůň' },
  { id: 'UPPER', cs: 'VELKÉ' },
  { id: 'upper', cs: 'malé' },
  { id: 'key.with.dots', cs: 'klíč', context: 'a.b.c' },
  { id: 'Priority text', cs: 'Prioritní', flags: 'priority:110' },
  { id: 'Read only text', cs: 'Jen ke čtení', flags: 'read-only' },
  { id: 'Max length', cs: 'Nejdelší možná délka', flags: 'max-length:5' },
];

const quote = (text) =>
  `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`;

const PLURALS = {
  cs: 'nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;',
  ja: 'nplurals=1; plural=0;',
};

export const pluralHeader = (language) => PLURALS[language] ?? 'nplurals=2; plural=n != 1;';

/** A PO file; without `language`, the template. `target(string, formCount)` returns texts, by default the Czech ones. */
export function poFile(language, entries = strings, target = (s) => s.forms ?? [s.cs]) {
  const count = Number(/nplurals=(\d)/.exec(pluralHeader(language))[1]);
  const head = [
    'msgid ""',
    'msgstr ""',
    '"Project-Id-Version: agree 1.0\\n"',
    ...(language ? [`"Language: ${language}\\n"`, `"Plural-Forms: ${pluralHeader(language)}\\n"`] : []),
    '"MIME-Version: 1.0\\n"',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    '"Content-Transfer-Encoding: 8bit\\n"',
  ].join('\n');
  const body = entries.map((s) => {
    const flags = [...(s.fuzzy && language ? ['fuzzy'] : []), ...(s.flags ? [s.flags] : [])];
    const texts = language ? target(s) : [];
    return [
      ...(s.note ? [`#. ${s.note}`] : []),
      ...(s.at ? [`#: ${s.at}`] : []),
      ...(flags.length ? [`#, ${flags.join(', ')}`] : []),
      ...(s.previous && language ? [`#| msgid ${quote(s.previous)}`] : []),
      ...(s.context ? [`msgctxt ${quote(s.context)}`] : []),
      `msgid ${quote(s.id)}`,
      ...(s.plural
        ? [
            `msgid_plural ${quote(s.plural)}`,
            ...Array.from({ length: count }, (_, i) => `msgstr[${i}] ${quote(texts[i] ?? '')}`),
          ]
        : [`msgstr ${quote(texts[0] ?? '')}`]),
    ].join('\n');
  });
  return `${[head, ...body].join('\n\n')}\n`;
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Monolingual strings: English and German by key. */
export const keyed = {
  greeting: ['Hello', 'Hallo'],
  'menu.save': ['Save', 'Sichern'],
  'menu.open': ['Open…', 'Öffnen…'],
  empty: ['Not translated', ''],
  question: ['Really?', 'Wirklich'],
  long: ['A sentence with several words in it.', 'Ein Satz mit mehreren Wörtern.'],
  same: ['OK', 'OK'],
  html: ['<b>Bold</b> text', '<b>Fetter</b> Text'],
};

const column = (index) => Object.fromEntries(Object.entries(keyed).map(([key, texts]) => [key, texts[index]]));
const xml = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Components by slug: settings and files of their repositories. */
export const components = {
  po: {
    settings: { file_format: 'po', filemask: 'po/*.po', new_base: 'po/agree.pot' },
    files: {
      'po/agree.pot': poFile(''),
      'po/cs.po': poFile('cs'),
      'po/de.po': poFile('de', strings, (s) => (s.plural ? ['', ''] : [''])),
      'po/ja.po': poFile('ja', strings, (s) => [s.plural ? '' : s.id === 'Hello' ? 'こんにちは' : '']),
    },
  },
  json: {
    settings: {
      file_format: 'json',
      filemask: 'locale/*.json',
      template: 'locale/en.json',
      new_base: 'locale/en.json',
    },
    files: {
      'locale/en.json': json(column(0)),
      'locale/de.json': json(column(1)),
      'locale/cs.json': json({ greeting: 'Ahoj' }),
    },
  },
  props: {
    settings: { file_format: 'properties-utf8', filemask: 'l10n/app_*.properties', template: 'l10n/app_en.properties' },
    files: {
      'l10n/app_en.properties': Object.entries(keyed)
        .map(([k, t]) => `${k}=${t[0]}\n`)
        .join(''),
      'l10n/app_de.properties': Object.entries(keyed)
        .filter(([, t]) => t[1])
        .map(([k, t]) => `${k}=${t[1]}\n`)
        .join(''),
    },
  },
  android: {
    settings: { file_format: 'aresource', filemask: 'res/values-*/strings.xml', template: 'res/values/strings.xml' },
    files: {
      'res/values/strings.xml': `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${Object.entries(keyed)
        .map(([k, t]) => `    <string name="${k.replace('.', '_')}">${xml(t[0])}</string>\n`)
        .join(
          '',
        )}    <plurals name="days">\n        <item quantity="one">%d day</item>\n        <item quantity="other">%d days</item>\n    </plurals>\n</resources>\n`,
      'res/values-de/strings.xml': `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n    <string name="greeting">Hallo</string>\n    <plurals name="days">\n        <item quantity="one">%d Tag</item>\n        <item quantity="other">%d Tage</item>\n    </plurals>\n</resources>\n`,
    },
  },
  xliff: {
    settings: { file_format: 'plainxliff', filemask: 'x/*.xlf', new_base: 'x/en.xlf' },
    files: {
      'x/en.xlf': xliff('en', () => ''),
      'x/de.xlf': xliff('de', (texts) => texts[1]),
    },
  },
};

function xliff(language, target) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:1.1" version="1.1">\n  <file original="app" source-language="en" target-language="${language}" datatype="plaintext">\n    <body>\n${Object.entries(
    keyed,
  )
    .map(([key, texts]) => {
      const text = target(texts);
      return `      <trans-unit id="${key}" xml:space="preserve">\n        <source>${xml(texts[0])}</source>\n${text ? `        <target>${xml(text)}</target>\n` : ''}      </trans-unit>\n`;
    })
    .join('')}    </body>\n  </file>\n</xliff>\n`;
}

/** Creates the project and its components on both sides. */
export async function makeWorld({ sides, remotes, project }, slugs = Object.keys(components)) {
  for (const side of sides.both)
    await side.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
  for (const slug of slugs) {
    const { settings, files } = components[slug];
    const repo = remotes.make(`${project}-${slug}`, files);
    await sides.component(project, {
      name: slug,
      slug,
      vcs: 'git',
      repo,
      branch: 'main',
      new_lang: 'add',
      ...settings,
    });
  }
}

/** Stores the ids of all units of a component by `language|context|source`. */
export async function learnUnits(sides, project, component) {
  for (const side of sides.both) {
    const units = await side.all(
      `/api/units/?page_size=1000&q=${encodeURIComponent(`project:="${project}" AND component:="${component}"`)}`,
    );
    for (const unit of units)
      side.ids.set(`${component}|${unit.language_code}|${unit.context}|${unit.source[0]}`, unit.id);
  }
}
