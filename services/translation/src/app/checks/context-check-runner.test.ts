import { Action } from '../../domain/change';
import { emptyCounters } from '../../domain/counters';
import type { ProjectTerm } from '../../domain/project-term';
import type { Unit } from '../../domain/unit';
import { StringsWorld } from '../../../test/support/memory/world';
import { language, sampleTranslation } from '../../../test/support/samples';
import { ContextCheckRunner } from './context-check-runner';

const ahoj: Partial<Unit> = { target: ['Ahoj'], state: 20 };

/** Two components that share the string `Hello`: units 7 and 8. */
function start(one: Partial<Unit> = ahoj, other: Partial<Unit> = ahoj, settings = {}, otherSettings = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, { propagation: true, ...settings });
  world.component(2, { propagation: true, ...otherSettings });
  world.string(1, 7, 'Hello', one);
  world.string(2, 8, 'Hello', other);
  const terms: ProjectTerm[] = [];
  const glossary = { ...world.deps.glossary, terms: async () => terms, storedTerms: async () => terms };
  const runner = new ContextCheckRunner({ ...world.deps, glossary });
  const run = (unit = 7, failing = false) => runner.run([{ unit, touched: { texts: [], failing } }]);
  const checks = async (id: number) => (await world.units.get(id))!.checks;
  return { world, czech, terms, runner, run, checks };
}

