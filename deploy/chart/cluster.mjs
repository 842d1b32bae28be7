// A cluster for `lookup` in templates: answers the requests of Helm for Secrets.
import { createServer } from 'node:http';

const kinds = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'v1',
  resources: [{ name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret', verbs: ['get'] }],
};
const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };

function secret(name, values) {
  const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return { kind: 'Secret', apiVersion: 'v1', metadata: { name }, data: Object.fromEntries(data) };
}

/**
 * Runs work beside a cluster that has Secrets.
 *
 * @template T
 * @param {Record<string, Record<string, string>>} secrets values by name
 * @param {(flags: string[]) => Promise<T>} work gets the flags with which Helm asks the cluster
 */
export async function withCluster(secrets, work) {
  const server = createServer(({ url = '' }, response) => {
    const name = url.split('/').at(-1) ?? '';
    const found = url === '/api/v1' ? kinds : name in secrets ? secret(name, secrets[name]) : missing;
    response.writeHead(found === missing ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    const address = `http://127.0.0.1:${port}`;
    return await work(['--dry-run=server', '--kubeconfig', '/dev/null', '--kube-apiserver', address]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
