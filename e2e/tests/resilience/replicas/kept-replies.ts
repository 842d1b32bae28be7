import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../support/api.mjs';
import { font, form, pixel } from '../../../support/forms.mjs';
import { makeRemote } from '../../../support/remotes.mjs';
import { exampleFiles } from '../../../support/repository.mjs';
import { addExample, followedByGlossary, importExample } from '../../../support/system.mjs';
import { api, ROUNDS, throughBoth, type Unit } from './installation';

/** A screenshot and a font that exist during all tests, and a project whose component shares the repository of the example. */
interface Shown {
  screenshot: number;
  font: number;
  otherProject: string;
}

type World = Awaited<ReturnType<typeof importExample>>;

/** Addresses of one reply: one that gateways keep it for, and new ones by a number. */
interface Addresses {
  kept: string;
  asNew: (question: number) => string;
}

const asAddresses = (reply: string): Addresses => {
  const kept = `${reply}?page_size=1000`;
  return { kept, asNew: (question) => `${kept}&question=${question}` };
};

/** Replies about repositories that share one. */
const repositoriesOf = ({ project, path, componentPath }: World, { otherProject }: Shown): Addresses[] =>
  [
    ...[`/api/projects/${project}`, componentPath, path],
    ...[`/api/projects/${otherProject}`, `/api/components/${otherProject}/linked`],
  ].map((object) => asAddresses(`${object}/repository/`));

/** Replies that gateways keep while no contents change. @param units whose replies are kept */
function repliesOf(world: World, shown: Shown, units: readonly number[]): Addresses[] {
  const { project, path, componentPath } = world;
  const replies = [
    ...units.flatMap((id) => ['', 'checks/', 'comments/', 'suggestions/'].map((part) => `/api/units/${id}/${part}`)),
    ...['', 'changes/', 'statistics/', 'suggestions/'].map((part) => `${path}/${part}`),
    ...['changes/', 'translations/', 'statistics/'].map((part) => `${componentPath}/${part}`),
    ...['changes/', 'languages/', 'statistics/'].map((part) => `/api/projects/${project}/${part}`),
    ...['/api/changes/', '/api/translations/', '/api/units/', '/api/languages/cs/statistics/'],
    ...['/api/metrics/', `/api/projects/${project}/machinery_settings/`],
    ...['/api/users/admin/statistics/', '/api/users/admin/contributions/', `/exports/rss/${project}/example/cs/`],
    ...['/api/screenshots/', `/api/screenshots/${shown.screenshot}/`, `${componentPath}/screenshots/`],
    ...[`/api/projects/${project}/fonts/`, `/api/projects/${project}/fonts/${shown.font}/`],
  ];
  const list = `${path}/units/?page_size=1000`;
  return [
    ...replies.map(asAddresses),
    ...repositoriesOf(world, shown),
    { kept: list, asNew: (question) => `${list}&q=${encodeURIComponent(`NOT source:"question ${question}"`)}` },
  ];
}

/** A machine translation engine, which is asked for its languages when its settings change. */
const engine = createServer((_, response) => response.setHeader('content-type', 'application/json').end('[]'));

