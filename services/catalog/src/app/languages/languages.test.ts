import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { createLanguage, deleteLanguage, getLanguage, listLanguages, updateLanguage } from './languages';

const page = { page: 1, size: 10 };
const czech = {
  code: 'cs',
  name: 'Czech',
  direction: 'ltr',
  plural: { number: 3, formula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2' },
};

/** A world where English is in use and German is not. */
async function start() {
  const world = new UseCaseWorld();
  await world.language('en');
  await world.language('de');
  const project = await world.project('acme');
  await world.component(project.id, 'app');
  return world;
}

describe('lists of languages', () => {
  it('languages in use are public, and editors of languages see all', async () => {
    const world = await start();
    const codes = async (context = world.admin) =>
      (await listLanguages(world.deps, context, page)).items.map((v) => `${v.language.code}:${v.inUse}`);
    expect(await codes()).toEqual(['en:true', 'de:false']);
    expect(await codes(world.anonymous)).toEqual(['en:true']);
    expect(await reasonOf(getLanguage(world.deps, world.anonymous, 'de'))).toBe('NOT_FOUND');
    expect((await getLanguage(world.deps, world.admin, 'de')).inUse).toBe(false);
  });
});

describe('createLanguage', () => {
  it('a new language gets the type of its plural formula and is announced after it is stored', async () => {
    const world = await start();
    const { language, inUse } = await createLanguage(world.deps, world.admin, czech);
    expect(language).toMatchObject({ code: 'cs', version: 1, plural: { id: language.id, number: 3 } });
    expect(inUse).toBe(false);
    expect(world.effects.list).toEqual(['store language cs', 'announce a new generation']);
  });

  it('creating a language requires language.edit on the site', async () => {
    const world = await start();
    expect(await reasonOf(createLanguage(world.deps, world.member(['project.edit']), czech))).toBe('PERMISSION_DENIED');
  });

  it('a taken code is a problem of the request, not of a field', async () => {
    const world = await start();
    expect(await fieldsOf(createLanguage(world.deps, world.admin, { ...czech, code: 'de' }))).toEqual(['null:unique']);
  });

  it('the plural formula must parse and fit the number of forms', async () => {
    const world = await start();
    const create = (plural: object) => fieldsOf(createLanguage(world.deps, world.admin, { ...czech, plural }));
    expect(await create({ number: 2, formula: 'n ==' })).toEqual(['plural.formula:invalid']);
    expect(await create({ number: 2, formula: czech.plural.formula })).toEqual([expect.stringMatching(/^plural\./)]);
    expect(await create({ number: 3 })).toEqual(['plural.formula:required']);
  });
});

describe('updateLanguage', () => {
  it('an update keeps absent fields, and the code cannot change', async () => {
    const world = await start();
    const update = (input: object) => updateLanguage(world.deps, world.admin, 'de', input, false);
    const { language } = await update({ name: 'German' });
    expect(language).toMatchObject({
      code: 'de',
      name: 'German',
      version: 2,
      plural: { number: 2, formula: 'n != 1' },
    });
    expect(await fieldsOf(update({ code: 'at' }))).toEqual(['code:invalid']);
  });

  it('updating requires language.edit, also for a language in use', async () => {
    const world = await start();
    const update = updateLanguage(world.deps, world.member(['project.edit']), 'en', { name: 'x' }, false);
    expect(await reasonOf(update)).toBe('PERMISSION_DENIED');
  });
});

describe('deleteLanguage', () => {
  it('deleteLanguage refuses to delete a language with translations', async () => {
    const world = await start();
    expect(await reasonOf(deleteLanguage(world.deps, world.admin, 'en'))).toBe('FAILED_PRECONDITION');
    await deleteLanguage(world.deps, world.admin, 'de');
    expect(await world.languages.get('de')).toBeNull();
    expect(await reasonOf(deleteLanguage(world.deps, world.admin, 'de'))).toBe('NOT_FOUND');
  });

  it('deleting requires language.edit, and unused languages are hidden from others', async () => {
    const world = await start();
    const reader = world.member(['project.edit']);
    expect(await reasonOf(deleteLanguage(world.deps, reader, 'en'))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(deleteLanguage(world.deps, reader, 'de'))).toBe('NOT_FOUND');
  });
});
