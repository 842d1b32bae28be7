import { isServiceError, ServiceError } from '@parlance/errors';
import Negotiator from 'negotiator';
import { notFound } from './errors';

/** How an answer can be written. */
export type Renderer = 'json' | 'api' | 'csv' | 'json-flat' | 'openmetrics' | 'prometheus' | 'openapi' | 'yaml';

/** Content type of each representation, selected by the first word of `format` or by Accept. */
export const contentTypes: Record<Renderer, string> = {
  json: 'application/json',
  api: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  'json-flat': 'application/json',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openapi: 'application/vnd.oai.openapi+json',
  yaml: 'application/yaml; charset=utf-8',
};

/** Representations of every endpoint. */
export const commonRenderers: readonly Renderer[] = ['json', 'api', 'csv'];

export interface Negotiated {
  renderer: Renderer;
  /** Spaces of JSON indentation; 0: compact. */
  indent: number;
}

const compact: Negotiated = { renderer: 'json', indent: 0 };

/** Maximum length of a parsed Accept header, in characters. */
const MAX_ACCEPT = 2000;

/** Parameters other than `q`: no response depends on them, but Negotiator compares them. */
const parameters = /;\s*(?!q=)[^;,"]+(?:"[^"]*")?/gi;

/** Indentation requested by `application/json; indent=N`, at most 8. */
function indentOf(accept: string, type: string): number {
  const range = accept.split(',').find((part) => part.trim().toLowerCase().startsWith(type));
  const [, indent] = /;\s*indent=(\d{1,2})(?!\d)/i.exec(range ?? '') ?? [];
  return indent === undefined ? 0 : Math.min(Number(indent), 8);
}

/**
 * Selects the representation.
 * @param format the query parameter `format`, which takes precedence over Accept; null if absent
 * @throws NOT_FOUND for an unknown format, NOT_ACCEPTABLE if no accepted representation is available
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
  const header = accept.slice(0, MAX_ACCEPT);
  const types = available.map((renderer) => contentTypes[renderer].split(';', 1)[0]!);
  const [type] = new Negotiator({ headers: { accept: header.replace(parameters, '') } }).mediaTypes(types);
  if (type === undefined) throw new ServiceError('NOT_ACCEPTABLE');
  return { renderer: available[types.indexOf(type)]!, indent: indentOf(header, type) };
}

/** Whether a browser asks: clients of the API name JSON or no type. */
export function prefersPage(accept: string | undefined, query: URLSearchParams): boolean {
  if (accept === undefined || query.has('format')) return false;
  try {
    return negotiate(accept, null, ['json', 'api']).renderer === 'api';
  } catch (error) {
    if (isServiceError(error, 'NOT_ACCEPTABLE')) return false;
    throw error;
  }
}
