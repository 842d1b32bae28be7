// Generators of a file of every format, in the usual style of the format and of a given approximate size.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { writeZip } = require('../dist/archive/zip.js');
const { writeMo } = require('../dist/po/mo.js');
const { toXlsx } = require('../dist/convert/tables.js');

const TEXTS = [
  'Save changes',
  'The file could not be opened because another program is using it.',
  'Chyba při ukládání souboru do zvolené složky',
  'Do you want to delete the selected entries?',
  'Heslo musí mít alespoň osm znaků',
  'Cancel',
  'There are new messages in your inbox',
  'Nastavení sítě a sdílení',
];
export const text = (i) => `${TEXTS[i % TEXTS.length]} ${i}`;
const key = (i) => `section${Math.floor(i / 40)}_key_${i}`;

/** Repeats an entry between a head and a tail until the size is reached. */
export const grow =
  (head, piece, tail = '', join = '') =>
  (size, encoding = 'utf8') => {
    const parts = [];
    for (let i = 0, used = 0; used < size; i++) {
      const part = piece(i);
      used += Buffer.byteLength(part, encoding) + join.length;
      parts.push(part);
    }
    return Buffer.from(head + parts.join(join) + tail, encoding);
  };
const latin = (make) => (size) =>
  Buffer.from(
    make(size)
      .toString()
      .replace(/[^\x00-\x7f]/g, 'e'),
    'latin1',
  );
const utf16 = (make) => (size) => Buffer.from(`\uFEFF${make(size / 2).toString()}`, 'utf16le');
const zipped =
  (name, make, more = []) =>
  (size) =>
    writeZip([...more, [name, make(size)]]);

const poEntry = (i) =>
  (i % 9 === 4 ? '#. a note to the translators\n' : '') +
  `#: src/module${i % 50}.c:${i}\n` +
  (i % 7 === 3
    ? `#, c-format\nmsgid "%d file of ${text(i)}"\nmsgid_plural "%d files of ${text(i)}"\nmsgstr[0] "%d soubor ${i}"\nmsgstr[1] "%d soubory ${i}"\nmsgstr[2] "%d souborů ${i}"\n\n`
    : `msgid "${text(i)}"\nmsgstr "${text(i + 1)}"\n\n`);
const po = grow(
  'msgid ""\nmsgstr ""\n"Language: cs\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\\n"\n\n',
  poEntry,
);

const mo = (size) => {
  const entries = [
    { id: Buffer.alloc(0), text: Buffer.from('Language: cs\nContent-Type: text/plain; charset=UTF-8\n') },
  ];
  for (let used = 0, i = 0; used < size; i++) {
    const id = Buffer.from(`${String(i).padStart(8, '0')} ${text(i)}`);
    const target = Buffer.from(text(i + 1));
    used += id.length + target.length + 18;
    entries.push({ id, text: target });
  }
  return writeMo(entries);
};

const xlsx = (size) => {
  const count = Math.ceil(size / 60);
  const units = Array.from({ length: count }, (_, i) => ({
    context: key(i),
    source: [text(i)],
    target: [text(i + 1)],
    state: 'translated',
  }));
  return toXlsx(units, { language: 'cs', sourceLanguage: 'en', name: 'x' });
};

const xliffUnit = (i) =>
  `      <trans-unit id="${key(i)}" xml:space="preserve">\n        <source>${text(i)}</source>\n        <target state="translated">${text(i + 1)}</target>\n${i % 5 === 0 ? '        <note>where it is shown</note>\n' : ''}      </trans-unit>\n`;
const xliff = grow(
  '<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">\n  <file original="a.c" source-language="en" target-language="cs" datatype="plaintext">\n    <body>\n',
  xliffUnit,
  '    </body>\n  </file>\n</xliff>\n',
);

const android = (plural) =>
  grow(
    '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n',
    (i) =>
      i % 8 === 7
        ? `    <${plural} name="${key(i)}">\n        <item quantity="one">%d soubor</item>\n        <item quantity="few">%d soubory</item>\n        <item quantity="other">${text(i)}</item>\n    </${plural}>\n`
        : i % 8 === 5
          ? `    <!-- shown on the first page -->\n    <string name="${key(i)}">It\\'s <b>bold</b> &amp; ${text(i)}\\n</string>\n`
          : `    <string name="${key(i)}">${text(i)}</string>\n`,
    '</resources>\n',
  );