describe('run', () => {
  it('another translation of the same source in another component is inconsistent, on both sides', async () => {
    const { run, checks } = start(ahoj, { target: ['Nazdar'], state: 20 });
    await run();
    expect([await checks(7), await checks(8)]).toEqual([['inconsistent'], ['inconsistent']]);
  });

  it('equal translations end the failure of both', async () => {
    const { run, checks } = start({ ...ahoj, checks: ['inconsistent'] }, { ...ahoj, checks: ['inconsistent'] });
    await run();
    expect([await checks(7), await checks(8)]).toEqual([[], []]);
  });

  it.each([
    ['the edited component does not propagate', { propagation: false }, {}],
    ['the other component does not propagate', {}, { propagation: false }],
    ['the other component has another source language', {}, { sourceLanguage: language('de') }],
  ])('translations are not compared if %s', async (_, settings, otherSettings) => {
    const { run, checks } = start(ahoj, { target: ['Nazdar'], state: 20 }, settings, otherSettings);
    await run();
    expect(await checks(7)).toEqual([]);
  });

  it('a read-only string fails no check and makes no other string inconsistent', async () => {
    const { run, checks } = start({ target: ['Nazdar'], state: 100 }, ahoj);
    await run();
    expect([await checks(7), await checks(8)]).toEqual([[], []]);
  });

  it('a translation that another source has is reused, on both sides', async () => {
    const { world, run, checks } = start();
    world.string(1, 9, 'Hi', ahoj);
    await run();
    expect([await checks(7), await checks(9)]).toEqual([['reused'], ['reused']]);
  });

  it('extra flags that another replica has replaced do not decide, although this one still caches them', async () => {
    const { world } = start(
      { target: ['Too long'], state: 20, checks: ['max-length'] },
      { ...ahoj, target: ['Nazdar'] },
    );
    await world.units.write({
      unit: 507,
      version: (await world.units.get(507))!.version,
      patch: { extraFlags: 'max-length:5' },
    });
    const deps = { ...world.deps, sourceFlags: { of: async () => 'ignore-all-checks' } };
    const runner = new ContextCheckRunner(deps);
    await runner.run([{ unit: 7, touched: { texts: [], failing: false } }]);
    expect((await world.units.get(7))!.checks).toEqual(expect.arrayContaining(['max-length', 'inconsistent']));
  });

  it('settings that changed before the strings were read decide, although this process still caches the old ones', async () => {
    const failing = { target: ['Too long'], state: 20, checks: ['max-length'] };
    const { world } = start(failing, { ...ahoj, target: ['Nazdar'] });
    const many = world.units.many.bind(world.units);
    let generation = 'old';
    world.units.many = async (ids) => {
      generation = 'new';
      return many(ids);
    };
    const component = async (id: number, known: string) => ({
      ...world.components.get(id)!,
      checkFlags: known === 'new' ? 'max-length:5' : '',
    });
    const deps = {
      ...world.deps,
      catalog: { ...world.deps.catalog, component },
      catalogGeneration: { current: async () => generation },
    };
    await new ContextCheckRunner(deps).run([{ unit: 7, touched: { texts: [], failing: false } }]);
    expect((await many([7]))[0]!.checks).toEqual(expect.arrayContaining(['max-length', 'inconsistent']));
  });

  it('the string that had the same text before the edit is checked again', async () => {
    const { world, runner, checks } = start({ target: ['Nazdar'], state: 20 }, { target: ['Nazdar'], state: 20 });
    world.string(1, 9, 'Hi', { ...ahoj, checks: ['reused'] });
    await runner.run([{ unit: 7, touched: { texts: [['Ahoj']], failing: false } }]);
    expect(await checks(9)).toEqual([]);
  });

  it('a string that had a translation before fails "translated" until it is translated again', async () => {
    const { world, run, checks } = start({ target: [''], state: 0 }, { target: [''], state: 0 });
    const unit = (await world.units.get(7))!;
    const { project, component, translation } = unit;
    const entry = { project, component, translation, unit: 7, language: 'cs', user: 3, author: 3, details: {} };
    world.changes.push(
      { ...entry, id: 1, action: Action.firstTarget, time: 1, target: 'Ahoj', old: '' },
      { ...entry, id: 2, action: Action.targetChanged, time: 2, target: '', old: 'Ahoj' },
    );
    await run();
    expect(await checks(7)).toEqual(['translated']);
    world.units.put({ ...(await world.units.get(7))!, ...ahoj });
    await run();
    expect(await checks(7)).not.toContain('translated');
  });

  it('dismissed and disabled checks do not fail', async () => {
    const { world, run, checks } = start({ ...ahoj, dismissedChecks: ['reused'] });
    world.string(1, 9, 'Hi', { ...ahoj, flags: 'ignore-reused' });
    await run();
    expect([await checks(7), await checks(9)]).toEqual([[], []]);
  });

  it('a translation without the glossary term fails where the flag is set', async () => {
    const term: ProjectTerm = {
      unit: 90,
      component: 3,
      source: 'Hello',
      targets: ['Zdravím'],
      forbidden: false,
      readOnly: false,
    };
    for (const [flags, expected] of [
      ['check-glossary', ['check_glossary']],
      ['', []],
    ] as const) {
      const { terms, run, checks } = start({ ...ahoj, flags });
      terms.push(term);
      await run();
      expect(await checks(7)).toEqual(expected);
    }
  });

  it('an edited glossary term is reported, because checks of other strings depend on it', async () => {
    const { world, run } = start(ahoj, ahoj, { isGlossary: true });
    await run();
    expect(world.effects[0]).toBe('terms changed cs');
  });

  it('a string that was written meanwhile is checked again', async () => {
    const { world, run, checks } = start(ahoj, { target: ['Nazdar'], state: 20 });
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, comments: 2 });
    };
    await run();
    expect(await checks(7)).toEqual(['inconsistent']);
    expect((await world.units.get(7))!.comments).toBe(2);
  });

  it('a second run writes nothing', async () => {
    const { world, run } = start(ahoj, { target: ['Nazdar'], state: 20 });
    await run();
    world.effects.length = 0;
    await run();
    expect(world.effects).toEqual([]);
  });
});

