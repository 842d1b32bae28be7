import type { IncomingMessage } from 'node:http';
import { originOf, type Site } from '../responses/site';

/**
 * Whether a page of this site sent the request. Browsers set `Sec-Fetch-Site` in secure contexts and `Origin` with every unsafe
 * method; pages cannot change either. A request without both is refused: browsers without them are older than 2020.
 */
export function isSameOrigin({ headers }: IncomingMessage, site: Site): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  return headers.origin === originOf(site);
}
