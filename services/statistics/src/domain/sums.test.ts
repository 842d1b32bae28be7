import fc from 'fast-check';
import { ADDED, emptyCounters, type Counters, type Snapshot } from './counters';
import { nothingExcluded, Sums, type Exclusions } from './sums';

const codes = ['cs', 'de', 'pt_BR'];
/** Fixed assignment of translations to components and of components to projects, as in the product. */
const componentOf = (translation: number) => 1 + (translation % 7);
const projectOf = (component: number) => 1 + (component % 3);
const codeOf = (translation: number) => codes[translation % codes.length]!;

type Operation =
  | { kind: 'update'; translation: number; revision: number; counters: Counters }
  | { kind: 'removeTranslation' | 'removeComponent' | 'removeProject'; id: number };

const counters: fc.Arbitrary<Counters> = fc
  .record({
    added: fc.array(fc.nat(1000), { minLength: ADDED, maxLength: ADDED }),
    lastChange: fc.nat(50),
    lastAuthorId: fc.nat(5),
  })
  .map((c) => ({ ...c, lastAuthor: c.lastAuthorId ? `user ${c.lastAuthorId}` : '' }));

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      translation: fc.integer({ min: 1, max: 30 }),
      revision: fc.integer({ min: 1, max: 20 }),
      counters,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('removeTranslation' as const), id: fc.integer({ min: 1, max: 30 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('removeComponent' as const), id: fc.integer({ min: 1, max: 7 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('removeProject' as const), id: fc.integer({ min: 1, max: 3 }) }),
  },
);

const exclusions: fc.Arbitrary<Exclusions> = fc
  .record({
    projects: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 1 }),
    components: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 3 }),
  })
  .map((e) => ({ projects: new Set(e.projects), components: new Set(e.components) }));

const snapshotOf = (o: Operation & { kind: 'update' }): Snapshot => ({
  translationId: o.translation,
  componentId: componentOf(o.translation),
  projectId: projectOf(componentOf(o.translation)),
  languageCode: codeOf(o.translation),
  revision: o.revision,
  counters: o.counters,
});

function apply(sums: Sums, o: Operation): void {
  if (o.kind === 'update') sums.update(snapshotOf(o));
  else sums[o.kind](o.id);
}

/** Expected result of all operations: the newest revision of everything that was never removed. */
function survivors(operations: Operation[]): Snapshot[] {
  const newest = new Map<number, Snapshot>();
  for (const o of operations) {
    if (o.kind !== 'update') continue;
    const known = newest.get(o.translation);
    if (!known || o.revision > known.revision) newest.set(o.translation, snapshotOf(o));
  }
  const isRemoved = (kind: Operation['kind'], id: number) =>
    operations.some((o) => o.kind === kind && 'id' in o && o.id === id);
  return [...newest.values()].filter(
    (s) =>
      !isRemoved('removeTranslation', s.translationId) &&
      !isRemoved('removeComponent', s.componentId) &&
      !isRemoved('removeProject', s.projectId),
  );
}

function recount(snapshots: Snapshot[]): Counters {
  const sum = { ...emptyCounters(), added: new Array<number>(ADDED).fill(0) };
  let authorChange = 0;
  for (const { counters: c } of snapshots) {
    for (let i = 0; i < ADDED; i++) sum.added[i]! += c.added[i]!;
    sum.lastChange = Math.max(sum.lastChange, c.lastChange);
    if (
      c.lastAuthor &&
      (!sum.lastAuthor ||
        c.lastChange > authorChange ||
        (c.lastChange === authorChange && c.lastAuthorId > sum.lastAuthorId))
    ) {
      authorChange = c.lastChange;
      sum.lastAuthor = c.lastAuthor;
      sum.lastAuthorId = c.lastAuthorId;
    }
  }
  return sum;
}

const plain = (c: Counters) => ({ ...c, added: Array.from(c.added) });

