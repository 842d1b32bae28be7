import { fieldErrors } from '@parlance/errors';
import { checkAccess } from '../access/access';
import type { Reply } from './call';
import type { Endpoint } from './endpoint';
import { isGitPath, requireSignIn } from './git-client';
import type { RoutedCall } from './make-call';
import { lookUp } from './path-objects';
import { toJson } from '../responses/render';

/** The reply of an endpoint; see {@link answer}. */
export async function run(call: RoutedCall, endpoint: Endpoint): Promise<Reply> {
  if (!endpoint.cached) return answer(call, endpoint);
  const also = endpoint.cached === true ? undefined : endpoint.cached.also;
  const prepared = await call.directory.cachedReply(call.caller, `${call.url}?${call.query}`, also, async () => {
    const { data, keepMs } = await answer(call, endpoint);
    const json = await toJson(data);
    return { prepared: { json, data: () => JSON.parse(json) as unknown }, keepMs };
  });
  return { prepared };
}

/** Looks up the objects of the path, checks access and calls the endpoint's handler. */
async function answer(call: RoutedCall, endpoint: Endpoint): Promise<Reply> {
  const onlyKey = endpoint.method === 'GET' && endpoint.showsTranslation !== true;
  const target = await lookUp(call, call.params, onlyKey).catch((error: unknown) => {
    throw call.caller.anonymous && isGitPath(endpoint.path) ? requireSignIn(error) : error;
  });
  await checkAccess(call, endpoint.access, target);
  const reply = await endpoint.handle(call);
  // Services reject requests with problems; this handler called none.
  if (call.problems.length > 0) throw fieldErrors(call.problems);
  return reply;
}
