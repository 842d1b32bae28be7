import { isGitPath, routedGitPath } from './git-client';

/** Addresses outside of /api/, in which the categories of a component stand before it as they are. */
const component = /^(\/exports\/stats|\/hooks\/update)\/([^/]+)\/([^/]+(?:\/[^/]+)+?)\/?$/;
const feed = /^\/exports\/rss\/([^/]+)\/([^/]+(?:\/[^/]+)+)\/([^/]+?)\/?$/;
const shortFeed = /^\/exports\/rss\/([^/]+)\/([^/]+\/[^/]+?)\/?$/;

const joined = (path: string): string => path.replaceAll('/', '%2F');

/**
 * The paths that a path may mean, as the router reads them: a component's categories become one part with it. The last part of a
 * feed's address may be a language or the component itself; what comes first is tried first.
 */
export function readingsOf(path: string): [string, ...string[]] {
  if (isGitPath(path)) return [routedGitPath(path)];
  const [, place, project, within] = component.exec(path) ?? [];
  if (within !== undefined) return [`${place}/${project}/${joined(within)}/`];
  const short = shortFeed.exec(path);
  if (short) return [path, `/exports/rss/${short[1]}/${joined(short[2]!)}/`];
  const long = feed.exec(path);
  if (!long) return [path];
  const [, name, before, last] = long as unknown as [string, string, string, string];
  const start = `/exports/rss/${name}/${joined(before)}`;
  return [`${start}/${last}/`, `${start}%2F${last}/`];
}
