import { addonDefinition } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { UseCaseWorld } from '../../../test/support/memory/world';
import { sameLanguages } from './languages';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ README: 'x\n' });
});
afterEach(() => world.close());

it('components get the languages of the others, except locked ones and glossaries; a rejection stops no other', async () => {
  const component = await world.imported(1);
  await world.imported(2);
  await world.imported(3, { locked: true });
  await world.imported(4, { isGlossary: true });
  for (const code of ['cs', 'de']) world.translations.add(1, code, `po/${code}.po`);
  world.translations.add(2, 'cs', 'po/cs.po');
  world.translations.add(3, 'fr', 'po/fr.po');
  const added: string[] = [];
  await sameLanguages.runTask!({
    deps: world.deps,
    addon: { id: 1, definition: addonDefinition('weblate.consistency.languages')!, configuration: {} },
    component,
    event: 'daily',
    log: (line) => void world.log.push(line),
    addLanguage: async (to, code) => {
      if (code === 'de') throw fieldErrors([{ attr: 'language_code', code: 'invalid', detail: 'Not accepted.' }]);
      added.push(`${to} ${code}`);
      return 1;
    },
  });
  expect(added).toEqual(['1 fr', '2 fr']);
  expect(world.log).toContain('Component 2: de cannot be added: Not accepted.');
});
