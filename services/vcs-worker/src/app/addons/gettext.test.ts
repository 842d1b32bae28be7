import { addonFiles, fileOf, installed } from '../../../test/support/memory/addon-files';
import { po } from '../../../test/support/memory/world';
import { authors, configure, folderOf, linguas, mo, msgmerge, updateLinguas, wrapping } from './gettext';

describe('LINGUAS', () => {
  it('the LINGUAS file keeps its comments and layout', () => {
    expect(updateLinguas('# Head\ncs\nde\n', ['cs', 'de', 'fr'])).toBe('# Head\ncs\nde\nfr\n');
    expect(updateLinguas('cs de\n', ['cs', 'de', 'fr'])).toBe('cs de fr\n');
    expect(updateLinguas('de\ncs # Czech\n', ['cs', 'de'])).toBe('de\ncs # Czech\n');
  });

  it('the LINGUAS file is in the folder of the translation files', () => {
    expect(folderOf('po/*.po')).toBe('po');
    expect(folderOf('locale/*/LC_MESSAGES/a.po')).toBe('locale');
    expect(folderOf('*.po')).toBe('');
  });

  it.each([
    ['the folder of the files', { 'l/LINGUAS': 'cs\n', LINGUAS: 'cs\n' }, 'l/LINGUAS'],
    ['the root', { LINGUAS: 'cs\n', 'po/LINGUAS': 'cs\n' }, 'LINGUAS'],
    ['po', { 'po/LINGUAS': 'cs\n' }, 'po/LINGUAS'],
  ])('the first one is updated: in %s', async (_, committed, expected) => {
    const { files, text, maintenance } = addonFiles(installed('weblate.gettext.linguas'), committed, {
      filemask: 'l/*.po',
    });
    await linguas.maintainFiles!(maintenance(fileOf('de'), fileOf('cs')));
    expect(files.takeChanges().map(({ path }) => path)).toEqual([expected]);
    expect(await text(expected)).toBe('cs\nde\n');
  });

  it('the LINGUAS file is not created', async () => {
    const { files, maintenance } = addonFiles(installed('weblate.gettext.linguas'), {});
    await linguas.maintainFiles!(maintenance(fileOf('de')));
    expect(files.takeChanges()).toEqual([]);
  });
});

it('configure scripts list the languages, keep their quotes and every other byte', async () => {
  const script = 'AC_INIT\n  ALL_LINGUAS="cs"\nX=\xe9\n';
  const { files, maintenance } = addonFiles(installed('weblate.gettext.configure'), {});
  await files.write('configure.ac', Buffer.from(script, 'latin1'));
  await files.write('configure', Buffer.from("ALL_LINGUAS=''\n"));
  await configure.maintainFiles!(maintenance(fileOf('de'), fileOf('cs'), fileOf('cs', 'other/cs.po')));
  expect((await files.read('configure.ac'))!.toString('latin1')).toBe(script.replace('"cs"', '"cs de"'));
  expect((await files.read('configure'))!.toString()).toBe("ALL_LINGUAS='cs de'\n");
});

describe('mo', () => {
  const files = { 'po/cs.po': po({ One: 'jedna' }) };

  it('a compiled file is written beside the committed one, or to the configured path', async () => {
    const beside = addonFiles(installed('weblate.gettext.mo'), files);
    await mo.changeCommit!(beside.commit(fileOf('cs')));
    const compiled = (await beside.files.read('po/cs.mo'))!;
    expect(compiled.readUInt32LE(0)).toBe(0x950412de);
    expect(compiled.toString()).toContain('jedna');
    const elsewhere = addonFiles(installed('weblate.gettext.mo', { path: 'mo/{{ language_code }}.mo' }), files);
    await mo.changeCommit!(elsewhere.commit(fileOf('cs')));
    expect(elsewhere.files.takeChanges().map(({ path }) => path)).toEqual(['mo/cs.mo']);
  });

  it('strings that need editing are compiled on request', async () => {
    const fuzzy = { 'po/cs.po': po({ One: 'jedna' }).replace('msgid "One"', '#, fuzzy\nmsgid "One"') };
    const compiled = async (configuration: object) => {
      const { files: staged, commit } = addonFiles(installed('weblate.gettext.mo', { ...configuration }), fuzzy);
      await mo.changeCommit!(commit(fileOf('cs')));
      return (await staged.read('po/cs.mo'))!.toString().includes('jedna');
    };
    expect([await compiled({}), await compiled({ fuzzy: true })]).toEqual([false, true]);
  });

  it('a path of a translation file is not overwritten', async () => {
    const { files: staged, log, commit } = addonFiles(installed('weblate.gettext.mo', { path: 'po/de.po' }), files);
    await mo.changeCommit!(commit(fileOf('cs')));
    expect(staged.takeChanges()).toEqual([]);
    expect(log).toHaveLength(1);
  });
});

it('the author of a commit is credited in the comments of the file, with the year of the commit', async () => {
  const { text, commit } = addonFiles(installed('weblate.gettext.authors'), { 'po/cs.po': po({ One: 'jedna' }) });
  await authors.changeCommit!(commit(fileOf('cs')));
  expect(await text('po/cs.po')).toContain('# Ann <ann@example.com>, 2026.');
});

it('lines are wrapped at the configured width', async () => {
  const long = 'word '.repeat(40).trim();
  const { text, commit } = addonFiles(installed('weblate.gettext.customize', { width: -1 }), {
    'po/cs.po': po({ [long]: '' }).replace(`"${long}"`, `""\n"${long.slice(0, 50)}"\n"${long.slice(50)}"`),
  });
  await wrapping.changeCommit!(commit(fileOf('cs')));
  expect(await text('po/cs.po')).toContain(`msgid "${long}"`);
});

describe('msgmerge', () => {
  const pot = po({ One: '', Two: '' });

  it('files get the strings of the template', async () => {
    const { text, maintenance } = addonFiles(
      installed('weblate.gettext.msgmerge'),
      { 'app.pot': pot, 'po/cs.po': po({ One: 'jedna' }) },
      { newBase: 'app.pot' },
    );
    await msgmerge.maintainFiles!(maintenance(fileOf('cs')));
    const merged = (await text('po/cs.po'))!;
    expect([merged.includes('jedna'), merged.includes('msgid "Two"')]).toEqual([true, true]);
  });

  it.each([
    ['app.pot', 'app.pot: the template is missing'],
    ['', 'new_base: the template is missing'],
  ])('a missing template (%s) is logged and changes no file', async (newBase, line) => {
    const { files, log, maintenance } = addonFiles(
      installed('weblate.gettext.msgmerge'),
      { 'po/cs.po': po({ One: 'jedna' }) },
      { newBase },
    );
    await msgmerge.maintainFiles!(maintenance(fileOf('cs')));
    expect(files.takeChanges()).toEqual([]);
    expect(log).toEqual([line]);
  });
});
