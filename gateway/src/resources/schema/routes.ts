import type { Endpoint } from '../../routing/endpoint';
import { openApiDocument } from '../../openapi/document';
import { openApiSchema } from '../site/schema';

/** The description of the API. @param endpoints the whole table, which this row is part of */
export function schemaEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  return {
    method: 'GET',
    path: '/api/schema/',
    response: openApiSchema,
    access: 'anyone',
    doc: 'Describes the API as OpenAPI 3.1.',
    renderers: ['openapi'],
    handle(call) {
      const document = openApiDocument(endpoints(), call.links.base, call.siteTitle);
      return Promise.resolve({ data: document });
    },
  };
}
