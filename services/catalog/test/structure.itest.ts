import { isServiceError } from '@parlance/errors';
import {
  aComponent,
  makeCategory,
  makeComponent,
  makeProject,
  problemsOf,
  reasonOf,
  worldWithProject,
  type World,
} from './support/catalog';

let world: World;
let project: number;
worldWithProject((made, id) => void ([world, project] = [made, id]));

const newCategory = (slug: string, categoryId = 0, projectId = project) =>
  makeCategory(world, slug, projectId, categoryId);

describe('categories', () => {
  it('categories are nested, contain components and define their paths', async () => {
    const { client, admin } = world;
    const outer = await newCategory('outer');
    const inner = await newCategory('inner', outer);
    const { component } = await client.createComponent(
      { projectId: project, component: aComponent('deep', { categoryId: inner }) },
      admin,
    );
    expect(component).toMatchObject({ path: 'outer/inner/deep', categoryId: inner });
    expect((await client.getComponent({ projectSlug: 'main', path: 'outer/inner/deep' }, admin)).component?.id).toBe(
      component!.id,
    );
    expect(await reasonOf(client.getComponent({ projectSlug: 'main', path: 'deep' }, admin))).toBe('NOT_FOUND');
    expect(await reasonOf(client.getComponent({ projectSlug: 'main', path: 'inner/deep' }, admin))).toBe('NOT_FOUND');
    expect((await client.getCategory({ projectSlug: 'main', path: 'outer/inner' }, admin)).category).toMatchObject({
      id: inner,
      path: 'outer/inner',
      projectSlug: 'main',
      configurationJson: '{}',
    });
    expect((await client.listComponents({ categoryId: outer }, admin)).components.map((c) => c.id)).toEqual([
      component!.id,
    ]);
    // The same slug is free on another level.
    await makeComponent(world, project, 'deep');
    await client.updateComponent({ id: component!.id, component: { categoryId: outer } }, admin);
    expect((await client.getComponent({ id: component!.id }, admin)).component?.path).toBe('outer/deep');
    const move = await world.event(
      'changeMade',
      (e) => e.payload.action === 43 && e.payload.componentId === component!.id,
    );
    expect(move.payload).toMatchObject({ old: 'inner', target: 'outer' });
    // A new name does not change addresses.
    await client.updateComponent({ id: component!.id, component: { name: 'Depth' } }, admin);
    await client.updateComponent({ id: component!.id, component: { slug: 'depth' } }, admin);
    const renamed = await world.event(
      'changeMade',
      (e) => e.payload.action === 42 && e.payload.componentId === component!.id,
    );
    expect(renamed.payload).toMatchObject({ old: 'deep', target: 'depth' });
    await client.updateComponent({ id: component!.id, component: { name: 'DEEP', slug: 'deep' } }, admin);
    expect(
      await problemsOf(client.updateComponent({ id: component!.id, component: { categoryId: 0 } }, admin)),
    ).toEqual({ name: 'unique', slug: 'unique' });
  });

  it('invalid parents of categories are rejected', async () => {
    const { client, admin } = world;
    const one = await newCategory('one');
    const two = await newCategory('two', one);
    const three = await newCategory('three', two);
    const create = (category: object) => problemsOf(client.createCategory({ category }, admin));
    expect(await create({})).toEqual({ name: 'required', slug: 'required', project: 'required' });
    expect(await create({ name: 'a', slug: 'a b', projectId: 999_999 })).toEqual({
      project: 'does_not_exist',
      slug: 'invalid',
    });
    expect(await create({ name: '', slug: 'a b', projectId: project })).toEqual({ name: 'blank', slug: 'invalid' });
    expect(await create({ name: 'Four', slug: 'four', projectId: project, categoryId: three })).toEqual({
      category: 'invalid',
    });
    expect(await create({ name: 'X', slug: 'x', projectId: project, categoryId: 999_999 })).toEqual({
      category: 'does_not_exist',
    });
    expect(await create({ name: 'ONE', slug: 'one', projectId: project })).toEqual({ name: 'unique', slug: 'unique' });
    expect(await create({ name: 'Y', slug: 'y', projectId: project, configurationJson: '[1]' })).toEqual({
      configuration: 'invalid',
    });
    expect(await problemsOf(client.updateCategory({ id: one, category: { categoryId: three } }, admin))).toEqual({
      category: 'invalid',
    });
    const other = await newCategory('tall');
    await newCategory('tall-1', other);
    expect(await problemsOf(client.updateCategory({ id: other, category: { categoryId: two } }, admin))).toEqual({
      category: 'invalid',
    });
    const elsewhere = await makeProject(world, 'elsewhere');
    expect(await problemsOf(client.updateCategory({ id: other, category: { projectId: elsewhere } }, admin))).toEqual({
      project: 'invalid',
    });
    await makeComponent(world, project, 'component-name');
    expect(await create({ name: 'COMPONENT-NAME', slug: 'component-name', projectId: project })).toEqual({
      name: 'unique',
      slug: 'unique',
    });
    expect(
      await problemsOf(client.createComponent({ projectId: project, component: aComponent('one') }, admin)),
    ).toEqual({ name: 'unique', slug: 'unique' });
  });

  it('categories are moved and deleted with their contents', async () => {
    const { client, admin } = world;
    const a = await newCategory('a');
    const b = await newCategory('b', a);
    const c = await newCategory('c');
    const component = await makeComponent(world, project, 'rider', { categoryId: b, isGlossary: true });
    const moved = await client.updateCategory(
      { id: b, category: { categoryId: c, slug: 'bee', configurationJson: '{"x":1}' } },
      admin,
    );
    expect(moved.category).toMatchObject({ path: 'c/bee', configurationJson: '{"x":1}' });
    expect((await client.getComponent({ projectSlug: 'main', path: 'c/bee/rider' }, admin)).component?.id).toBe(
      component.id,
    );
    await world.event('changeMade', (e) => e.payload.action === 68 && e.payload.old === 'b');
    await world.event(
      'changeMade',
      (e) => e.payload.action === 69 && e.payload.old === 'a' && e.payload.target === 'c',
    );
    // An update without the category keeps it.
    expect((await client.updateCategory({ id: b, category: { name: 'Bee' } }, admin)).category?.categoryId).toBe(c);
    await client.deleteCategory({ id: c }, admin);
    for (const id of [b, c]) expect(await reasonOf(client.getCategory({ id }, admin))).toBe('NOT_FOUND');
    expect(await reasonOf(client.getComponent({ id: component.id }, admin))).toBe('NOT_FOUND');
    const deleted = await world.event('componentDeleted', (e) => e.payload.componentId === component.id);
    // The component no longer exists, so the event carries the field.
    expect(deleted.payload.isGlossary).toBe(true);
    expect((await client.listCategories({ projectId: project }, admin)).categories.map((x) => x.id)).toContain(a);
  });
});