describe('checks of source strings', () => {
  /** A German translation of unit 7, as unit 6. */
  async function inGerman(world: StringsWorld, checks: string[]) {
    world.translations.put(sampleTranslation(12, { component: 1, language: language('de') }));
    world.units.put({ ...(await world.units.get(7))!, id: 6, translation: 12, language: 'de', checks });
  }

  it('checks that fail in several languages fail on the source string', async () => {
    const { world, run, checks } = start({ ...ahoj, checks: ['end_stop'] });
    await inGerman(world, ['end_stop']);
    await run(7, true);
    expect(await checks(507)).toEqual(['multiple_failures']);
    world.units.put({ ...(await world.units.get(6))!, checks: [] });
    await run(7, true);
    expect(await checks(507)).toEqual([]);
  });

  it('the source string is not read unless a failure started or ended', async () => {
    const { world, run, checks } = start({ ...ahoj, checks: ['end_stop'] });
    await inGerman(world, ['end_stop']);
    await run(7);
    expect(await checks(507)).toEqual([]);
  });

  it('checkSources runs the checks of all source strings of a component', async () => {
    const { world, runner, checks } = start({ ...ahoj, checks: ['end_stop'] });
    await inGerman(world, ['end_stop']);
    await runner.checkSources(1);
    expect([await checks(507), await checks(508)]).toEqual([['multiple_failures'], []]);
  });

  it('checkTranslation checks all strings of a translation and their twins', async () => {
    const { world, czech, runner, checks } = start(ahoj, { target: ['Nazdar'], state: 20 });
    world.string(1, 9, 'Hi', ahoj);
    await runner.checkTranslation(czech);
    expect([await checks(7), await checks(8), await checks(9)]).toEqual([
      ['inconsistent', 'reused'],
      ['inconsistent'],
      ['reused'],
    ]);
  });

  describe('reused texts of a whole translation', () => {
    /** Counts strings of the Czech translation; that of the other component has one. */
    async function countStrings(world: StringsWorld, strings: number): Promise<void> {
      for (const [id, counted] of [
        [11, strings],
        [21, 1],
      ] as const) {
        const counters = emptyCounters();
        counters.all.s = counted;
        world.translations.put({ ...(await world.translations.get(id))!, counters });
      }
    }

    /** Records the texts that are looked up. */
    function recordLookups(world: StringsWorld): string[] {
      const lookups: string[] = [];
      const { withTexts } = world.units;
      world.units.withTexts = (project, lang, texts) => {
        lookups.push(...texts.flat());
        return withTexts.call(world.units, project, lang, texts);
      };
      return lookups;
    }

    it('only texts that occur several times are looked up', async () => {
      const { world, czech, runner, checks } = start(ahoj, ahoj);
      world.string(1, 9, 'Bye', { target: ['Sbohem'], state: 20 });
      const lookups = recordLookups(world);
      await countStrings(world, 2);
      await runner.checkTranslation(czech);
      expect(lookups).toEqual(['Ahoj']);
      expect([await checks(7), await checks(9)]).toEqual([[], []]);
    });

    it('the failure of a text that is unique now ends', async () => {
      const { world, czech, runner, checks } = start({ ...ahoj, checks: ['reused'] }, { target: ['Nazdar'], state: 0 });
      expect(await checks(7)).toEqual(['reused']);
      recordLookups(world);
      await countStrings(world, 2);
      await runner.checkTranslation(czech);
      expect(await checks(7)).toEqual(['inconsistent']);
    });

    it('a failure that an edit caused after the texts were counted stays', async () => {
      const { world, czech, runner, checks } = start(ahoj, { target: ['Nazdar'], state: 20 }, { propagation: false });
      const { eachTextKey } = world.units;
      world.units.eachTextKey = async (translations, visit) => {
        await eachTextKey.call(world.units, translations, visit);
        world.string(1, 9, 'Hi', ahoj);
        await runner.run([{ unit: 9, touched: { texts: [], failing: false } }]);
        expect(await checks(7)).toEqual(['reused']);
      };
      await countStrings(world, 2);
      await runner.checkTranslation(czech);
      expect([await checks(7), await checks(9)]).toEqual([['reused'], ['reused']]);
    });

    it('all texts are looked up when the translation is a small part of its project', async () => {
      const { world, czech, runner } = start(ahoj, { target: ['Nazdar'], state: 20 });
      world.units.eachTextKey = () => Promise.reject(new Error('the texts were counted'));
      const lookups = recordLookups(world);
      await countStrings(world, 0);
      await runner.checkTranslation(czech);
      expect(lookups).toEqual(['Ahoj']);
    });
  });
});
