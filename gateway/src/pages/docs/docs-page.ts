import type { Call, Reply } from '../../routing/call';
import { assets } from '../rendering/assets';
import { cacheable } from '../rendering/reply';
import { renderView } from '../rendering/render-page';

/**
 * The viewer runs its own script, requests the description and other endpoints of this site, and has icons in its stylesheet. All other
 * responses forbid scripts.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join(';');

/** The documentation of the API: its OpenAPI document in Swagger UI. */
export function docsPage(call: Call): Reply {
  const { root } = call.site;
  const content = renderView('docs', { site: call.site, assets, schema: `${root}/api/schema/` });
  const reply = cacheable(call, 'text/html; charset=utf-8', content, 0);
  return { ...reply, headers: { ...reply.headers, 'Content-Security-Policy': policy } };
}