describe('configurations of add-ons', () => {
  it('configurations of add-ons are rejected if they cannot work', async () => {
    const { client, admin } = world;
    const { id: componentId } = await makeComponent(world, project, 'configured');
    const create = (name: string, configuration: object) =>
      client.createAddon({ name, componentId, configurationJson: JSON.stringify(configuration) }, admin);
    const auto = { mode: 'suggest', q: 'state:empty', auto_source: 'mt', threshold: 80 };
    const bulk = { q: 'state:empty', state: -1 };
    const hook = { webhook_url: 'https://hooks.example.com/x' };
    for (const [name, configuration, wrong] of [
      ['weblate.generate.generate', { filename: '../x.txt', template: 'x' }, 'filename'],
      ['weblate.generate.generate', { filename: '/tmp/x.txt', template: 'x' }, 'filename'],
      [
        'weblate.generate.generate',
        { filename: '{% if language_code %}../{% endif %}x.txt', template: 'x' },
        'filename',
      ],
      ['weblate.gettext.mo', { path: '../../x.mo' }, 'path'],
      ['weblate.gettext.mo', { path: '.git/{{ filename }}' }, 'path'],
      ['weblate.discovery.discovery', { base_file_template: '../{{ component }}.po' }, 'base_file_template'],
      ['weblate.discovery.discovery', { name_template: '{{ language_code }}' }, 'name_template'],
      ['weblate.flags.bulk', { ...bulk, q: '' }, 'q'],
      ['weblate.flags.bulk', { ...bulk, q: 'state:nope' }, 'q'],
      ['weblate.flags.bulk', { ...bulk, q: '(' }, 'q'],
      ['weblate.autotranslate.autotranslate', { ...auto, q: 'nosuchfield:=x AND' }, 'q'],
      ['weblate.autotranslate.autotranslate', { ...auto, engines: ['nope'] }, 'engines'],
      ['weblate.autotranslate.autotranslate', { ...auto, component: 'none/none' }, 'component'],
      ['weblate.autotranslate.autotranslate', { ...auto, q: '' }, 'q'],
      ['weblate.webhook.webhook', { ...hook, events: [999] }, 'events'],
    ] as const) {
      const problems = await create(name, configuration).then(
        () => 'taken',
        (error: unknown) => (isServiceError(error, 'INVALID') ? error.problems : Promise.reject(error as Error)),
      );
      expect([name, configuration, problems]).toEqual([
        name,
        configuration,
        expect.arrayContaining([
          {
            attr: 'configuration',
            code: 'invalid',
            detail: expect.stringMatching(new RegExp(`^${wrong}: `)) as string,
          },
        ]),
      ]);
    }
    await create('weblate.gettext.mo', { path: 'mo/{{ filename|stripext }}.mo' });
    await create('weblate.autotranslate.autotranslate', { ...auto, component: 'main/configured', engines: ['deepl'] });
    await create('weblate.autotranslate.autotranslate', {
      ...auto,
      component: 'configured',
      engines: ['weblate-translation-memory'],
    });
    await create('weblate.webhook.webhook', { ...hook, events: [2, 5] });
    const { addon } = await create('weblate.flags.bulk', bulk);
    const configurationJson = JSON.stringify({ ...bulk, q: 'has:nope' });
    expect(await problemsOf(client.updateAddon({ id: addon!.id, configurationJson }, admin))).toEqual({
      configuration: 'invalid',
    });
  });
});

