import { parseQuery, type Term } from '@parlance/search';
import { searchDeps } from '../../../test/support/memory/indexes/search-lookups';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { noUnit } from '../../domain/unit-query';
import { resolveTerm } from './search-terms';

/** Component 1 of project 1, with the translations 10 (source) and 11 (Czech). */
function start(settings = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  const { deps, lookups, screenshots } = searchDeps(world);
  const resolve = (q: string, scope = {}) =>
    resolveTerm(deps, parseQuery(q, { changeAction: () => 2 }) as Term, {
      translation: null,
      projects: [],
      generation: '',
      ...scope,
    });
  return { world, czech, lookups, screenshots, resolve };
}

const curated = (id: number, labels: number[] = [], explanation = '', extraFlags = '') => ({
  id,
  labels,
  explanation,
  extraFlags,
});

describe('labels, explanations and flags', () => {
  it('a label is found on the source strings, and a translation inherits it', async () => {
    const { lookups, resolve, czech } = start();
    lookups.curatedSources = [curated(507, [5]), curated(508, [6]), curated(509)];
    expect(await resolve('label:urgent', { translation: czech })).toEqual({ kind: 'sourceUnits', ids: [507] });
    expect(lookups.calls).toEqual([['curated', { translation: 10 }]]);
  });

  it('a condition that strings without labels meet excludes the sources that fail it', async () => {
    const { lookups, resolve } = start();
    lookups.curatedSources = [curated(507, [5]), curated(508)];
    expect(await resolve('labels_count:0')).toEqual({ kind: 'sourceUnits', ids: [507], exclude: true });
    expect(await resolve('labels_count:>0')).toEqual({ kind: 'sourceUnits', ids: [507] });
  });

  it('a text of the explanation is compared ignoring case', async () => {
    const { lookups, resolve } = start();
    lookups.curatedSources = [curated(507, [], 'A Greeting'), curated(508, [], 'A farewell')];
    expect(await resolve('explanation:greeting', { projects: [1] })).toEqual({ kind: 'sourceUnits', ids: [507] });
    expect(lookups.calls).toEqual([['curated', { projects: [1] }]]);
  });

  it('"has:flags" finds flags of users and those of the file', async () => {
    const { lookups, resolve } = start();
    lookups.curatedSources = [curated(507, [], '', 'max-length:5'), curated(508, [5])];
    const any = [
      { kind: 'sourceUnits', ids: [507] },
      { kind: 'has', what: 'flags' },
    ];
    expect(await resolve('has:flags')).toEqual({ kind: 'or', any });
  });
});

describe('history, suggestions and comments', () => {
  it('changes of a user are looked up in the translation; an unknown user changed nothing', async () => {
    const { world, lookups, resolve, czech } = start();
    world.user(3, []);
    lookups.changed = [7, 8];
    expect(await resolve('changed_by:user-3', { translation: czech })).toEqual({ kind: 'ids', ids: [7, 8] });
    expect(lookups.calls).toEqual([['changes', { translation: 11 }, { user: 3 }]]);
    expect(await resolve('changed_by:nobody')).toEqual(noUnit);
    expect(await resolve('comment_author:nobody')).toEqual(noUnit);
    expect(lookups.calls).toHaveLength(1);
  });

  it.each([
    ['suggestion_author:user-3', ['suggestion', { projects: [] }, { user: 3 }]],
    ['comment_author:user-3', ['comment', { projects: [] }, { user: 3 }]],
    ['has:resolved-comment', ['comment', { projects: [] }, { resolved: true }]],
    ['change_action:any', ['changes', { projects: [] }, { actions: [2] }]],
    ['changed:2026-01-02', ['changes', { projects: [] }, expect.objectContaining({ contentOnly: true })]],
  ])('%s asks for the matching remarks or history entries', async (q, call) => {
    const { world, lookups, resolve } = start();
    world.user(3, []);
    [lookups.changed, lookups.remarked] = [[7], [7]];
    expect(await resolve(q)).toEqual({ kind: 'ids', ids: [7] });
    expect(lookups.calls).toEqual([call]);
  });

  it('a text is looked up in suggestions, open comments or resolved comments', async () => {
    const { lookups, resolve } = start();
    const text = expect.objectContaining({ match: { kind: 'contains', value: 'x' } });
    await resolve('suggestion:x');
    await resolve('comment:x');
    await resolve('resolved_comment:x');
    expect(lookups.calls.map(([kind, , condition]) => [kind, condition])).toEqual([
      ['suggestion', { text }],
      ['comment', { text, resolved: false }],
      ['comment', { text, resolved: true }],
    ]);
  });

  it('a part of a query that matches more than 50 000 strings is refused on the field "q"', async () => {
    const { lookups, resolve } = start();
    lookups.changed = Array.from({ length: 50_000 }, (_, i) => i + 1);
    expect(await reasonOf(resolve('changed:>2026'))).toBe('OK');
    lookups.changed.push(50_001);
    expect(await fieldsOf(resolve('changed:>2026'))).toEqual(['q:invalid']);
  });
});

