import { endpoints } from '../endpoints';
import type { Call } from '../routing/call';
import type { RoutedCall } from '../routing/make-call';
import { run } from '../routing/run';
import { ShownContents } from '../routing/shown-contents';

const readers = new Map(endpoints.filter(({ method }) => method === 'GET').map((e) => [e.path, e]));

/** Names in the path of an endpoint, decoded. */
type Params = Readonly<Record<string, string>>;

/**
 * Reads from an endpoint of the API on behalf of the page's caller. Lookup, access rule and handler are those of the API, so a page
 * shows only what the API returns.
 * @param path pattern of the endpoint
 * @throws the errors of the endpoint
 */
export async function readApi<T>(call: Call, path: string, params: Params = {}, query: Params = {}): Promise<T> {
  const endpoint = readers.get(path);
  if (!endpoint) throw new Error(`there is no endpoint GET ${path}`);
  const inner = Object.create(call, {
    params: { value: params },
    query: { value: new URLSearchParams(query) },
    pathObjects: { value: {} },
    // Some responses depend on the client.
    userAgent: { value: '' },
    contents: { value: new ShownContents() },
  }) as RoutedCall;
  const { data, prepared } = await run(inner, endpoint);
  return (prepared ? prepared.data() : data) as T;
}
