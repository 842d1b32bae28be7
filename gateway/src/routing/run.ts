import { fieldErrors } from '@parlance/errors';
import type { ContentScope } from '@parlance/redis';
import { checkAccess } from '../access/access';
import type { Reply } from './call';
import { linkedComponents } from './component-ids';
import type { Endpoint } from './endpoint';
import { isGitPath, requireSignIn } from './git-client';
import type { RoutedCall } from './make-call';
import { lookUp } from './path-objects';
import type { Prepared } from '../responses/prepared';
import { toJson } from '../responses/render';
import { isWlc } from './wlc';

/** The reply of an endpoint; see {@link answer}. */
export function run(call: RoutedCall, endpoint: Endpoint): Promise<Reply> {
  const { directory, contents } = call;
  const { cached, shows, keepsParts } = endpoint;
  if (cached) return runKept(call, endpoint, cached === true ? '' : directory.generation(cached.also));
  if (!shows || keepsParts || contents.generation === undefined) return answer(call, endpoint);
  // Places where checks fail also depend on flags and terms of other components, and thereby on the generation of strings.
  return runKept(call, endpoint, `${directory.stringsGeneration} ${contents.generation}`);
}

/** The kept reply of an endpoint, if there is one; else a new one. @param generation of the data that it shows besides access and catalog */
async function runKept(call: RoutedCall, endpoint: Endpoint, generation: string): Promise<Reply> {
  const { contents } = call;
  const { known, keep } = call.directory.keptReply(call.caller, addressOf(call), generation);
  if (known) {
    contents.useKept();
    return known;
  }
  const { data, keepMs, ...rest } = await answer(call, endpoint);
  const reply = data === undefined ? rest : { ...rest, prepared: await prepare(data) };
  if (endpoint.cached) keep({ reply, keepMs });
  else contents.whenKept(() => keep({ reply }));
  return reply;
}

/** Everything that a reply depends on besides the caller and stored data. */
const addressOf = (call: RoutedCall): string => `${isWlc(call) ? 'wlc ' : ''}${call.url}?${call.query}`;

async function prepare(data: unknown): Promise<Prepared> {
  const json = await toJson(data);
  return { json, data: () => JSON.parse(json) as unknown };
}

/** Looks up the objects of the path, checks access and calls the endpoint's handler. */
async function answer(call: RoutedCall, endpoint: Endpoint): Promise<Reply> {
  const onlyKey = endpoint.method === 'GET' && endpoint.showsTranslation !== true;
  const target = await lookUp(call, call.params, onlyKey).catch((error: unknown) => {
    throw call.caller.anonymous && isGitPath(endpoint.path) ? requireSignIn(error) : error;
  });
  await checkAccess(call, endpoint.access, target);
  const scope = await scopeOf(call, endpoint);
  if (scope) call.contents.show(scope);
  const reply = await endpoint.handle(call);
  // Services reject requests with problems; this handler called none.
  if (call.problems.length > 0) throw fieldErrors(call.problems);
  return reply;
}

/** The contents that an endpoint shows; undefined: none, or the handler names them. */
async function scopeOf(call: RoutedCall, { shows }: Endpoint): Promise<ContentScope | undefined> {
  switch (shows) {
    case 'site':
    case 'memory':
      return shows;
    case 'project':
      return (await linkedComponents(call)).length > 0 ? 'site' : `project:${call.project.id}`;
    case 'component':
      return `component:${call.component.component.id}`;
    case 'unit':
    case 'screenshot':
    case undefined:
      return undefined;
  }
}
