import type { Endpoint } from '../../routing/endpoint';
import { openApiDocument } from '../../openapi/document';
import { openApiSchema } from '../site/schema';

/** The endpoint that describes the API. @param endpoints the whole table, including this endpoint */
export function schemaEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  return {
    method: 'GET',
    path: '/api/schema/',
    response: openApiSchema,
    access: 'anyone',
    doc: 'Describes the API as OpenAPI 3.1, in JSON or YAML.',
    renderers: ['openapi', 'yaml'],
    handle(call) {
      const document = openApiDocument(endpoints(), call.links.base, call.site.title);
      return Promise.resolve({ data: document });
    },
  };
}