describe('labels', () => {
  it('labels are unique in a project and have known colours', async () => {
    const { client, admin } = world;
    const create = (label: object) => client.createLabel({ projectId: project, label }, admin);
    const { label } = await create({ name: 'Hard', color: 'navy' });
    expect(label).toMatchObject({ name: 'Hard', color: 'navy', description: '' });
    expect((await create({ name: 'Plain' })).label?.color).toBe('silver');
    expect(await problemsOf(create({ name: 'Hard' }))).toEqual({ name: 'unique' });
    expect(await problemsOf(create({ name: 'Hard', color: 'x' }))).toEqual({ name: 'unique', color: 'invalid_choice' });
    expect(await problemsOf(create({ color: '#ff0000', description: 'x'.repeat(251) }))).toEqual({
      name: 'required',
      color: 'invalid_choice',
      description: 'max_length',
    });
    expect((await client.listLabels({ projectId: project }, world.anonymous)).labels.map((l) => l.name)).toEqual([
      'Hard',
      'Plain',
    ]);
    const other = await makeProject(world, 'other-labels');
    expect(await reasonOf(client.deleteLabel({ projectId: other, id: label!.id }, admin))).toBe('NOT_FOUND');
    await client.deleteLabel({ projectId: project, id: label!.id }, admin);
    expect((await client.batchGetLabels({ ids: [label!.id] }, admin)).labels).toEqual([]);
  });
});

