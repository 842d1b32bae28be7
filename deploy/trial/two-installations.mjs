// Compares two installations in one namespace: node two-installations.mjs NAMESPACE RELEASE RELEASE, with PARLANCE_TRIAL_NODE, the address
// of a node. Neither knows tokens, projects and changes of the other. Exits with 1 otherwise.
import { eventually, makeApi } from '../../e2e/support/api.mjs';
import { form } from '../../e2e/support/forms.mjs';
import { say } from '../engines/process.mjs';
import { kubectl } from './pods.mjs';

const [namespace, ...releases] = process.argv.slice(2);
const kube = kubectl(namespace);

async function open(release) {
  const name = release.includes('parlance') ? release : `${release}-parlance`;
  const read = (...args) => kube('get', ...args);
  const token = await read('secret', `${name}-administrator`, '-o', 'go-template={{.data.token | base64decode}}');
  const port = await read('service', `${name}-gateway`, '-o', 'jsonpath={.spec.ports[0].nodePort}');
  const url = `http://${process.env['PARLANCE_TRIAL_NODE']}:${port}`;
  return { release, url, token, api: makeApi(url, token) };
}

/** Creates a project with a component, and waits for its history. */
async function fill({ release, api }) {
  const project = `only-${release}-${Date.now().toString(36)}`;
  await api.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
  const fields = { name: 'Notes', slug: 'notes', file_format: 'json', source_language: 'en' };
  const file = { field: 'docfile', bytes: Buffer.from('{"title": "Title"}\n'), filename: 'notes.json' };
  await api.post(`/api/projects/${project}/components/`, form(fields, file));
  await eventually(
    () => api.get(`/api/projects/${project}/changes/`),
    ({ count }) => count > 0,
  );
  return project;
}

const problems = [];
const sides = await Promise.all(releases.map(open));
for (const side of sides) side.project = await fill(side);
for (const { release, api, project } of sides)
  for (const other of sides.filter((side) => side.release !== release)) {
    const stranger = await makeApi(other.url, api.token).send('GET', '/api/users/');
    if (stranger.status !== 401) problems.push(`${other.release} accepts a token of ${release}: ${stranger.status}`);
    const found = await other.api.send('GET', `/api/projects/${project}/`);
    if (found.status !== 404) problems.push(`${other.release} has a project of ${release}: ${found.status}`);
    const changes = await other.api.all('/api/changes/?page_size=100');
    if (changes.some(({ url }) => JSON.stringify(url).includes(project)))
      problems.push(`${other.release} has changes of ${release}`);
  }
for (const problem of problems) say(`  ${problem}`);
say(`${sides.length} installations in one namespace, ${problems.length} problems`);
process.exitCode = problems.length > 0 || sides.length < 2 ? 1 : 0;
