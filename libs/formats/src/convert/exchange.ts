import { createHash } from 'node:crypto';
import { bcp, escapeXml, type ConvertOptions, type ConvertUnit, type EntryConverter, type EntryFile } from './units';

/** A stable id for a string that may have no context. */
function idOf(unit: ConvertUnit): string {
  return createHash('sha256')
    .update(`${unit.context}\0${unit.source.join('\0')}`)
    .digest('hex')
    .slice(0, 16);
}

function stateOf(unit: ConvertUnit): string {
  if (unit.state === 'fuzzy') return ' state="needs-translation"';
  return unit.state === 'approved' ? ' state="final"' : unit.state === 'translated' ? ' state="translated"' : '';
}

/** The context as the entry's name, which reading restores. */
function nameOf(unit: ConvertUnit): string {
  return unit.context === '' ? '' : ` resname="${escapeXml(unit.context)}"`;
}

function transUnit(unit: ConvertUnit, id: string, source: string, target: string, indent: string): string {
  const approved = unit.state === 'approved' ? ' approved="yes"' : '';
  const readonly = unit.state === 'readonly' ? ' translate="no"' : '';
  const lines = [
    `<trans-unit xml:space="preserve" id="${escapeXml(id)}"${nameOf(unit)}${approved}${readonly}>`,
    `  <source>${escapeXml(source)}</source>`,
  ];
  if (target !== '') lines.push(`  <target${stateOf(unit)}>${escapeXml(target)}</target>`);
  if (unit.note) lines.push(`  <note from="developer">${escapeXml(unit.note)}</note>`);
  if (unit.comment) lines.push(`  <note from="translator">${escapeXml(unit.comment)}</note>`);
  for (const place of unit.location ? unit.location.split(', ') : []) {
    const [, file = '', line] = /^(.*?)(?::(\d+))?$/s.exec(place) ?? [];
    const number = line === undefined ? '' : `<context context-type="linenumber">${line}</context>`;
    lines.push(
      `  <context-group name="po-reference" purpose="location"><context context-type="sourcefile">${escapeXml(file)}</context>${number}</context-group>`,
    );
  }
  if (unit.context !== '') {
    lines.push(
      `  <context-group name="po-entry" purpose="information"><context context-type="x-po-msgctxt">${escapeXml(unit.context)}</context></context-group>`,
    );
  }
  lines.push('</trans-unit>');
  return lines.map((line) => `${indent}${line}\n`).join('');
}

function xliff(
  { name, language, sourceLanguage }: ConvertOptions,
  datatype: string,
  entry: (unit: ConvertUnit) => string,
): EntryFile {
  const file = `original="${escapeXml(name)}" source-language="${escapeXml(bcp(sourceLanguage))}" target-language="${escapeXml(bcp(language))}" datatype="${datatype}"`;
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.1" version="1.1">
  <file ${file}>
    <body>
`,
    entry,
    tail: '    </body>\n  </file>\n</xliff>\n',
  };
}

function isPlural({ source, target }: ConvertUnit): boolean {
  return source.length > 1 || target.length > 1;
}

/** One unit per plural form. */
function formUnits(unit: ConvertUnit, idOfForm: (form: number) => string, indent: string): string {
  const { source, target } = unit;
  const count = Math.max(source.length, target.length, 1);
  return Array.from({ length: count }, (_, i) =>
    transUnit(unit, idOfForm(i), source[Math.min(i, source.length - 1)] ?? '', target[i] ?? '', indent),
  ).join('');
}

/** XLIFF 1.1 with gettext's groups of plural forms. */
export const toXliff: EntryConverter = (options) =>
  xliff(options, 'po', (unit) => {
    const id = idOf(unit);
    if (!isPlural(unit)) return formUnits(unit, () => id, '      ');
    const forms = formUnits(unit, (i) => `${id}[${i}]`, '        ');
    return `      <group restype="x-gettext-plurals" id="${id}"${nameOf(unit)}>\n${forms}      </group>\n`;
  });

/** XLIFF 1.1 without extensions: each plural form is a unit of its own. */
export const toXliff11: EntryConverter = (options) =>
  xliff(options, 'plaintext', (unit) => {
    const id = idOf(unit);
    return formUnits(unit, (i) => (isPlural(unit) ? `${id}-${i}` : id), '      ');
  });

function pairs(unit: ConvertUnit): { source: string; target: string }[] {
  const count = Math.max(unit.target.length, 1);
  return Array.from({ length: count }, (_, i) => ({
    source: unit.source[Math.min(i, unit.source.length - 1)] ?? '',
    target: unit.target[i] ?? '',
  }));
}

/** TBX: a term base with the strings as terms. */
export const toTbx: EntryConverter = ({ language, sourceLanguage, name }) => {
  const set = (code: string, text: string): string =>
    `        <langSet xml:lang="${escapeXml(bcp(code))}">\n          <tig>\n            <term>${escapeXml(text)}</term>\n          </tig>\n        </langSet>\n`;
  const entry = (unit: ConvertUnit): string => {
    const { source, target } = pairs(unit)[0] as { source: string; target: string };
    const note = unit.note ? `        <descrip type="definition">${escapeXml(unit.note)}</descrip>\n` : '';
    return `      <termEntry id="${idOf(unit)}">\n${note}${set(sourceLanguage, source)}${target === '' ? '' : set(language, target)}      </termEntry>\n`;
  };
  const head = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE martif PUBLIC "ISO 12200:1999A//DTD MARTIF core (DXFcdV04)//EN" "TBXcdv04.dtd">
<martif type="TBX" xml:lang="${escapeXml(bcp(sourceLanguage))}">
  <martifHeader>
    <fileDesc>
      <sourceDesc>
        <p>${escapeXml(name)}</p>
      </sourceDesc>
    </fileDesc>
  </martifHeader>
  <text>
    <body>
`;
  return { head, entry, tail: '    </body>\n  </text>\n</martif>\n' };
};

/** A translation memory. */
export const toTmx: EntryConverter = ({ language, sourceLanguage }) => {
  const variant = (code: string, text: string): string =>
    `      <tuv xml:lang="${escapeXml(bcp(code))}"><seg>${escapeXml(text)}</seg></tuv>\n`;
  const entry = (unit: ConvertUnit): string =>
    pairs(unit)
      .filter(({ target }) => target !== '')
      .map(({ source, target }) => {
        const context = unit.context === '' ? '' : `      <prop type="context">${escapeXml(unit.context)}</prop>\n`;
        return `    <tu>\n${context}${variant(sourceLanguage, source)}${variant(language, target)}    </tu>\n`;
      })
      .join('');
  const head = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
  <header creationtool="Parlance" creationtoolversion="1" segtype="sentence" o-tmf="UTF-8" adminlang="en" srclang="${escapeXml(bcp(sourceLanguage))}" datatype="PlainText"/>
  <body>
`;
  return { head, entry, tail: '  </body>\n</tmx>\n' };
};
