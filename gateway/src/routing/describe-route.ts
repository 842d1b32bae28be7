import { fieldsOf } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { checkAccess } from '../access/access';
import { fieldSchemas } from '../openapi/requests';
import type { Call } from './call';
import type { Endpoint, ResourceRoute } from './endpoint';
import { lookUp, type PathObjects } from './path-objects';

/** Fields of a body by name, with type and whether they are required. */
function describeFields({ body }: Endpoint): Record<string, object> {
  const schemas = body ? fieldSchemas(body.fields) : {};
  const fields = (body ? fieldsOf(body.fields) : []).map((field) => {
    const { description, enum: choices, maxLength, default: initial } = schemas[field.name]!;
    const entry = {
      type: field.type,
      required: field.required,
      read_only: field.access === 'read-only',
      label: field.name.replaceAll('_', ' '),
      help_text: description,
      ...(maxLength === undefined ? {} : { max_length: maxLength }),
      ...(initial === undefined ? {} : { default: initial }),
      ...(Array.isArray(choices)
        ? { choices: choices.map((value: unknown) => ({ value, display_name: String(value) })) }
        : {}),
    };
    return [field.name, entry] as const;
  });
  const files = (body?.files ?? []).map(
    (name) => [name, { type: 'file upload', required: false, read_only: false, label: name }] as const,
  );
  return Object.fromEntries([...fields, ...files]);
}

/** Whether the caller has access to the endpoint. */
async function may(call: Call & { pathObjects: PathObjects }, endpoint: Endpoint): Promise<boolean> {
  if (call.caller.anonymous) return false;
  try {
    await checkAccess(call, endpoint.access, await lookUp(call, call.params));
    return true;
  } catch (error) {
    if (isServiceError(error)) return false;
    throw error;
  }
}

/** Description of a path, and the bodies that the caller may send. */
export async function describe(route: ResourceRoute, call: Call & { pathObjects: PathObjects }): Promise<object> {
  const docs = [...route.methods].map(([method, endpoint]) => `${method}: ${endpoint.doc}`);
  const actions: Record<string, object> = {};
  for (const [method, endpoint] of route.methods)
    if (endpoint.body && method !== 'DELETE' && (await may(call, endpoint))) actions[method] = describeFields(endpoint);
  return {
    name: route.pattern,
    description: docs.join('\n'),
    renders: ['application/json', 'text/html', 'text/csv'],
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    ...(Object.keys(actions).length > 0 ? { actions } : {}),
  };
}
