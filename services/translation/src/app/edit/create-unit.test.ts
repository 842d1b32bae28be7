import { Action } from '../../domain/change';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { createUnit, type CreateUnit } from './create-unit';

function start(settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  const ana = world.user(3, ['unit.add', 'glossary.add']);
  const create = (more: Partial<CreateUnit> = {}, caller = ana) =>
    createUnit(world.deps, caller, { translation: 11, context: '', source: ['Hello'], target: [''], ...more }, '');
  return { world, ana, create };
}

describe('createUnit', () => {
  it('a string of a bilingual component is added with its source string and a pending edit that adds it', async () => {
    const { world, create } = start();
    const unit = await create({ target: ['Ahoj'] });
    expect(unit).toMatchObject({
      translation: 11,
      source: ['Hello'],
      target: ['Ahoj'],
      state: 20,
      edits: [{ adds: true, author: { userId: 3 } }],
    });
    expect(await world.units.get(unit.sourceUnit)).toMatchObject({ isSource: true, target: ['Hello'], edits: [] });
    expect(world.changes.every((c) => c.action === Action.stringAdded && c.user === 3)).toBe(true);
  });

  it('a string added to the source language of a monolingual component appears in every translation', async () => {
    const { world, create } = start({ template: 'en.po' });
    await create({ translation: 10, context: ' greeting ', source: [], target: ['Hello'] });
    const [source] = await world.units.ofTranslation(10);
    expect(source).toMatchObject({ context: 'greeting', target: ['Hello'], edits: [{ adds: true }] });
    const [czech] = await world.units.ofTranslation(11);
    expect(czech).toMatchObject({ context: 'greeting', target: [''], state: 0, sourceUnit: source!.id, edits: [] });
  });

  it('createUnit refuses a string that exists, and adds nothing', async () => {
    const { world, create } = start();
    await create();
    expect(await fieldsOf(create())).toEqual(['non_field_errors:unique']);
    expect(await world.units.ofTranslation(11)).toHaveLength(1);
    expect(await reasonOf(create({ context: 'menu' }))).toBe('OK');
  });

  it('createUnit refuses missing texts, wrong numbers of forms and impossible states', async () => {
    const { create } = start();
    expect(await fieldsOf(create({ source: [''] }))).toEqual(['source.0:blank']);
    expect(await fieldsOf(create({ source: [], target: [] }))).toEqual(['source:required', 'target:required']);
    expect(await fieldsOf(create({ source: ['a', 'b'], target: ['x'] }))).toEqual(['target:invalid']);
    expect(await fieldsOf(create({ target: ['Ahoj'], state: 30 }))).toEqual(['state:invalid']);
    expect(await fieldsOf(create({ target: ['Ahoj'], state: 0 }))).toEqual(['state:invalid']);
    expect(await fieldsOf(create({ target: [''], state: 20 }))).toEqual(['target:blank']);
    expect(await fieldsOf(create({ target: ['Ahoj'], state: 15 }))).toEqual(['state:invalid_choice']);
  });

  it('keys must match the key filter and may not have both a text and child keys', async () => {
    const { create } = start({ template: 'en.json', fileFormat: 'json-nested', keyFilter: '^menu' });
    const add = (context: string) => create({ translation: 10, context, source: [], target: ['x'] });
    expect(await fieldsOf(add('other'))).toEqual(['key:invalid']);
    expect(await fieldsOf(add(''))).toEqual(['key:blank']);
    await add('menu.open');
    expect(await fieldsOf(add('menu'))).toEqual(['key:invalid']);
    expect(await fieldsOf(add('menu.open.now'))).toEqual(['key:invalid']);
  });

  it('createUnit refuses where strings are not managed, for formats without additions and outside of the source language', async () => {
    expect(await reasonOf(start({ locked: true }).create())).toBe('LOCKED');
    expect(await reasonOf(start({ manageUnits: false }).create())).toBe('PERMISSION_DENIED');
    expect(await reasonOf(start({ template: 'en.po' }).create())).toBe('PERMISSION_DENIED');
    const { world, create } = start();
    expect(await reasonOf(create({}, world.user(4, ['unit.edit'])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(create({ translation: 99 }))).toBe('NOT_FOUND');
  });

  it('a term of a glossary invalidates the cached terms of its language', async () => {
    const { world, create } = start({ isGlossary: true });
    await create({ target: ['Ahoj'] });
    expect(world.effects.at(-1)).toBe('terms changed cs');
  });
});
