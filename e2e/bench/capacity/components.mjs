// What components take besides their strings: documents, bytes of clones and events, memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/api.mjs';
import { TestRepository } from '../../support/repository.mjs';
import { serveFolder } from '../support/serve-texts.mjs';
import { makeTexts } from '../support/texts.mjs';
import { growthTable, processTable, row, say } from './tables.mjs';

/** Strings of a component in each language. */
export const STRINGS = 5;
/** Imports that run at a time. */
const CONCURRENT = 8;

/** Strings of a component in all languages. */
export const stringsOf = (codes) => STRINGS * (codes.length + 1);

/** Files of a component; no two components have the same texts. */
export const textsOf = (codes, number) => makeTexts(codes, STRINGS, number * STRINGS);

/** Settings of a component whose files are below a folder of its repository. */
export const settings = (slug, repo, folder) => ({
  name: slug,
  slug,
  vcs: 'git',
  repo,
  filemask: `${folder}po/*.po`,
  new_base: `${folder}po/bench.pot`,
  file_format: 'po',
  push_on_commit: false,
  license: 'MIT',
});

/** Creates a component and waits until the statistics count its strings. */
async function addComponent(api, project, component, strings) {
  const { task_url } = await api.post(`/api/projects/${project}/components/`, component);
  await api.finished(task_url);
  await eventually(
    async () => (await api.get(`/api/components/${project}/${component.slug}/statistics/?page_size=100`)).results,
    (results) => results.reduce((sum, { total }) => sum + total, 0) >= strings,
  );
}

/**
 * A repository for each component. `add` makes the one with a number and imports it.
 * @returns {{ title: string, project: string, add: (api: any, number: number) => Promise<void> }}
 */
function ownRepositories(folder, url, codes) {
  const add = async (api, number) => {
    new TestRepository(textsOf(codes, number), join(folder, `own-${number}`));
    const component = { ...settings(`own-${number}`, `${url}/own-${number}/remote.git`, ''), branch: 'main' };
    await addComponent(api, 'own', component, stringsOf(codes));
  };
  return { title: 'with a repository of its own', project: 'own', add };
}

/** One repository, made before, which the first component clones and the others link to. */
function linkedComponents(url, codes) {
  const add = async (api, number) => {
    const repository = number === 0 ? { branch: 'main' } : { branch: '', push: '' };
    const address = number === 0 ? `${url}/shared/remote.git` : 'parlance://linked/linked-0';
    const component = { ...settings(`linked-${number}`, address, `part-${number}/`), ...repository };
    await addComponent(api, 'linked', component, stringsOf(codes));
  };
  return { title: 'linked to the repository of another', project: 'linked', add };
}

/** The repository that linked components share; it has the files of all of them from the start. */
function makeSharedRepository(folder, codes, count, firstNumber) {
  /** @type {Record<string, string>} */
  const files = {};
  for (let number = 0; number < count; number++)
    for (const [path, content] of Object.entries(textsOf(codes, firstNumber + number)))
      files[`part-${number}/${path}`] = content;
  return new TestRepository(files, join(folder, 'shared'));
}

/** Counts after all work is done. */
async function countsOf(installation) {
  await installation.settled();
  const stored = await installation.collections();
  return { stored, clones: installation.cloneBytes(), stream: await installation.streamBytes() };
}

/** Adds components with numbers from `from` up to `to`. The first one of a project is imported alone: others link to it. */
async function addComponents(api, { project, add }, from, to) {
  let next = from;
  if (next === 0) {
    await api.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
    await add(api, next++);
  }
  const worker = async () => {
    while (next < to) await add(api, next++);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}

/** Imports components in two steps and prints the growth between them. @returns the idle memory after it */
async function countKind(installation, kind, [first, last]) {
  await addComponents(installation.api, kind, 0, first);
  const before = await countsOf(installation);
  await addComponents(installation.api, kind, first, last);
  const after = await countsOf(installation);
  const each = (field) => ((after[field] - before[field]) / (last - first)).toFixed(0);
  say(`\nPer component ${kind.title}, between ${first} and ${last}`);
  growthTable(before.stored, after.stored, last - first);
  row('clones', '', each('clones'));
  row('event stream', '', each('stream'));
  await installation.restart();
  return installation.memory();
}

/**
 * Imports small components with repositories of their own, then linked ones, and prints what each takes.
 * @param {import('./installation.mjs').Installation} installation
 * @param {[number, number]} steps number of components of either kind
 * @param {string[]} codes languages besides the source language
 */
export async function countComponents(installation, steps, codes) {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-bench-components-'));
  makeSharedRepository(folder, codes, steps[1], steps[1]);
  const server = await serveFolder(folder, 'shared/remote.git');
  try {
    say(`Components of ${STRINGS} strings in each of ${codes.length + 1} languages`);
    const memory = [await installation.memory()];
    for (const kind of [ownRepositories(folder, server.url, codes), linkedComponents(server.url, codes)])
      memory.push(await countKind(installation, kind, steps));
    say('\nIdle memory in MiB after a start');
    processTable(['0', `${steps[1]} components`, `${2 * steps[1]} components`], memory);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
