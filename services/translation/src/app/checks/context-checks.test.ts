import { EventEmitter, once } from 'node:events';
import type { Component } from '../../domain/component';
import type { ProjectTerm } from '../../domain/project-term';
import type { Unit } from '../../domain/unit';
import { StringsWorld } from '../../../test/support/memory/world';
import { sampleTranslation } from '../../../test/support/samples';
import { ContextChecks } from './context-checks';

const ahoj: Partial<Unit> = { target: ['Ahoj'], state: 20 };
const DAY_MS = 24 * 3600_000;

/** A process with background checks, and the strings 7 and 9, whose equal translations fail the check `reused`. */
function start(fields: Partial<Unit> = {}, settings = {}, intervalMs?: number) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  world.string(1, 7, 'Hello', { ...ahoj, ...fields });
  world.string(1, 9, 'Hi', ahoj);
  world.nowMs = 100 * DAY_MS;
  const terms: ProjectTerm[] = [];
  const glossary = { ...world.deps.glossary, terms: async () => terms, storedTerms: async () => terms };
  const { translations } = world;
  const checks = new ContextChecks({ ...world.deps, glossary }, intervalMs);
  const passes = new EventEmitter();
  const listDue = translations.listTimedChecksDue.bind(translations);
  translations.listTimedChecksDue = async (since, limit) => {
    const due = await listDue(since, limit);
    if (due.length === 0) passes.emit('last step');
    return due;
  };
  const lastStep = () => once(passes, 'last step');
  const pass = async () => {
    const end = lastStep();
    checks.scheduleRecheck();
    await end;
  };
  const failing = async (id: number) => (await world.units.get(id))!.checks;
  const marked = async () => (await translations.listToRecheck()).map(({ translation }) => translation.id);
  return { world, czech, translations, terms, checks, pass, lastStep, failing, marked };
}

