import { escaped } from '../rendering/escape';

/** Progress of one language in a chart. */
export interface Share {
  name: string;
  percent: number;
}

/** Characters that XML cannot represent. */
const forbidden = /[\p{Cc}\uFFFE\uFFFF]|\p{Cs}/gu;

const inXml = (text: string): string => escaped(text.replace(forbidden, ' '));

const FONT = 'font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11"';
/** Mean width of a character, in pixels; wide scripts take twice as much. */
const CHARACTER = 6.6;

/** Estimated width of a text, in pixels: servers know no fonts. */
const widthOf = (text: string): number =>
  Math.ceil([...text].reduce((sum, char) => sum + (char.codePointAt(0)! >= 0x1100 ? 2 : 1) * CHARACTER, 0));

/** Without decimals: badges are small. An incomplete translation is never 100%. */
const percentText = (percent: number): string => `${Math.floor(percent)}%`;

/** Colours with enough contrast to white text. */
const colourOf = (percent: number): string => (percent >= 90 ? '#2a7d46' : percent >= 60 ? '#8a6d00' : '#b3402e');

/** A status badge: a label and a percentage. */
export function statusBadge(label: string, percent: number): string {
  const value = percentText(percent);
  const left = widthOf(label) + 12;
  const right = widthOf(value) + 12;
  const width = left + right;
  const title = inXml(`${label}: ${value}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${title}"><title>${title}</title><clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#4a5560"/><rect x="${left}" width="${right}" height="20" fill="${colourOf(percent)}"/></g><g fill="#fff" text-anchor="middle" ${FONT}><text x="${left / 2}" y="14">${inXml(label)}</text><text x="${left + right / 2}" y="14">${value}</text></g></svg>`;
}

const ROW = 20;
const BAR = 150;

/** A bar for each language; readable on light and dark backgrounds. */
export function languageChart(title: string, shares: readonly Share[]): string {
  const names = Math.max(0, ...shares.map(({ name }) => widthOf(name))) + 12;
  const width = names + BAR + 56;
  const height = Math.max(1, shares.length) * ROW + 10;
  const rows = shares.map(({ name, percent }, i) => {
    const y = i * ROW + 5;
    const done = (BAR * percent) / 100;
    return `<text x="${names}" y="${y + 14}" text-anchor="end" fill="#1c2733">${inXml(name)}</text><rect x="${names + 8}" y="${y + 4}" width="${BAR}" height="12" rx="2" fill="#dfe4e9"/><rect x="${names + 8}" y="${y + 4}" width="${done.toFixed(1)}" height="12" rx="2" fill="${colourOf(percent)}"/><text x="${names + BAR + 14}" y="${y + 14}" fill="#1c2733">${percentText(percent)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${inXml(title)}"><title>${inXml(title)}</title><rect width="${width}" height="${height}" rx="4" fill="#fff"/><g ${FONT}>${rows.join('')}</g></svg>`;
}
