import { UnitCache } from '../../src/app/caches/unit-cache';
import { CachedSearch } from '../../src/app/search/cached-search';
import { UnitSearch } from '../../src/app/search/unit-search';
import { allOf, inTranslation } from '../../src/domain/unit-query';
import type { Unit } from '../../src/domain/unit';
import { searchDeps } from '../support/memory/indexes/search-lookups';
import { StringsWorld } from '../support/memory/world';
import { silent } from '../support/process';
import { sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const TRANSLATION = 1;

const TEXTS = [
  'Open the File',
  'ÖFFNE DIE DATEI',
  'öffne (die) Datei?',
  'a.b*c [x]',
  'Привет, МИР',
  '文件を開く',
  '%d file\n%s',
  'back\\slash',
  '',
];
const STATES = [0, 10, 20, 30, 100];

const edit: Unit['edits'][number] = {
  ...{ id: 'a', target: ['x'], state: 20, time: 1 },
  author: { userId: 1, username: 'ana', fullName: 'Ana', email: '' },
};

/** Strings with every combination of what searches compare, half of them with an empty field. */
const units = () =>
  Array.from({ length: 180 }, (_, i) => {
    const text = (step: number) => TEXTS[(i * step) % TEXTS.length]!;
    return sampleUnit(sampleTranslation(TRANSLATION), 500 - i, {
      source: i % 5 === 0 ? [text(1), `${text(1)} plural`] : [text(1)],
      target: i % 4 === 0 ? [] : i % 5 === 0 ? [text(2), text(4)] : [text(2)],
      context: i % 3 === 0 ? text(5) : '',
      note: i % 7 === 0 ? text(7) : '',
      location: i % 2 === 0 ? `src/file-${i % 4}.c:${i}` : '',
      state: STATES[i % STATES.length]!,
      checks: i % 6 === 0 ? ['same', 'end_stop'] : [],
      dismissedChecks: i % 8 === 0 ? ['end_stop'] : [],
      position: i,
      edits: i % 9 === 0 ? [edit] : [],
    });
  });

const QUERIES = [
  ...[
    'file',
    'FILE',
    'öffne',
    'Ö',
    '"die datei"',
    '(die)',
    '"a.b*c ["',
    'мир',
    '開く',
    '"\\\\slash"',
    '"%d"',
    'plural',
  ],
  ...['source:file', 'target:öffne', 'context:datei', 'note:open', 'location:file-2', 'key:c'],
  ...['source:="Open the File"', 'target:=""', 'context:=""', 'note:=""', 'source:=open'],
  ...['state:translated', 'state:<translated', 'state:>=approved', 'NOT state:empty', 'is:pending', 'NOT is:pending'],
  ...['has:plural', 'has:check', 'has:dismissed-check', 'has:note', 'has:context', 'has:location', 'has:translation'],
  ...[
    'check:same',
    'NOT check:end_stop',
    'dismissed_check:end_stop',
    'position:[10 to 20]',
    'id:400,401',
    'language:de',
  ],
  ...['file AND state:translated', 'source:file OR target:file', 'NOT (file OR datei)', 'has:check AND NOT has:note'],
];

it('A search in cached units finds the same units as the store', async () => {
  const { units: store, translations } = database.stores(silent);
  await store.insert(units());
  await translations.insert({ ...sampleTranslation(TRANSLATION), counters: await store.recount(TRANSLATION) });
  const translation = (await translations.get(TRANSLATION))!;
  const cache = new UnitCache(store);
  await cache.ofTranslation(translation);
  const cached = new CachedSearch(cache);
  const search = new UnitSearch(searchDeps(new StringsWorld()).deps);
  const found = new Set<number>();
  for (const q of QUERIES) {
    const parsed = search.parse(q)!;
    const query = await search.query(parsed, { translation, projects: [], generation: '' });
    for (const page of [1, 2]) {
      const expected = await store.page(allOf(inTranslation(TRANSLATION), query), page, 25);
      expect({ q, page, found: await cached.page(parsed, translation, { page, size: 25 }) }).toEqual({
        ...{ q, page, found: expected },
      });
      found.add(expected.total);
    }
  }
  // The queries select different units.
  expect(found.size).toBeGreaterThan(20);
});
