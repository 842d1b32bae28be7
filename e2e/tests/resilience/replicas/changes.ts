import { sampleFont } from '@parlance/testing';
import { eventually } from '../../../support/api.mjs';
import { form } from '../../../support/forms.mjs';
import { makeRemote } from '../../../support/remotes.mjs';
import { totp } from '../../../support/sign-in/totp.mjs';
import { addExample, followedByGlossary, importExample } from '../../../support/system.mjs';
import { api, ownerOfFactors, remote, ROUNDS, single, throughBoth, world, type Unit } from './installation';

/** Value of `commit_policy`: strings that need editing are not committed. */
const WITHOUT_NEEDING_EDITING = 20;

describe('a change through one replica', () => {
  it('an edit is in every read that follows it', async () => {
    const { id } = await single();
    for (let round = 0; round < ROUNDS; round++) {
      const target = [`Round ${round}`];
      await api.patch(`/api/units/${id}/`, { target, state: 20 });
      expect((await api.get(`/api/units/${id}/`)).target).toEqual(target);
      expect((await api.get(`${world.path}/units/?q=${encodeURIComponent(`"Round ${round}"`)}`)).count).toBe(1);
      const listed: Unit[] = await api.all(`${world.path}/units/`);
      expect(listed.find((unit) => unit.id === id)!.target).toEqual(target);
    }
  });

  it('statistics count the edits that were answered before', async () => {
    const { id } = await single();
    const edits = [
      { target: ['Counted'], state: 20, translated: 1 },
      { target: [''], state: 0, translated: 0 },
    ];
    await api.patch(`/api/units/${id}/`, { target: [''], state: 0 });
    const before = await api.get(`${world.path}/statistics/`);
    for (let round = 0; round < ROUNDS; round++) {
      const { translated, ...edit } = edits[round % 2]!;
      await api.patch(`/api/units/${id}/`, edit);
      for (const after of await throughBoth(() => api.get(`${world.path}/statistics/`))) {
        expect(after.translated - before.translated).toBe(translated);
        expect(after.recent_changes - before.recent_changes).toBe(round + 1);
      }
    }
  });

  it('changed flags of a source string decide about the next edit of its translation', async () => {
    const unit = await single();
    const path = `/api/units/${unit.id}/`;
    const failsAfter = async (flags: string, text: string) => {
      await api.patch(unit.source_unit, { extra_flags: flags });
      await api.patch(path, { target: [text], state: 20 });
      return (await api.get(path)).has_failing_check;
    };
    for (let round = 0; round < ROUNDS; round++) {
      expect(await failsAfter('max-length:5', `Too long ${round}`)).toBe(true);
      expect(await failsAfter('ignore-all-checks', `Long enough ${round}`)).toBe(false);
    }
    await api.patch(unit.source_unit, { extra_flags: '' });
  });

  it('changes of categories, languages, component lists and users are in every read that follows', async () => {
    const name = `cached-${Date.now().toString(36)}`;
    const { url } = await api.get(`/api/projects/${world.project}/`);
    const { id } = await api.get(`${world.componentPath}/`);
    const category = await api.post('/api/categories/', { name, slug: name, project: url });
    await api.post('/api/component-lists/', { name, slug: name });
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    const list = `/api/component-lists/${name}`;
    for (let round = 0; round < ROUNDS; round++) {
      await api.patch(`/api/categories/${category.id}/`, { name: `Category ${round}` });
      expect((await api.get(`/api/categories/${category.id}/`)).name).toBe(`Category ${round}`);
      await api.patch('/api/languages/cs/', { name: `Czech ${round}` });
      expect((await api.get('/api/languages/cs/')).name).toBe(`Czech ${round}`);
      await api.post(`${list}/components/`, { component_id: id });
      expect((await api.get(`${list}/`)).components).toHaveLength(1);
      expect((await api.get(`${list}/components/`)).count).toBe(1);
      expect((await api.get(`${list}/statistics/`)).total).toBeGreaterThan(0);
      await api.delete(`${list}/components/example/`);
      expect((await api.get(`${list}/`)).components).toEqual([]);
      expect((await api.get(`${list}/components/`)).count).toBe(0);
      expect((await api.get(`${list}/statistics/`)).total).toBe(0);
      await api.patch(`/api/users/${name}/`, { full_name: `Round ${round}` });
      expect((await api.get(`/api/users/${name}/`)).full_name).toBe(`Round ${round}`);
      await api.post(`/api/users/${name}/tokens/`, { name: `round ${round}` });
      expect((await api.get(`/api/users/${name}/tokens/`)).count).toBe(round + 1);
    }
    await api.patch('/api/languages/cs/', { name: 'Czech' });
    for (const path of [`/api/users/${name}/`, `${list}/`, `/api/categories/${category.id}/`]) {
      await api.delete(path);
      for (let round = 0; round < 4; round++) expect((await api.send('GET', path)).status).toBe(404);
    }
    expect((await api.send('GET', `/api/users/${name}/tokens/`)).status).toBe(404);
  });

  it('changes of teams, roles, labels, add-ons, subscriptions, second factors and shown components are in every list that follows', async () => {
    const name = `listed-${Date.now().toString(36)}`;
    const project = `/api/projects/${world.project}/`;
    await api.post('/api/projects/', { name, slug: name, web: 'https://example.com/' });
    await api.post('/api/component-lists/', { name, slug: name });
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    const owner = await ownerOfFactors(name);
    const group = await api.post('/api/groups/', { name, defining_project: `${api.base}/api/projects/${name}/` });
    const role = await api.post('/api/roles/', { name, permissions: ['unit.edit'] });
    const addon = await api.post(`${project}addons/`, { name: 'weblate.consistency.languages' });
    expect((await api.all('/api/addons/')).map(({ id }: { id: number }) => id)).toContain(addon.id);
    const confirmedFactors = async (): Promise<boolean[]> =>
      (await api.get(owner.factors)).results.map((factor: { confirmed: string | null }) => factor.confirmed !== null);
    const named = async (list: string): Promise<string[]> =>
      (await api.all(`${list}?page_size=1000`)).map((one: { name: string }) => one.name);
    for (let round = 0; round < ROUNDS; round++) {
      const renamed = `${name} ${round}`;
      await api.patch(`/api/groups/${group.id}/`, { name: renamed });
      expect(await named('/api/groups/')).toContain(renamed);
      expect((await api.get(`/api/groups/${group.id}/`)).name).toBe(renamed);
      await api.patch(`/api/roles/${role.id}/`, { name: renamed });
      expect(await named('/api/roles/')).toContain(renamed);
      expect((await api.get(`/api/roles/${role.id}/`)).name).toBe(renamed);
      await api.patch(`/api/projects/${name}/`, { name: renamed });
      expect(await named('/api/projects/')).toContain(renamed);
      await api.patch('/api/languages/cs/', { name: renamed });
      expect(await named('/api/languages/')).toContain(renamed);
      await api.patch(`/api/component-lists/${name}/`, { name: renamed });
      expect(await named('/api/component-lists/')).toContain(renamed);
      const label = await api.post(`${project}labels/`, { name: renamed, color: 'red' });
      expect(await named(`${project}labels/`)).toContain(renamed);
      await api.delete(`${project}labels/${label.id}/`);
      expect(await named(`${project}labels/`)).not.toContain(renamed);
      const category = await api.post('/api/categories/', {
        name: renamed,
        slug: `${name}-${round}`,
        project: `${api.base}${project}`,
      });
      expect(await named(`${project}categories/`)).toContain(renamed);
      expect(await named('/api/categories/')).toContain(renamed);
      await api.delete(`/api/categories/${category.id}/`);
      await api.patch(`${world.componentPath}/`, { name: renamed });
      expect(await named(`${project}components/`)).toContain(renamed);
      expect(await named('/api/components/')).toContain(renamed);
      await api.post(`${world.componentPath}/links/`, { project_slug: name });
      expect((await api.get(`${world.componentPath}/links/`)).count).toBe(1);
      expect(await named(`/api/projects/${name}/shared_components/`)).toHaveLength(1);
      await api.delete(`${world.componentPath}/links/${name}/`);
      expect((await api.get(`${world.componentPath}/links/`)).count).toBe(0);
      expect(await named(`/api/projects/${name}/shared_components/`)).toEqual([]);
      const subscriptions = `/api/users/${name}/notifications/`;
      const before = (await api.get(subscriptions)).count;
      const wanted = { notification: 'LicenseNotification', scope: 0, frequency: 1 };
      const subscription = await api.post(subscriptions, wanted);
      expect((await api.get(subscriptions)).count).toBe(before + 1);
      await api.delete(`${subscriptions}${subscription.id}/`);
      expect((await api.get(subscriptions)).count).toBe(before);
      const { factor, secret } = await owner.create();
      const isConfirmed = async (): Promise<boolean> => (await api.get(factor)).confirmed !== null;
      expect(await throughBoth(confirmedFactors)).toEqual([[false], [false]]);
      expect(await throughBoth(isConfirmed)).toEqual([false, false]);
      expect(await owner.confirm(factor, totp(secret))).toBe(200);
      expect(await throughBoth(confirmedFactors)).toEqual([[true], [true]]);
      expect(await throughBoth(isConfirmed)).toEqual([true, true]);
      await owner.remove(factor);
      expect(await throughBoth(confirmedFactors)).toEqual([[], []]);
    }
    await api.delete(`/api/addons/${addon.id}/`);
    for (let round = 0; round < 4; round++)
      expect((await api.all('/api/addons/')).map(({ id }: { id: number }) => id)).not.toContain(addon.id);
    await api.patch('/api/languages/cs/', { name: 'Czech' });
  });

  it('changed settings of a component decide about the next edit', async () => {
    const { id } = await single();
    for (let round = 0; round < ROUNDS; round++) {
      await api.post(`${world.componentPath}/lock/`, { lock: true });
      expect((await api.send('PATCH', `/api/units/${id}/`, { target: ['Locked'], state: 20 })).status).toBe(403);
      await api.post(`${world.componentPath}/lock/`, { lock: false });
      await api.patch(`/api/units/${id}/`, { target: [`Unlocked ${round}`], state: 20 });
    }
  });

  it('objects are listed in the order in which the replicas add them', async () => {
    const { id } = await single();
    const [labels, suggestions]: [number[], number[]] = [[], []];
    const lists = { labels: `/api/projects/${world.project}/labels/`, suggestions: `/api/units/${id}/suggestions/` };
    for (let round = 0; round < ROUNDS / 2; round++) {
      labels.push((await api.post(lists.labels, { name: `Label ${round}`, color: 'navy' })).id);
      suggestions.push((await api.post(lists.suggestions, { target: [`Suggested ${round}`] })).id);
    }
    const ids = async (list: string) => (await api.all(list)).map((item: { id: number }) => item.id);
    expect(await ids(lists.labels)).toEqual(labels);
    expect(await ids(lists.suggestions)).toEqual(suggestions);
  });

  it('changed check flags of a project apply to its strings, whichever replica checks them', async () => {
    const { project, path } = await importExample(api, makeRemote());
    const tooLong = async () => (await api.get(`${path}/units/?q=check:max-length`)).count as number;
    for (let round = 0; round < ROUNDS / 4; round++) {
      // Both replicas know the settings, and the one that imports a component checks what the other one has marked, too.
      const [unit] = (await api.get(`${path}/units/`)).results as Unit[];
      for (let edit = 0; edit < 4; edit++)
        await api.patch(`/api/units/${unit!.id}/`, { target: [`Long ${round} ${edit}`], state: 20 });
      const adding = addExample(api, project, `long-${round}`, makeRemote());
      await api.patch(`/api/projects/${project}/`, { check_flags: 'max-length:2' });
      await adding;
      await eventually(tooLong, (count: number) => count > 0);
      await api.patch(`/api/projects/${project}/`, { check_flags: '' });
      await eventually(tooLong, (count: number) => count === 0);
    }
  }, 300_000);

  it('an edit reaches the same string of a component that was just imported', async () => {
    const unit = await single();
    for (let round = 0; round < 3; round++) {
      await api.patch(`/api/units/${unit.id}/`, { target: [`Before ${round}`], state: 20 });
      const { task } = await addExample(api, world.project, `beside-${round}`, remote);
      expect(task.completed).toBe(true);
      await api.patch(`/api/units/${unit.id}/`, { target: [`Shared ${round}`], state: 20 });
      const beside: Unit[] = await api.all(`/api/translations/${world.project}/beside-${round}/cs/units/`);
      expect(beside.find(({ source }) => source[0] === unit.source[0])!.target).toEqual([`Shared ${round}`]);
    }
  });

  it('changed names are in the next response', async () => {
    const name = `named-${Date.now().toString(36)}`;
    await api.post('/api/users/', { username: name, full_name: name, email: `${name}@example.com` });
    await api.post('/api/languages/', { code: 'x-named', name: 'Named', plural: { number: 2, formula: 'n != 1' } });
    const project = `/api/projects/${world.project}/`;
    for (let round = 0; round < ROUNDS; round++) {
      await api.patch(`/api/users/${name}/`, { full_name: `Round ${round}` });
      expect((await api.get(`/api/users/${name}/`)).full_name).toBe(`Round ${round}`);
      await api.patch(project, { name: `Project ${round}` });
      expect((await api.get(`${world.componentPath}/`)).project.name).toBe(`Project ${round}`);
      await api.patch(`${world.componentPath}/`, { name: `Component ${round}` });
      expect((await api.get(`${world.path}/`)).component.name).toBe(`Component ${round}`);
      await api.patch('/api/languages/x-named/', { name: `Language ${round}` });
      expect((await api.get('/api/languages/x-named/')).name).toBe(`Language ${round}`);
    }
  });

  it('an added and a deleted translation are in the next list and history', async () => {
    const list = `${world.componentPath}/translations/`;
    const codes = async () => (await api.all(list)).map((t: { language_code: string }) => t.language_code);
    const history = `${world.componentPath}/changes/`;
    const inHistory = async () =>
      (await api.get(history)).results.some((entry: { translation: string | null }) =>
        entry.translation?.endsWith('/lt/'),
      );
    for (let round = 0; round < ROUNDS / 2; round++) {
      await api.post(list, { language_code: 'lt' });
      expect(await codes()).toContain('lt');
      expect(await inHistory()).toBe(true);
      await api.delete(`/api/translations/${world.project}/example/lt/`);
      expect(await codes()).not.toContain('lt');
      expect(await inHistory()).toBe(false);
    }
  }, 120_000);

  it('the commit policy of a project decides about the next state of a repository', async () => {
    const { id } = await single();
    const repository = async () => (await api.get(`${world.componentPath}/repository/`)).needs_commit;
    await api.post(`${world.componentPath}/repository/`, { operation: 'commit' });
    for (let round = 0; round < ROUNDS / 2; round++) {
      await api.patch(`/api/units/${id}/`, { target: [`Withheld ${round}`], state: 10 });
      expect(await repository()).toBe(true);
      await api.patch(`/api/projects/${world.project}/`, { commit_policy: WITHOUT_NEEDING_EDITING });
      expect(await repository()).toBe(false);
      await api.patch(`/api/projects/${world.project}/`, { commit_policy: 0 });
    }
  });

  it('a changed term decides about strings that both replicas edit', async () => {
    await followedByGlossary(api, world.project);
    const unit = await single();
    const source = unit.source[0]!;
    await api.post(`/api/translations/${world.project}/glossary/en/units/`, { source: [source], target: [source] });
    const terms: Unit[] = await api.all(`/api/translations/${world.project}/glossary/cs/units/`);
    const term = terms.find((one) => one.source[0] === source)!;
    await api.patch(unit.source_unit, { extra_flags: 'check-glossary' });
    const disregards = async (target: string) => {
      await api.patch(`/api/units/${unit.id}/`, { target: [target], state: 20 });
      return async () => JSON.stringify(await api.get(`/api/units/${unit.id}/checks/`)).includes('check_glossary');
    };
    for (let round = 0; round < ROUNDS / 2; round++) {
      await api.patch(`/api/units/${term.id}/`, { target: [`Termín${round}`], state: 20 });
      // The checks of strings follow a changed term in the background.
      await eventually(await disregards(`Jiný ${round}`), (fails: boolean) => fails);
      await eventually(await disregards(`Termín${round}`), (fails: boolean) => !fails);
    }
    await api.patch(unit.source_unit, { extra_flags: '' });
  });

  it('a font that is uploaded through one replica is used by the other', async () => {
    const unit = await single();
    const path = `/api/units/${unit.id}/`;
    const checks = (): Promise<{ id: string }[]> => api.all(`${path}checks/`);
    const isTooWide = async () => (await checks()).some(({ id }) => id === 'max-size');
    // Ten letters take 50 to 70 pixels in the built-in font, and 100 in the uploaded one.
    const bytes = sampleFont({ family: 'Wide Sans', advances: { a: 1000 } });
    await api.patch(unit.source_unit, { extra_flags: 'max-size:90, font-family:"Wide Sans"' });
    await api.patch(path, { target: ['a'.repeat(10)], state: 20 });
    expect(await isTooWide()).toBe(false);
    for (let round = 0; round < 4; round++) {
      const file = { field: 'font', bytes, filename: `wide-${round}.ttf` };
      const { url } = await api.post(`/api/projects/${world.project}/fonts/`, form({}, file));
      await eventually(isTooWide, Boolean);
      // Requests alternate between the replicas: once one of them measures with the font, all do.
      for (const [target, expected] of [
        ['a'.repeat(8), false],
        ['a'.repeat(10), true],
        ['a'.repeat(9), false],
        ['a'.repeat(11), true],
      ] as const) {
        await api.patch(path, { target: [target], state: 20 });
        expect(await isTooWide()).toBe(expected);
      }
      await api.delete(url);
      await eventually(isTooWide, (tooWide: boolean) => !tooWide);
      await api.patch(path, { target: ['a'.repeat(10)], state: 20 });
      expect(await isTooWide()).toBe(false);
    }
    await api.patch(unit.source_unit, { extra_flags: '' });
  });
});