describe('sums', () => {
  it('sums equal a full recount after any operations, in any order, with duplicates and reads at any time', () => {
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 60 }),
        exclusions,
        fc.array(fc.nat(59), { maxLength: 10 }),
        (operations, hidden, again) => {
          // Two different updates with one revision are impossible; the first replaces both.
          const seen = new Map<string, Operation>();
          const history = operations.map((o) => {
            if (o.kind !== 'update') return o;
            const key = `${o.translation}:${o.revision}`;
            if (!seen.has(key)) seen.set(key, o);
            return seen.get(key)!;
          });
          const sums = new Sums();
          history.forEach((o, i) => {
            apply(sums, o);
            if (i % 7 === 0) sums.forSite(nothingExcluded);
          });
          for (const i of again) if (history[i]) apply(sums, history[i]);

          const left = survivors(history);
          const visible = left.filter(
            (s) => !hidden.projects.has(s.projectId) && !hidden.components.has(s.componentId),
          );
          expect(plain(sums.forSite(nothingExcluded))).toEqual(recount(left));
          expect(plain(sums.forSite(hidden))).toEqual(recount(visible));
          for (const code of codes) {
            expect(plain(sums.forLanguage(code, nothingExcluded))).toEqual(
              recount(left.filter((s) => s.languageCode === code)),
            );
            expect(plain(sums.forLanguage(code, hidden))).toEqual(
              recount(visible.filter((s) => s.languageCode === code)),
            );
          }
          for (let component = 1; component <= 7; component++) {
            expect(plain(sums.forComponent(component))).toEqual(
              recount(left.filter((s) => s.componentId === component)),
            );
          }
          for (let project = 1; project <= 3; project++) {
            const of = (list: Snapshot[]) => list.filter((s) => s.projectId === project);
            expect(plain(sums.forProject(project, [], nothingExcluded))).toEqual(recount(of(left)));
            expect(plain(sums.forProject(project, [], hidden))).toEqual(recount(of(visible)));
            const linked = (list: Snapshot[]) => list.filter((s) => s.projectId === project || s.componentId === 2);
            expect(plain(sums.forProject(project, [2], hidden))).toEqual(recount(linked(visible)));
            const perLanguage = sums.byLanguage(project, [2], hidden);
            for (const code of codes) {
              const own = recount(of(left).filter((s) => s.languageCode === code));
              expect(plain(sums.forProjectLanguage(project, code, [], nothingExcluded))).toEqual(own);
              const shown = linked(visible).filter((s) => s.languageCode === code);
              expect(perLanguage.has(code)).toBe(shown.length > 0);
              expect(plain(sums.forProjectLanguage(project, code, [2], hidden))).toEqual(recount(shown));
            }
          }
          expect(plain(sums.forComponents([1, 2, 2, 5], hidden))).toEqual(
            recount(visible.filter((s) => [1, 2, 5].includes(s.componentId))),
          );
          expect(sums.sizes().translations).toBe(left.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('components and projects without translations exist until they are removed', () => {
    const sums = new Sums();
    sums.addProject(1);
    sums.addComponent(10, 2);
    sums.addComponent(11, 2);
    expect(sums.sizes()).toEqual({ translations: 0, components: 2, projects: 2 });
    sums.removeComponent(10);
    sums.removeProject(1);
    sums.addProject(1);
    sums.addComponent(10, 2);
    expect(sums.sizes()).toEqual({ translations: 0, components: 1, projects: 1 });
    sums.removeProject(2);
    expect(sums.sizes()).toEqual({ translations: 0, components: 0, projects: 0 });
  });

  it('a translation with a corrected language moves to the new sums', () => {
    const sums = new Sums();
    const added = new Array<number>(ADDED).fill(1);
    const as = (languageCode: string, revision: number): Snapshot => ({
      translationId: 1,
      componentId: 1,
      projectId: 1,
      languageCode,
      revision,
      counters: { ...emptyCounters(), added },
    });
    sums.update(as('pt', 1));
    expect(sums.forLanguage('pt', nothingExcluded).added[0]).toBe(1);
    sums.update(as('pt_BR', 2));
    expect(sums.forLanguage('pt', nothingExcluded).added[0]).toBe(0);
    expect(sums.forProjectLanguage(1, 'pt_BR', [], nothingExcluded).added[0]).toBe(1);
    expect(sums.forSite(nothingExcluded).added[0]).toBe(1);
  });
});
