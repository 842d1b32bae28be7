import type { Deps } from '../../src/app/deps';
import { TakenError } from '../../src/domain/ports';
import { UseCaseWorld } from './memory/world';

/** The stores under test, empty. */
export type Stores = Pick<
  Deps,
  'projects' | 'components' | 'categories' | 'labels' | 'lists' | 'addons' | 'agreements' | 'maintenance' | 'languages'
>;

const page = { page: 1, size: 10 };

/** Contract tests of the stores; the implementations in memory and on MongoDB pass them. */
export function storeContract(make: () => Promise<Stores>): void {
  let stores: Stores;
  // Builds objects with the defaults of the settings tables; its own stores are not used.
  const samples = new UseCaseWorld();
  beforeAll(async () => {
    stores = await make();
  });

  const taken = (call: Promise<unknown>) =>
    call.then(
      () => 'free',
      (error: unknown) => (error instanceof TakenError ? error.field : String(error)),
    );
  const project = async (slug: string) => {
    const made = await samples.project(slug);
    await stores.projects.insert(made, []);
    return made;
  };
  const component = async (projectId: number, slug: string, more: object = {}) => {
    const made = await samples.component(projectId, slug, {}, more);
    expect(await stores.components.insert(made, [])).toBe(true);
    return made;
  };
  const category = async (projectId: number, slug: string, more: object = {}) => {
    const made = await samples.category(projectId, slug, more);
    expect(await stores.categories.put(made, (await stores.categories.tree(projectId))!, [])).toBe(true);
    return made;
  };

  it('projects are found by id and slug, and their names and slugs are unique until they are removed', async () => {
    const made = await project('first');
    expect(await stores.projects.get(made.id)).toEqual(made);
    expect(await stores.projects.bySlug('first')).toEqual(made);
    expect(await stores.projects.byIds([made.id, 999])).toEqual([made]);
    expect(await stores.projects.taken('slug', 'first', 0)).toBe(true);
    expect(await stores.projects.taken('slug', 'first', made.id)).toBe(false);
    const copy = { ...made, id: 500 };
    expect(await taken(stores.projects.insert(copy, []))).toMatch(/name|slug/);
    const renamed = { ...copy, settings: { ...copy.settings, name: 'Other' } };
    expect(await taken(stores.projects.insert(renamed, []))).toBe('slug');
    expect(await stores.projects.remove(made.id, [])).toBe(true);
    expect(await stores.projects.remove(made.id, [])).toBe(false);
    expect(await stores.projects.get(made.id)).toBeNull();
    expect(await taken(stores.projects.insert(renamed, []))).toBe('free');
  });

  it('a replacement requires the version that was read', async () => {
    const made = await project('versions');
    expect(await stores.projects.replace({ ...made, version: 2 }, [])).toBe(true);
    expect(await stores.projects.replace({ ...made, version: 2 }, [])).toBe(false);
    const app = await component(made.id, 'versions');
    expect(await stores.components.replace({ ...app, version: 2, locked: true }, [])).toBe(true);
    expect(await stores.components.replace({ ...app, version: 2 }, [])).toBe(false);
    expect(await stores.components.get(app.id)).toMatchObject({ locked: true, version: 2 });
  });

  it('components and categories of a level share names and slugs', async () => {
    const { id } = await project('levels');
    const docs = await category(id, 'docs');
    const app = await component(id, 'app');
    const other = await samples.component(id, 'other');
    const same = { ...other, settings: { ...other.settings, name: docs.settings.name, slug: 'docs' } };
    expect(await taken(stores.components.insert(same, []))).toMatch(/name|slug/);
    expect(await stores.categories.taken(id, 0, 'slug', 'app', 0)).toBe(true);
    expect(await stores.categories.taken(id, 0, 'slug', 'app', app.id)).toBe(false);
    expect(await stores.categories.taken(id, docs.id, 'slug', 'app', 0)).toBe(false);
    expect(await stores.components.bySlug(id, 0, 'app')).toEqual(app);
    expect(await stores.components.bySlug(id, docs.id, 'app')).toBeNull();
  });

  it('repositories are shared one level deep', async () => {
    const { id } = await project('sharing');
    const owner = await component(id, 'owner');
    const guest = await component(id, 'guest', { linkedId: owner.id });
    const further = await samples.component(id, 'further');
    expect(await stores.components.insert({ ...further, linkedId: guest.id }, [])).toBe(false);
    expect(await stores.components.isShared(owner.id)).toBe(true);
    expect(await stores.components.isShared(guest.id)).toBe(false);
    expect((await stores.components.sharing([owner.id])).map((c) => c.id)).toEqual([guest.id]);
    expect((await stores.components.byKeys(owner.repoKeys, id)).map((c) => c.id)).toEqual([owner.id]);
    expect((await stores.components.byKeys(null, id)).map((c) => c.id)).toEqual([owner.id]);
    expect(await stores.components.byKeys([], id)).toEqual([]);
  });

  it('languages and tasks of a component change apart from its version', async () => {
    const { id } = await project('fields');
    const app = await component(id, 'app', { links: [77] });
    expect(await stores.components.addLanguages(app.id, ['en', 'cs'])).toBe(true);
    await stores.components.setTask(app.id, 'task', false);
    await stores.components.setTask(app.id, 'another', true);
    await stores.components.replace({ ...app, version: 2 }, []);
    expect(await stores.components.get(app.id)).toMatchObject({ languages: ['en', 'cs'], taskId: 'task', version: 2 });
    await stores.components.removeLanguage(app.id, 'cs');
    await stores.components.removeLanguage(app.id, 'en');
    await stores.components.setTask(app.id, 'task', true);
    expect(await stores.components.get(app.id)).toMatchObject({ languages: ['en'], taskId: '' });
    expect(await stores.components.linkedInto(77)).toEqual([app.id]);
  });

  it('components of a deleted project stay listed as hidden until they are forgotten', async () => {
    const { id } = await project('hidden');
    const app = await component(id, 'app');
    expect(await stores.components.hideOfProject(id)).toEqual([app.id]);
    expect(await stores.components.get(app.id)).toBeNull();
    expect(await stores.components.hideOfProject(id)).toEqual([app.id]);
    await stores.components.forget([app.id]);
    expect(await stores.components.hideOfProject(id)).toEqual([]);
  });

  it('writes to the categories of a project require the version of their tree', async () => {
    const { id } = await project('trees');
    const tree = (await stores.categories.tree(id))!;
    const docs = await category(id, 'docs');
    const late = await samples.category(id, 'late');
    expect(await stores.categories.put(late, tree, [])).toBe(false);
    const now = (await stores.categories.tree(id))!;
    expect(now.categories).toEqual([docs]);
    const app = await samples.component(id, 'app', {}, { categoryId: docs.id });
    expect(await stores.categories.putComponent(app, now, [])).toBe(true);
    expect(await stores.categories.putComponent({ ...app, version: 2 }, now, [])).toBe(false);
    expect(await stores.categories.remove(docs.id, [])).toBe(true);
    expect(await stores.categories.remove(docs.id, [])).toBe(false);
    expect(await stores.categories.tree(9_999)).toBeNull();
  });

  it('labels are unique in their project', async () => {
    const label = { id: 1, projectId: 1, name: 'urgent', description: '', color: 'red' };
    await stores.labels.insert(label);
    expect(await taken(stores.labels.insert({ ...label, id: 2 }))).toBe('name');
    await stores.labels.insert({ ...label, id: 3, projectId: 2 });
    expect(await stores.labels.page(1, page)).toEqual({ items: [label], total: 1 });
    expect(await stores.labels.remove(2, 1)).toBe(false);
    expect(await stores.labels.remove(1, 1)).toBe(true);
  });

  it('components of a list change apart from its version', async () => {
    const list = { id: 1, version: 1, name: 'A', slug: 'a', showDashboard: true, componentIds: [], autoAssign: [] };
    await stores.lists.insert(list);
    expect(await taken(stores.lists.insert({ ...list, id: 2, name: 'B' }))).toBe('slug');
    await stores.lists.change(1, [5, 6], []);
    await stores.lists.change(1, [5], []);
    expect(await stores.lists.replace({ ...list, version: 2, name: 'C' })).toBe(true);
    expect(await stores.lists.replace({ ...list, version: 2 })).toBe(false);
    await stores.lists.removeComponents([6]);
    expect(await stores.lists.bySlug('a')).toMatchObject({ name: 'C', componentIds: [5] });
  });

  it('add-ons are found by scope, and a single one is unique in it', async () => {
    const addon = { id: 1, version: 1, name: 'x', componentId: 5, projectId: 1, configuration: {} };
    await stores.addons.insert(addon, true, []);
    expect(await taken(stores.addons.insert({ ...addon, id: 2 }, true, []))).toBe('name');
    await stores.addons.insert({ ...addon, id: 3, componentId: 0 }, true, []);
    await stores.addons.insert({ ...addon, id: 4, componentId: 0, projectId: 0 }, false, []);
    const ids = async (filter: object) => (await stores.addons.find(filter)).map((a) => a.id);
    expect(await ids({ componentIds: [5] })).toEqual([1]);
    expect(await ids({ projectIds: [1] })).toEqual([3]);
    expect(await ids({ componentIds: [5], projectIds: [1], site: true })).toEqual([1, 3, 4]);
    expect(await ids({ name: 'x' })).toEqual([1, 3, 4]);
    expect(await ids({})).toEqual([]);
    const shown = await stores.addons.page({ projects: [], components: [5] }, false, page);
    expect(shown.items.map((a) => a.id)).toEqual([3]);
    expect(await stores.addons.remove(1, [])).toBe(true);
    expect(await stores.addons.remove(1, [])).toBe(false);
    expect(await taken(stores.addons.insert({ ...addon, id: 5 }, true, []))).toBe('free');
  });

  it('agreements are kept by component and user, the maintenance mode with its first time', async () => {
    await stores.agreements.put(1, 7, 'digest', 5);
    await stores.agreements.put(2, 7, 'digest', 5);
    await stores.agreements.removeOf([1]);
    expect(await stores.agreements.get(1, 7)).toBeNull();
    expect(await stores.agreements.get(2, 7)).toEqual({ digest: 'digest', timeMs: 5 });
    await stores.agreements.removeOfUser(7);
    expect(await stores.agreements.get(2, 7)).toBeNull();
    const maintenance = { message: 'a', retryAfterSeconds: 1, sinceMs: 5, untilMs: 0 };
    await stores.maintenance.put(maintenance);
    expect(await stores.maintenance.put({ ...maintenance, message: 'b', sinceMs: 9, untilMs: 7 })).toEqual({
      message: 'b',
      retryAfterSeconds: 1,
      sinceMs: 5,
      untilMs: 7,
    });
    await stores.maintenance.remove();
    expect(await stores.maintenance.get()).toBeNull();
  });

  it('codes of languages are unique until they are removed', async () => {
    const language = await samples.language('xx');
    const stored = { ...language, id: 9_000 };
    await stores.languages.insert(stored);
    expect(await stores.languages.get('xx')).toEqual(stored);
    expect(await taken(stores.languages.insert({ ...stored, id: 9_001 }))).toBe('code');
    expect(await stores.languages.replace({ ...stored, version: 3 })).toBe(false);
    expect(await stores.languages.remove('xx')).toBe(true);
    expect(await stores.languages.get('xx')).toBeNull();
    expect(await stores.languages.remove('xx')).toBe(false);
  });
}
