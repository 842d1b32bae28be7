import type { ProjectTerm } from '../../domain/project-term';
import type { Unit } from '../../domain/unit';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { dismissalOf, listUnitChecks } from './unit-checks';

const term = { unit: 90, component: 3, source: 'Hello', targets: ['Zdravím'], forbidden: false, readOnly: false };

/** Strings with checks: unit 7 and its source unit 507. */
function start(fields: Partial<Unit> = {}, sourceFields: Partial<Unit> = {}, settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  const pair = world.string(1, 7, 'Hello.', { target: ['Ahoj'], state: 20, ...fields }, sourceFields);
  const read: string[] = [];
  const glossary = {
    ...world.deps.glossary,
    terms: async (project: number, language: string): Promise<ProjectTerm[]> => {
      read.push(`${project}/${language}`);
      return [term];
    },
  };
  const ana = world.user(3, []);
  const list = async (unit = 7, caller = ana) =>
    (await listUnitChecks({ ...world.deps, glossary }, caller, unit, '')).checks;
  return { world, pair, read, list };
}

describe('listUnitChecks', () => {
  it('a failing check has the positions of its cause and a safe correction', async () => {
    const { list } = start({ target: ['  Ahoj'], checks: ['begin_space'] });
    expect(await list()).toMatchObject([
      { id: 'begin_space', dismissed: null, spans: [{ side: 'target', form: 0, start: 0, end: 2 }], fix: ['Ahoj'] },
    ]);
  });

  it('offsets are given in UTF-16 code units and in code points', async () => {
    const { list } = start({ target: ['🎈🎈 Ahoj  světe.'], checks: ['double_space'] });
    const [check] = await list();
    expect(check!.spans).toMatchObject([{ side: 'target', start: 9, end: 11, startCodePoint: 7, endCodePoint: 9 }]);
  });

  it('checks are listed in the order of the table, dismissed ones with the scope of their dismissal', async () => {
    const { list } = start(
      { checks: ['inconsistent', 'begin_space'], dismissedChecks: ['double_space'] },
      { extraFlags: 'ignore-end-stop' },
    );
    expect((await list()).map(({ id, dismissed }) => [id, dismissed])).toEqual([
      ['begin_space', null],
      ['double_space', 'string'],
      ['end_stop', 'source'],
      ['inconsistent', null],
    ]);
  });

  it('the terms of the glossary are read only for a glossary check', async () => {
    const plain = start({ checks: ['end_stop'] });
    await plain.list();
    expect(plain.read).toEqual([]);
    const glossary = start({ checks: ['check_glossary'] });
    expect(await glossary.list()).toMatchObject([
      { id: 'check_glossary', spans: [{ side: 'source', start: 0, end: 5, startCodePoint: 0, endCodePoint: 5 }] },
    ]);
    expect(glossary.read).toEqual(['1/cs']);
  });

  it('a source string is its own source', async () => {
    const { list } = start({}, { checks: ['ellipsis'], target: ['Hello...'], extraFlags: 'ignore-optional-plural' });
    expect((await list(507)).map(({ id, dismissed }) => [id, dismissed])).toEqual([
      ['optional_plural', 'source'],
      ['ellipsis', null],
    ]);
  });

  it('a caller who may not see the component learns nothing about the string', async () => {
    const { world, list } = start({}, {}, { accessControl: 100 });
    expect(await reasonOf(list(7, world.user(4, [], { grants: [] })))).toBe('NOT_FOUND');
    expect(await reasonOf(list(9))).toBe('NOT_FOUND');
  });

  it('a string whose source string is being deleted does not exist', async () => {
    const { world, list } = start();
    await world.units.removeMany([507]);
    expect(await reasonOf(list())).toBe('NOT_FOUND');
  });
});

describe('dismissalOf', () => {
  it('the dismissal of one string takes precedence over that of its source string', () => {
    const { pair } = start({ dismissedChecks: ['end_stop'] }, { extraFlags: 'ignore-end-stop' });
    expect(dismissalOf(pair, 'end_stop')).toBe('string');
    expect(dismissalOf(pair, 'double_space')).toBeNull();
  });

  it('flags of a source string dismiss checks of translations for translations only, and its own for itself only', () => {
    const { pair } = start({}, { extraFlags: 'ignore-end-stop, ignore-ellipsis' });
    const ofSource = { unit: pair.source, source: pair.source };
    expect([dismissalOf(pair, 'end_stop'), dismissalOf(pair, 'ellipsis')]).toEqual(['source', null]);
    expect([dismissalOf(ofSource, 'end_stop'), dismissalOf(ofSource, 'ellipsis')]).toEqual([null, 'source']);
  });
});