const flatJson = grow(
  '{\n',
  (i) => `    "${key(i)}": "${i % 6 === 0 ? `\\"${text(i)}\\"\\n` : text(i)}"`,
  '\n}\n',
  ',\n',
);
const nestedJson = grow(
  '{\n',
  (i) =>
    `  "screen${i}": {\n    "title": "${text(i)}",\n    "buttons": {\n      "ok": "${text(i + 1)}",\n      "cancel": "${text(i + 2)}"\n    },\n    "steps": ["${text(i)}", "${text(i + 3)}"]\n  }`,
  '\n}\n',
  ',\n',
);

const properties = grow('# A header\n', (i) =>
  i % 12 === 0
    ? `\n# a note\n${key(i)} = a long value that goes on \\\n    in the next line ${i}\n`
    : i % 12 === 5
      ? `${key(i)} = p\\u0159\\u00ed\\u0161t\\u00ed ${i}\n`
      : `${key(i)} = ${text(i).replace(/[^\x00-\x7f]/g, 'e')}\n`,
);
const ini = grow('; header\n[Messages]\n', (i) => `${key(i)}=${text(i)}\n`);
const strings = grow('', (i) => `/* a note ${i} */\n"${key(i)}" = "${i % 5 ? text(i) : `\\"${text(i)}\\"\\n`}";\n\n`);

const csv = grow(
  'location,source,target,id,fuzzy,context,translator_comments,developer_comments\n',
  (i) => `a.c:${i},"${text(i)}","${text(i + 1)}",,False,${key(i)},,"a note, with a comma"\n`,
);
const csvSimple = grow('', (i) => `"${key(i)}","${text(i)}"\n`);

const yamlPieces = (i) =>
  `  page${i}:\n    title: ${text(i)}\n    hint: "${text(i + 1)}"\n    other: '${text(i + 2)}'\n` +
  (i % 6 === 0 ? `    long: |\n      ${text(i)}\n      second line\n` : '') +
  (i % 6 === 2 ? `    folded: >-\n      ${text(i)}\n      second line\n` : '') +
  (i % 6 === 4 ? `    list:\n      - ${text(i)}\n      - "${text(i + 1)}"\n    flow: [one, "two"]\n` : '') +
  (i % 6 === 5 ? `    count:\n      one: "%{count} soubor"\n      other: "%{count} souborů"\n    yes: 'Ano'\n` : '');

const subtitleTime = (i) => `00:${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
const assHead = (kind) =>
  `[Script Info]\nScriptType: v4.00${kind}\n\n[V4${kind} Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\n`;
const ass = grow(
  `${assHead('+')}Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n`,
  (i) =>
    `Dialogue: 0,0:${subtitleTime(i).slice(3)}.00,0:${subtitleTime(i).slice(3)}.90,Default,,0,0,0,,${text(i)}\\N${text(i + 1)}\n`,
);
const ssa = grow(
  `${assHead('')}Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n`,
  (i) =>
    `Dialogue: Marked=0,0:${subtitleTime(i).slice(3)}.00,0:${subtitleTime(i).slice(3)}.90,Default,,0,0,0,,${text(i)}\n`,
);

const markdown = grow('---\ntitle: A page\n---\n\n# Handbook\n\n', (i) =>
  [
    `## ${text(i)}\n\n`,
    `${text(i)} with *emphasis*, [a link](https://example.org/${i}) and \`code\`.\n${text(i + 1)} on the next line.\n\n`,
    `- ${text(i)}\n- ${text(i + 1)}\n  - nested ${text(i + 2)}\n\n1. first\n2. second\n\n`,
    `> ${text(i)}\n> ${text(i + 1)}\n\n`,
    `\`\`\`js\nconst x = ${i};\n\nrun(x);\n\`\`\`\n\n`,
    `| Name | Meaning |\n| --- | --- |\n| a${i} | ${text(i)} |\n| b${i} | ${text(i + 1)} |\n\n`,
    `<div align="center">\n  <img src="x${i}.png">\n</div>\n\n[ref${i}]: https://example.org/${i} "Title"\n\n`,
  ].join(''),
);
const html = grow(
  '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Handbook</title>\n<meta name="description" content="All about it"></head>\n<body>\n',
  (i) =>
    `<section id="s${i}">\n<h2>${text(i)}</h2>\n<p>${text(i)} with <b>bold</b>, <a href="/x/${i}" title="${text(i)}">a link</a> &amp; more<br>\n${text(i + 1)}.</p>\n<ul class="list">\n<li>${text(i)}</li>\n<li>${text(i + 1)}</li>\n</ul>\n<img src="x.png" alt="${text(i)}">\n<table><tr><td>${text(i)}</td><td>${i}</td></tr></table>\n<!-- note -->\n<pre><code>x = ${i}</code></pre>\n</section>\n`,
  '</body>\n</html>\n',
);
const txt = grow('', (i) => `${text(i)}\n${text(i + 1)}\n\n`);
const dokuwiki = grow(
  '',
  (i) =>
    `===== ${text(i)} =====\n\n${text(i)} **bold**\n${text(i + 1)}\n\n  * ${text(i)}\n  * ${text(i + 1)}\n\n| a ${i} | ${text(i)} |\n\n`,
);
const mediawiki = grow(
  '',
  (i) =>
    `== ${text(i)} ==\n${text(i)} '''bold'''\n${text(i + 1)}\n\n* ${text(i)}\n* ${text(i + 1)}\n\n{{template|${i}}}\n\n`,
);

