import { makeComponent, makeProject, problemsOf, reasonOf, startWorld, type World } from './support/catalog';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('languages', () => {
  it('predefined languages are seeded once with plural rules', async () => {
    const { client, admin } = world;
    const pages = await Promise.all(
      [1, 2].map((page) => client.listLanguages({ page: { page, pageSize: 1000 } }, admin)),
    );
    const languages = pages.flatMap((page) => page.languages);
    const { total } = pages[0]!;
    expect(total).toBeGreaterThan(1000);
    expect(new Set(languages.map((l) => l.code)).size).toBe(total);
    const second = await world.another();
    expect((await second.client.listLanguages({}, admin)).total).toBe(total);
    expect((await client.getLanguage({ code: 'ar' }, admin)).language).toMatchObject({
      direction: 'rtl',
      plural: { number: 6 },
    });
    expect((await client.getLanguage({ code: 'cs' }, admin)).language).toMatchObject({
      name: 'Czech',
      direction: 'ltr',
      plural: { number: 3, type: 22 },
      inUse: false,
    });
  });

  it('languages in use are visible to everyone', async () => {
    const { client } = world;
    expect(await reasonOf(client.getLanguage({ code: 'sk' }, world.anonymous))).toBe('NOT_FOUND');
    const project = await makeProject(world, 'used');
    const component = await makeComponent(world, project, 'c');
    await client.resolveLanguages({ projectId: project, componentId: component.id, fileCodes: ['sk'] }, world.process);
    expect((await client.getLanguage({ code: 'sk' }, world.anonymous)).language?.inUse).toBe(true);
    expect(await reasonOf(client.deleteLanguage({ code: 'sk' }, world.admin))).toBe('FAILED_PRECONDITION');
    await client.deleteComponent({ id: component.id }, world.admin);
    expect(await reasonOf(client.getLanguage({ code: 'sk' }, world.anonymous))).toBe('NOT_FOUND');
  });

  it('languages are resolved from codes of files, and unknown ones are created once', async () => {
    const { client } = world;
    const project = await makeProject(world, 'codes', { languageAliases: 'xx:de,english:en_GB' });
    const component = await makeComponent(world, project, 'c', { sourceLanguage: 'fr' });
    const resolve = async (fileCodes: string[], componentId = component.id) =>
      (await client.resolveLanguages({ projectId: project, componentId, fileCodes }, world.process)).languages;
    expect(
      (await resolve(['cs', 'pt-BR', 'zh-rTW', 'xx', 'english', 'source', 'cs_CZ', 'iw'])).map((l) => l.code),
    ).toEqual(['cs', 'pt_BR', 'zh_Hant', 'de', 'en_GB', 'fr', 'cs', 'he']);
    const [a, b] = await Promise.all([resolve(['de_XX@odd', 'qzz']), resolve(['qzz'])]);
    expect(a[1]).toEqual(b[0]);
    expect(a[0]).toMatchObject({ code: 'de_XX@odd', pluralNumber: 2, direction: 'ltr' });
    expect(a[1]!.id).toBeGreaterThan(0);
    expect(await resolve(['../../etc/passwd', ''])).toEqual([
      expect.objectContaining({ code: '', id: 0 }),
      expect.objectContaining({ code: '', id: 0 }),
    ]);
    expect(await reasonOf(client.resolveLanguages({ projectId: project, fileCodes: ['cs'] }, world.admin))).toBe(
      'PERMISSION_DENIED',
    );
    expect(await reasonOf(client.resolveLanguages({ projectId: 999_999, fileCodes: ['cs'] }, world.process))).toBe(
      'NOT_FOUND',
    );
  });

  it('languages are created and changed with permission', async () => {
    const { client, admin } = world;
    const create = (language: object) => client.createLanguage({ language }, admin);
    const { language } = await create({ code: 'x-test', name: 'Test', plural: { number: 2, formula: 'n != 1' } });
    expect(language).toMatchObject({
      code: 'x-test',
      direction: 'ltr',
      population: 0,
      plural: { number: 2, formula: 'n != 1', type: 1, source: 0 },
    });
    expect(await problemsOf(create({}))).toEqual({ code: 'required', name: 'required', plural: 'required' });
    expect(await problemsOf(create({ code: 'x-test', name: 'T', plural: { number: 2, formula: 'n != 1' } }))).toEqual({
      null: 'unique',
    });
    expect(
      await problemsOf(
        create({ code: 'a b', name: '', direction: 'up', population: -1, plural: { number: 2, formula: 'system(1)' } }),
      ),
    ).toEqual({
      code: 'invalid',
      name: 'blank',
      direction: 'invalid_choice',
      population: 'min_value',
      'plural.formula': 'invalid',
    });
    expect(await problemsOf(create({ code: 'b', name: 'B', plural: { number: 2, formula: '1 / 0' } }))).toEqual({
      'plural.formula': 'invalid',
    });
    expect(await problemsOf(create({ code: 'b', name: 'B', plural: { number: 1, formula: 'n != 1' } }))).toEqual({
      'plural.formula': 'invalid',
    });
    expect(await problemsOf(create({ code: 'b', name: 'B', plural: {} }))).toEqual({
      'plural.number': 'required',
      'plural.formula': 'required',
    });
    const updated = await client.updateLanguage(
      { code: 'x-test', language: { direction: 'rtl', plural: { formula: 'n > 1' } } },
      admin,
    );
    expect(updated.language).toMatchObject({
      name: 'Test',
      direction: 'rtl',
      plural: { number: 2, formula: 'n > 1', type: 1 },
    });
    expect((await client.getLanguage({ code: 'x-test' }, admin)).language?.plural?.formula).toBe('n > 1');
    expect(await problemsOf(client.updateLanguage({ code: 'x-test', language: { code: 'y' } }, admin))).toEqual({
      code: 'invalid',
    });
    expect(await reasonOf(client.createLanguage({ language: { code: 'z' } }, world.member(4, [])))).toBe(
      'PERMISSION_DENIED',
    );
    await client.deleteLanguage({ code: 'x-test' }, admin);
    expect(await reasonOf(client.getLanguage({ code: 'x-test' }, admin))).toBe('NOT_FOUND');
  });
});
