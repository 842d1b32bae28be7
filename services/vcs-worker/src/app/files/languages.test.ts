import type { Permission } from '@parlance/access';
import { actionsIn, fieldsOf, po, reasonOf, userWith, UseCaseWorld } from '../../../test/support/memory/world';
import { languageInfo } from '../../domain/component';
import { languageObject } from '../../../test/support/languages';
import { Action } from '../change-events';
import { siteCaller } from './callers';
import { addLanguage, addLanguages, formatFileLanguage, removeLanguage } from './languages';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({
    'po/cs.po': po({ One: 'jedna' }),
    'po/app.pot': po({ One: '' }),
    po2: 'a file\n',
  });
});
afterEach(() => world.close());

const add = (code: string, ...permissions: Permission[]) => addLanguage(world.deps, userWith(...permissions), 1, code);

describe('adding a language', () => {
  it('the new file is committed, imported and announced', async () => {
    await world.imported(1, { newBase: 'po/app.pot' });
    const id = await add('de', 'translation.add');
    expect(world.translations.stored.get(id)).toMatchObject({ languageCode: 'de', filename: 'po/de.po' });
    expect(await world.read(1, 'po/de.po')).toContain('msgid "One"');
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.languageAdded]);
    expect((await world.repository(1)).ahead).toBe(1);
  });

  it('a file that the repository already contains is imported without a commit', async () => {
    await world.imported(1, { newBase: 'po/app.pot' });
    await add('cs', 'translation.add');
    expect(actionsIn(world.effects)).toEqual([Action.languageAdded]);
  });

  it('adding requires translation.add, and component.edit unless new languages add files', async () => {
    const { settings } = await world.imported(1, { newBase: 'po/app.pot' });
    expect(await reasonOf(add('de'))).toBe('PERMISSION_DENIED');
    settings.newLang = 'contact';
    expect(await reasonOf(add('de', 'translation.add'))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(add('de', 'translation.add', 'component.edit'))).toBe('OK');
    settings.locked = true;
    expect(await reasonOf(add('fr', 'translation.add', 'component.edit'))).toBe('LOCKED');
  });

  it('unknown, existing, filtered and impossible languages are refused on their field', async () => {
    const { settings } = await world.imported(1, { newBase: 'po/app.pot' });
    world.translations.add(1, 'cs', 'po/cs.po');
    const problem = (code: string) => fieldsOf(add(code, 'translation.add'));
    expect(await problem('unknown')).toEqual(['language_code:does_not_exist']);
    expect(await problem('cs')).toEqual(['language_code:unique']);
    expect(await problem('en')).toEqual(['language_code:unique']);
    settings.languageRegex = '^fr$';
    expect(await problem('de')).toEqual(['language_code:invalid']);
    settings.languageRegex = '.';
    settings.filemask = 'po2/*.po';
    expect(await problem('de')).toEqual(['language_code:invalid']);
    expect(world.effects.events).toEqual([]);
  });

  it('several languages share a commit, and a rejected one does not prevent the others', async () => {
    const component = await world.imported(1, { newBase: 'po/app.pot' });
    world.translations.add(1, 'cs', 'po/cs.po');
    const rejected: string[] = [];
    const wanted = ['cs', 'de', 'fr'].map((code) => languageInfo({ ...languageObject(code), inUse: true, version: 1 }));
    const ids = await addLanguages(world.deps, siteCaller(world.deps), component, wanted, (_, { code }) =>
      rejected.push(code),
    );
    expect(ids).toHaveLength(2);
    expect(rejected).toEqual(['cs']);
    expect((await world.repository(1)).ahead).toBe(1);
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.languageAdded, Action.languageAdded]);
  });

  it('a file name spells the language code as the component wants', async () => {
    const component = await world.imported(1, { languageCodeStyle: 'bcp' });
    expect(formatFileLanguage(component, 'pt_BR')).toBe('pt-BR');
  });
});

describe('removing a language', () => {
  it('the file is removed in a commit before the translation', async () => {
    await world.imported(1);
    const cs = world.translations.add(1, 'cs', 'po/cs.po');
    await removeLanguage(world.deps, userWith('translation.delete'), 1, cs.id);
    expect(await world.read(1, 'po/cs.po')).toBeNull();
    const { list } = world.effects;
    expect(list.indexOf('save commits')).toBeLessThan(list.indexOf('remove translation cs'));
    expect(world.translations.stored.has(cs.id)).toBe(false);
  });

  it('the source language, other components and callers without permission are refused', async () => {
    await world.imported(1);
    const [en, other] = [world.translations.add(1, 'en', ''), world.translations.add(2, 'cs', 'po/cs.po')];
    const remove = (id: number, ...permissions: Permission[]) =>
      reasonOf(removeLanguage(world.deps, userWith(...permissions), 1, id));
    expect(await remove(en.id, 'translation.delete')).toBe('PERMISSION_DENIED');
    expect(await remove(other.id, 'translation.delete')).toBe('NOT_FOUND');
    expect(await remove(404, 'translation.delete')).toBe('NOT_FOUND');
    expect(await remove(404)).toBe('PERMISSION_DENIED');
    expect(world.effects.list).toEqual([]);
  });

  it('the file of a base stays', async () => {
    await world.imported(1, { newBase: 'po/cs.po' });
    const cs = world.translations.add(1, 'cs', 'po/cs.po');
    await removeLanguage(world.deps, userWith('translation.delete'), 1, cs.id);
    expect(await world.read(1, 'po/cs.po')).toContain('jedna');
  });
});
