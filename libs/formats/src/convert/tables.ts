import { writeZip } from '../archive/zip';
import { EXPORT_COLUMNS, formColumn, guardFormula } from '../csv/columns';
import { quoteField } from '../csv/csv';
import { escapeXml, type Converter, type ConvertUnit } from './units';

/** Fields of a row in the order of EXPORT_COLUMNS. */
function row(unit: ConvertUnit, source: string, target: string): string[] {
  return [
    unit.location ?? '',
    source,
    target,
    '',
    unit.state === 'fuzzy' ? 'True' : '',
    unit.context,
    unit.comment ?? '',
    unit.note ?? '',
  ];
}

function single(unit: ConvertUnit): string[] {
  return row(unit, unit.source[0] ?? '', unit.target[0] ?? '');
}

/** One row per string below the headings. Plural forms after the first have columns of their own. */
function table(units: readonly ConvertUnit[]): (readonly string[])[] {
  let forms = 1;
  for (const { target } of units) forms = Math.max(forms, target.length);
  const further = Array.from({ length: forms - 1 }, (_, i) => i + 1);
  return [
    [...EXPORT_COLUMNS, ...further.map(formColumn)],
    ...units.map((unit) => [...single(unit), ...further.map((form) => unit.target[form] ?? '')]),
  ];
}

/** Guards all fields against formulas. */
function csv([headings, ...rows]: readonly (readonly string[])[]): Buffer {
  const lines = rows.map((fields) => fields.map((field) => quoteField(guardFormula(field), ',', false)).join(','));
  return Buffer.from([headings?.join(','), ...lines].map((line) => `${line}\r\n`).join(''), 'utf8');
}

export const toCsv: Converter = (units) => csv(table(units));

/** One row for each value of a string. */
export const toCsvMulti: Converter = (units) =>
  csv([
    EXPORT_COLUMNS,
    ...units.flatMap((unit) =>
      unit.target.length === 0 ? [single(unit)] : unit.target.map((target) => row(unit, unit.source[0] ?? '', target)),
    ),
  ]);

/** Maximum length of a cell's text. */
const MAX_CELL = 32_767;

function cell(reference: string, text: string): string {
  if (text === '') return '';
  const escaped = text.slice(0, MAX_CELL).replace(/_x[0-9A-Fa-f]{4}_/g, (code) => `_x005F${code}`);
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(escaped)}</t></is></c>`;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook with one sheet of the same columns as the CSV. */
export const toXlsx: Converter = (units) => {
  const rows = table(units).map((fields, i) => {
    const cells = fields.map((text, column) => cell(`${String.fromCharCode(65 + column)}${i + 1}`, text));
    return `<row r="${i + 1}">${cells.join('')}</row>`;
  });
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const files: [string, string][] = [
    [
      '[Content_Types].xml',
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="Strings" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ],
    ['xl/worksheets/sheet1.xml', `<worksheet xmlns="${SHEET}"><sheetData>${rows.join('')}</sheetData></worksheet>`],
  ];
  return writeZip(files.map(([name, body]) => [name, Buffer.from(XML + body)]));
};
