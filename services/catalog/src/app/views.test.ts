import { UseCaseWorld } from '../../test/support/memory/world';
import { componentPaths, componentViews, fullAddresses, projectViews } from './views';

async function withComponents() {
  const world = new UseCaseWorld();
  const web = await world.project('web', { accessControl: 100 });
  const app = await world.project('app');
  await world.language('en');
  const category = await world.category(web.id, 'docs');
  const site = await world.component(web.id, 'site', {}, { categoryId: category.id });
  const linked = await world.component(app.id, 'guide', {}, { linkedId: site.id });
  return { world, web, app, category, site, linked };
}

describe('componentViews', () => {
  it('a component is shown with its path, and a linked one with the repository of its owner', async () => {
    const { world, category, site, linked } = await withComponents();
    const { components } = await componentViews(world.deps, world.admin, [linked, site]);
    expect(components).toMatchObject([
      { path: 'guide', projectSlug: 'app', categoryId: 0, linkedPath: 'web/docs/site', ownerAccessControl: 100 },
      { path: 'docs/site', projectSlug: 'web', categoryId: category.id, linkedPath: '', ownerAccessControl: 100 },
    ]);
    expect(components.map(({ owner }) => owner.id)).toEqual([site.id, site.id]);
  });

  it('the projects and source languages of the components are included once', async () => {
    const { world, web, app, site, linked } = await withComponents();
    const other = await world.component(web.id, 'other');
    const foreign = await world.component(web.id, 'foreign', {}, { sourceLanguage: 'xx' });
    const views = await componentViews(world.deps, world.admin, [site, other, linked, foreign], [web]);
    expect(views.projects.map(({ project }) => project.id)).toEqual([web.id, app.id]);
    expect(views.languages.map(({ code }) => code)).toEqual(['en']);
    expect(views.components).toHaveLength(4);
  });

  it('a component whose category was deleted is shown directly in its project', async () => {
    const { world, web } = await withComponents();
    const stray = await world.component(web.id, 'stray', {}, { categoryId: 999 });
    const { components } = await componentViews(world.deps, world.admin, [stray]);
    expect(components).toMatchObject([{ path: 'stray', categoryId: 0 }]);
  });

  it('components of deleted projects are left out', async () => {
    const { world, site } = await withComponents();
    const orphan = { ...site, id: 999, projectId: 998 };
    const views = await componentViews(world.deps, world.admin, [orphan, site]);
    expect(views.components.map(({ component }) => component.id)).toEqual([site.id]);
    expect(views.projects.map(({ project }) => project.id)).toEqual([site.projectId]);
  });

  it('a component whose owner is missing owns its repository', async () => {
    const { world, app } = await withComponents();
    const lost = await world.component(app.id, 'lost', {}, { linkedId: 997 });
    const { components } = await componentViews(world.deps, world.admin, [lost]);
    expect(components).toMatchObject([{ linkedPath: '', owner: { id: lost.id }, ownerAccessControl: 0 }]);
  });
});

describe('projectViews', () => {
  it('a project is locked if it has components and all are locked', async () => {
    const { world, web, app } = await withComponents();
    const empty = await world.project('empty');
    const locked = await world.project('locked');
    for (const slug of ['one', 'two']) await world.component(locked.id, slug, {}, { locked: true });
    await world.component(web.id, 'frozen', {}, { locked: true });
    const views = await projectViews(world.deps, world.admin, [web, app, empty, locked]);
    expect(views.map((v) => [v.project.settings.slug, v.componentCount, v.locked])).toEqual([
      ['web', 2, false],
      ['app', 1, false],
      ['empty', 0, false],
      ['locked', 2, true],
    ]);
  });
});

describe('componentPaths', () => {
  it('paths are found by id, without those of deleted projects', async () => {
    const { world, web, site } = await withComponents();
    const snapshot = await world.deps.snapshot.at('');
    expect([...componentPaths(snapshot, [site, { ...site, id: 999, projectId: 998 }])]).toEqual([
      [site.id, { id: site.id, projectId: web.id, projectSlug: 'web', path: 'docs/site' }],
    ]);
  });
});

describe('fullAddresses', () => {
  it('credentials are opened and joined with the address that they belong to', async () => {
    const { world, web } = await withComponents();
    const repo = 'https://git.example.com/acme/site.git';
    const settings = { repo, push: 'https://push.example.com/acme/site.git' };
    const secrets = { repoSecret: 'sealed:bot:token', pushSecret: 'sealed:pusher' };
    const component = await world.component(web.id, 'private', settings, secrets);
    expect(fullAddresses(world.deps, component)).toEqual({
      repo: 'https://bot:token@git.example.com/acme/site.git',
      push: 'https://pusher@push.example.com/acme/site.git',
    });
    const open = { ...component, repoSecret: '', settings: { ...component.settings, push: '' }, pushSecret: '' };
    expect(fullAddresses(world.deps, open)).toEqual({ repo, push: '' });
  });
});
