import type { ProjectTerm } from '../../domain/project-term';
import type { Unit } from '../../domain/unit';
import { StringsWorld } from '../../../test/support/memory/world';
import { recheckTerms } from './term-checks';

const term: ProjectTerm = {
  unit: 90,
  component: 3,
  source: 'Hello',
  targets: ['Zdravím'],
  forbidden: false,
  readOnly: false,
};

function start(fields: Partial<Unit> = {}, settings = {}, sourceFields: Partial<Unit> = {}, terms = [term]) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20, ...fields }, sourceFields);
  const deps = {
    ...world.deps,
    glossary: { ...world.deps.glossary, terms: async () => terms, storedTerms: async () => terms },
  };
  const checks = async () => (await world.units.get(7))!.checks;
  return { world, recheck: () => recheckTerms(deps, czech), checks };
}
const flagged = { flags: 'check-glossary' };

describe('recheckTerms', () => {
  it.each([
    ['the file', flagged, {}, {}],
    ['the component', {}, { checkFlags: 'check-glossary' }, {}],
    ['the source string', {}, {}, { extraFlags: 'check-glossary' }],
  ])('recheckTerms checks strings that have the flag from %s', async (_, fields, settings, sourceFields) => {
    const { recheck, checks } = start(fields, settings, sourceFields);
    expect(await recheck()).toEqual([7]);
    expect(await checks()).toEqual(['check_glossary']);
  });

  it('strings without the flag are not checked', async () => {
    const { world, recheck } = start();
    expect(await recheck()).toEqual([]);
    expect(world.effects).toEqual([]);
  });

  it('a term that was removed ends the failure', async () => {
    const { recheck, checks } = start({ ...flagged, checks: ['check_glossary'] }, {}, {}, []);
    expect(await recheck()).toEqual([7]);
    expect(await checks()).toEqual([]);
  });

  it('other failing checks stay, and then the string did not start failing', async () => {
    const { recheck, checks } = start({ ...flagged, checks: ['end_stop'] });
    expect(await recheck()).toEqual([]);
    expect(await checks()).toEqual(['end_stop', 'check_glossary']);
  });

  it.each([
    ['read-only', { state: 100 }],
    ['untranslated', { state: 0, target: [''] }],
  ])('a string that is %s fails no glossary check', async (_, fields) => {
    const { world, recheck } = start({ ...flagged, ...fields });
    await recheck();
    expect(world.effects).toEqual([]);
  });

  it('a string that was written meanwhile is checked again', async () => {
    const { world, recheck, checks } = start(flagged);
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, target: ['Zdravím'] });
    };
    expect(await recheck()).toEqual([]);
    expect(await checks()).toEqual([]);
  });
});
