import { ServiceError } from '@parlance/errors';
import { notFound } from './errors';

/** How an answer can be written. */
export type Renderer = 'json' | 'api' | 'csv' | 'json-flat' | 'openmetrics' | 'prometheus';

/** Content type of each way; the first word of `format` picks it, and so does Accept. */
export const contentTypes: Record<Renderer, string> = {
  json: 'application/json',
  api: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  'json-flat': 'application/json',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
};

/** What every endpoint can be read as. */
export const commonRenderers: readonly Renderer[] = ['json', 'api', 'csv'];

export interface Negotiated {
  renderer: Renderer;
  /** Spaces to indent JSON with; 0: compact. */
  indent: number;
}

const compact: Negotiated = { renderer: 'json', indent: 0 };

interface Range {
  type: string;
  quality: number;
  indent: number;
  place: number;
}

function parseAccept(accept: string): Range[] {
  const ranges = accept
    .slice(0, 2000)
    .split(',')
    .map((part, place) => {
      const [type = '', ...params] = part.split(';').map((p) => p.trim().toLowerCase());
      const range: Range = { type, quality: 1, indent: 0, place };
      for (const param of params) {
        const [name, value = ''] = param.split('=');
        if (name === 'q') range.quality = Number.isFinite(Number(value)) ? Number(value) : 0;
        if (name === 'indent' && /^\d{1,2}$/.test(value)) range.indent = Math.min(Number(value), 8);
      }
      return range;
    })
    .filter((r) => r.type !== '' && r.quality > 0);
  return ranges.sort((a, b) => b.quality - a.quality || a.place - b.place);
}

/**
 * Picks how to answer.
 * @param format the query parameter `format`, which wins over Accept; null when absent
 * @throws NOT_FOUND for an unknown format, NOT_ACCEPTABLE when nothing that is accepted is there
 */
export function negotiate(
  accept: string | undefined,
  format: string | null,
  available: readonly Renderer[],
): Negotiated {
  if (format !== null && format !== '') {
    const renderer = available.find((r) => r === format);
    if (!renderer) throw notFound(`There is no format called ${format.slice(0, 40)} here.`);
    return { renderer, indent: 0 };
  }
  if (accept === undefined || accept === '*/*' || accept === 'application/json' || accept.trim() === '') return compact;
  for (const range of parseAccept(accept)) {
    if (range.type === '*/*') return compact;
    for (const renderer of available) {
      const type = contentTypes[renderer].split(';')[0]!;
      if (range.type === type || range.type === `${type.split('/')[0]}/*`) return { renderer, indent: range.indent };
    }
  }
  throw new ServiceError('NOT_ACCEPTABLE');
}
