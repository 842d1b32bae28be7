import { originOf, type Site } from '../responses/site';

/** Pages that are no destination after a sign-in. */
const isSignInPage = (path: string): boolean => /^\/accounts\/(?:login|logout|password|external)\b/.test(path);

/**
 * A path of this site to redirect to; undefined for any other text.
 * @param text path with query and fragment, as in the parameter `next`
 */
export function localPath(text: string | null | undefined, site: Site): string | undefined {
  if (!text?.startsWith('/') || text.length > 2000) return undefined;
  const { root } = site;
  const origin = originOf(site);
  let url: URL;
  try {
    url = new URL(text, origin);
  } catch {
    return undefined;
  }
  // Dots and backslashes are resolved: "/.//example.org" becomes "//example.org", which browsers take for another host.
  if (url.origin !== origin || url.pathname.startsWith('//') || !url.pathname.startsWith(`${root}/`)) return undefined;
  if (isSignInPage(url.pathname.slice(root.length))) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The path of the page that linked to this one; undefined if it is of another site. */
export function refererPath(referer: string | undefined, site: Site): string | undefined {
  const origin = originOf(site);
  return referer?.startsWith(`${origin}/`) ? localPath(referer.slice(origin.length), site) : undefined;
}
