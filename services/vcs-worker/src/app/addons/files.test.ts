import { addonFiles, fileOf, installed } from '../../../test/support/memory/addon-files';
import { componentOf, po } from '../../../test/support/memory/world';
import {
  blank,
  cleanup,
  followTemplate,
  generate,
  jsonLayout,
  resolveWritablePath,
  sortedProperties,
  xmlLayout,
  yamlLayout,
} from './files';

const json = { fileFormat: 'json', filemask: 'l/*.json', template: 'l/en.json' };

describe('resolveWritablePath', () => {
  const resolve = async (path: string, settings = {}, obstacle: string | null = null) => {
    const log: string[] = [];
    const { files } = addonFiles(installed('weblate.generate.generate'), {});
    files.findObstacle = async () => obstacle;
    const component = componentOf(1, settings);
    return { path: await resolveWritablePath({ component, files, log: (line) => void log.push(line) }, path), log };
  };

  it('resolveWritablePath accepts a path in the repository, in a normal form', async () => {
    expect(await resolve(' ./docs/cs.txt ')).toEqual({ path: 'docs/cs.txt', log: [] });
  });

  it.each([
    ['outside of the repository', '../x', {}],
    ['of the git folder', '.git/config', {}],
    ['of a translation file', 'po/cs.po', {}],
    ['of the base file', 'app.pot', { newBase: 'app.pot' }],
  ])('resolveWritablePath refuses a path %s with a line in the log', async (_, path, settings) => {
    const { path: resolved, log } = await resolve(path, settings);
    expect(resolved).toBeNull();
    expect(log).toHaveLength(1);
  });

  it('resolveWritablePath refuses a path at which another object is', async () => {
    expect(await resolve('docs', {}, 'the repository has a folder at docs')).toEqual({
      path: null,
      log: ['docs: the repository has a folder at docs'],
    });
  });
});

describe('generate', () => {
  const addon = installed('weblate.generate.generate', {
    filename: 'docs/{{ language_code }}.txt',
    template: 'Language {{ language_code }}',
  });

  it('the add-on generate writes a file for the committed translation, and for all translations after the installation', async () => {
    const one = addonFiles(addon, {});
    await generate.changeCommit!(one.commit(fileOf('cs')));
    expect(await one.files.list()).toEqual(['docs/cs.txt']);
    const all = addonFiles(addon, {});
    await generate.maintainFiles!(all.maintenance(fileOf('cs'), fileOf('de')));
    expect([await all.text('docs/cs.txt'), await all.text('docs/de.txt')]).toEqual(['Language cs', 'Language de']);
  });

  it('the add-on generate overwrites no file of the component', async () => {
    const { files, log, commit } = addonFiles(
      installed('weblate.generate.generate', { filename: 'po/{{ language_code }}.po', template: 'x' }),
      { 'po/cs.po': po({ One: '' }) },
    );
    await generate.changeCommit!(commit(fileOf('cs')));
    expect(files.takeChanges()).toEqual([]);
    expect(log).toEqual(['po/cs.po: is a file of the component and is not overwritten']);
  });
});

