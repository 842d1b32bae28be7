import { hash } from 'node:crypto';
import { notFound } from '../../responses/errors';
import type { Endpoint } from '../../routing/endpoint';
import { icon, stylesheet } from './stylesheet';

/** A file whose name changes with its content, so that browsers keep it forever. */
interface Asset {
  type: string;
  content: string;
  /** Path from the root of the site. */
  path: string;
}

function asset(name: string, extension: string, type: string, content: string): Asset {
  const version = hash('sha256', content, 'hex').slice(0, 16);
  return { type, content, path: `/static/${name}-${version}.${extension}` };
}

export const assets = {
  stylesheet: asset('pages', 'css', 'text/css; charset=utf-8', stylesheet),
  icon: asset('icon', 'svg', 'image/svg+xml', icon),
} as const;

const byPath = new Map(Object.values(assets).map((file) => [file.path, file]));

export const assetEndpoint: Endpoint = {
  method: 'GET',
  path: '/static/:file/',
  access: 'anyone',
  doc: 'Serves a file of the pages.',
  ownFormat: true,
  handle({ params }) {
    const file = byPath.get(`/static/${params['file']}`);
    if (!file) throw notFound();
    return Promise.resolve({
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Origin' },
      text: { type: file.type, content: file.content },
    });
  },
};
