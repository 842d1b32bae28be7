import { formatPluralForms } from '../po/header';
import { writeMo } from '../po/mo';
import { quoteLines, type WrapStyle } from '../po/text';
import type { Converter, ConvertOptions, ConvertUnit, EntryConverter } from './units';

const STYLE: WrapStyle = { width: 79, breakAtLineFeeds: true };

function header({ language, plural, name }: ConvertOptions): string {
  const fields = [
    `Project-Id-Version: ${name.replace(/[\r\n]/g, ' ')}`,
    `Language: ${language}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    ...(plural ? [`Plural-Forms: ${formatPluralForms(plural)}`] : []),
    'X-Generator: Parlance',
  ];
  return `${fields.join('\n')}\n`;
}

function statement(keyword: string, text: string): string {
  return `${keyword} ${quoteLines(text, keyword.length + 1, STYLE).join('\n')}\n`;
}

function comments(mark: string, text: string | undefined): string {
  return text
    ? text
        .split(/\r\n|\r|\n/)
        .map((line) => `${`${mark} ${line}`.trimEnd()}\n`)
        .join('')
    : '';
}

function entry(unit: ConvertUnit): string {
  const suggestions = (unit.suggestions ?? []).map((text) => `Suggested: ${text}`).join('\n');
  let out = comments('#', unit.comment) + comments('#', suggestions) + comments('#.', unit.note);
  if (unit.location)
    out += comments(
      '#:',
      unit.location
        .split(', ')
        .map((place) => (/\s/.test(place) ? `\u2068${place}\u2069` : place))
        .join(' '),
    );
  const flags = [...(unit.state === 'fuzzy' ? ['fuzzy'] : []), ...(unit.flags ?? [])];
  if (flags.length > 0) out += `#, ${flags.join(', ')}\n`;
  if (unit.previousSource) out += statement('msgid', unit.previousSource).replace(/^/gm, '#| ').replace(/#\| $/, '');
  if (unit.context !== '') out += statement('msgctxt', unit.context);
  out += statement('msgid', unit.source[0] ?? '');
  const plural = unit.source[1];
  if (plural === undefined && unit.target.length < 2) return out + statement('msgstr', unit.target[0] ?? '');
  out += statement('msgid_plural', plural ?? unit.source[0] ?? '');
  return out + unit.target.map((text, i) => statement(`msgstr[${i}]`, text)).join('');
}

/** Gettext PO with all metadata of the strings. */
export const toPo: EntryConverter = (options) => ({
  head: `msgid ""\nmsgstr ${quoteLines(header(options), 7, { width: Infinity, breakAtLineFeeds: true }).join('\n')}\n`,
  entry: (unit) => `\n${entry(unit)}`,
  tail: '',
});

/** Compiled gettext. */
export const toMo: Converter = (units, options) => {
  const seen = new Set<string>();
  const entries = units.flatMap((unit) => {
    const key = (unit.context === '' ? '' : `${unit.context}\x04`) + unit.source.join('\0');
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ id: Buffer.from(key), text: Buffer.from(unit.target.join('\0')) }];
  });
  return writeMo([{ id: Buffer.alloc(0), text: Buffer.from(header(options)) }, ...entries]);
};
