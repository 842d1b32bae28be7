import { isGitPath, routedGitPath } from './git-client';

/** Addresses outside of /api/, in which the categories of a component are not encoded. */
const component = /^(\/exports\/stats|\/hooks\/update)\/([^/]+)\/([^/]+(?:\/[^/]+)+?)\/?$/;
const feed = /^\/exports\/rss\/([^/]+)\/([^/]+(?:\/[^/]+)+)\/([^/]+?)\/?$/;
const shortFeed = /^\/exports\/rss\/([^/]+)\/([^/]+\/[^/]+?)\/?$/;

/** Pages of the contents of a project, and their badges. */
const page = /^(\/(?:projects|translate|widget))\/([^/]+)\/([^/]+(?:\/[^/]+)+?)\/?$/;

const joined = (path: string): string => path.replaceAll('/', '%2F');

/**
 * Possible encodings of a path for the router: categories and component become one segment. The last segment of a
 * feed's address may be a language or the component; alternatives are tried in order.
 */
export function readingsOf(path: string): [string, ...string[]] {
  if (path.startsWith('/api/')) return [path];
  if (isGitPath(path)) return [routedGitPath(path)];
  const [, place, project, within] = component.exec(path) ?? [];
  if (within !== undefined) return [`${place}/${project}/${joined(within)}/`];
  const [, area, owner, contents] = page.exec(path) ?? [];
  if (contents !== undefined) return [`${area}/${owner}/${joined(contents)}/`];
  const short = shortFeed.exec(path);
  if (short) return [path, `/exports/rss/${short[1]}/${joined(short[2]!)}/`];
  const long = feed.exec(path);
  if (!long) return [path];
  const [, name = '', before = '', last = ''] = long;
  const start = `/exports/rss/${name}/${joined(before)}`;
  return [`${start}/${last}/`, `${start}%2F${last}/`];
}
