// OpenTelemetry collector (OTLP over HTTP with JSON) that appends every span to a file, one per line.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * @param {string} file receives one line {service, scope, name, kind, trace, id, parent, system, content} per span
 * @returns {Promise<{endpoint: string, close(): void}>} endpoint: value of OTEL_EXPORTER_OTLP_ENDPOINT
 */
export async function startCollector(file) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { resourceSpans = [] } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      for (const { resource, scopeSpans } of resourceSpans) {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
        for (const { scope, spans } of scopeSpans)
          for (const { name, kind, traceId, spanId, parentSpanId, attributes, status, events } of spans) {
            const system = attributes.find(({ key }) => key === 'db.system' || key === 'db.system.name')?.value
              .stringValue;
            const span = {
              service,
              scope: scope.name,
              name,
              kind,
              trace: traceId,
              id: spanId,
              parent: parentSpanId,
              system,
              // Searched for secrets.
              content: { attributes, status, events },
            };
            appendFileSync(file, `${JSON.stringify(span)}\n`);
          }
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { endpoint: `http://127.0.0.1:${port}`, close: () => server.close() };
}
