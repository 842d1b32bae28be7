import type { ServiceError } from '@parlance/errors';
import { fieldErrors } from '@parlance/errors';
import { installed } from '../../../test/support/memory/addon-files';
import { UseCaseWorld } from '../../../test/support/memory/world';
import { discover, discovery } from './discovery';

describe('discovery', () => {
  it('discovery groups files and replaces the language by the mask', async () => {
    const paths = ['a/x/cs.po', 'a/x/de.po', 'a/y/de.po', 'b/x/cs.po'];
    expect(await discover(paths, 'a/(?P<component>[^/]*)/(?P<language>[^/]*)\\.po')).toEqual([
      { component: 'x', filemask: 'a/x/*.po' },
      { component: 'y', filemask: 'a/y/*.po' },
    ]);
    expect(
      (await discover(['l/cs/app.cs.po'], 'l/(?<language>[^/]*)/(?<component>[^.]*)\\.(?P=language)\\.po')).map(
        (d) => d.filemask,
      ),
    ).toEqual(['l/*/app.*.po']);
  });

  it('a hostile discovery pattern takes linear time, and an unsupported one is rejected with its field', async () => {
    expect(await discover([`${'a'.repeat(4_000)}!`], '(?<component>(a+)+)(?<language>b)')).toEqual([]);
    await expect(discover([], '(?<component>a)(?<language>b)(?=c)')).rejects.toThrow('"match" is not a valid');
  });
});

describe('a run of the discovery', () => {
  const files = { 'a/x/cs.po': '', 'a/x/de.po': '', 'a/y/de.po': '', 'b/z/cs.po': '' };
  let world: UseCaseWorld;
  beforeEach(async () => {
    world = await UseCaseWorld.start(files);
  });
  afterEach(() => world.close());

  const run = async (configuration = {}) => {
    const component = world.catalog.stored.get(1)!;
    const addon = installed('weblate.discovery.discovery', {
      match: 'a/(?P<component>[^/]*)/(?P<language>[^/]*)\\.po',
      file_format: 'po',
      name_template: 'Found {{ component }}',
      ...configuration,
    });
    const log = (line: string) => void world.log.push(line);
    await discovery.runTask!({
      deps: world.deps,
      addon,
      component,
      event: 'update',
      log,
      addLanguage: async () => 0,
    });
  };
  const masks = () => world.catalog.created.map(({ filemask }) => filemask);

  it('a run of the discovery creates a linked component for each group of files that has none', async () => {
    await world.imported(1, { license: 'MIT' });
    await world.linked(2, 1, { filemask: 'a/x/*.po' });
    await run();
    expect(world.catalog.created).toMatchObject([
      {
        name: 'Found y',
        slug: 'found-y',
        repo: 'parlance://hello/c1',
        filemask: 'a/y/*.po',
        fileFormat: 'po',
        languageRegex: '^[^.]+$',
        license: 'MIT',
        newLang: 'none',
      },
    ]);
  });

  it('a run of the discovery fills templates of files, and then languages may be added', async () => {
    await world.imported(1);
    await run({ new_base_template: 'a/{{ component }}/app.pot', name_template: '!!!' });
    expect(world.catalog.created[0]).toMatchObject({ newBase: 'a/x/app.pot', newLang: 'add', slug: 'x' });
  });

  it('a component that cannot be created is logged and stops no other', async () => {
    await world.imported(1);
    world.catalog.rejections.push(fieldErrors([{ attr: 'slug', code: 'unique', detail: 'Exists.' }]));
    await run();
    expect(masks()).toEqual(['a/x/*.po', 'a/y/*.po']);
    expect(world.log).toEqual([
      'a/x/*.po: the component cannot be created. slug: Exists.',
      'a/y/*.po: component created',
    ]);
  });

  it('an error that is no answer of the catalog fails the run', async () => {
    await world.imported(1);
    world.catalog.rejections.push(new Error('defect') as ServiceError);
    await expect(run()).rejects.toThrow('defect');
  });

  it('a run of the discovery copies the add-ons of the component on request, except those of the repository', async () => {
    await world.imported(1);
    const add = (name: string, componentId = 1) =>
      world.catalog.installed.push({ id: 9, name, componentId, projectId: 0, configuration: {} });
    for (const name of ['weblate.gettext.mo', 'weblate.discovery.discovery', 'weblate.git.squash']) add(name);
    add('weblate.gettext.linguas', 0);
    await run();
    expect(world.effects.list.filter((effect) => effect.startsWith('install'))).toEqual([]);
    world.catalog.created.length = 0;
    await run({ copy_addons: true });
    expect(world.effects.list.filter((effect) => effect.startsWith('install'))).toEqual([
      'install weblate.gettext.mo on 1001',
      'install weblate.gettext.mo on 1002',
    ]);
  });

  it('a run of the discovery removes linked components without files on request: only those of its project that it would create', async () => {
    await world.imported(1);
    await world.linked(2, 1, { filemask: 'a/gone/*.po' });
    await world.linked(3, 1, { filemask: 'docs/*.po' });
    await world.linked(4, 1, { filemask: 'a/other/*.po', projectId: 2 });
    world.catalog.stored.get(4)!.project.id = 2;
    await world.linked(5, 1, { filemask: 'a/x/*.po' });
    const deleted = () => world.effects.list.filter((effect) => effect.startsWith('delete'));
    await run();
    expect(deleted()).toEqual([]);
    await run({ remove: true });
    expect(deleted()).toEqual(['delete component 2']);
    expect(world.log).toContain('a/gone/*.po: no file matches any more, component deleted');
  });
});