describe('dates, states and numbers', () => {
  const [from, before] = [Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 3)];

  it('creation and last change are dates of the unit itself', async () => {
    const { lookups, resolve } = start();
    expect(await resolve('added:2026-01-02')).toEqual({ kind: 'created', from, before });
    expect(await resolve('last_changed:>=2026-01-02')).toEqual({ kind: 'updated', from, before: undefined });
    expect(lookups.calls).toEqual([]);
  });

  it('an open time span has no bound on the other side', async () => {
    const { lookups, resolve } = start();
    await resolve('change_time:>=2026-01-02');
    await resolve('change_time:<2026-01-03');
    expect(lookups.calls.map(([, , filter]) => filter)).toEqual([{ from }, { before: Date.UTC(2026, 0, 4) }]);
  });

  it('a change or state of the source string is looked up in the source translation', async () => {
    const { lookups, resolve, czech } = start();
    lookups.sourceUnits = [507];
    const scope = { translation: czech };
    expect(await resolve('source_changed:2026-01-02', scope)).toEqual({ kind: 'sourceUnits', ids: [507] });
    expect(await resolve('source_state:needs-editing', scope)).toEqual({ kind: 'sourceUnits', ids: [507] });
    expect(lookups.calls).toMatchObject([
      ['sources', { translation: 10 }, { kind: 'updated', from, before }],
      ['sources', { translation: 10 }, { kind: 'search', query: { field: 'state', op: '=', value: 10 } }],
    ]);
  });

  it('the priority is a number of the unit itself', async () => {
    const { lookups, resolve } = start();
    expect(await resolve('priority:>100')).toMatchObject({ kind: 'priority', min: 101 });
    expect(lookups.calls).toEqual([]);
  });
});

describe('projects, components and paths', () => {
  /** Components `app` and, in a category, `docs/guide` of project 1, and `app` of project 2. */
  function paths() {
    const { world, ...rest } = start();
    world.component(2, { path: 'docs/guide', name: 'Guide' });
    const other = world.component(3, { project: 2, path: 'app' });
    world.translations.put({ ...other.source, project: 2 }, { ...other.czech, project: 2 });
    return { world, ...rest };
  }

  it('a project is found by its slug, and an unknown one has no strings', async () => {
    const { resolve } = paths();
    expect(await resolve('project:p')).toEqual({ kind: 'translations', ids: [10, 11, 20, 21] });
    expect(await resolve('project:p', { translation: paths().czech })).toEqual({ kind: 'projects', ids: [1] });
    expect(await resolve('project:unknown')).toEqual(noUnit);
    expect(await resolve('path:unknown/app')).toEqual(noUnit);
  });

  it('a component is found by slug or name among those of the searched projects', async () => {
    const { resolve } = paths();
    expect(await resolve('component:guide')).toEqual({ kind: 'translations', ids: [20, 21] });
    expect(await resolve('component:app')).toEqual({ kind: 'translations', ids: [10, 11, 30, 31] });
    expect(await resolve('component:app', { projects: [2] })).toEqual({ kind: 'translations', ids: [30, 31] });
    expect(await resolve('component:app', { translation: paths().czech })).toEqual({ kind: 'components', ids: [1] });
    expect(await resolve('component:unknown')).toEqual(noUnit);
  });

  it('components and projects with many translations are not resolved to them', async () => {
    const { world, resolve, czech } = paths();
    for (let id = 100; id < 200; id++)
      world.translations.put({ ...czech, id, component: 2, language: { ...czech.language, code: `l${id}` } });
    expect(await resolve('component:guide')).toEqual({ kind: 'components', ids: [2] });
    expect(await resolve('project:p')).toEqual({ kind: 'projects', ids: [1] });
    expect(await resolve('path:p/docs/guide/cs')).toEqual({ kind: 'translations', ids: [21] });
  });

  it('components and projects with many strings are not resolved to their translations', async () => {
    const { world, resolve, czech } = paths();
    const counters = { ...czech.counters, all: { s: 200_000, w: 0, c: 0 } };
    world.translations.put({ ...czech, counters });
    expect(await resolve('project:p')).toEqual({ kind: 'translations', ids: [10, 11, 20, 21] });
    world.translations.put({ ...czech, counters: { ...counters, all: { s: 200_001, w: 0, c: 0 } } });
    expect(await resolve('project:p')).toEqual({ kind: 'projects', ids: [1] });
    expect(await resolve('component:guide')).toEqual({ kind: 'translations', ids: [20, 21] });
  });

  it.each([
    ['p', { kind: 'translations', ids: [10, 11, 20, 21] }],
    ['-', { kind: 'and', all: [] }],
    ['-/-/cs', { kind: 'language', code: 'cs' }],
  ])('the path %s needs no components', async (path, query) => {
    expect(await paths().resolve(`path:${path}`)).toEqual(query);
  });

  it('the path of a project and language selects both', async () => {
    const all = [
      { kind: 'translations', ids: [10, 11, 20, 21] },
      { kind: 'language', code: 'cs' },
    ];
    expect(await paths().resolve('path:p/-/cs')).toEqual({ kind: 'and', all });
  });

  it.each([
    ['p/app', [10, 11]],
    ['p/docs', [20, 21]],
    ['p/docs/guide', [20, 21]],
    ['p/app/cs', [11]],
    ['p/docs/guide/cs', [21]],
    ['-/app/cs', [11, 31]],
  ])('the path %s ends at a category, a component or a language of a component', async (path, ids) => {
    expect(await paths().resolve(`path:${path}`)).toEqual({ kind: 'translations', ids });
  });

  it('a path below a language has no strings', async () => {
    expect(await paths().resolve('path:p/docs/guide/cs/more')).toEqual(noUnit);
  });

  it('a path can end at a component and at a language of another one', async () => {
    const { world, resolve } = paths();
    world.component(4, { path: 'docs/more/cs' });
    const any = [
      { kind: 'translations', ids: [40, 41] },
      { kind: 'translations', ids: [21] },
    ];
    expect(await resolve('path:p/docs/-/cs')).toEqual({ kind: 'or', any });
  });

  it('a path in one translation compares its component and language', async () => {
    const all = [
      { kind: 'components', ids: [1] },
      { kind: 'language', code: 'cs' },
    ];
    expect(await paths().resolve('path:p/app/cs', { translation: paths().czech })).toEqual({ kind: 'and', all });
  });
});

