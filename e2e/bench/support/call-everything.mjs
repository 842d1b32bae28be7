// Requests that reach every process, to compare the shares of its replicas.
import { makeApi } from '../../support/api.mjs';

/** Rounds after which every kind of process has enough calls to judge the shares of two replicas. */
const ROUNDS = 120;

/**
 * Sends requests that no gateway can answer from its caches: a new label ends its replies about the catalog, and none has the user of a round.
 * @param {ReturnType<typeof makeApi>} api of an administrator, in an installation with a component
 */
export async function callEverything(api) {
  const [component] = (await api.get('/api/components/')).results;
  const at = `/api/components/${component.project.slug}/${component.slug}`;
  const reads = [`${at}/`, `${at}/repository/`, `${at}/statistics/`, '/api/units/', '/api/screenshots/'];
  const anyone = makeApi(api.base);
  for (let round = 0; round < ROUNDS; round++) {
    await api.post(`/api/projects/${component.project.slug}/labels/`, { name: `Round ${round}`, color: 'navy' });
    for (const path of [`/api/users/?username=round-${round}`, ...reads]) await api.get(path);
    const answer = await anyone.send(
      'POST',
      '/hooks/github/',
      { zen: 'Keep it simple.' },
      { 'x-github-event': 'ping' },
    );
    if (answer.status >= 400) throw new Error(`the hook responded with ${answer.status}: ${answer.bytes}`);
  }
}
