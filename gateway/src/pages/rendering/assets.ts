import { hash } from 'node:crypto';
import { notFound } from '../../responses/errors';
import type { Endpoint } from '../../routing/endpoint';
import { frameStylesheet, startScript, viewerScript, viewerStylesheet } from '../docs/viewer';
import { securityKeyScript } from '../../sessions/pages/security-key-script';
import { script } from './script';
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

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

export const assets = {
  stylesheet: asset('pages', 'css', CSS, stylesheet),
  script: asset('pages', 'js', SCRIPT, script),
  icon: asset('icon', 'svg', 'image/svg+xml', icon),
  docsStylesheet: asset('docs', 'css', CSS, frameStylesheet),
  docsScript: asset('docs', 'js', SCRIPT, startScript),
  securityKeyScript: asset('security-key', 'js', SCRIPT, securityKeyScript),
  viewerStylesheet: asset('viewer', 'css', CSS, viewerStylesheet),
  viewerScript: asset('viewer', 'js', SCRIPT, viewerScript),
} as const;

/** Names the script of pages in their policy: no other script runs, wherever it comes from. */
export const scriptDigest = `sha256-${hash('sha256', script, 'base64')}`;

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
