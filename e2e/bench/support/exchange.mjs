// HTTP requests with little CPU time in the client: the benchmark shares cores with the system under test.
import http from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';

const clients = {
  'http:': { request: http.request, agent: new http.Agent({ keepAlive: true }) },
  'https:': { request: https.request, agent: new https.Agent({ keepAlive: true }) },
};

/**
 * Sends a request; the body is text, bytes or a FormData. `keepAlive: false` opens a separate connection, `signal` aborts the request.
 * @returns status, headers (`get` by name) and the bytes of the body
 */
export async function exchange(url, { method, headers, body, keepAlive = true, signal = undefined }) {
  const encoded = body instanceof FormData ? new Response(body) : undefined;
  const bytes = encoded ? Buffer.from(await encoded.arrayBuffer()) : body;
  const { request, agent } = clients[new URL(url).protocol];
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        agent: keepAlive ? agent : false,
        signal,
        headers: {
          ...headers,
          ...(encoded ? { 'content-type': encoded.headers.get('content-type') } : {}),
          ...(bytes === undefined ? {} : { 'content-length': Buffer.byteLength(bytes) }),
        },
      },
      (response) => {
        const headers = { get: (name) => response.headers[name.toLowerCase()] ?? null };
        buffer(response).then((bytes) => resolve({ status: response.statusCode, headers, bytes }), reject);
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}
