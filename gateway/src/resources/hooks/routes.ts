import { chunks } from '@parlance/grpc-kit';
import type { hooks } from '@parlance/contracts';
import type { Call, Reply } from '../../routing/call';
import { ok, type Endpoint } from '../../routing/endpoint';
import { hookSchema, updateSchema } from './schema';

/** Maximum body of a git host's notification in bytes; the hooks service has the same limit. */
const MAX_HOOK_BYTES = 8 * 1024 * 1024;

async function receive(call: Call): Promise<Reply> {
  const body = await call.bodyReader.bytes(MAX_HOOK_BYTES);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.request.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  async function* messages(): AsyncGenerator<hooks.ReceiveRequest> {
    yield {
      header: {
        provider: call.params['provider']!,
        headers,
        contentType: call.request.headers['content-type'] ?? '',
        sourceAddress: call.address,
      },
    };
    for (const chunk of chunks(body)) yield { chunk };
  }
  const r = await call.clients.hooks.receive(messages(), call.options);
  if (r.outcome === 'OUTCOME_PING')
    return {
      status: 201,
      data: { message: r.message, status: 'success', match_status: null, updated_components: null },
    };
  const match_status = {
    repository_matches: r.repositoryMatches,
    branch_matches: r.branchMatches,
    enabled_hook_matches: r.enabledHookMatches,
  };
  if (r.outcome !== 'OUTCOME_MATCHED')
    return { status: 202, data: { message: r.message, status: 'failure', match_status, updated_components: null } };
  const components = await call.directory.componentsById(r.updatedComponentIds);
  const updated = r.updatedComponentIds.flatMap((id) => {
    const view = components.get(id);
    return view ? [call.links.component(view.project.slug, view.component.path)] : [];
  });
  return ok({ message: r.message, status: 'success', match_status, updated_components: updated });
}

const updateProject = async (call: Call): Promise<Reply> => {
  const r = await call.clients.hooks.updateProject({ projectId: call.project.id }, call.options);
  return ok({ status: 'success', message: r.message });
};
const updateComponent = async (call: Call): Promise<Reply> => {
  const r = await call.clients.hooks.updateComponent({ componentId: call.component.component.id }, call.options);
  return ok({ status: 'success', message: r.message });
};

/** Answers 405 where hooks are switched off. */
export const hookEndpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/hooks/:provider/',
    success: [200, 201, 202],
    failures: [405],
    accepts: ['application/json', 'application/x-www-form-urlencoded'],
    response: hookSchema,
    access: 'anyone',
    doc: 'Receives a push notification of a git host.',
    ownCredentials: true,
    handle: receive,
  },
  {
    method: 'GET',
    path: '/hooks/update/:project/',
    response: updateSchema,
    failures: [405],
    access: 'anyone',
    doc: 'Pulls all components of a project. Deprecated.',
    handle: updateProject,
  },
  {
    method: 'POST',
    path: '/hooks/update/:project/',
    response: updateSchema,
    failures: [405],
    access: 'anyone',
    doc: 'Pulls all components of a project. Deprecated.',
    handle: updateProject,
  },
  {
    method: 'GET',
    path: '/hooks/update/:project/:component/',
    response: updateSchema,
    failures: [405],
    access: 'anyone',
    doc: 'Pulls a component. Deprecated.',
    handle: updateComponent,
  },
  {
    method: 'POST',
    path: '/hooks/update/:project/:component/',
    response: updateSchema,
    failures: [405],
    access: 'anyone',
    doc: 'Pulls a component. Deprecated.',
    handle: updateComponent,
  },
];