describe('files that follow the file with the source strings', () => {
  const files = { 'l/en.json': '{"a": "A", "b": "B"}', 'l/cs.json': '{"b": "B cs", "old": "x"}' };

  it('cleanup removes strings that the template does not contain', async () => {
    const { text, maintenance } = addonFiles(installed('weblate.cleanup.generic'), files, json);
    await cleanup.maintainFiles!(maintenance(fileOf('cs', 'l/cs.json')));
    expect(JSON.parse((await text('l/cs.json'))!)).toEqual({ b: 'B cs' });
  });

  it('followTemplate also adds the missing strings', async () => {
    const resx = (strings: Record<string, string>) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<root>\n${Object.entries(strings)
        .map(
          ([name, value]) => `  <data name="${name}" xml:space="preserve">\n    <value>${value}</value>\n  </data>\n`,
        )
        .join('')}</root>\n`;
    const { text, maintenance } = addonFiles(
      installed('weblate.resx.update'),
      { 'en.resx': resx({ a: 'A', b: 'B' }), 'cs.resx': resx({ b: 'B cs', old: 'x' }) },
      { fileFormat: 'resx', filemask: '*.resx', template: 'en.resx' },
    );
    await followTemplate.maintainFiles!(maintenance(fileOf('cs', 'cs.resx')));
    const followed = (await text('cs.resx'))!;
    expect([followed.includes('name="a"'), followed.includes('B cs'), followed.includes('old')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('without the file with the source strings, no file changes', async () => {
    const { files: staged, maintenance } = addonFiles(installed('weblate.cleanup.generic'), files, {
      ...json,
      template: 'l/missing.json',
    });
    await cleanup.maintainFiles!(maintenance(fileOf('cs', 'l/cs.json')));
    expect(staged.takeChanges()).toEqual([]);
  });
});

it('blank removes untranslated strings, from the committed file or from all', async () => {
  const files = { 'l/cs.json': '{"a": "A", "b": ""}', 'l/de.json': '{"a": "", "b": "B"}' };
  const one = addonFiles(installed('weblate.cleanup.blank'), files, json);
  await blank.changeCommit!(one.commit(fileOf('cs', 'l/cs.json')));
  expect(one.files.takeChanges().map(({ path }) => path)).toEqual(['l/cs.json']);
  expect(JSON.parse((await one.text('l/cs.json'))!)).toEqual({ a: 'A' });
  const all = addonFiles(installed('weblate.cleanup.blank'), files, json);
  await blank.maintainFiles!(all.maintenance(fileOf('cs', 'l/cs.json'), fileOf('de', 'l/de.json')));
  expect(JSON.parse((await all.text('l/de.json'))!)).toEqual({ b: 'B' });
});

describe('layouts of committed files', () => {
  const layout = async (
    effect: typeof jsonLayout,
    name: string,
    configuration: Record<string, unknown>,
    [path, before]: [string, string],
    settings = {},
  ) => {
    const { text, commit } = addonFiles(installed(name, configuration), { [path]: before }, settings);
    await effect.changeCommit!(commit(fileOf('cs', path)));
    return text(path);
  };

  it.each([
    ['spaces', { indent: 2 }, '{\n  "b": "1",\n  "a": "2"\n}'],
    ['sorted keys', { indent: 1, sort_keys: true }, '{\n "a": "2",\n "b": "1"\n}'],
    ['one tab, whatever the width', { indent: 4, style: 'tabs' }, '{\n\t"b": "1",\n\t"a": "2"\n}'],
  ])('JSON files are written with %s', async (_, configuration, expected) => {
    const file: [string, string] = ['cs.json', '{"b": "1", "a": "2"}'];
    expect((await layout(jsonLayout, 'weblate.json.customize', configuration, file))!.trim()).toBe(expected);
  });

  it('YAML files are written with line breaks of DOS if configured, otherwise of Unix', async () => {
    const file: [string, string] = ['cs.yml', 'cs:\n    a: "1"\n'];
    const dos = await layout(yamlLayout, 'weblate.yaml.customize', { line_break: 'dos' }, file);
    expect(dos).toContain('cs:\r\n  a:');
    const other = await layout(yamlLayout, 'weblate.yaml.customize', { line_break: 'x', indent: 3 }, file);
    expect(other).toContain('cs:\n   a:');
  });

  it('XML files are written with closing tags', async () => {
    const file: [string, string] = ['cs.xml', '<r><a/></r>'];
    expect(await layout(xmlLayout, 'weblate.xml.customize', { closing_tags: true }, file)).toContain('<a></a>');
  });

  it.each([
    [true, 'B=1\na=2\n'],
    [false, 'a=2\nB=1\n'],
  ])('properties sorted by key, case-sensitive: %s', async (sensitive, expected) => {
    const file: [string, string] = ['cs.properties', 'a=2\nB=1\n'];
    const settings = { fileFormat: 'properties' };
    const configuration = { case_sensitive: sensitive };
    expect(await layout(sortedProperties, 'weblate.properties.sort', configuration, file, settings)).toBe(expected);
  });
});
