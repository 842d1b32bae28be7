import { envelope, fetchPage, pageOf, readPage } from './paging';

const rule = { default: 50, max: 1000 };
const read = (query: string) => readPage(new URLSearchParams(query), rule);

describe('paging', () => {
  it('invalid page sizes fall back to the default, and large ones to the maximum', () => {
    expect(read('')).toEqual({ page: 1, pageSize: 50 });
    expect(read('page=3&page_size=20')).toEqual({ page: 3, pageSize: 20 });
    expect(read('page=')).toEqual({ page: 1, pageSize: 50 });
    expect(read('page=last')).toEqual({ page: 'last', pageSize: 50 });
    for (const size of ['0', '-1', 'x', '']) expect(read(`page_size=${size}`).pageSize).toBe(50);
    expect(read('page_size=99999').pageSize).toBe(1000);
  });

  it.each(['0', '-1', 'x', '1.5', '99999999999'])('page %p is rejected', (page) => {
    expect(() => read(`page=${page}`)).toThrow('Invalid page');
  });

  it('the last page and an empty first page exist, and pages beyond the end do not', async () => {
    const all = pageOf([1, 2, 3, 4, 5]);
    expect(await fetchPage({ page: 'last', pageSize: 2 }, all)).toEqual({ items: [5], total: 5, page: 3 });
    expect(await fetchPage({ page: 1, pageSize: 2 }, pageOf([]))).toEqual({ items: [], total: 0, page: 1 });
    await expect(fetchPage({ page: 4, pageSize: 2 }, all)).rejects.toThrow('Invalid page');
  });

  it('next and previous keep the query and omit the number of the first page', () => {
    const made = envelope('http://x/api/units/', new URLSearchParams('q=a b&page=2'), 2, 10, 25, []);
    expect(made).toMatchObject({
      count: 25,
      next: 'http://x/api/units/?q=a+b&page=3',
      previous: 'http://x/api/units/?q=a+b',
    });
    expect(envelope('http://x/', new URLSearchParams(), 1, 10, 5, [])).toMatchObject({ next: null, previous: null });
  });
});