describe('screenshots, glossaries and variants', () => {
  it('a screenshot of a source string is one of its translations, too', async () => {
    const { lookups, screenshots, resolve, czech } = start();
    screenshots.set('Menu', [507]).set('', [507, 508]);
    const of = (...ids: number[]) => ({
      kind: 'or',
      any: [
        { kind: 'ids', ids },
        { kind: 'sourceUnits', ids },
      ],
    });
    expect(await resolve('screenshot:Menu', { translation: czech })).toEqual(of(507));
    expect(await resolve('has:screenshot')).toEqual(of(507, 508));
    expect(lookups.calls).toEqual([
      ['screenshots', [11, 10], 'Menu'],
      ['screenshots', [], ''],
    ]);
  });

  it('strings with a glossary term are those that contain a term of their own project', async () => {
    const { world, lookups, resolve } = start({ isGlossary: true });
    world.component(2, { isGlossary: true, project: 2 });
    world.component(3);
    lookups.textsOf.set(1, [' Window ', ' ']).set(2, ['Door']).set(3, ['Wall']);
    expect(await resolve('has:glossary')).toEqual({
      kind: 'or',
      any: [
        { kind: 'sourceWords', project: 1, terms: ['Window'] },
        { kind: 'sourceWords', project: 2, terms: ['Door'] },
      ],
    });
    expect(await start().resolve('has:glossary')).toEqual(noUnit);
  });

  it('variants are strings with the flag, and those whose keys are equal but for "variant_regex"', async () => {
    const { world, lookups, resolve, czech } = start({ variantRegex: '_short$' });
    world.component(2, { variantRegex: '_short$' });
    lookups.curatedSources = [curated(501, [], '', 'variant:Hello'), curated(502, [], '', 'max-length:5')];
    const contexts = (...ids: number[]) => ids.map((id, i) => ({ id, context: ['open', 'open_short', 'close'][i]! }));
    lookups.contextsOf.set(10, contexts(507, 508, 509)).set(20, contexts(607, 608, 609));
    const variants = (...ids: number[]) => ({
      kind: 'or',
      any: [
        { kind: 'sourceUnits', ids: [501] },
        { kind: 'flags', pattern: '(^|,)\\s*variant:' },
        { kind: 'sourceUnits', ids },
      ],
    });
    expect(await resolve('has:variant')).toEqual(variants(507, 508, 607, 608));
    expect(await resolve('has:variant', { translation: czech })).toEqual(variants(507, 508));
  });

  it('whether a string has suggestions or comments is known by its unit', async () => {
    const { lookups, resolve } = start();
    expect(await resolve('has:suggestion')).toEqual({ kind: 'has', what: 'suggestions' });
    expect(await resolve('has:comment')).toEqual({ kind: 'has', what: 'comments' });
    expect(lookups.calls).toEqual([]);
  });
});