describe('component lists', () => {
  it('component lists are filled manually and by rule and show only visible components', async () => {
    const { client, admin } = world;
    const { componentList } = await client.createComponentList(
      {
        componentList: {
          name: 'Docs',
          slug: 'docs',
          autoAssign: [{ projectMatch: '^main$', componentMatch: '^doc-' }],
          hasAutoAssign: true,
        },
      },
      admin,
    );
    expect(componentList).toMatchObject({
      showDashboard: true,
      components: [],
      autoAssign: [{ projectMatch: '^main$', componentMatch: '^doc-' }],
    });
    const id = componentList!.id;
    const ruled = await makeComponent(world, project, 'doc-a');
    const hand = await makeComponent(world, project, 'by-hand', { restricted: true });
    await client.addToComponentList({ id, componentId: hand.id }, admin);
    await client.addToComponentList({ id, componentId: hand.id }, admin);
    expect((await client.getComponentList({ slug: 'docs' }, admin)).componentList?.components).toEqual([
      { id: ruled.id, projectId: project, projectSlug: 'main', path: 'doc-a' },
      { id: hand.id, projectId: project, projectSlug: 'main', path: 'by-hand' },
    ]);
    expect(
      (await client.getComponentList({ slug: 'docs' }, world.anonymous)).componentList?.components.map((c) => c.id),
    ).toEqual([ruled.id]);
    expect((await client.listComponents({ componentListId: id }, world.anonymous)).components.map((c) => c.id)).toEqual(
      [ruled.id],
    );
    await client.removeFromComponentList({ id, componentSlug: 'doc-a' }, admin);
    expect(await reasonOf(client.getComponentList({ slug: 'docs' }, world.anonymous))).toBe('NOT_FOUND');
    expect((await client.listComponentLists({}, world.anonymous)).total).toBe(0);
    expect(await reasonOf(client.removeFromComponentList({ id, componentSlug: 'doc-a' }, admin))).toBe('NOT_FOUND');
    await client.deleteComponent({ id: hand.id }, admin);
    expect((await client.getComponentList({ id }, admin)).componentList?.components).toEqual([]);
  });

  it('all invalid fields of a component list are reported', async () => {
    const { client, admin } = world;
    const create = (componentList: object) => problemsOf(client.createComponentList({ componentList }, admin));
    await client.createComponentList({ componentList: { name: 'L', slug: 'l' } }, admin);
    expect(await create({})).toEqual({ name: 'required', slug: 'required' });
    expect(await create({ name: 'L', slug: 'l' })).toEqual({ name: 'unique', slug: 'unique' });
    expect(
      await create({
        name: 'M',
        slug: 'm',
        hasAutoAssign: true,
        autoAssign: [{ projectMatch: '(', componentMatch: 'a'.repeat(201) }],
      }),
    ).toEqual({
      'auto_assign.0.project_match': 'invalid',
      'auto_assign.0.component_match': 'invalid',
    });
    const { componentList } = await client.getComponentList({ slug: 'l' }, admin);
    expect(await problemsOf(client.addToComponentList({ id: componentList!.id }, admin))).toEqual({
      component_id: 'required',
    });
    expect(await problemsOf(client.addToComponentList({ id: componentList!.id, componentId: 999_999 }, admin))).toEqual(
      { component_id: 'does_not_exist' },
    );
    expect(
      await reasonOf(
        client.updateComponentList({ id: componentList!.id, componentList: { name: 'x' } }, world.anonymous),
      ),
    ).toBe('NOT_AUTHENTICATED');
    expect(
      (await client.updateComponentList({ id: componentList!.id, componentList: { showDashboard: false } }, admin))
        .componentList,
    ).toMatchObject({ name: 'L', showDashboard: false });
  });
});

