// Processor time of the work on components with a repository each: import, pull, commit and push, and the background.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/api.mjs';
import { TestRepository } from '../../support/repository.mjs';
import { serveFolder } from '../support/serve-texts.mjs';
import { singularUnits } from './actions.mjs';
import { settings, STRINGS, stringsOf, textsOf } from './components.mjs';
import { backgroundPercent, costOfOne, costsOf, costsWithEvents, idleCosts } from './costs.mjs';
import { costTable, say } from './tables.mjs';

const PROJECT = 'costs';
/** Components whose work is not measured: the processes compile their code in it. */
const WARM_UP = 20;

/** @typedef {{ slug: string, repository: TestRepository }} Component */

const repositoryPath = ({ slug }) => `/api/components/${PROJECT}/${slug}/repository/`;

/** Runs an operation on the repository of each component, one after the other. */
async function operate(api, components, operation) {
  for (const component of components) {
    const { result } = await api.post(repositoryPath(component), { operation });
    if (!result) throw new Error(`${operation} of ${component.slug} failed`);
  }
}

/** Creates the components and waits until the statistics of their project count all strings. */
async function importAll(api, components, url, total) {
  for (const { slug } of components) {
    const repo = `${url}/${slug}/remote.git`;
    await api.post(`/api/projects/${PROJECT}/components/`, { ...settings(slug, repo, ''), branch: 'main', push: repo });
  }
  await eventually(
    async () => (await api.get(`/api/projects/${PROJECT}/statistics/`)).total,
    (counted) => counted >= total,
    600_000,
  );
}

/** Strings of a component in a language. */
const unitsOf = (api, { slug }, code) => singularUnits(api, `/api/translations/${PROJECT}/${slug}/${code}`);

const PULLED = 'Changed upstream:';

/** Changes the first text of a language in the remote of each component. */
function changeUpstream(components, code) {
  for (const { repository } of components) {
    const path = `po/${code}.po`;
    const text = repository.read(path).toString('utf8');
    repository.write({ [path]: text.replace(`msgstr "${code}:`, `msgstr "${PULLED}`) });
    repository.commit('Change a text');
    repository.push();
  }
}

/** Throws unless each component has the text that was changed upstream. */
async function checkPulled(api, components, code) {
  for (const component of components) {
    const units = await unitsOf(api, component, code);
    if (units.filter(({ target }) => target[0].startsWith(PULLED)).length !== 1)
      throw new Error(`the pull of ${component.slug} changed no string`);
  }
}

/** Edits a string of each component. */
async function editEach(api, components, code) {
  for (const component of components) {
    const [{ id, source }] = await unitsOf(api, component, code);
    await api.patch(`/api/units/${id}/`, { target: [`Edited: ${source[0]}`], state: 20 });
  }
}

/** Throws unless each remote has the edit. */
function checkPushed(components, code) {
  for (const { slug, repository } of components)
    if (!repository.remoteFile(`po/${code}.po`).toString('utf8').includes('msgstr "Edited: '))
      throw new Error(`the edit of ${slug} is not in its remote`);
}

/**
 * Does all kinds of work on new components.
 * @param {import('./installation.mjs').Installation} installation
 * @param {import('./costs.mjs').Costs} idle
 * @param {Component[]} components
 * @param {{ url: string, code: string, total: number }} plan address of the git server, edited language, and strings of the project after
 * the import
 * @returns {Promise<Record<string, Record<string, number>>>} processor time of each work by process, for one component
 */
async function costsOfWork(installation, idle, components, { url, code, total }) {
  const { api } = installation;
  const one = (costs) => costOfOne(costs, idle, components.length);
  const imported = await costsOf(installation, async () => {
    await importAll(api, components, url, total);
    await installation.settled();
  });
  const unchanged = await costsWithEvents(installation, () => operate(api, components, 'pull'));
  changeUpstream(components, code);
  const changed = await costsWithEvents(installation, () => operate(api, components, 'pull'));
  await checkPulled(api, components, code);
  await editEach(api, components, code);
  await installation.settled();
  const pushed = await costsWithEvents(installation, () => operate(api, components, 'push'));
  checkPushed(components, code);
  return {
    import: one(imported),
    'pull without changes': one(unchanged),
    'pull that changes one string': one(changed),
    'commit and push of one edit': one(pushed),
  };
}

/**
 * Measures the work on components, and prints what it takes for each.
 * @param {import('./installation.mjs').Installation} installation
 * @param {number} count
 * @param {string[]} codes languages besides the source language
 */
export async function measureComponents(installation, count, codes) {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-bench-component-costs-'));
  const components = Array.from({ length: WARM_UP + count }, (_, number) => {
    const slug = `own-${number}`;
    return { slug, repository: new TestRepository(textsOf(codes, number), join(folder, slug)) };
  });
  const server = await serveFolder(folder, 'own-0/remote.git', ['--enable=receive-pack']);
  const plan = { url: server.url, code: codes[0] };
  const each = stringsOf(codes);
  try {
    await installation.api.post('/api/projects/', { name: PROJECT, slug: PROJECT, web: 'https://example.com/' });
    await installation.settled();
    const empty = await idleCosts(installation);
    const warmUp = components.slice(0, WARM_UP);
    await costsOfWork(installation, empty, warmUp, { ...plan, total: WARM_UP * each });
    await installation.settled();
    const few = await idleCosts(installation);
    const measured = components.slice(WARM_UP);
    const rows = await costsOfWork(installation, few, measured, { ...plan, total: components.length * each });
    await installation.settled();
    const many = await idleCosts(installation);
    say(`\nProcessor time per component in milliseconds, without the background: the mean of ${count},`);
    say(`with ${STRINGS} strings in each of ${codes.length + 1} languages`);
    costTable(rows, ['vcs-worker', 'git', 'translation', 'gateway', 'mongo', 'catalog', 'statistics', 'nats']);
    say('\nBackground, in percent of a processor');
    const backgrounds = { 0: empty, [WARM_UP]: few, [components.length]: many };
    for (const [number, idle] of Object.entries(backgrounds))
      say(`${number} components: ${backgroundPercent(idle).toFixed(1)}`);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
