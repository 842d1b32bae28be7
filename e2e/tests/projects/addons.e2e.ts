import { readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { exampleFiles } from '../../support/repository.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api, base } = system();

interface Unit {
  id: number;
  source: string[];
}

/** Edits a string of a translation. */
async function edit(path: string, source: string, target: string[]): Promise<void> {
  const units = (await api.all(`${path}/units/`)) as Unit[];
  const unit = units.find((u) => u.source[0] === source)!;
  const answer = await api.send('PATCH', `/api/units/${unit.id}/`, { target, state: 20 });
  expect(answer.status).toBe(200);
}

const operate = async (componentPath: string, operation: string) =>
  expect(await api.post(`${componentPath}/repository/`, { operation })).toMatchObject({ result: true });

const install = (componentPath: string, name: string, configuration?: Record<string, unknown>) =>
  api.post(`${componentPath}/addons/`, { name, ...(configuration ? { configuration } : {}) });

/** Pushes until a file of the remote's main branch matches. */
const pushedFile = (
  remote: ReturnType<typeof makeRemote>,
  componentPath: string,
  path: string,
  fits: (text: string) => boolean,
) =>
  eventually(async () => {
    await operate(componentPath, 'push');
    try {
      return remote.remoteFile(path).toString();
    } catch {
      return '';
    }
  }, fits);

describe('add-ons for gettext files', () => {
  it('gettext add-ons update LINGUAS, configure, MO files, contributors and statistics files', async () => {
    const remote = makeRemote({
      ...exampleFiles(),
      'po/LINGUAS': '# Languages\ncs\n',
      'configure.ac': 'AC_INIT\nALL_LINGUAS="cs"\n',
    });
    const { path, componentPath } = await importExample(api, remote);
    await install(componentPath, 'weblate.gettext.linguas');
    await install(componentPath, 'weblate.gettext.configure');
    await install(componentPath, 'weblate.gettext.mo');
    await install(componentPath, 'weblate.gettext.authors');
    await install(componentPath, 'weblate.generate.generate', {
      filename: 'stats/{{ language_code }}.json',
      template: '{"translated": {{ stats.translated }}, "by": "{{ addon_name }}"}\n',
    });
    // Add-ons process existing files when they are installed.
    await pushedFile(remote, componentPath, 'po/LINGUAS', (text) => text === '# Languages\ncs\nde\n');
    await pushedFile(remote, componentPath, 'configure.ac', (text) => text.includes('ALL_LINGUAS="cs de"'));
    await pushedFile(remote, componentPath, 'stats/de.json', (text) => text.startsWith('{"translated": 1'));
    const made = remote.log().find((commit) => commit.subject.startsWith('Update the translation files of'))!;
    expect(made.author).toBe(made.committer);

    await edit(path, 'Good bye.', ['Na shledanou']);
    await operate(componentPath, 'push');
    const [newest] = remote.log();
    expect(newest!.author).toMatch(/admin/i);
    const po = remote.remoteFile('po/cs.po').toString();
    const year = new Date().getUTCFullYear();
    expect(po).toMatch(new RegExp(`^# .*<.+@.+>, ${year}\\.$`, 'm'));
    expect(remote.remoteFile('po/cs.mo').includes('Na shledanou')).toBe(true);
    expect(JSON.parse(remote.remoteFile('stats/cs.json').toString())).toEqual({
      translated: 3,
      by: 'Statistics file',
    });

    await api.post(`${componentPath}/translations/`, { language_code: 'fr' });
    await operate(componentPath, 'push');
    expect(remote.remoteFile('po/LINGUAS').toString()).toBe('# Languages\ncs\nde\nfr\n');
    expect(remote.remoteFile('configure.ac').toString()).toContain('ALL_LINGUAS="cs de fr"');
    // All files are up to date, so another push creates no commit.
    const before = remote.log().length;
    await operate(componentPath, 'pull');
    await operate(componentPath, 'push');
    expect(remote.log()).toHaveLength(before);
  });

  it('add-ons do not write through symbolic links', async () => {
    const remote = makeRemote();
    symlinkSync('po/cs.po', join(remote.tree, 'stats-cs.json'));
    remote.commit('A link');
    remote.push();
    const { componentPath } = await importExample(api, remote);
    await install(componentPath, 'weblate.generate.generate', {
      filename: 'stats-{{ language_code }}.json',
      template: '{"translated": {{ stats.translated }}}\n',
    });
    await pushedFile(remote, componentPath, 'stats-de.json', (text) => text.startsWith('{"translated": 1'));
    remote.pull();
    expect(readlinkSync(join(remote.tree, 'stats-cs.json'))).toBe('po/cs.po');
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Ahoj');
  });

  it('the msgmerge add-on updates files after a change of the template', async () => {
    const files = exampleFiles();
    const remote = makeRemote(files);
    const { path, componentPath } = await importExample(api, remote);
    await install(componentPath, 'weblate.gettext.msgmerge', { previous: true, no_location: false, fuzzy: true });
    remote.write({
      'po/example.pot': files['po/example.pot']
        .replace('msgid "Hello, world!"', 'msgid "Hello, whole world!"')
        .concat('\n#: src/new.c:1\nmsgid "Brand new"\nmsgstr ""\n'),
    });
    remote.commit('New texts');
    remote.push();
    await operate(componentPath, 'pull');
    await operate(componentPath, 'push');
    const czech = remote.remoteFile('po/cs.po').toString();
    expect(czech).toContain('#, fuzzy\n#| msgid "Hello, world!"\nmsgid "Hello, whole world!"\nmsgstr "Ahoj, světe!"\n');
    expect(czech).toContain('#: src/new.c:1\nmsgid "Brand new"\nmsgstr ""\n');
    expect(czech).toContain("# A translator's remark that has to stay.\n");
    expect(czech).toContain('#~ msgid "Old text"');
    const units = (await api.all(`${path}/units/`)) as (Unit & { state: number; target: string[] })[];
    expect(units.find((u) => u.source[0] === 'Hello, whole world!')).toMatchObject({
      state: 10,
      target: ['Ahoj, světe!'],
    });
    expect(units.map((u) => u.source[0])).toContain('Brand new');
    expect(remote.log()[0]!.subject).toBe('Update the translation files of Example');
  });

  it('the squash add-on joins commits before a push', async () => {
    const remote = makeRemote(exampleFiles());
    const { project, path, componentPath } = await importExample(api, remote);
    await install(componentPath, 'weblate.git.squash', {
      squash: 'all',
      append_trailers: true,
      commit_message: 'All at once',
    });
    await edit(path, 'Good bye.', ['Na shledanou']);
    await operate(componentPath, 'commit');
    await edit(path, 'Hello, world!', ['Nazdar']);
    await operate(componentPath, 'commit');
    await edit(`/api/translations/${project}/example/de`, 'Good bye.', ['Tschüss']);
    await operate(componentPath, 'push');
    expect(remote.log().map((commit) => commit.subject)).toEqual(['All at once', 'Initial texts']);
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Nazdar');
    expect(remote.remoteFile('po/de.po').toString()).toContain('Tschüss');
    expect(await api.get(`${componentPath}/repository/`)).toMatchObject({ needs_push: false, needs_merge: false });
  });
});

describe('add-ons for other files', () => {
  const json = {
    'locales/en.json': '{"hello": "Hello", "bye": "Bye"}\n',
    'locales/cs.json': '{"hello": "Ahoj", "bye": "", "gone": "Pryč"}\n',
  };
  const settings = {
    filemask: 'locales/*.json',
    template: 'locales/en.json',
    new_base: 'locales/en.json',
    file_format: 'json',
  };

  it('add-ons clean up and format JSON files', async () => {
    const remote = makeRemote(json);
    const { path, componentPath } = await importExample(api, remote, settings);
    await install(componentPath, 'weblate.cleanup.generic');
    await pushedFile(remote, componentPath, 'locales/cs.json', (text) => text !== '' && !text.includes('gone'));
    await install(componentPath, 'weblate.cleanup.blank');
    await pushedFile(remote, componentPath, 'locales/cs.json', (text) => text !== '' && !text.includes('bye'));
    await install(componentPath, 'weblate.json.customize', { sort_keys: true, indent: 2, style: 'spaces' });
    await edit(path, 'Bye', ['Sbohem']);
    await operate(componentPath, 'push');
    expect(remote.remoteFile('locales/cs.json').toString()).toBe('{\n  "bye": "Sbohem",\n  "hello": "Ahoj"\n}\n');
  });

  it('the properties add-on sorts keys', async () => {
    const remote = makeRemote({
      'app_en.properties': 'b=B\na=A\n',
      'app_cs.properties': '# Kept\nb=1\na=2\n',
    });
    const { path, componentPath } = await importExample(api, remote, {
      filemask: 'app_*.properties',
      template: 'app_en.properties',
      new_base: '',
      file_format: 'properties-utf8',
    });
    await install(componentPath, 'weblate.properties.sort', {});
    await edit(path, 'B', ['Bé']);
    await operate(componentPath, 'push');
    expect(remote.remoteFile('app_cs.properties').toString()).toBe('a=2\n# Kept\nb=Bé\n');
  });
});

describe('add-ons of a project and of structure', () => {
  it('discovery creates components from the repository, and a language add-on gives all components the same languages', async () => {
    const files = exampleFiles();
    const remote = makeRemote({
      ...files,
      'modules/menu/cs.po': files['po/cs.po'],
      'modules/menu/menu.pot': files['po/example.pot'],
    });
    const { project, componentPath } = await importExample(api, remote);
    await install(componentPath, 'weblate.discovery.discovery', {
      match: 'modules/(?P<component>[^/]*)/(?P<language>[^/]*)\\.po',
      file_format: 'po',
      name_template: 'Module {{ component }}',
      new_base_template: 'modules/{{ component }}/{{ component }}.pot',
      language_regex: '^[^.]+$',
      copy_addons: true,
      remove: false,
    });
    const found = await eventually(
      () => api.send('GET', `/api/components/${project}/module-menu/`),
      (answer: { status: number }) => answer.status === 200,
    );
    expect(found.body).toMatchObject({
      name: 'Module menu',
      filemask: 'modules/menu/*.po',
      new_base: 'modules/menu/menu.pot',
      linked_component: `${base}${componentPath}/`,
    });
    await eventually(
      () => api.send('GET', `/api/translations/${project}/module-menu/cs/`),
      (answer: { status: number }) => answer.status === 200,
    );
    await api.post(`/api/projects/${project}/addons/`, { name: 'weblate.consistency.languages' });
    const german = await eventually(
      () => api.send('GET', `/api/translations/${project}/module-menu/de/`),
      (answer: { status: number }) => answer.status === 200,
    );
    expect(german.body.filename).toBe('modules/menu/de.po');
    await operate(componentPath, 'push');
    expect(remote.remoteFile('modules/menu/de.po').toString()).toContain('Language: de');
  });

  it('an add-on that cannot be installed reports the reason', async () => {
    const { componentPath } = await importExample(api, makeRemote(exampleFiles()));
    const problem = async (name: string, configuration?: unknown) => {
      const { status, body } = await api.send('POST', `${componentPath}/addons/`, { name, configuration });
      expect(status).toBe(400);
      return body.errors.map((e: { attr: string }) => e.attr);
    };
    expect(await problem('weblate.gettext.linguas')).toEqual(['name']);
    expect(await problem('weblate.properties.sort')).toEqual(['name']);
    expect(await problem('weblate.cdn.cdnjs')).toEqual(['name']);
    expect(await problem('weblate.gettext.mo', { path: '{{ nothing }}' })).toEqual(['configuration']);
    expect(await problem('weblate.webhook.webhook', { webhook_url: 'ftp://example.com/' })).toEqual(['configuration']);
  });
});
