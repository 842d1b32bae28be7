import { aresource, cmpResource, mokoResource } from './android/android';
import { fluent } from './code/fluent';
import { laravel, php } from './code/php';
import { toml } from './code/toml';
import { appstore } from './archive/appstore';
import { idml, odf } from './archive/office';
import { xlsx } from './archive/xlsx';
import { csv, csvMultiUtf8, csvSimple, csvSimpleIso, csvSimpleUtf8, csvUtf8 } from './csv/csv';
import { html } from './documents/html';
import { markdown } from './documents/markdown';
import { dokuwiki, mediawiki, txt } from './documents/text';
import { defaultLimits, FormatError, type FileFormat, type FormatUnit } from './format';
import { goI18n, goI18nV2, gotext } from './json/go';
import { i18next, i18nextV4 } from './json/i18next';
import { arb, formatjs, json, jsonNested, webextension } from './json/plain';
import { xcstrings } from './json/xcstrings';
import { catkeys } from './lines/catkeys';
import { dtd } from './lines/dtd';
import { ini, islu, joomla, mi18nLang } from './lines/ini';
import { lang } from './lines/lang';
import { gwt, gwtIso, properties, propertiesUtf16, propertiesUtf8 } from './lines/properties';
import { rc } from './lines/rc';
import { strings, stringsUtf8 } from './lines/strings';
import { xwikiFullPage, xwikiJavaProperties, xwikiPageProperties } from './lines/xwiki';
import { mo } from './po/mo';
import { po, poMono } from './po/po';
import { flatXml, resourceDictionary, resx } from './resources/keyed-xml';
import { stringsdict } from './resources/stringsdict';
import { ts } from './resources/ts';
import { ass, srt, ssa, sub } from './subtitles/subtitles';
import { tbx, tmx } from './terminology/terminology';
import { plainXliff, poXliff, xliff } from './xliff/xliff1';
import { xliff2 } from './xliff/xliff2';
import { rubyYaml, yaml } from './yaml/yaml';

const implementations: readonly FileFormat[] = [
  ...[po, poMono, mo],
  ...[json, jsonNested, webextension, i18next, i18nextV4, goI18n, goI18nV2, gotext, arb, formatjs, xcstrings],
  ...[aresource, mokoResource, cmpResource],
  ...[plainXliff, xliff, poXliff, xliff2],
  ...[properties, propertiesUtf8, propertiesUtf16, gwt, gwtIso, strings, stringsUtf8],
  ...[ini, islu, joomla, mi18nLang, dtd, catkeys, lang],
  ...[ts, resx, flatXml, resourceDictionary, stringsdict, tbx, tmx],
  ...[csv, csvUtf8, csvSimple, csvSimpleUtf8, csvSimpleIso, csvMultiUtf8],
  ...[srt, sub, ass, ssa],
  ...[yaml, rubyYaml, php, laravel, fluent, toml, rc],
  ...[txt, dokuwiki, mediawiki, markdown, html],
  ...[xlsx, odf, idml, appstore],
  ...[xwikiJavaProperties, xwikiPageProperties, xwikiFullPage],
];

/** Rejects files with a text above the length limit. */
function bounded(format: FileFormat): FileFormat {
  return {
    ...format,
    parse(bytes, options = {}) {
      const file = format.parse(bytes, options);
      const { maxText } = { ...defaultLimits, ...options.limits };
      const long = file.units.find((unit) => hasLongText(unit, maxText));
      if (!long) return file;
      throw new FormatError('limit', `a text of more than ${maxText} characters`, long.line, long.column);
    },
  };
}

function hasLongText(unit: FormatUnit, most: number): boolean {
  const { context, note, comment, location, previousSource } = unit;
  return (
    lengthOf(unit.target) > most ||
    lengthOf(unit.source) > most ||
    context.length > most ||
    note.length > most ||
    comment.length > most ||
    location.length > most ||
    previousSource.length > most
  );
}

function lengthOf(forms: readonly string[]): number {
  let length = 0;
  for (const form of forms) length += form.length;
  return length;
}

/** Readers and writers by the format's id. */
export const formats: ReadonlyMap<string, FileFormat> = new Map(
  implementations.map((format) => [format.id, bounded(format)]),
);

/** The reader and writer of a format; throws FormatError `unknown-format`. */
export function formatOf(id: string): FileFormat {
  const format = formats.get(id);
  if (!format) throw new FormatError('unknown-format', `unknown file format "${id}"`);
  return format;
}