const php = grow(
  '<?php\n\nreturn [\n',
  (i) =>
    i % 10 === 0
      ? `    // group ${i}\n    'group${i}' => [\n        'one' => "${text(i)}",\n        'two' => '${text(i + 1)}',\n    ],\n`
      : `    '${key(i)}' => '${text(i)}${i % 10 === 3 ? " it\\'s|many" : ''}',\n`,
  '];\n',
);

const wikiPage = (size) => {
  const body = grow('', (i) => `${key(i)}=${text(i)} &amp; more\n`)(size).toString();
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<xwikidoc version="1.1">\n  <title>T</title>\n  <content>${body}</content>\n</xwikidoc>\n`,
  );
};

const appstore = (size) => {
  const files = [];
  for (let used = 0, i = 0; used < size; i++) {
    const data = txt(20_000);
    used += data.length;
    files.push([`changelogs/${i + 1}.txt`, data]);
  }
  return writeZip(files);
};

const tmx = grow(
  '<?xml version="1.0" encoding="utf-8"?>\n<tmx version="1.4">\n  <header srclang="en" datatype="PlainText" segtype="sentence" adminlang="en" o-tmf="x" creationtool="x" creationtoolversion="1"/>\n  <body>\n',
  (i) =>
    `    <tu>\n      <tuv xml:lang="en">\n        <seg>${text(i)}</seg>\n      </tuv>\n      <tuv xml:lang="cs">\n        <seg>${text(i + 1)}</seg>\n      </tuv>\n    </tu>\n`,
  '  </body>\n</tmx>\n',
);
const tbx = grow(
  '<?xml version="1.0" encoding="utf-8"?>\n<martif type="TBX" xml:lang="en">\n  <martifHeader/>\n  <text>\n    <body>\n',
  (i) =>
    `      <termEntry id="${key(i)}">\n        <langSet xml:lang="en">\n          <tig>\n            <term>${text(i)}</term>\n          </tig>\n        </langSet>\n        <langSet xml:lang="cs">\n          <tig>\n            <term>${text(i + 1)}</term>\n          </tig>\n        </langSet>\n      </termEntry>\n`,
  '    </body>\n  </text>\n</martif>\n',
);

const i18nextJson = (one, many) =>
  grow(
    '{\n',
    (i) =>
      i % 5 === 0
        ? `  "${key(i)}${one}": "${text(i)}",\n  "${key(i)}${many}": "${text(i + 1)}"`
        : `  "${key(i)}": "${text(i)}"`,
    '\n}\n',
    ',\n',
  );

/** Generators by format; the parameter is the approximate size in bytes. */
export const samples = {
  po,
  'po-mono': grow('msgid ""\nmsgstr ""\n"Language: cs\\n"\n\n', (i) => `msgid "${key(i)}"\nmsgstr "${text(i)}"\n\n`),
  ts: grow(
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="cs_CZ">\n<context>\n    <name>Window</name>\n',
    (i) =>
      `    <message${i % 6 === 0 ? ' numerus="yes"' : ''}>\n        <location filename="../main.cpp" line="${i}"/>\n        <source>${text(i)}</source>\n` +
      (i % 6 === 0
        ? `        <translation>\n            <numerusform>%n soubor</numerusform>\n            <numerusform>%n soubory</numerusform>\n            <numerusform>%n souborů</numerusform>\n        </translation>\n`
        : `        <translation>${text(i + 1)}</translation>\n`) +
      '    </message>\n',
    '</context>\n</TS>\n',
  ),
  plainxliff: xliff,
  xliff,
  poxliff: xliff,
  xliff2: grow(
    '<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="cs">\n  <file id="f1">\n',
    (i) =>
      `    <unit id="${key(i)}">\n      <segment>\n        <source>${text(i)}</source>\n        <target>${text(i + 1)}</target>\n      </segment>\n    </unit>\n`,
    '  </file>\n</xliff>\n',
  ),
  strings: utf16(strings),
  'strings-utf8': strings,
  'properties-utf8': properties,
  'properties-utf16': utf16(properties),
  properties,
  joomla: grow('; header\n', (i) => `${key(i).toUpperCase()}="${text(i)}"\n`),
  gwt: grow('', (i) =>
    i % 5 === 0 ? `${key(i)}[one]=${text(i)}\n${key(i)}=${text(i + 1)}\n` : `${key(i)}=${text(i)}\n`,
  ),
  'gwt-iso': latin(
    grow('', (i) => (i % 5 === 0 ? `${key(i)}[one]=${text(i)}\n${key(i)}=${text(i + 1)}\n` : `${key(i)}=${text(i)}\n`)),
  ),
  php,
  laravel: php,
  resx: grow(
    '<?xml version="1.0" encoding="utf-8"?>\n<root>\n  <resheader name="resmimetype">\n    <value>text/microsoft-resx</value>\n  </resheader>\n',
    (i) =>
      `  <data name="${key(i)}" xml:space="preserve">\n    <value>${text(i)}</value>\n${i % 4 === 0 ? '    <comment>a note</comment>\n' : ''}  </data>\n`,
    '</root>\n',
  ),
  aresource: android('plurals'),
  'moko-resource': android('plural'),
  'cmp-resource': android('plurals'),
  json: flatJson,
  'json-nested': nestedJson,
  webextension: grow(
    '{\n',
    (i) => `  "${key(i)}": {\n    "message": "${text(i)}",\n    "description": "a note"\n  }`,
    '\n}\n',
    ',\n',
  ),
  i18next: i18nextJson('', '_plural'),
  catkeys: grow('1\tczech\tx-vnd.Haiku-App\t123\n', (i) => `${text(i)}\tMenu${i}\twhy\t${text(i + 1)}\n`),
  lang: grow('## active ##\n\n\n', (i) => `# why\n;${text(i)}\n${text(i + 1)}\n\n\n`),
  i18nextv4: i18nextJson('_one', '_other'),
  'go-i18n-json': grow(
    '[\n',
    (i) =>
      `  {\n    "id": "${key(i)}",\n    "translation": ${i % 5 === 0 ? `{\n      "one": "${text(i)}",\n      "other": "${text(i + 1)}"\n    }` : `"${text(i)}"`}\n  }`,
    '\n]\n',
    ',\n',
  ),
  'go-i18n-json-v2': grow(
    '{\n',
    (i) =>
      i % 5 === 0
        ? `  "${key(i)}": {\n    "one": "${text(i)}",\n    "other": "${text(i + 1)}"\n  }`
        : `  "${key(i)}": "${text(i)}"`,
    '\n}\n',
    ',\n',
  ),
  gotext: grow(
    '{\n    "language": "cs",\n    "messages": [\n',
    (i) =>
      `        {\n            "id": "${text(i)}",\n            "message": "${text(i)}",\n            "translation": "${text(i + 1)}"\n        }`,
    '\n    ]\n}\n',
    ',\n',
  ),
  arb: grow(
    '{\n  "@@locale": "cs",\n',
    (i) => `  "key${i}": "${text(i)}",\n  "@key${i}": {\n    "description": "a note"\n  }`,
    '\n}\n',
    ',\n',
  ),
  formatjs: grow(
    '{\n',
    (i) => `  "${key(i)}": {\n    "defaultMessage": "${text(i)}",\n    "description": "a note"\n  }`,
    '\n}\n',
    ',\n',
  ),
  csv,
  'csv-utf-8': csv,
  'csv-simple': csvSimple,
  'csv-simple-utf-8': csvSimple,
  'csv-simple-iso': latin(csvSimple),
  'csv-multi-utf-8': grow('source,target\n', (i) => `"${text(i)}","${text(i + 1)}"\n"${text(i)}","${text(i + 2)}"\n`),
  yaml: grow('strings:\n', yamlPieces),
  'ruby-yaml': grow('cs:\n', yamlPieces),
  srt: grow('', (i) => `${i + 1}\n${subtitleTime(i)},000 --> ${subtitleTime(i)},900\n${text(i)}\n${text(i + 1)}\n\n`),
  sub: grow('', (i) => `{${i * 50}}{${i * 50 + 40}}${text(i)}|${text(i + 1)}\n`),
  ass,
  ssa,
  dtd: grow('', (i) => `<!-- a note -->\n<!ENTITY ${key(i)}.label "${text(i)} &brandShortName; &amp; more">\n`),
  flatxml: grow(
    '<?xml version="1.0" encoding="utf-8"?>\n<root>\n',
    (i) => `  <str key="${key(i)}">${text(i)}</str>\n`,
    '</root>\n',
  ),
  resourcedictionary: grow(
    '<ResourceDictionary xmlns="http://schemas.microsoft.com/winfx/2006/xaml/presentation" xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml" xmlns:system="clr-namespace:System;assembly=mscorlib">\n',
    (i) => `    <system:String x:Key="${key(i)}">${text(i)}</system:String>\n`,
    '</ResourceDictionary>\n',
  ),
  ini,
  islu: ini,
  'mi18n-lang': grow('', (i) => `${key(i)} = ${text(i)}\n`),
  xlsx,
  appstore,
  html,
  idml: zipped(
    'Stories/Story_1.xml',
    grow(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Story>\n',
      (i) =>
        `<ParagraphStyleRange><CharacterStyleRange PointSize="12"><Content>${text(i)}</Content><Br/></CharacterStyleRange></ParagraphStyleRange>\n`,
      '</Story>\n',
    ),
    [['designmap.xml', Buffer.from('<D/>')]],
  ),
  odf: zipped(
    'content.xml',
    grow(
      '<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text>',
      (i) =>
        `<text:p text:style-name="P1">${text(i)} <text:span text:style-name="T1">bold</text:span> &amp; ${text(i + 1)}</text:p>`,
      '</office:text></office:body></office:document-content>',
    ),
    [['mimetype', Buffer.from('application/vnd.oasis.opendocument.text')]],
  ),
  txt,
  dokuwiki,
  markdown,
  mediawiki,
  rc: grow(
    'LANGUAGE LANG_CZECH, SUBLANG_DEFAULT\n\n',
    (i) =>
      `IDD_D${i} DIALOG 0, 0, 200, 100\nCAPTION "${text(i)}"\nFONT 8, "MS Shell Dlg"\nBEGIN\n    LTEXT "${text(i)}",IDC_S,1,1,1,1\n    PUSHBUTTON "OK",IDOK,1,1,1,1\nEND\n\nSTRINGTABLE\nBEGIN\n    IDS_A${i} "${text(i)}"\n    IDS_B${i}, "${text(i + 1)} ""q"""\nEND\n\n`,
  ),
  'xwiki-java-properties': properties,
  'xwiki-page-properties': wikiPage,
  'xwiki-fullpage': wikiPage,
  tbx,
  stringsdict: grow(
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n<dict>\n',
    (i) =>
      `    <key>${key(i)}</key>\n    <dict>\n        <key>NSStringLocalizedFormatKey</key>\n        <string>%#@v@</string>\n        <key>v</key>\n        <dict>\n            <key>NSStringFormatSpecTypeKey</key>\n            <string>NSStringPluralRuleType</string>\n            <key>NSStringFormatValueTypeKey</key>\n            <string>d</string>\n            <key>one</key>\n            <string>${text(i)}</string>\n            <key>other</key>\n            <string>${text(i + 1)}</string>\n        </dict>\n    </dict>\n`,
    '</dict>\n</plist>\n',
  ),
  fluent: grow('### A file\n\n', (i) =>
    i % 6 === 0
      ? `# a note\nkey-${i} = ${text(i)} { $name }\n    .title = ${text(i + 1)}\n`
      : i % 6 === 3
        ? `key-${i} =\n    { $count ->\n        [one] ${text(i)}\n       *[other] ${text(i + 1)}\n    }\n`
        : `key-${i} = ${text(i)}\n`,
  ),
  toml: grow('title = "x"\n', (i) =>
    i % 20 === 0
      ? `\n[section${i}]\n# a note\n${key(i)} = "${text(i)}"\n`
      : i % 20 === 7
        ? `${key(i)} = """\n${text(i)}\nsecond line"""\n`
        : i % 20 === 9
          ? `${key(i)} = ["${text(i)}", '${text(i + 1)}']\n`
          : `${key(i)} = "${text(i)}"\n`,
  ),
  xcstrings: grow(
    '{\n  "sourceLanguage" : "en",\n  "strings" : {\n',
    (i) =>
      `    "${text(i)}" : {\n      "localizations" : {\n        "cs" : {\n          "stringUnit" : {\n            "state" : "translated",\n            "value" : "${text(i + 1)}"\n          }\n        }\n      }\n    }`,
    '\n  },\n  "version" : "1.0"\n}\n',
    ',\n',
  ),
  mo,
  tmx,
};