describe('replies that gateways keep while no contents change', () => {
  let world: World;
  const files = exampleFiles();
  const remote = makeRemote({ ...files, 'other/cs.po': files['po/cs.po'] });
  let units: number[];
  let shown: Shown;
  let questions = 0;
  afterAll(() => engine.close());
  beforeAll(async () => {
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    world = await importExample(api, remote);
    await addExample(api, world.project, 'beside', makeRemote());
    const listed: Unit[] = await api.all(`${world.path}/units/`);
    const unit = listed.find(({ source }) => source.length === 1)!;
    // Edits are copied to the same string of the other component.
    const others: Unit[] = await api.all(`/api/translations/${world.project}/beside/cs/units/`);
    const copy = others.find(({ source }) => source[0] === unit.source[0])!;
    units = [unit.id, Number(unit.source_unit.match(/(\d+)\/$/)![1]), copy.id];
    await followedByGlossary(api, world.project);
    const otherProject = `${world.project}-other`;
    await api.post('/api/projects/', { name: otherProject, slug: otherProject, web: 'https://example.com/' });
    const link = { repo: `parlance://${world.project}/example`, branch: '', filemask: 'other/*.po' };
    await addExample(api, otherProject, 'linked', remote, link);
    shown = { otherProject, screenshot: (await addScreenshot()).id, font: (await addFont()).id };
  });

  const addScreenshot = (project = world.project, component = 'example') => {
    const place = { project_slug: project, component_slug: component, language_code: 'cs' };
    const image = { field: 'image', bytes: pixel, filename: 'menu.png' };
    return api.post('/api/screenshots/', form({ ...place, name: 'Menu' }, image));
  };
  const addFont = () => {
    const file = { field: 'font', bytes: font, filename: 'sample.ttf' };
    return api.post(`/api/projects/${world.project}/fonts/`, form({}, file));
  };

  const read = async (address: string) => String(await api.bytes(address));

  /** Whether a kept reply differs from new ones. Background work may change contents meanwhile: then it is compared again. */
  async function isOutdated({ kept, asNew }: Addresses): Promise<boolean> {
    for (;;) {
      const before = await read(asNew(++questions));
      const replies = await throughBoth(() => read(kept));
      if ((await read(asNew(++questions))) === before) return replies.some((reply) => reply !== before);
    }
  }

  const all = () => repliesOf(world, shown, units);

  async function outdated(replies = all()): Promise<string[]> {
    const found: string[] = [];
    for (const addresses of replies) if (await isOutdated(addresses)) found.push(addresses.kept);
    return found;
  }

  /** Both gateways keep all replies: each is read until it can be kept. */
  async function keepAll(replies = all()): Promise<void> {
    for (let round = 0; round < 3; round++) for (const { kept } of replies) await throughBoth(() => read(kept));
  }

  const machinery = () => `/api/projects/${world.project}/machinery_settings/`;
  const configured = (path: string) => ({ url: `http://127.0.0.1:${(engine.address() as AddressInfo).port}/${path}` });
  const unitPath = () => `/api/units/${units[0]}/`;
  const edit = (text: string) => api.patch(unitPath(), { target: [text], state: 20 });
  let made: { id: number; url: string };
  const writes: Record<string, () => Promise<unknown>> = {
    'an edit': () => edit('Kept,  edited'),
    'an explanation': () => api.patch(`/api/units/${units[1]}/`, { explanation: 'Shown in the menu' }),
    'a dismissed check': () => api.post(`${unitPath()}checks/`, { check: 'double_space' }),
    'a comment': async () =>
      (made = await api.post(`${unitPath()}comments/`, { scope: 'translation', comment: 'One' })),
    'a changed comment': () => api.patch(`${unitPath()}comments/${made.id}/`, { comment: 'Two' }),
    'a resolved comment': () => api.patch(`${unitPath()}comments/${made.id}/`, { resolved: true }),
    'a deleted comment': () => api.delete(`${unitPath()}comments/${made.id}/`),
    'a comment on the source string': () => api.post(`${unitPath()}comments/`, { scope: 'global', comment: 'Source' }),
    'a suggestion': async () => (made = await api.post(`${unitPath()}suggestions/`, { target: ['Suggested'] })),
    'an accepted suggestion': () => api.post(`${unitPath()}suggestions/${made.id}/accept/`, {}),
    'another suggestion': async () => (made = await api.post(`${unitPath()}suggestions/`, { target: ['Rejected'] })),
    'a rejected suggestion': () => api.post(`${unitPath()}suggestions/${made.id}/reject/`, {}),
    'an upload': async () => {
      const file = await read(`${world.path}/file/`);
      const bytes = Buffer.from(file.replace('msgstr "Suggested"', 'msgstr "Uploaded"'));
      return api.post(
        `${world.path}/file/`,
        form({ conflicts: 'replace-translated' }, { field: 'file', bytes, filename: 'cs.po' }),
      );
    },
    'an engine for machine translation': () =>
      api.post(machinery(), { service: 'libretranslate', configuration: configured('') }),
    'another address of the engine': () =>
      api.patch(machinery(), { service: 'libretranslate', configuration: configured('other/') }),
    'a screenshot': async () => (made = await addScreenshot()),
    'a deleted screenshot': () => api.delete(`/api/screenshots/${made.id}/`),
    'a renamed screenshot': () => api.patch(`/api/screenshots/${shown.screenshot}/`, { name: 'Main menu' }),
    'a replaced image': () =>
      api.post(
        `/api/screenshots/${shown.screenshot}/file/`,
        form({}, { field: 'image', bytes: pixel, filename: 'new.png' }),
      ),
    'a string on a screenshot': () => api.post(`/api/screenshots/${shown.screenshot}/units/`, { unit_id: units[0] }),
    'a string that a screenshot no longer shows': () =>
      api.delete(`/api/screenshots/${shown.screenshot}/units/${units[0]}/`),
    'a font': async () => (made = await addFont()),
    'a deleted font': () => api.delete(`/api/projects/${world.project}/fonts/${made.id}/`),
    'a new language': () => api.post(`${world.componentPath}/translations/`, { language_code: 'lt' }),
    'a deleted language': () => api.delete(`/api/translations/${world.project}/example/lt/`),
  };

  it.each(Object.entries(writes))('a kept reply is like a new one after %s', async (_, write) => {
    await keepAll();
    await write();
    expect(await outdated()).toEqual([]);
  });

  const operate = (operation: string, path = world.componentPath) => api.post(`${path}/repository/`, { operation });
  const repositoryWrites: Record<string, () => Promise<unknown>> = {
    'an edit': () => edit('Committed by its component'),
    'a commit': () => operate('commit'),
    'a push': () => operate('push'),
    'another edit': () => edit('Committed through a linked component'),
    'a commit through a linked component': () => operate('commit', `/api/components/${shown.otherProject}/linked`),
    'a reset': () => operate('reset'),
    'a pull': async () => {
      remote.pull();
      remote.write({ README: 'Pulled' });
      remote.commit('Add a file');
      remote.push();
      await operate('pull', `/api/projects/${world.project}`);
    },
  };

  it.each(Object.entries(repositoryWrites))(
    'the kept state of a repository is like a new one after %s',
    async (_, write) => {
      const replies = repositoriesOf(world, shown);
      const before = await read(replies[1]!.asNew(++questions));
      await keepAll(replies);
      await write();
      expect(await outdated(replies)).toEqual([]);
      expect(await read(replies[1]!.asNew(++questions))).not.toBe(before);
    },
  );

  it('entries of the memory are in every read that follows them', async () => {
    const list = '/api/memory/?page_size=1000';
    const entry = { source: 'Kept', source_language: 'en', target_language: 'cs', origin: 'test' };
    const targets = async (): Promise<string[]> =>
      (await api.get(list)).results.map((one: { target: string }) => one.target);
    for (let round = 0; round < ROUNDS; round++) {
      for (let read = 0; read < 3; read++) await throughBoth(targets);
      const { id } = await api.post('/api/memory/', { ...entry, target: `Kept ${round}` });
      for (const found of await throughBoth(targets)) expect(found).toContain(`Kept ${round}`);
      await api.delete(`/api/memory/${id}/`);
      for (const found of await throughBoth(targets)) expect(found).not.toContain(`Kept ${round}`);
    }
  });

  it.each(['commit', 'push', 'pull', 'file-scan'])(
    'a kept reply is like a new one soon after %s',
    async (operation) => {
      await keepAll();
      await edit(`Before ${operation}`);
      await api.post(`${world.componentPath}/repository/`, { operation });
      // The history gets entries about repositories in the background.
      await eventually(outdated, (found: string[]) => found.length === 0, 20_000);
    },
  );

  it('kept lists have no screenshots of a deleted component', async () => {
    const { otherProject } = shown;
    const { id } = await addScreenshot(otherProject, 'linked');
    const replies = ['/api/screenshots/', `/api/projects/${otherProject}/repository/`].map(asAddresses);
    await keepAll(replies);
    const list = async (): Promise<{ id: number }[]> => (await api.get(replies[0]!.kept)).results;
    expect((await list()).map((one) => one.id)).toContain(id);
    await api.delete(`/api/components/${otherProject}/linked/`);
    for (const listed of await throughBoth(list)) expect(listed.map((one) => one.id)).not.toContain(id);
    // The number of screenshots changes when the media service has deleted them.
    await eventually(
      () => outdated(replies),
      (found: string[]) => found.length === 0,
      20_000,
    );
  });
});
