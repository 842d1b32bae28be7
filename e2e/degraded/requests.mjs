// Sends the requests of the table and takes parts of the system away.
import { execFileSync } from 'node:child_process';
import { makeApi } from '../support/api.mjs';
import { running } from '../support/system.mjs';
import { NO_ANSWER } from './table.mjs';
import { form, pixel } from '../support/worlds.mjs';

/**
 * A function for each request of the table; each sends it once.
 * @param api client of an administrator
 * @param {{project: string, path: string, componentPath: string, unit: number, image: string, repository: string}} world
 */
export function makeRequests(api, world) {
  const basic = `Basic ${Buffer.from(`any:${api.token}`).toString('base64')}`;
  const screenshot = { project_slug: world.project, component_slug: 'example', language_code: 'cs' };
  return {
    project: () => api.send('GET', `/api/projects/${world.project}/`),
    unit: () => api.send('GET', `/api/units/${world.unit}/`),
    search: () => api.send('GET', `${world.path}/units/?q=hello`),
    statistics: () => api.send('GET', `${world.path}/statistics/`),
    edit: (text) => api.send('PATCH', `/api/units/${world.unit}/`, { target: [text], state: 20 }),
    file: () => api.send('GET', `${world.path}/file/`, undefined, { accept: '*/*' }),
    commit: () => api.send('POST', `${world.componentPath}/repository/`, { operation: 'commit' }),
    clone: () =>
      api.send('GET', `/git/${world.project}/example/info/refs?service=git-upload-pack`, undefined, {
        authorization: basic,
        accept: '*/*',
      }),
    hook: () => {
      const [login, name] = world.repository.split('/');
      const clone_url = `https://git.example.com/${world.repository}.git`;
      const repository = { name, full_name: world.repository, owner: { login }, clone_url };
      const push = { ref: 'refs/heads/main', repository };
      return api.send('POST', '/hooks/github/', push, { 'x-github-event': 'push' });
    },
    image: () => api.send('GET', world.image, undefined, { accept: '*/*' }),
    upload: () =>
      api.send(
        'POST',
        '/api/screenshots/',
        form({ ...screenshot, name: 'Window' }, { field: 'image', bytes: pixel, filename: 'x.png' }),
      ),
    user: () => api.send('GET', '/api/users/admin/'),
    newcomer: (_text, token) => makeApi(api.base, token).send('GET', `/api/projects/${world.project}/`),
  };
}

/** Whether requests go through the proxy in front of several gateways. */
const isProxied = () => 'front-proxy' in running().processes;

/**
 * The cell of the table that describes a response.
 * @param {() => Promise<{status: number, headers: Headers}>} send
 * @param {string} expected the cell in the table, which may allow several responses
 */
export async function answerOf(send, expected) {
  try {
    const { status, headers } = await send();
    const retryAfter = headers.get('retry-after');
    if (status === 200 || status === 201) return 'works';
    // The proxy answers in place of the gateways.
    if (expected === NO_ANSWER && status === 503 && isProxied()) return NO_ANSWER;
    const answer = status === 503 && retryAfter === '5' ? '503' : `${status}, Retry-After ${retryAfter}`;
    return expected === '503 or 504' && (answer === '503' || status === 504) ? expected : answer;
  } catch (error) {
    // fetch hides the reason of the connection in the cause.
    const code = error.cause?.code;
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return NO_ANSWER;
    // The proxy closes the connections of requests that a gateway was answering.
    if (code === 'UND_ERR_SOCKET' && isProxied()) return NO_ANSWER;
    throw error;
  }
}

/**
 * Takes a part away. @param {string} part @param {'engine' | 'process'} kind
 * @returns {() => void} brings it back
 */
export function takeAway(part, kind) {
  const { containers, processes, pid } = running();
  if (kind === 'engine') {
    execFileSync('docker', ['kill', containers[part]], { stdio: 'pipe' });
    return () => void execFileSync('docker', ['start', containers[part]], { stdio: 'pipe' });
  }
  // A stopped supervisor restarts nothing.
  process.kill(pid, 'SIGSTOP');
  for (const [name, replica] of Object.entries(processes))
    if (name.replace(/-\d+$/, '') === part) process.kill(replica, 'SIGKILL');
  return () => process.kill(pid, 'SIGCONT');
}