describe('add-ons', () => {
  it('add-ons are installed with a validated configuration', async () => {
    const { client, admin, neighbours } = world;
    const component = await makeComponent(world, project, 'addons');
    const create = (name?: string, configuration?: unknown, more: object = {}) =>
      client.createAddon(
        {
          componentId: component.id,
          name,
          configurationJson: configuration === undefined ? undefined : JSON.stringify(configuration),
          ...more,
        },
        admin,
      );
    const { addon } = await create('weblate.gettext.mo', { fuzzy: true });
    expect(addon).toMatchObject({
      name: 'weblate.gettext.mo',
      component: { id: component.id, path: 'addons' },
      projectId: 0,
    });
    expect(JSON.parse(addon!.configurationJson)).toEqual({ path: '{{ filename|stripext }}.mo', fuzzy: true });
    await world.event('changeMade', (e) => e.payload.action === 60 && e.payload.target === 'weblate.gettext.mo');
    expect((await client.getComponent({ id: component.id }, admin)).component?.addonIds).toEqual([addon!.id]);
    expect(await problemsOf(create('weblate.gettext.mo'))).toEqual({ name: 'unique' });
    expect(await problemsOf(create('no.such.addon'))).toEqual({ name: 'invalid_choice' });
    expect(await problemsOf(create('weblate.cdn.cdnjs'))).toEqual({ name: 'invalid' });
    await expect(create('weblate.cdn.cdnjs')).rejects.toThrow('no place where translations are published');
    expect(await problemsOf(create('weblate.gettext.mo', { path: '../x.mo' }))).toEqual({
      name: 'unique',
      configuration: 'invalid',
    });
    expect(await problemsOf(create('no.such.addon', [1]))).toEqual({ name: 'invalid_choice' });
    expect(await problemsOf(create())).toEqual({ name: 'required' });
    expect(await problemsOf(create('weblate.resx.update'))).toEqual({ name: 'invalid' });
    expect(await problemsOf(create('weblate.gettext.linguas'))).toEqual({ name: 'invalid' });
    neighbours.files.add('po/LINGUAS');
    expect((await create('weblate.gettext.linguas')).addon?.configurationJson).toBe('{}');
    expect(await problemsOf(create('weblate.removal.suggestions', { age: 'old' }))).toEqual({
      configuration: 'invalid',
    });
    expect(
      await problemsOf(
        create('weblate.discovery.discovery', {
          match: '(.*)',
          file_format: 'po',
          name_template: '{{ x }}',
          language_regex: '^[^.]+$',
        }),
      ),
    ).toEqual({ configuration: 'invalid' });
    await create('weblate.generate.generate', { filename: 'stats/{{ language_code }}.json', template: '{}' });
    await create('weblate.generate.generate', { filename: 'other/{{ language_code }}.json', template: '{}' });

    const update = (request: object) => client.updateAddon({ id: addon!.id, ...request }, admin);
    expect(await problemsOf(update({ name: 'weblate.git.squash' }))).toEqual({ name: 'invalid' });
    expect(await problemsOf(update({ name: 'weblate.git.squash', configurationJson: '[]' }))).toEqual({
      name: 'invalid',
      configuration: 'invalid',
    });
    expect(await problemsOf(update({ replace: true, configurationJson: '{}' }))).toEqual({ name: 'required' });
    expect(await problemsOf(update({ configurationJson: '{"path":"{{"}' }))).toEqual({ configuration: 'invalid' });
    expect(JSON.parse((await update({ configurationJson: '{}' })).addon!.configurationJson)).toEqual({
      path: '{{ filename|stripext }}.mo',
      fuzzy: false,
    });
    await client.deleteAddon({ id: addon!.id }, admin);
    await world.event('addonChanged', (e) => e.payload.addonId === addon!.id && e.payload.removed);
    expect(await reasonOf(client.getAddon({ id: addon!.id }, admin))).toBe('NOT_FOUND');
    await create('weblate.gettext.mo');
  });

  it('add-ons apply to component, project and site, and secrets are visible only to their editors', async () => {
    const { client, admin } = world;
    const id = await makeProject(world, 'addon-scopes');
    const component = await makeComponent(world, id, 'c');
    const other = await makeComponent(world, id, 'd');
    const hook = (where: object) =>
      client.createAddon(
        {
          ...where,
          name: 'weblate.webhook.webhook',
          configurationJson: '{"webhook_url":"https://example.com/","secret":"quiet","events":["1",2]}',
        },
        admin,
      );
    const ids = [await hook({ componentId: component.id }), await hook({ projectId: id }), await hook({})].map(
      (r) => r.addon!.id,
    );
    const effective = await client.listEffectiveAddons(
      { componentId: component.id, name: 'weblate.webhook.webhook' },
      world.process,
    );
    expect(effective.addons.map((a) => a.id)).toEqual(ids);
    expect(JSON.parse(effective.addons[0]!.configurationJson)).toEqual({
      webhook_url: 'https://example.com/',
      events: [1, 2],
      secret: 'quiet',
    });
    expect(
      (
        await client.listEffectiveAddons({ componentId: other.id, name: 'weblate.webhook.webhook' }, world.process)
      ).addons.map((a) => a.id),
    ).toEqual(ids.slice(1));
    const seen = await client.listAddons({ page: { pageSize: 1000 } }, world.anonymous);
    expect([...world.neighbours.webhooks.keys()]).toEqual(expect.arrayContaining(ids));
    expect(world.neighbours.webhooks.get(ids[0]!)).toMatchObject({
      projectId: id,
      componentId: component.id,
      webhookUrl: 'https://example.com/',
      secret: 'quiet',
      events: [1, 2],
      payloadKind: 'PAYLOAD_KIND_CHANGE',
    });
    const configuration = '{"webhook_url":"https://10.0.0.1/"}';
    expect(await problemsOf(client.updateAddon({ id: ids[0]!, configurationJson: configuration }, admin))).toEqual({
      configuration: 'invalid',
    });
    await client.updateAddon({ id: ids[1]!, configurationJson: '{"webhook_url":"https://other.example.com/"}' }, admin);
    expect(world.neighbours.webhooks.get(ids[1]!)).toMatchObject({
      webhookUrl: 'https://other.example.com/',
      secret: '',
    });
    expect(JSON.stringify(await world.storedAddon(ids[0]!))).not.toContain('quiet');
    const shown = JSON.parse((await client.getAddon({ id: ids[0]! }, admin)).addon!.configurationJson) as object;
    expect(shown).toEqual({ webhook_url: 'https://example.com/', events: [1, 2], secret: '********' });
    const send = (changes: object) =>
      client.updateAddon({ id: ids[0]!, configurationJson: JSON.stringify({ ...shown, ...changes }) }, admin);
    expect(await problemsOf(send({ webhook_url: 'https://evil.example.com/' }))).toEqual({ configuration: 'invalid' });
    expect(world.neighbours.webhooks.get(ids[0]!)).toMatchObject({
      webhookUrl: 'https://example.com/',
      secret: 'quiet',
    });
    await send({ events: [3] });
    expect(world.neighbours.webhooks.get(ids[0]!)).toMatchObject({ secret: 'quiet', events: [3] });
    const own = seen.addons.find((a) => a.id === ids[0])!;
    expect(own.configurationJson).not.toContain('quiet');
    expect(seen.addons.map((a) => a.id)).not.toContain(ids[2]);
    expect(await reasonOf(client.getAddon({ id: ids[2]! }, world.anonymous))).toBe('NOT_FOUND');
    expect(
      await reasonOf(client.createAddon({ projectId: id, name: 'weblate.cleanup.blank' }, world.member(5, []))),
    ).toBe('PERMISSION_DENIED');
    expect(await problemsOf(client.createAddon({ projectId: id, name: 'weblate.discovery.discovery' }, admin))).toEqual(
      { name: 'invalid' },
    );
    await client.updateProject({ id, project: { accessControl: 100 } }, admin);
    expect(
      (await client.listAddons({ page: { pageSize: 1000 } }, world.anonymous)).addons.map((a) => a.id),
    ).not.toContain(ids[0]);
    await client.deleteComponent({ id: component.id }, admin);
    expect(await reasonOf(client.getAddon({ id: ids[0]! }, admin))).toBe('NOT_FOUND');
  });
});
