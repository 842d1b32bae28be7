import { schemasOf } from './operator-schemas.mjs';

it('schemas of operators refuse unknown fields, and leave the metadata to the schema of Kubernetes', () => {
  const found = schemasOf(`
spec:
  names: { kind: ScaledThing }
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            metadata: { type: object, properties: {} }
            spec:
              type: object
              properties:
                labels: { type: object, additionalProperties: { type: string } }
                open: { type: object, x-kubernetes-preserve-unknown-fields: true, properties: { a: { type: string } } }
`);
  expect(found).toEqual({
    'scaledthing_v1.json': {
      type: 'object',
      additionalProperties: false,
      properties: {
        metadata: { type: 'object' },
        spec: {
          type: 'object',
          additionalProperties: false,
          properties: {
            labels: { type: 'object', additionalProperties: { type: 'string' } },
            open: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
              properties: { a: { type: 'string' } },
            },
          },
        },
      },
    },
  });
});
