import type { Call, Reply } from '../../routing/call';
import { assets } from '../rendering/assets';
import { cacheable } from '../rendering/reply';
import { renderView } from '../rendering/render-page';
import { viewerPolicy } from '../rendering/script-policy';

/** The documentation of the API: its OpenAPI document in Swagger UI. */
export function docsPage(call: Call): Reply {
  const { root } = call.site;
  const content = renderView('docs', { site: call.site, assets, schema: `${root}/api/schema/` });
  const reply = cacheable(call, 'text/html; charset=utf-8', content, 0);
  return { ...reply, headers: { ...reply.headers, 'Content-Security-Policy': viewerPolicy } };
}
