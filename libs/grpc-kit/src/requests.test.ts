import { pageOf, requireId, searchOf } from './requests';

const attrs = (work: () => unknown): string[] => {
  try {
    work();
    return [];
  } catch (error) {
    return (error as { problems: { attr: string }[] }).problems.map((problem) => problem.attr);
  }
};

it('pageOf returns the requested page, and the first by default', () => {
  expect(pageOf(null)).toEqual({ page: 1, size: 50, skip: 0 });
  expect(pageOf({ page: 0, pageSize: 0 }, { defaultSize: 100 })).toEqual({ page: 1, size: 100, skip: 0 });
  expect(pageOf({ page: 3, pageSize: 20 })).toEqual({ page: 3, size: 20, skip: 40 });
  expect(pageOf({ page: Number.MAX_SAFE_INTEGER, pageSize: 1000 }).skip).toBe(10_000_000);
});

it('pageOf names the field of an invalid page', () => {
  expect(attrs(() => pageOf({ page: -1, pageSize: 10 }))).toEqual(['page']);
  expect(attrs(() => pageOf({ page: 1.5, pageSize: 10 }))).toEqual(['page']);
  expect(attrs(() => pageOf({ page: 1, pageSize: -1 }))).toEqual(['page_size']);
  expect(attrs(() => pageOf({ page: 1, pageSize: 1001 }))).toEqual(['page_size']);
  expect(attrs(() => pageOf({ page: 1, pageSize: 1001 }, { maxSize: 10_000 }))).toEqual([]);
});

it('searchOf names the field of an invalid search', () => {
  expect(searchOf({ text: 'an', limit: 5 })).toEqual({ text: 'an', limit: 5 });
  for (const text of ['', 'x'.repeat(151)]) expect(attrs(() => searchOf({ text, limit: 5 }))).toEqual(['text']);
  for (const limit of [0, 101, 1.5, -1]) expect(attrs(() => searchOf({ text: 'an', limit }))).toEqual(['limit']);
});

it.each([0, -1, 1.5, Number.NaN, 2 ** 60])('requireId rejects the id %p and names its field', (value) => {
  expect(attrs(() => requireId(value, 'component_id'))).toEqual(['component_id']);
});