describe('a pass of the background checks', () => {
  it('a pass of the background checks checks the translations that imports marked, and removes the marks', async () => {
    const { world, translations, pass, failing, marked } = start();
    await translations.markRecheck([10, 11]);
    await pass();
    expect([await failing(7), await failing(9)]).toEqual([['reused'], ['reused']]);
    expect(await marked()).toEqual([]);
    world.effects.length = 0;
    await pass();
    expect(world.effects).toEqual([]);
  });

  it('a pass of the background checks applies changed flags of the component before it checks the translation', async () => {
    const { world, translations, pass, failing, marked } = start({}, { checkFlags: 'priority:7, ignore-reused' });
    await translations.markRerun({ component: 1 });
    await pass();
    expect(await world.units.get(7)).toMatchObject({ priority: 7 });
    expect(await failing(7)).toEqual([]);
    expect([await translations.listToRerun(), await marked()]).toEqual([[], []]);
  });

  it('a pass of the background checks uses settings that are newer than the marks, which another replica may have set', async () => {
    const { world, translations, pass } = start();
    const { catalog } = world.deps;
    const read = catalog.component;
    const cached = new Map<number, Component | null>();
    catalog.component = async (id) => {
      if (!cached.has(id)) cached.set(id, await read(id));
      return cached.get(id)!;
    };
    catalog.forget = (id) => void cached.delete(id);
    const before = (await catalog.component(1))!;
    world.components.set(1, { ...before, checkFlags: 'priority:7' });
    await translations.markRerun({ component: 1 });
    await pass();
    expect(await world.units.get(7)).toMatchObject({ priority: 7 });
  });

  it('a pass of the background checks checks translations whose glossary changed', async () => {
    const { translations, terms, pass, failing } = start({ flags: 'check-glossary' });
    terms.push({ unit: 90, component: 3, source: 'Hello', targets: ['Zdravím'], forbidden: false, readOnly: false });
    await translations.markTermsChanged(1, 'cs');
    await pass();
    expect(await failing(7)).toEqual(['check_glossary']);
    expect(await translations.listTermsChanged()).toEqual([]);
  });

  it('an imported glossary has changed terms', async () => {
    const { world, translations, pass } = start({}, { isGlossary: true });
    await translations.markRecheck([11]);
    await pass();
    expect(world.effects).toContain('terms changed cs');
  });

  it('a pass of the background checks runs the time-dependent checks of a component once a day', async () => {
    const { world, czech, translations, pass, failing } = start({ target: [''], state: 0 });
    world.units.put({ ...(await world.units.get(507))!, created: world.nowMs - 89.5 * DAY_MS });
    const { counters } = czech;
    const groups = { all: { ...counters.all, s: 10 }, translated: { ...counters.translated, s: 9 } };
    translations.put({ ...czech, counters: { ...counters, ...groups } });
    await pass();
    expect(await failing(507)).toEqual([]);
    world.nowMs += 0.75 * DAY_MS;
    await pass();
    expect(await failing(507)).toEqual([]);
    world.nowMs += 0.5 * DAY_MS;
    await pass();
    expect(await failing(507)).toEqual(['long_untranslated']);
  });

  it('time-dependent checks that another process has claimed are not repeated', async () => {
    const { world, translations, pass, failing } = start();
    const source = (await world.units.get(507))!;
    world.units.put({ ...source, checks: ['long_untranslated'] });
    const listDue = translations.listTimedChecksDue;
    translations.listTimedChecksDue = async (since, limit) => {
      const due = await listDue(since, limit);
      await translations.claimTimedChecks(1, world.nowMs, world.nowMs);
      return due;
    };
    await pass();
    expect(await failing(507)).toEqual(['long_untranslated']);
  });

  it('marks stay when the pass fails, and the next pass retries', async () => {
    const { world, translations, checks, pass, failing, marked } = start();
    await translations.markRecheck([11]);
    world.units.rival = () => {
      throw new Error('store unavailable');
    };
    checks.scheduleRecheck();
    await pass();
    expect(await failing(7)).toEqual(['reused']);
    expect(await marked()).toEqual([]);
  });

  it('a request during a pass starts another pass', async () => {
    const { world, translations, checks, lastStep, failing, marked } = start();
    translations.put(sampleTranslation(12, { component: 1 }));
    world.units.put({ ...(await world.units.get(7))!, id: 70, translation: 12 });
    await translations.markRecheck([11]);
    world.units.rival = async () => {
      await translations.markRecheck([12]);
      checks.scheduleRecheck();
    };
    checks.scheduleRecheck();
    while ((await marked()).length > 0) await lastStep();
    expect(await failing(70)).toEqual(['reused']);
  });

  it('settings that change during a pass are applied before the marked translations that are left', async () => {
    const { world, translations, checks, lastStep, marked } = start();
    translations.put(sampleTranslation(12, { component: 1 }));
    world.units.put({ ...(await world.units.get(7))!, id: 70, translation: 12 });
    await translations.markRecheck([11, 12]);
    let left: number[] | undefined;
    const clearRerun = translations.clearRerun.bind(translations);
    translations.clearRerun = async (id, mark) => {
      left ??= await marked();
      await clearRerun(id, mark);
    };
    world.units.rival = async () => {
      world.components.set(1, { ...world.components.get(1)!, checkFlags: 'priority:7' });
      await translations.markRerun({ component: 1 });
      checks.scheduleRecheck();
    };
    const ended = lastStep();
    checks.scheduleRecheck();
    await ended;
    expect(left).toEqual([11, 12]);
    expect(await world.units.get(70)).toMatchObject({ priority: 7, checks: ['reused'] });
  });

  it('a translation that is marked while it is checked stays marked', async () => {
    const { world, translations, checks, lastStep, marked } = start();
    await translations.markRecheck([11]);
    const ended = lastStep();
    world.units.rival = () => translations.markRecheck([11]);
    checks.scheduleRecheck();
    await ended;
    expect(await marked()).toEqual([11]);
  });

  it('a pass of the background checks stops between two translations; the marks stay for another process', async () => {
    const { world, translations, checks, failing, marked } = start();
    translations.put(sampleTranslation(12, { component: 1 }));
    world.units.put({ ...(await world.units.get(7))!, id: 70, translation: 12 });
    await translations.markRecheck([11, 12]);
    let stopping: Promise<void> | undefined;
    world.units.rival = () => {
      stopping ??= checks.stop();
    };
    checks.scheduleRecheck();
    while (!stopping) await new Promise(setImmediate);
    await stopping;
    expect([await failing(7), await failing(70)]).toEqual([['reused'], []]);
    expect(await marked()).toEqual([11, 12]);
  });

  it('a started process runs passes without requests', async () => {
    const { translations, checks, lastStep, failing, marked } = start({}, {}, 1);
    await translations.markRecheck([11]);
    checks.start();
    await lastStep();
    expect(await failing(7)).toEqual(['reused']);
    await translations.markRecheck([11]);
    while ((await marked()).length > 0) await lastStep();
    await checks.stop();
  });
});
